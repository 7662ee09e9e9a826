"""When the figures of a run leave nothing to doubt: one cheap look that spares ordinary runs the full checks.

A scanner over hundreds of thousands of runs cannot afford to build every run in order to find that its figures agree.
`unremarkable()` answers for the checks of `repair.py` and the rules of `rules_figures.py` and `rules_counters.py` that
depend on values: True only where none of them would change a figure or report one.  It may say False of a run that turns
out to be fine.  A property test holds it against the real checks.

Not covered, because they do not depend on doubtful values: `fvp-ratio-not-time` (it stands wherever a CPU ratio is printed
and the platform is neither board nor host), messages of level E, and torn or shifted lines, which are no figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

UNKNOWN_SIZE_BYTES = 0x10000000
"""What a runner prints as program size when the program is not part of its ELF (`--pte=ADDRESS` builds)."""

_U55_U65 = (
    "ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED",
    "ETHOSU_PMU_AXI1_RD_DATA_BEAT_RECEIVED",
    "ETHOSU_PMU_AXI0_WR_DATA_BEAT_WRITTEN",
    "ETHOSU_PMU_NPU_IDLE",
)
_U85 = (
    "ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED",
    "ETHOSU_PMU_SRAM_WR_DATA_BEAT_WRITTEN",
    "ETHOSU_PMU_EXT_RD_DATA_BEAT_RECEIVED",
    "ETHOSU_PMU_EXT_WR_DATA_BEAT_WRITTEN",
    "ETHOSU_PMU_NPU_IDLE",
    "ETHOSU_PMU_MAC_ACTIVE",
    "ETHOSU_PMU_WD_ACTIVE",
)
_ORDINARY: dict[tuple[str, ...], tuple[str | None, ...]] = {
    _U55_U65: (None, "ethos-u55", "ethos-u65"),
    _U85[:5]: (None, "ethos-u85"),
    _U85: (None, "ethos-u85"),
}

_COUNTERS = tuple((f"pmu.counters.{i}", f"pmu.counters.{i}.per_inference") for i in range(8))
_TOTALS = (
    ("cycles.delegations", "cycles.delegations.per_inference"),
    ("cycles.operators.0", "cycles.operators.0.per_inference"),
    ("cycles.operators_total", "cycles.operators_total.per_inference"),
    ("cycles.inference", "cycles.inference.per_inference"),
    ("cycles.cpu_wait_for_npu", "cycles.cpu_wait_for_npu.per_inference"),
    ("pmu.npu_cycles", "pmu.npu_cycles_per_inference"),
    *_COUNTERS,
)
_EVENTS = frozenset(path for path, _ in _COUNTERS)
_PER_INFERENCE = frozenset(path for _, path in _TOTALS)
_POOLS = tuple(
    (*(f"memory.pools.{name}.{part}_bytes" for part in ("used", "free", "capacity")),)
    for name in ("temp", "planned_fast", "input_file", "etdump_outputs")
)
_PARTS = frozenset(f"memory.{part}_bytes" for part in ("planned", "loaded", "input", "executor"))
_CPU = frozenset(
    ("cycles.operators.0", "cycles.operators_total", "cycles.cpu_wait_for_npu", "cycles.cpu_ratio_percent")
) | {"cycles.npu_ratio_percent"}


def ordinary_events(names: Sequence[str], npu: str | None, counters: int) -> bool:
    """True for an event list that a release prints for this NPU (None: unknown), with as many counters as names.

    `unremarkable()` speaks only of runs whose list is ordinary, or that print no counters at all; ask once per list.
    """
    return len(names) == counters and npu in _ORDINARY.get(tuple(names), ())


def unremarkable(figures: Mapping[str, float | int | None]) -> bool:
    """True only where no check of values would change or report anything.

    `figures` holds what was printed, before any repair, under the field paths of the report ("pmu.npu_cycles",
    "memory.pools.method.used_bytes"), and beside them "cycles.operators.0" and "pmu.counters.N" for the totals of the
    operator ethos-u and of event counter N, and "<path>.per_inference" for each value in brackets (that of the cycle
    counter is "pmu.npu_cycles_per_inference", as in the report).  An absent figure is left out: None makes it False.
    """
    try:
        return _agree(figures)
    except (KeyError, TypeError):  # a figure of a group is missing: let the full checks see what that means
        return False


def _agree(f: Mapping[str, Any]) -> bool:
    if f.get("cycles.inferences", 0) < 0:
        return False
    if f.get("model.pte_bytes") == UNKNOWN_SIZE_BYTES or f.get("model.loaded_bytes") == UNKNOWN_SIZE_BYTES:
        return False
    if "memory.pools.method.used_bytes" in f:
        used, free = f["memory.pools.method.used_bytes"], f["memory.pools.method.free_bytes"]
        planned, loaded = f["memory.planned_bytes"], f["memory.loaded_bytes"]
        given, executor = f["memory.input_bytes"], f["memory.executor_bytes"]
        if (
            planned + loaded + given + executor != used
            or used + free != f["memory.pools.method.capacity_bytes"]
            or free < 0 or planned < 0 or loaded < 0 or given < 0 or executor < 0
        ):  # fmt: skip
            return False
    elif not f.keys().isdisjoint(_PARTS):
        return False
    for used_path, free_path, capacity_path in _POOLS:
        if used_path in f:
            used, free = f[used_path], f[free_path]
            if used < 0 or free < 0 or used + free != f[capacity_path]:
                return False
    if "cycles.inference" in f:
        runtime, wait, npu_ratio = f["cycles.inference"], f["cycles.cpu_wait_for_npu"], f["cycles.npu_ratio_percent"]
        operator, cpu_ratio = f["cycles.operators.0"], f["cycles.cpu_ratio_percent"]
        if not (
            0 <= wait <= operator <= runtime < 1 << 31
            and 0 < operator == f["cycles.operators_total"]
            and 0 <= npu_ratio <= 100 >= cpu_ratio >= 0
            and -0.0101 < cpu_ratio + npu_ratio - 100 < 0.0101
            and -0.005 < 100 * wait / runtime - npu_ratio < 0.0051
        ):
            return False
    elif not f.keys().isdisjoint(_CPU):
        return False
    if "pmu.npu_cycles" in f:
        cycles = f["pmu.npu_cycles"]
        if not 0 < cycles < 1 << 31 or f.get("cycles.delegations", 1) <= 0:
            return False
        if f.get("pmu.counters.0") == 0:
            return False
        lost = False
        for path, _ in _COUNTERS:
            if path not in f:
                lost = True
            elif lost or not 0 <= f[path] <= cycles:
                return False
    elif not f.keys().isdisjoint(_EVENTS):
        return False
    if f.keys().isdisjoint(_PER_INFERENCE):
        return True
    count = f["cycles.inferences"]
    room = 0.0049 * count
    return 0 < count < 1 << 20 and all(
        -room <= f[path] * count - f[total_path] <= room for total_path, path in _TOTALS if path in f
    )
