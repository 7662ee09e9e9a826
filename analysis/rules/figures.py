"""Figures that are not what they seem: each rule quotes what was printed and says what it is worth."""

from __future__ import annotations

from ..collect.stages import STAGE
from ..dividing.boundaries import OPENERS, PREPARATIONS
from ..draft import Evidence
from ..outcome import Outcome
from ..ran_on import CPU
from ..report import Finding, Run
from ..units import format_many
from .doubts import DOUBT_RULES
from .newlib import FULL, NO_Z
from .releases import surely_from

_EXECUTION = frozenset(kind for kind, stage in STAGE.items() if stage in ("execute", "report"))


def execution_missing(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`execution-not-logged`: a runner that logs its steps prepared and ended, with no line of what lies between."""
    kinds = seen.seen.keys()
    if run.status != "passed" or run.runner.kind != "arm_executor_runner" or not _EXECUTION.isdisjoint(kinds):
        return None
    before = PREPARATIONS if "program_complete" in kinds else PREPARATIONS | OPENERS
    prepared = [seen.seen[kind] for kind in before & kinds]
    garbled = seen.first("message_lost") or any(odd.kind == "message_garbled" for odd in seen.odd)
    if not prepared or run.outputs or garbled:
        return None
    return Finding(
        "execution-not-logged", "warning", run.index, "The log has the set-up and end of this run, but not its execution",
        f"Between line {max(prepared)} and the end of the run, at line {run.last_line}, nothing is left of what it did: lines were lost, or that end belongs "
        "to another run captured in the same log.",
        "Capture the console again from its first line to its last, into its own file.", (max(prepared), run.last_line),
    )  # fmt: skip


def fvp_ratio(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`fvp-ratio-not-time`: shares of CPU and NPU printed by a simulator."""
    ratio = run.cycles.cpu_ratio_percent
    if ratio is None or run.target.platform in ("board", "host"):
        return None
    where = "an FVP"
    simulator = "QEMU" if run.target.platform == "qemu" else "an FVP"
    if run.target.platform == "qemu":
        where = simulator
    elif run.target.platform != "fvp":
        where = "what looks like an FVP (nothing in the log says this was hardware)"
    elif run.lines.get("target.platform") == run.lines.get("cycles.cpu_wait_for_npu"):
        where = f"what must be an FVP (a CPU that waits {run.cycles.cpu_wait_for_npu} cycles for the NPU is simulated)"
    other = f" against {run.cycles.npu_ratio_percent} % NPU" if run.cycles.npu_ratio_percent is not None else ""
    npu = f" The NPU itself counted {run.pmu.npu_cycles} cycles." if run.pmu and run.pmu.npu_cycles else ""
    lines = (
        *_line(run, "cycles.cpu_ratio_percent"),
        *_line(run, "cycles.npu_ratio_percent"),
        *_line(run, "pmu.npu_cycles"),
    )
    return Finding(
        "fvp-ratio-not-time", "warning", run.index, f"The CPU/NPU ratio of {simulator} is not time",
        f"{ratio:g} % CPU{other} was printed on {where}: it does not model how long "
        f"the CPU takes, so its CPU cycles are not time.{npu}",
        "Use the NPU's cycle counter and Vela's estimate; measure the CPU's share on an FPGA or a board.", lines,
    )  # fmt: skip


def shifted(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`newlib-nano-shift`: numbers that the C library could not print."""
    odd = seen.all("counter_shifted", "allocation_shifted")
    if not odd:
        return None
    return Finding(
        "newlib-nano-shift", "warning", run.index, "Some numbers in this log are lost: the C library cannot format them",
        f"The log says {odd[0].text}: {NO_Z} (newlib-nano not ll either), print the letters, and put every number after them in the wrong place. Those "
        "figures are left out.",
        f"Link {FULL}{_later_runner(run)}.", tuple(o.line for o in odd[:20]),
    )  # fmt: skip


def _later_runner(run: Run) -> str:
    """The bare-metal runner alone does without those formats since 1.2: Zephyr's and other ports print their lines as before."""
    if run.runner.kind != "arm_executor_runner" or surely_from(run, (1, 2)):
        return ""
    return ", or use arm_executor_runner of 1.2 or later"


def lost_messages(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`newlib-nano-shift`: only the function's name is left of each line."""
    lost = seen.all("message_lost")
    if not lost:
        return None
    names = ", ".join(dict.fromkeys(t.text for t in lost if t.text))
    lines = tuple(t.line for t in lost[:20])
    return Finding(
        "newlib-nano-shift", "warning" if run.status in ("passed", "failed") else "error", run.index,
        "The messages in this log are lost: the C library cannot format its lines",
        f"In {format_many(len(lost), 'line')} zu is printed for the source line and a function name for the message ({names[:120]}): {NO_Z}, print the "
        f"letters, and put what comes after them in the wrong place.{'' if run.status == 'passed' else ' How far the run got cannot be told.'}",
        f"Link {FULL}, and in ExecuTorch's own build without EXECUTORCH_OPTIMIZE_SIZE{_later_runner(run)}.", lines,
    )  # fmt: skip


def no_delegation(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`npu-not-used`: inferences without a delegate."""
    if _counts_calls(run) and run.cycles.inferences == 0 and run.status == "passed":
        return Finding(
            "npu-not-used", "warning", run.index, "The NPU did nothing in this run",
            "NPU Inferences is 0, which in this release counts the delegate's calls to the NPU: the program has no delegate, so the PMU figures mean nothing.",
            "Compile it quantised and with delegation if the model is meant for the NPU.", _line(run, "cycles.inferences"),
        )  # fmt: skip
    if run.runner.kind == "mlek" and run.status == "passed" and run.pmu is not None and run.pmu.npu_cycles == 0:
        if any(counter.value for counter in run.pmu.counters):
            return None
        return Finding(
            "npu-not-used", "warning", run.index, "The NPU did nothing in this run",
            "Its counters are 0 after the inference: the CPU computed the whole model.",
            "Compile it for this NPU if it is meant for it: Vela on a .tflite that is quantised to int8 (the application's list of operators then names "
            "ethos-u), ExecuTorch's Ethos-U partitioner on a quantised model.", _line(run, "pmu.npu_cycles"),
        )  # fmt: skip
    if run.cycles.delegations != 0 or not (run.cycles.inferences or "tflite_delegated" in seen.seen):
        return None
    if (run.target.name or "").startswith(CPU):
        return None
    detail = "NPU delegations is 0: the program has no delegate, or none was reached, so the PMU figures mean nothing."
    if "tflite_delegated" in seen.seen:
        detail = "The NPU's delegate took no node of the model, so the CPU computed the whole of it."
    return Finding(
        "npu-not-used", "warning", run.index, "The NPU did nothing in this run", detail,
        "Compile it quantised and with delegation if the model is meant for the NPU.",
        _line(run, "cycles.delegations"),
    )  # fmt: skip


def _counts_calls(run: Run) -> bool:
    """True for the bare-metal runners before 1.0, whose line of inferences counts calls of the NPU: they have no line of delegations."""
    of_runner = run.runner.kind == "arm_executor_runner" and not surely_from(run, (1, 0))
    return of_runner and run.cycles.delegations is None and run.pmu is not None


_TICKS = ("bench_loop", "bench_ticks", "bench_operator_ticks")
"""What benchmarks of TensorFlow Lite Micro print with ticks."""


def ticks(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`ticks-not-time`: a benchmark that counted instead of measuring."""
    lines = tuple(seen.seen[kind] for kind in _TICKS if kind in seen.seen)
    told = run.times.inference_seconds is not None or run.cycles.operators_total is not None
    if not lines or told or run.status != "passed":
        return None
    return Finding(
        "ticks-not-time", "info", run.index, "The benchmark's ticks are not time: the log does not name their clock",
        "It also prints whole milliseconds: fewer than 10 in all are too coarse to divide, and without a timer it prints 0.",
        "Run more inferences in one loop, and give TensorFlow Lite Micro a timer for this core (ticks_per_second and GetCurrentTimeTicks in micro_time.cc).",
        lines[:1],
    )  # fmt: skip


def _line(run: Run, path: str) -> tuple[int, ...]:
    return (run.lines[path],) if path in run.lines else ()


FIGURE_RULES = (execution_missing, fvp_ratio, shifted, *DOUBT_RULES, no_delegation, ticks)
