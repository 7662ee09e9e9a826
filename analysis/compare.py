"""Two to many runs or compiles side by side: values, ratios to a baseline, and an honest "not comparable".

CPU cycles of a simulator are not time, totals over different numbers of inferences are not the same thing, and a
counter exists only where the NPU has it: such figures are shown, marked, and given no ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .named_tuple import TYPE_CHECKING, NamedTuple
from .report import CompileSummary, Run

if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

SCHEMA = "ethosu-tui/comparison/1"

Better: TypeAlias = 'Literal["lower", "higher", "none"]'


class Side(NamedTuple):
    """One column: a run of a capture, or a compile result."""

    label: str
    source: str
    kind: Literal["run", "compile"]
    run: Run | None = None
    summary: CompileSummary | None = None
    pte_bytes: int | None = None

    @property
    def target(self) -> str | None:
        """The target as far as it is known: "ethos-u85-128", or only the NPU."""
        if self.run is not None:
            return self.run.target.name or self.run.target.npu
        return self.summary.accelerator if self.summary is not None else None


def best_of(values: Sequence[float], better: Better = "lower") -> float | None:
    """The best value; None where there is no telling, or where most share it and a mark would say nothing."""
    if better == "none" or len(values) < 2:
        return None
    best = min(values) if better == "lower" else max(values)
    return best if 2 * sum(value == best for value in values) <= len(values) else None


class Metric(NamedTuple):
    """One row: a figure of every column, its ratio to the baseline, and whether that ratio means anything."""

    name: str
    unit: str
    better: Better
    values: tuple[float | None, ...]
    ratios: tuple[float | None, ...]
    comparable: tuple[bool, ...]
    reason: str | None

    @property
    def best(self) -> tuple[int, ...]:
        """Columns with the best value; none where most columns share it, for then it tells nothing."""
        both = tuple(zip(self.values, self.comparable, strict=True))
        wanted = best_of([v for v, ok in both if ok and v is not None], self.better)
        return tuple(i for i, (v, ok) in enumerate(both) if ok and v is not None and v == wanted)


class Comparison(NamedTuple):
    """The whole table; `baseline` is the index of the column that ratios refer to."""

    sides: tuple[Side, ...]
    baseline: int
    metrics: tuple[Metric, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of schema ``ethosu-tui/comparison/1``."""
        return {
            "schema": SCHEMA,
            "columns": [
                {
                    "label": s.label,
                    "source": s.source,
                    "target": s.target,
                    "kind": s.kind,
                    "status": s.run.status if s.run is not None else None,
                }
                for s in self.sides
            ],
            "baseline": self.baseline,
            "metrics": [
                {
                    "name": m.name,
                    "unit": m.unit,
                    "better": m.better,
                    "values": list(m.values),
                    "ratios": list(m.ratios),
                    "comparable": list(m.comparable),
                    "reason": m.reason,
                }
                for m in self.metrics
            ],
        }


_FVP_CPU = "CPU cycles of an FVP are not time"
_INFERENCES = "totals over different numbers of inferences"
_FAMILY = "the NPUs are of different generations"
_ASSUMED = "the clocks or MACs are assumed, and not in the same way"


class _Row(NamedTuple):
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
    return run.pmu.npu_cycles if run.cycles.inferences == 1 else None


_ROWS: tuple[_Row, ...] = (
    _Row("compile.total_cycles", "cycles", "lower", _summary("total_cycles")),
    _Row("compile.npu_cycles", "cycles", "lower", _summary("npu_cycles")),
    _Row("compile.sram_access_cycles", "cycles", "lower", _summary("sram_access_cycles")),
    _Row("compile.dram_access_cycles", "cycles", "lower", _summary("dram_access_cycles")),
    _Row("compile.off_chip_flash_access_cycles", "cycles", "lower", _summary("off_chip_flash_access_cycles")),
    _Row("compile.inference_seconds", "seconds", "lower", _summary("inference_seconds")),
    _Row("compile.sram_used_bytes", "bytes", "lower", _summary("sram_used_bytes")),
    _Row("compile.dram_used_bytes", "bytes", "lower", _summary("dram_used_bytes")),
    _Row("compile.on_chip_flash_used_bytes", "bytes", "lower", _summary("on_chip_flash_used_bytes")),
    _Row("compile.off_chip_flash_used_bytes", "bytes", "lower", _summary("off_chip_flash_used_bytes")),
    _Row("compile.core_clock_hz", "hertz", "none", _summary("core_clock_hz")),
    _Row("compile.macs", "MACs", "none", _summary("macs")),
    _Row("compile.delegated_subgraphs", "count", "lower", _summary("delegated_subgraphs")),
    _Row("compile.non_delegated_nodes", "count", "lower", _summary("non_delegated_nodes")),
    _Row("compile.pte_bytes", "bytes", "lower", lambda side: side.pte_bytes),
    _Row("pmu.npu_cycles", "cycles", "lower", _run(lambda r: r.pmu.npu_cycles if r.pmu else None), "total"),
    _Row("pmu.npu_cycles_per_inference", "cycles", "lower", _run(_per_inference)),
    _Row("cycles.inferences", "count", "none", _run(lambda r: r.cycles.inferences)),
    _Row("cycles.delegations", "count", "lower", _run(lambda r: r.cycles.delegations), "total"),
    _Row("cycles.inference", "cycles", "lower", _run(lambda r: r.cycles.inference), "cpu"),
    _Row("cycles.operators_total", "cycles", "lower", _run(lambda r: r.cycles.operators_total), "cpu"),
    _Row("cycles.cpu_wait_for_npu", "cycles", "none", _run(lambda r: r.cycles.cpu_wait_for_npu), "cpu"),
    _Row("cycles.cpu_ratio_percent", "percent", "lower", _run(lambda r: r.cycles.cpu_ratio_percent), "cpu"),
    _Row("cycles.npu_ratio_percent", "percent", "higher", _run(lambda r: r.cycles.npu_ratio_percent), "cpu"),
    _Row("times.load_seconds", "seconds", "lower", _run(lambda r: r.times.load_seconds)),
    _Row("times.inference_seconds", "seconds", "lower", _run(lambda r: r.times.inference_seconds)),
    _Row("model.pte_bytes", "bytes", "lower", _run(lambda r: r.model.pte_bytes)),
    _Row("memory.pools.method.used_bytes", "bytes", "lower", _pool("method", "used_bytes")),
    _Row("memory.pools.method.capacity_bytes", "bytes", "none", _pool("method", "capacity_bytes")),
    _Row("memory.planned_bytes", "bytes", "lower", _run(lambda r: r.memory.planned_bytes)),
    _Row("memory.loaded_bytes", "bytes", "lower", _run(lambda r: r.memory.loaded_bytes)),
    _Row("memory.input_bytes", "bytes", "lower", _run(lambda r: r.memory.input_bytes)),
    _Row("memory.executor_bytes", "bytes", "lower", _run(lambda r: r.memory.executor_bytes)),
    _Row("memory.pools.temp.used_bytes", "bytes", "lower", _pool("temp", "used_bytes")),
    _Row("memory.pools.temp.capacity_bytes", "bytes", "none", _pool("temp", "capacity_bytes")),
)


def _counter_rows(sides: Sequence[Side]) -> list[_Row]:
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

    return [_Row(f"pmu.counters.{event}", unit(event), better(event), getter(event), "total") for event in events]


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


def _derived_rows(sides: Sequence[Side]) -> list[_Row]:
    """What `derive()` added to the runs, under "derived.<name>"."""
    units: dict[str, str] = {}
    for side in sides:
        if side.run is not None:
            units.update((name, entry.unit) for name, entry in side.run.derived.items() if name not in _SHOWN_ELSEWHERE)

    def getter(name: str) -> Callable[[Side], float | None]:
        return _run(lambda run: run.derived[name].value if name in run.derived else None)

    def better(name: str) -> Better:
        return "higher" if name.endswith(_HIGHER) else "lower" if name.endswith(_LOWER) else "none"

    return [_Row(f"derived.{name}", unit, better(name), getter(name), "derived") for name, unit in units.items()]


def _derived_obstacle(name: str, run: Run, base: Run) -> str | None:
    if (
        name.endswith(_BY_GENERATION)
        and None not in (run.target.npu, base.target.npu)
        and run.target.npu != base.target.npu
    ):
        return _FAMILY
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
    return _ASSUMED if kinds[0] != kinds[1] else None


def figures(side: Side) -> Iterator[tuple[str, str, float]]:
    """Every figure that one column has: its name, its unit, its value."""
    for row in (*_ROWS, *_counter_rows((side,)), *_derived_rows((side,))):
        if (value := row.get(side)) is not None:
            yield row.name, row.unit, value


def compare(sides: Sequence[Side], baseline: int = 0) -> Comparison:
    """Put the sides into columns.

    Raises:
        ValueError: fewer than two sides, or a baseline that is none of them.
    """
    if len(sides) < 2:
        raise ValueError("a comparison needs at least two sides")
    if not 0 <= baseline < len(sides):
        raise ValueError(f"baseline {baseline} is none of the {len(sides)} sides")
    metrics = []
    for row in (*_ROWS, *_counter_rows(sides), *_derived_rows(sides)):
        values = tuple(row.get(side) for side in sides)
        if all(value is None for value in values):
            continue
        metrics.append(_metric(row, values, sides, baseline))
    return Comparison(tuple(sides), baseline, tuple(metrics))


def _metric(row: _Row, values: tuple[float | None, ...], sides: Sequence[Side], baseline: int) -> Metric:
    reason: str | None = None
    comparable = []
    for index, value in enumerate(values):
        why = _obstacle(row, sides[index], sides[baseline])
        reason = reason or why
        comparable.append(why is None and value is not None)
    base = values[baseline]
    ratios = tuple(
        value / base if ok and comparable[baseline] and value is not None and base else None
        for value, ok in zip(values, comparable, strict=True)
    )
    return Metric(row.name, row.unit, row.better, values, ratios, tuple(comparable), reason)


def _obstacle(row: _Row, side: Side, base: Side) -> str | None:
    if row.kind == "plain" or side.run is None or base.run is None:
        return None
    if row.kind == "derived":
        return _derived_obstacle(row.name.removeprefix("derived."), side.run, base.run)
    if row.kind == "cpu" and any(
        s.run is not None and s.run.target.platform not in ("board", "host") for s in (side, base)
    ):
        return _FVP_CPU
    if side.run.cycles.inferences != base.run.cycles.inferences:
        return _INFERENCES
    families = {s.run.target.npu for s in (side, base) if s.run is not None and s.run.target.npu is not None}
    if row.name.startswith("pmu.counters.") and len(families) > 1:
        return _FAMILY
    return None
