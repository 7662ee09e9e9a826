"""The memory mode that the NPU's traffic shows, against the mode that the model was compiled for.

A program compiled for one mode and run on firmware that was built for another does not fail: it is slow, or reads through
the wrong port.  The traffic gives it away: Sram_Only leaves the external port alone, Shared_Sram only reads from it
(weights and commands), Dedicated_Sram writes to it too.
"""

from __future__ import annotations

from ..cleaning import in_command
from ..compiles.vendor_configs import mode_family
from ..report import Finding, Run
from . import thresholds
from .facts import Facts

_TIMING_ADAPTERS: dict[tuple[str, str], str] = {
    ("Ethos_U55_High_End_Embedded", "Shared_Sram"): "SRAM full, external 64 cycles latency, 1/8 of the bandwidth",
    ("Ethos_U55_High_End_Embedded", "Sram_Only"): "SRAM full",
    ("Ethos_U55_Deep_Embedded", "Shared_Sram"): "SRAM full, external 32 cycles latency, 1/16 of the bandwidth",
    ("Ethos_U55_Deep_Embedded", "Sram_Only"): "SRAM full",
    ("Ethos_U65_High_End", "Shared_Sram"): "SRAM full, external 500/250 cycles latency",
    ("Ethos_U65_High_End", "Sram_Only"): "SRAM full",
    ("Ethos_U65_High_End", "Dedicated_Sram"): "SRAM full, external 500/250 cycles latency",
    ("Ethos_U85_SYS_DRAM_Low", "Dedicated_Sram"): "SRAM full, external 250/125 cycles latency",
    ("Ethos_U85_SYS_DRAM_Low", "Sram_Only"): "SRAM full",
    ("Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram"): "SRAM full, external 500/250 cycles latency",
    ("Ethos_U85_SYS_DRAM_Mid", "Sram_Only"): "SRAM full",
    ("Ethos_U85_SYS_DRAM_High", "Dedicated_Sram"): "as Ethos_U85_SYS_DRAM_Mid: the runner has the same values for both",
    ("Ethos_U85_SYS_DRAM_High", "Sram_Only"): "SRAM full, as Ethos_U85_SYS_DRAM_Mid",
}
"""What ExecuTorch's `corstone_utils.cmake` sets for the simulator's memories; other combinations have no values there."""


def family(mode: str) -> str:
    """That of `mode_family`, or where nobody has the mode, the mode itself: it differs from all others."""
    return mode_family(mode) or mode


def timing_adapters(system_config: str | None, memory_mode: str | None, platform: str | None) -> str | None:
    """What the simulated memories were slowed down to, in words; None where there is no simulator."""
    if platform != "fvp":
        return None
    if system_config is None or memory_mode is None:
        return "unknown: the log names no system config and memory mode"
    known = _TIMING_ADAPTERS.get((system_config, family(memory_mode)))
    if known is None:
        return f"none: ExecuTorch's runner has no values for {system_config} with {memory_mode}"
    return f"{system_config}, {memory_mode}: {known}"


def seen_mode(facts: Facts) -> tuple[tuple[str, ...], str] | None:
    """The modes that the traffic allows, and what it was; None where the counters do not tell.

    A little traffic allows both neighbours: a model without weights reads hardly more than its commands from outside.
    """
    total = sum(path.beats for path in facts.paths)
    if not total:
        return None
    limit = thresholds.NO_TRAFFIC.value / 100 * total
    read, write = facts.beats("ext_read"), facts.beats("ext_write")
    if read is not None and write is not None:
        return _modes(
            read, write, limit
        ), f"{read} beats read and {write} written on the external port, of {total} in all"
    read, write = facts.beats("axi1_read"), facts.beats("axi1_write")
    if read is None or facts.beats("axi0_read") is None:
        return None
    text = f"{read} beats read on AXI1, of {total} counted"
    if write is not None:
        return _modes(read, write, limit), f"{text}, {write} written there"
    modes = _modes(read, 0, limit)
    if "Shared_Sram" in modes and (facts.npu is None or facts.npu.value != "ethos-u55"):
        modes = (*modes, "Dedicated_Sram")  # a U65 writes on AXI1 too, which is not among the usual four counters
    return modes, text


def _modes(read: int, write: int, limit: float) -> tuple[str, ...]:
    if write > limit:
        return ("Dedicated_Sram",)
    if write:
        return ("Shared_Sram", "Dedicated_Sram")
    if read > limit:
        return ("Shared_Sram",)
    return ("Sram_Only", "Shared_Sram") if read else ("Sram_Only",)


def refuted_mode(facts: Facts) -> Finding | None:
    """`memory-mode-mismatch` where the traffic is not that of the mode that the user gave; the log's own is judged below."""
    given, seen = facts.memory_mode, seen_mode(facts)
    if given is None or facts.compiled_for is not None or seen is None or family(given.value) in seen[0]:
        return None
    modes, text = seen
    lines = tuple(line for path in facts.paths for line in _line(facts, path.source))
    title = f"The traffic is that of {' or '.join(modes)}, and the memory mode given is {given.value}"
    detail = f"The NPU counted {text}: the memory mode given is not used."
    return _mismatch(
        facts.run, title, detail, given.value, lines, "Leave out --memory-mode, or name the one that it ran with. "
    )


def memory_mode_findings(facts: Facts) -> list[Finding]:
    """`memory-mode-mismatch` where the traffic, the compile and the build of the runner contradict each other."""
    run, compiled, built = facts.run, facts.compiled_for, facts.run.target.memory_mode
    if compiled is None or mode_family(compiled.value) is None:
        return []
    if compiled.source == "compile.memory_mode" and built is not None and family(built) != family(compiled.value):
        lines = (*_line(facts, "target.memory_mode"), *_summary_line(facts))
        title = f"The model was compiled for {compiled.value}, and the runner built for {built}"
        return [
            _mismatch(run, title, "Vela's summary and the build banner in this capture say so.", compiled.value, lines)
        ]
    seen = seen_mode(facts)
    if seen is None or family(compiled.value) in seen[0]:
        return []
    modes, text = seen
    lines = tuple(line for path in facts.paths for line in _line(facts, path.source))
    what, where = "model was compiled", "Vela's summary in this capture"
    if compiled.source != "compile.memory_mode":  # the banner of the runner's build says nothing about the program
        what, where = "runner was built", "the build banner"
        lines = (*lines, *_line(facts, compiled.source))
    title = f"The traffic is that of {' or '.join(modes)}, and the {what} for {compiled.value}"
    detail = f"The NPU counted {text}; {where} says {compiled.value}."
    return [_mismatch(run, title, detail, compiled.value, (*lines, *_summary_line(facts)))]


def _mismatch(run: Run, title: str, detail: str, mode: str, lines: tuple[int, ...], first: str = "") -> Finding:
    mode = in_command(mode, "MODE")
    return Finding(
        "memory-mode-mismatch", "warning", run.index, title,
        f"{detail} A model runs under the wrong mode without an error: it is slower, or reads through another port than Vela "
        "planned for.",
        f"{first}Build model and runner for one mode: run.sh --memory_mode={mode} does both; else aot_arm_compiler "
        f"--memory_mode={mode} and CMake -DMEMORY_MODE={mode}, with the same system config.",
        tuple(sorted(set(lines))),
    )  # fmt: skip


def _line(facts: Facts, path: str) -> tuple[int, ...]:
    line = facts.run.lines.get(path)
    return (line,) if line is not None else ()


def _summary_line(facts: Facts) -> tuple[int, ...]:
    line = facts.summary.first_line if facts.summary is not None else None
    return (line,) if line is not None else ()
