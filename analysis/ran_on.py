"""Tells what a run ran on: which NPU, and whether on a board, a simulator, an emulator or the host itself."""

from __future__ import annotations

from .dividing.at_work import of_linux, of_linux_runner
from .draft import RunDraft
from .release.kind import NXP_EVENTS
from .report import Target
from .trust.settled import Settled

_FVP_EVENTS = ("fvp_config", "fvp_terminal", "fvp_npu", "fvp_version", "fvp_command", "fvp_stopped", "fvp_warning", "time_limit", "script_done",
               "vsi_started", "mlek_unclocked")  # fmt: skip
_BOARD_EVENTS = ("alif_started", "alif_board", "delegate_of_os", "rtt_platform", "npu_asked", "npu_capable", "tflite_option", "kit_board", "cm33_started", "cm33_step", "raw_output", "abort_called", "npu_command_end", "npu_bus_bit", "esp_heap", "esp_ready",
                 "pico_started", "pico_complete", "axon_started", "nsx_started", "renesas_started", "renesas_failed", "renesas_time", "renesas_npu_time", "psoc_started", "psoc_model", "psoc_cpu", "himax_step", "himax_unplanned", "himax_unreserved", "npu_of_chip", *NXP_EVENTS)  # fmt: skip
CPU = "cortex-m"
"""How the names of targets begin whose programs do not use the NPU."""
_FVP_CYCLE_GAP = 50
"""On hardware the CPU waits about as long as the NPU works; a wait so many times shorter shows a simulated CPU."""


def _family(draft: RunDraft, macs: int | None) -> str | None:
    """The NPU that has this architecture and this many MACs, if only one has."""
    if "cm33_started" in draft.seen or ("board_prompt" in draft.seen and of_linux(draft)):
        return "ethos-u65"  # that of the i.MX 93, the only chip of this port
    if "npu_arch_2" in draft.seen:
        return "ethos-u85"
    if "npu_arch_1" not in draft.seen and macs not in (32, 64):  # which only the U55 has
        return None
    if macs == 256 and "kit_board" in draft.seen:
        return "ethos-u55"  # the chips that print this have no U65
    return {32: "ethos-u55", 64: "ethos-u55", 128: "ethos-u55", 512: "ethos-u65"}.get(macs or 0)


def _modelled(fvp: str | None) -> str | None:
    """The NPU that an FVP models, if its name tells."""
    name = (fvp or "").upper()
    found = next((npu for npu in ("U55", "U65", "U85") if f"ETHOS-{npu}" in name), None)
    if found is None and name.startswith("FVP_CORSTONE_SSE-3"):
        found = {"15": "U65", "20": "U85"}.get(name[18:20])
    return f"ethos-{found.lower()}" if found else None


def _platform(settled: Settled) -> tuple[str | None, int | None]:
    """What the run ran on, and the line that tells it; what prints for itself counts before calls and figures."""
    draft, get = settled.draft, settled.figures.get
    port, called, probe, model = (settled.lines.pop(f"target.{t}", None) for t in ("port", "machine", "probe", "model"))
    settled.lines.pop("target.prompts", None)
    banner = next((draft.seen[kind] for kind in _FVP_EVENTS if kind in draft.seen), None)
    if banner is not None:
        return "fvp", banner
    if "host" in draft.files:
        return "host", None
    if port:
        return "board", port
    emulator = called or next((t.line for t in draft.trouble if t.text.startswith(("qemu-sys", "qemu: f"))), None)
    if emulator is not None:
        return "qemu", emulator
    if model is not None and of_linux(draft):
        return get("target.model"), model
    if any(kind in draft.seen for kind in _BOARD_EVENTS):
        return "board", None  # none that an emulator plays
    if get("target.fvp"):  # its call stands before a console without its banner
        return "fvp", settled.lines.get("target.fvp")
    if probe is not None:
        return "board", probe
    if of_linux_runner(draft) and "board_prompt" in draft.seen:
        return "board", draft.seen["board_prompt"]
    wait, npu_cycles = get("cycles.cpu_wait_for_npu"), get("pmu.npu_cycles")
    if wait and npu_cycles and wait * _FVP_CYCLE_GAP < npu_cycles:
        return "fvp", settled.lines["cycles.cpu_wait_for_npu"]
    return None, None


def target_of(settled: Settled) -> Target:
    """The `Target` of a run. A modelled platform, or an architecture that only one NPU has, tells the NPU without its
    name.
    """
    draft, get = settled.draft, settled.figures.get
    name, npu, macs = get("target.name"), get("target.npu"), get("target.macs")
    if name is not None:
        family, _, size = str(name).rpartition("-")
        if family.startswith("ethos-u"):
            npu, macs = npu or family, macs or (int(size) if size.isdigit() else None)
    npu = npu or _modelled(get("target.fvp")) or _family(draft, macs)
    if str(name).startswith(CPU):
        npu = macs = None  # those that the script names are for the simulator's sake
        settled.lines.pop("target.macs", None)
    if name is None and npu is not None and macs is not None:
        name = f"{npu}-{macs}"
    platform, evidence = _platform(settled)
    if evidence is not None:
        settled.lines["target.platform"] = evidence
    return Target(name, npu, macs, platform, *(get(f"target.{told}") or None for told in Target._fields[4:]))
