"""Figures that are not what they seem: what was printed is quoted, and what it is worth is said."""

from __future__ import annotations

from .draft import Evidence
from .outcome import Outcome
from .report import Finding, Run


def fvp_ratio(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    ratio = run.cycles.cpu_ratio_percent
    if ratio is None or run.target.platform in ("board", "host"):
        return None
    where = "an FVP"
    if run.target.platform != "fvp":
        where = "an FVP (nothing in the log says that this was hardware)"
    elif run.lines.get("target.platform") == run.lines.get("cycles.cpu_wait_for_npu"):
        where = f"what must be an FVP (a CPU that waits {run.cycles.cpu_wait_for_npu} cycles for the NPU is simulated)"
    npu = f" The NPU itself counted {run.pmu.npu_cycles} cycles." if run.pmu and run.pmu.npu_cycles else ""
    lines = (
        run.lines["cycles.cpu_ratio_percent"],
        *_line(run, "cycles.npu_ratio_percent"),
        *_line(run, "pmu.npu_cycles"),
    )
    return Finding(
        "fvp-ratio-not-time", "warning", run.index, "The CPU/NPU ratio of an FVP is not time",
        f"{ratio:g} % CPU against {run.cycles.npu_ratio_percent} % NPU was printed on {where}: it does not model how long "
        f"the CPU takes, so its CPU cycles are not time.{npu}",
        "Use the NPU's cycle counter and Vela's estimate; take CPU shares from an FPGA or a board.", lines,
    )  # fmt: skip


def wrapped(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    odd = [o for o in seen.odd if o.kind == "wrapped"]
    if not odd:
        return None
    return Finding(
        "wrapped-total", "warning", run.index, "A cycle total was printed wrapped, and is repaired",
        f"The log says {'; '.join(o.text for o in odd)}: 32 bits do not hold it. The repaired value is the printed one plus "
        "2^32, or the value per inference times the inferences.",
        "Use the values per inference, or a runner newer than 1.4.", tuple(o.line for o in odd),
    )  # fmt: skip


def shifted(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    odd = seen.all("counter_shifted", "allocation_shifted")
    if not odd:
        return None
    return Finding(
        "newlib-nano-shift", "warning", run.index, "Some numbers of this log are lost: the C library cannot print them",
        f"The log says {odd[0].text}: newlib-nano knows no z and ll lengths, prints the letters, and gives every number "
        "after them to the wrong place. Those figures are left out.",
        "Link the full newlib, or use a runner of 1.2 or later.", tuple(o.line for o in odd[:20]),
    )  # fmt: skip


def ratio_unknown(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    odd = [o for o in seen.odd if o.kind in ("ratio_unknown", "runtime_zero")]
    if not odd:
        return None
    return Finding(
        "cpu-cycles-not-counted", "warning", run.index, "The CPU's cycle counter was not running",
        f"The log says {'; '.join(o.text for o in odd)}: no CPU cycles were counted, so there is no ratio.",
        "ExecuTorch 1.4 built with GCC for Cortex-M55 leaves the CPU's PMU off; a later runner has it. NPU counters are right.",
        tuple(o.line for o in odd),
    )  # fmt: skip


def operator_cycles_zero(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    odd = next((o for o in seen.odd if o.kind == "operator_cycles_zero"), None)
    if odd is None:
        return None
    return Finding(
        "operator-cycles-not-counted", "warning", run.index, "The delegate's CPU cycles were not counted",
        f"The log says {odd.text} although the NPU worked; ExecuTorch 0.6 never measures this figure.",
        "Use a runner of 0.7 or later for it; the NPU's own counters are right.", (odd.line,),
    )  # fmt: skip


def program_size(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    odd = [o for o in seen.odd if o.kind == "program_size"]
    if not odd:
        return None
    return Finding(
        "program-size-unknown", "info", run.index, "The size of the program is not known",
        f"{odd[0].text} is what the runner prints when the program is not part of its ELF; it is not a size.",
        "Take the size from the .pte file.", tuple(o.line for o in odd),
    )  # fmt: skip


def no_delegation(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    if run.cycles.delegations != 0 or not run.cycles.inferences:
        return None
    return Finding(
        "npu-not-used", "warning", run.index, "The NPU did nothing in this run",
        "NPU delegations is 0: the program has no delegate, or none was reached, so the PMU figures say nothing.",
        "Compile it quantised and with delegation if the model was meant for the NPU.",
        _line(run, "cycles.delegations"),
    )  # fmt: skip


def allocator_sum(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    memory = run.memory
    pool = memory.pools.get("method")
    parts = (memory.planned_bytes, memory.loaded_bytes, memory.input_bytes, memory.executor_bytes)
    if pool is None or pool.used_bytes is None or any(part is None for part in parts):
        return None
    total = sum(part for part in parts if part is not None)
    if total == pool.used_bytes or 0 <= pool.used_bytes - total < 256:
        return None
    return Finding(
        "allocator-sum", "warning", run.index, "The method allocator's parts do not add up",
        f"planned + loaded + input + executor is {total} bytes, and {pool.used_bytes} are printed as used.",
        "A line of this block is damaged, or lines of two runs are mixed; do not rely on it.",
        (*_line(run, "memory.pools.method.used_bytes"), *_line(run, "memory.planned_bytes")),
    )  # fmt: skip


def error_messages(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    errors = [t for t in seen.trouble if t.kind == "message" and t.level == "E"]
    if not errors:
        return None
    return Finding(
        "error-messages", "warning" if run.status == "passed" else "info", run.index,
        f"The runner printed {len(errors)} error message{'s' if len(errors) > 1 else ''}",
        f"The first is: {errors[0].text}.", "Read them in the log.", tuple(t.line for t in errors[:20]),
    )  # fmt: skip


def _line(run: Run, path: str) -> tuple[int, ...]:
    return (run.lines[path],) if path in run.lines else ()


FIGURE_RULES = (
    fvp_ratio, wrapped, shifted, ratio_unknown, operator_cycles_zero, program_size, no_delegation, allocator_sum, error_messages,
)  # fmt: skip
