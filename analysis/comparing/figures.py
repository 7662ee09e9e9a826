"""The figures that can be rows of a comparison: where each comes from, and when two of them must not be compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import Run, counts_calls, executions

if TYPE_CHECKING:
    from typing import Literal

    from .sides import Better, Side

FVP_CPU = "CPU cycles of an FVP are not time"
EMULATED_CPU = "CPU cycles of an emulator are not time"
UNKNOWN_CPU = "CPU cycles are not time unless a board ran it, which is not known here"
NO_NPU = "the NPU did nothing in one of them"
INFERENCES = "totals over different numbers of inferences"
FAMILY = "the NPUs are of different generations"
ASSUMED = "the clocks or MACs are assumed, and not in the same way"


class Row(NamedTuple):
    """A figure: its name, whether a lower or a higher value is better, and how to get it from a column."""

    name: str
    unit: str
    better: Better
    get: Callable[[Side], float | None]
    kind: Literal["total", "cpu", "plain", "derived"] = "plain"


def _run(get: Callable[[Run], float | None]) -> Callable[[Side], float | None]:
    return lambda side: get(side.run) if side.run is not None else None


def _summary(field: str) -> Callable[[Side], float | None]:
    def get(side: Side) -> float | None:
        value: float | None = getattr(side.summary, field) if side.summary is not None else None
        return value

    return get


def _needed_sram(side: Side) -> float | None:
    """What a board must have, where that is not what Vela counts as SRAM: in Sram_Only the weights lie there too."""
    if side.summary is None:
        return None
    from ..design.candidates import Candidate

    named = Candidate("", "", side.summary.system_config, side.summary.memory_mode)
    return named.with_figures(side.summary).need("sram")


def _pool(name: str, part: str) -> Callable[[Side], float | None]:
    def get(run: Run) -> float | None:
        pool = run.memory.pools.get(name)
        value: float | None = getattr(pool, part) if pool is not None else None
        return value

    return _run(get)


def _per_inference(run: Run) -> float | None:
    if run.pmu is None:
        return None
    if run.pmu.npu_cycles_per_inference is not None:
        return run.pmu.npu_cycles_per_inference
    return run.pmu.npu_cycles if executions(run) == 1 else None


def _delegations(run: Run) -> int | None:
    return run.cycles.inferences if counts_calls(run) else run.cycles.delegations


ROWS: tuple[Row, ...] = (
    Row("compile.total_cycles", "cycles", "lower", _summary("total_cycles")),
    Row("compile.npu_cycles", "cycles", "lower", _summary("npu_cycles")),
    Row("compile.sram_access_cycles", "cycles", "lower", _summary("sram_access_cycles")),
    Row("compile.dram_access_cycles", "cycles", "lower", _summary("dram_access_cycles")),
    Row("compile.off_chip_flash_access_cycles", "cycles", "lower", _summary("off_chip_flash_access_cycles")),
    Row("compile.inference_seconds", "seconds", "lower", _summary("inference_seconds")),
    Row("compile.sram_used_bytes", "bytes", "lower", _summary("sram_used_bytes")),
    Row("compile.sram_needed_bytes", "bytes", "lower", _needed_sram),
    Row("compile.dram_used_bytes", "bytes", "lower", _summary("dram_used_bytes")),
    Row("compile.on_chip_flash_used_bytes", "bytes", "lower", _summary("on_chip_flash_used_bytes")),
    Row("compile.off_chip_flash_used_bytes", "bytes", "lower", _summary("off_chip_flash_used_bytes")),
    Row("compile.core_clock_hz", "hertz", "none", _summary("core_clock_hz")),
    Row("compile.macs", "MACs", "none", _summary("macs")),
    Row("compile.delegated_subgraphs", "count", "lower", _summary("delegated_subgraphs")),
    Row("compile.non_delegated_nodes", "count", "lower", _summary("non_delegated_nodes")),
    Row("compile.pte_bytes", "bytes", "lower", lambda side: side.pte_bytes),
    Row("pmu.npu_cycles", "cycles", "lower", _run(lambda r: r.pmu.npu_cycles if r.pmu else None), "total"),
    Row("pmu.npu_cycles_per_inference", "cycles", "lower", _run(_per_inference)),
    Row("cycles.inferences", "count", "none", _run(executions)),
    Row("cycles.delegations", "count", "lower", _run(_delegations), "total"),
    Row("cycles.inference", "cycles", "lower", _run(lambda r: r.cycles.inference), "cpu"),
    Row("cycles.operators_total", "cycles", "lower", _run(lambda r: r.cycles.operators_total), "cpu"),
    Row("cycles.cpu_wait_for_npu", "cycles", "none", _run(lambda r: r.cycles.cpu_wait_for_npu), "cpu"),
    Row("cycles.cpu_ratio_percent", "percent", "lower", _run(lambda r: r.cycles.cpu_ratio_percent), "cpu"),
    Row("cycles.npu_ratio_percent", "percent", "higher", _run(lambda r: r.cycles.npu_ratio_percent), "cpu"),
    Row("times.load_seconds", "seconds", "lower", _run(lambda r: r.times.load_seconds)),
    Row("times.inference_seconds", "seconds", "lower", _run(lambda r: r.times.inference_seconds)),
    Row("model.pte_bytes", "bytes", "lower", _run(lambda r: r.model.pte_bytes)),
    Row("memory.pools.method.used_bytes", "bytes", "lower", _pool("method", "used_bytes")),
    Row("memory.pools.method.capacity_bytes", "bytes", "none", _pool("method", "capacity_bytes")),
    Row("memory.planned_bytes", "bytes", "lower", _run(lambda r: r.memory.planned_bytes)),
    Row("memory.loaded_bytes", "bytes", "lower", _run(lambda r: r.memory.loaded_bytes)),
    Row("memory.input_bytes", "bytes", "lower", _run(lambda r: r.memory.input_bytes)),
    Row("memory.executor_bytes", "bytes", "lower", _run(lambda r: r.memory.executor_bytes)),
    Row("memory.pools.temp.used_bytes", "bytes", "lower", _pool("temp", "used_bytes")),
    Row("memory.pools.temp.capacity_bytes", "bytes", "none", _pool("temp", "capacity_bytes")),
)


def counter_rows(sides: Sequence[Side]) -> list[Row]:
    """The PMU event counters that at least one column has."""
    events: dict[str, None] = {}
    for side in sides:
        if side.run is not None and side.run.pmu is not None:
            events.update((c.event, None) for c in side.run.pmu.counters if c.event is not None)

    def getter(event: str) -> Callable[[Side], float | None]:
        def get(run: Run) -> float | None:
            counters = run.pmu.counters if run.pmu is not None else ()
            return next((c.value for c in counters if c.event == event), None)

        return _run(get)

    def unit(event: str) -> str:
        return "beats" if "BEAT" in event else "cycles"

    def better(event: str) -> Better:
        return "lower" if "BEAT" in event else "none"

    return [Row(f"pmu.counters.{event}", unit(event), better(event), getter(event), "total") for event in events]


_BY_GENERATION = ("_port_use_percent", "_beats_per_cycle", "_busy_percent", "idle_share_percent", "_peak_use_percent")
_HIGHER = (
    "_utilisation_percent",
    "_efficiency_percent",
    "npu_ops_per_second",
    "npu_inferences_per_second",
    "attained_macs_per_cycle",
)
_LOWER = (
    "_seconds_per_inference",
    "_bytes_per_inference",
    "idle_share_percent",
    "delegations_per_inference",
    "cpu_share_percent",
)
_SHOWN_ELSEWHERE = frozenset(("method_pool_use_percent", "cpu_cycles_outside_delegate", "npu_cycles_per_inference"))


def derived_rows(sides: Sequence[Side]) -> list[Row]:
    """What `derive()` added to the runs, under "derived.<name>"."""
    units: dict[str, str] = {}
    for side in sides:
        if side.run is not None:
            units.update((name, entry.unit) for name, entry in side.run.derived.items() if name not in _SHOWN_ELSEWHERE)

    def getter(name: str) -> Callable[[Side], float | None]:
        return _run(lambda run: run.derived[name].value if name in run.derived else None)

    def better(name: str) -> Better:
        return "higher" if name.endswith(_HIGHER) else "lower" if name.endswith(_LOWER) else "none"

    return [Row(f"derived.{name}", unit, better(name), getter(name), "derived") for name, unit in units.items()]


def _derived_obstacle(name: str, run: Run, base: Run) -> str | None:
    if (
        name.endswith(_BY_GENERATION)
        and None not in (run.target.npu, base.target.npu)
        and run.target.npu != base.target.npu
    ):
        return FAMILY
    if name not in run.derived or name not in base.derived:
        return None
    kinds = [
        {
            source.split(".")[0]
            for source in r.derived[name].sources
            if source.startswith(("assumptions.", "boards.", "targets.", "compile."))
        }
        for r in (run, base)
    ]
    return ASSUMED if kinds[0] != kinds[1] else None


def obstacle(row: Row, side: Side, base: Side) -> str | None:
    """Why the figure of this column cannot be compared with that of the baseline; None where it can."""
    worked = (_npu_worked(side), _npu_worked(base)) if row.name.startswith("pmu.") else ()
    if False in worked and set(worked) != {False}:
        return NO_NPU
    if row.kind == "plain":
        return None
    for run in _kinds(side):
        for other in _kinds(base):
            why = _of_two(row, run, other)
            if why is not None:
                return why
    return None


def _npu_worked(side: Side) -> bool | None:
    """Whether the NPU counted any cycle: a run without is not the fastest one.  None where nothing says what it counted."""
    told = [run.pmu.npu_cycles != 0 for run in side.runs if run.pmu is not None]
    return any(told) if told else None


def _kinds(side: Side) -> Collection[Run]:
    """One run of each kind that the repeats of a column have; nearly always they have one."""
    return {(run.target.platform, run.target.npu, executions(run)): run for run in side.runs}.values()


def _of_two(row: Row, run: Run, base: Run) -> str | None:
    if row.kind == "derived":
        return _derived_obstacle(row.name.removeprefix("derived."), run, base)
    if row.kind == "cpu" and (why := not_time(run, base)) is not None:
        return why
    if executions(run) != executions(base):
        return INFERENCES
    families = {one.target.npu for one in (run, base) if one.target.npu is not None}
    if row.name.startswith("pmu.counters.") and len(families) > 1:
        return FAMILY
    return None


def not_time(*runs: Run) -> str | None:
    """Why CPU cycles of these runs are no measure of time; None if all ran on a real CPU."""
    platforms = {run.target.platform for run in runs} - {"board", "host"}
    if not platforms:
        return None
    return FVP_CPU if "fvp" in platforms else EMULATED_CPU if "qemu" in platforms else UNKNOWN_CPU
