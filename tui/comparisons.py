"""Turns an `analysis` comparison into the table and the bars that the Compare screen shows; formatting only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.tables import Cell, Column, Table, Tone
from ..analysis.units import format_bytes, format_count, format_hz, format_percent, format_ratio, format_seconds
from . import glyphs
from .widgets.bars import Bar, Part

if TYPE_CHECKING:
    from ..analysis.compare import Comparison, Metric

FORMATS = {"bytes": format_bytes, "hertz": format_hz, "percent": format_percent, "seconds": format_seconds}
NOT_COMPARABLE = "n/c"
NAMES = {
    "compile.total_cycles": "total cycles, est.",
    "compile.npu_cycles": "NPU cycles, est.",
    "compile.sram_access_cycles": "SRAM access cycles",
    "compile.dram_access_cycles": "DRAM access cycles",
    "compile.off_chip_flash_access_cycles": "flash access cycles",
    "compile.inference_seconds": "inference, est.",
    "compile.sram_used_bytes": "SRAM used",
    "compile.dram_used_bytes": "DRAM used",
    "compile.on_chip_flash_used_bytes": "on-chip flash used",
    "compile.off_chip_flash_used_bytes": "off-chip flash used",
    "compile.core_clock_hz": "NPU clock",
    "compile.macs": "MACs",
    "compile.delegated_subgraphs": "delegated subgraphs",
    "compile.non_delegated_nodes": "nodes left to CPU",
    "compile.pte_bytes": "program (.pte)",
    "pmu.npu_cycles": "NPU cycles",
    "pmu.npu_cycles_per_inference": "NPU cycles each",
    "cycles.inferences": "inferences",
    "cycles.delegations": "delegations",
    "cycles.inference": "CPU cycles",
    "cycles.operators_total": "operators, CPU",
    "cycles.cpu_wait_for_npu": "CPU waits for NPU",
    "cycles.cpu_ratio_percent": "CPU share",
    "cycles.npu_ratio_percent": "NPU share",
    "times.load_seconds": "load time",
    "times.inference_seconds": "inference time",
    "model.pte_bytes": "program (.pte)",
    "memory.pools.method.used_bytes": "method pool used",
    "memory.pools.method.capacity_bytes": "method pool size",
    "memory.planned_bytes": "planned",
    "memory.loaded_bytes": "loaded",
    "memory.input_bytes": "input",
    "memory.executor_bytes": "executor",
    "memory.pools.temp.used_bytes": "temp pool used",
    "memory.pools.temp.capacity_bytes": "temp pool size",
}


class Sheet(NamedTuple):
    """What is shown, and which metric each row holds."""

    table: Table
    metrics: tuple[Metric, ...]


def sheet(comparison: Comparison, *, ratios: bool, differences: bool) -> Sheet:
    """Metrics as rows, sides as columns; with `ratios` relative to the baseline."""
    columns = [Column("Metric")]
    for i, label in enumerate(short_labels([side.label for side in comparison.sides])):
        columns.append(Column(f"{glyphs.BASELINE} {label}" if i == comparison.baseline else label, "right"))
    metrics = tuple(m for m in comparison.metrics if not differences or _differs(m))
    rows = tuple(_row(metric, comparison.baseline, ratios) for metric in metrics)
    what = "ratio to the baseline" if ratios else "absolute"
    return Sheet(Table(f"Side by side, {what}", tuple(columns), rows), metrics)


def short_labels(labels: Sequence[str]) -> list[str]:
    """Labels without the first words that all of them share."""
    words = [label.split(" ") for label in labels]
    while len(words) > 1 and all(len(w) > 1 and w[0] == words[0][0] for w in words):
        words = [w[1:] for w in words]
    return [" ".join(w) for w in words]


def short_name(metric: str) -> str:
    """The metric as people call it; without a name of its own, the end of its field path."""
    if metric in NAMES:
        return NAMES[metric]
    for prefix in ("compile.", "memory.pools.", "pmu.counters.ETHOSU_PMU_", "pmu.counters."):
        metric = metric.removeprefix(prefix)
    return metric


def _differs(metric: Metric) -> bool:
    return len({value for value in metric.values if value is not None}) > 1 or any(v is None for v in metric.values)


def _row(metric: Metric, baseline: int, ratios: bool) -> tuple[Cell, ...]:
    cells = [Cell(short_name(metric.name), metric.name)]
    for i, value in enumerate(metric.values):
        if value is None:
            cells.append(Cell("-", None, tone="dim"))
        elif not metric.comparable[i]:
            cells.append(Cell(f"{text_of(metric, value)} {NOT_COMPARABLE}", value, tone="dim"))
        else:
            ratio = metric.ratios[i]
            text = format_ratio(ratio) if ratios and i != baseline and ratio is not None else text_of(metric, value)
            tone: Tone = "best" if i in metric.best else ""
            cells.append(Cell(text, value, tone=tone))
    return tuple(cells)


def text_of(metric: Metric, value: float) -> str:
    """The value with its unit, as everywhere."""
    return FORMATS.get(metric.unit, format_count)(value)


def bars_of(comparison: Comparison, metric: Metric) -> tuple[Bar, ...]:
    """One bar for each side that has the metric."""
    known = [v for v in metric.values if v is not None]
    whole = max((abs(v) for v in known), default=0)
    if not whole:
        return ()
    bars = []
    for i, label in enumerate(short_labels([side.label for side in comparison.sides])):
        value = metric.values[i]
        if value is None:
            bars.append(Bar(label, (), whole, "not in the log", muted=True))
            continue
        comparable = metric.comparable[i]
        ratio = metric.ratios[i]
        text = text_of(metric, value) + (f"  {format_ratio(ratio)}" if comparable and ratio is not None else "")
        text += "" if comparable else "  not comparable"
        bars.append(
            Bar(
                label,
                (Part(metric.name, abs(value)),),
                whole,
                text,
                muted=not comparable,
                marked=i in metric.best,
            )
        )
    return tuple(bars)
