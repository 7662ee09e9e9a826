"""What the performance blocks of one run say about its inferences: one value per block, and how they spread.

A server prints a block per inference (or per several), and the figures of the run are the sums. Blocks of different
models are kept apart.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from ..named_tuple import NamedTuple
from ..report import PerfBlock, Run
from ..tables import Cell, Column, Table
from ..units import format_count, format_cycles, format_percent, format_seconds
from .timed import COUNT, ITERATIONS, LEAST, MEDIAN, MOST


class Series(NamedTuple):
    """One figure over the blocks that have it, per inference and in the order of the log."""

    name: str
    label: str | None
    """The name of the model, where the blocks name several."""
    values: tuple[float, ...]
    lines: tuple[int, ...]
    """The lines of the blocks."""
    simulated: bool
    """True for CPU cycles that are not time."""

    @property
    def title(self) -> str:
        """The label with the model's name, where there is one."""
        return f"{self.name} ({self.label})" if self.label else self.name


def series_of(run: Run) -> tuple[Series, ...]:
    """The figures of a run with several blocks; empty for other runs."""
    if len(run.blocks) < 2:
        return ()
    labels = dict.fromkeys(block.label for block in run.blocks)
    if len(labels) == 1 and not added_up(run):
        return ()  # of several models, without a word whose each block is
    simulated = run.target.platform not in ("board", "host")
    found = []
    for label in labels:
        blocks = [block for block in run.blocks if block.label == label]
        for name, figure, cpu in (("NPU cycles", _npu, False), ("CPU cycles", _cpu, True)):
            pairs = [(value, block.line) for block in blocks if (value := figure(block)) is not None]
            if len(pairs) > 1:
                values, lines = zip(*pairs, strict=True)
                found.append(Series(name, label if len(labels) > 1 else None, values, lines, cpu and simulated))
    return tuple(found)


def added_up(run: Run) -> bool:
    """Whether the figures of the run are the sums over its blocks; blocks of several models are not summed."""
    return run.pmu is not None or run.cycles.inference is not None or run.cycles.inferences is not None


def _npu(block: PerfBlock) -> float | None:
    return _each(block.pmu.npu_cycles if block.pmu is not None else None, block)


def _cpu(block: PerfBlock) -> float | None:
    return _each(block.cycles.inference, block)


def _each(total: int | None, block: PerfBlock) -> float | None:
    return total / (block.cycles.inferences or 1) if total is not None else None


def spread_table(run: Run) -> Table:
    """Least, median and most of each figure, or what the evaluation kit printed of them."""
    columns = (
        Column("Figure"), Column("Blocks", "right"), Column("Min", "right"), Column("Median", "right"),
        Column("Max", "right"), Column("Spread", "right"),
    )  # fmt: skip
    rows = tuple(_rows(run))
    note = ""
    if any(series.simulated for series in series_of(run)):
        note = "CPU cycles of a simulated core are not time."
    return Table("Per inference", columns, rows, note)


def _rows(run: Run) -> Iterator[tuple[Cell, ...]]:
    for series in series_of(run):
        least, most, middle = min(series.values), max(series.values), statistics.median(series.values)
        spread = 100 * (most - least) / middle if middle else None
        low, high = series.lines[series.values.index(least)], series.lines[series.values.index(most)]
        yield (
            Cell(series.title, series.title, series.lines[0]),
            Cell(format_count(len(series.values)), len(series.values)),
            Cell(format_cycles(round(least)), least, low),
            Cell(format_cycles(round(middle)), middle),
            Cell(format_cycles(round(most)), most, high),
            Cell(format_percent(spread), spread),
        )
    pmu = run.pmu
    if pmu is not None and not run.blocks and pmu.npu_cycles_min is not None and pmu.npu_cycles_max is not None:
        line = run.lines.get("pmu.npu_cycles_min") or run.lines.get("pmu.npu_cycles")
        yield (
            Cell("NPU cycles", "NPU cycles", line),
            Cell("-", None, None, "dim"),
            Cell(format_cycles(pmu.npu_cycles_min), pmu.npu_cycles_min, line),
            Cell("-", None, None, "dim"),
            Cell(format_cycles(pmu.npu_cycles_max), pmu.npu_cycles_max, line),
            Cell("-", None, None, "dim"),
        )
    if MEDIAN in run.derived:
        count, least, middle, most = (run.derived[name].value for name in (COUNT, LEAST, MEDIAN, MOST))
        spread = 100 * (most - least) / middle if middle else None
        yield (
            Cell("Inference time", "Inference time", run.lines.get(ITERATIONS)),
            Cell(format_count(int(count)), count),
            *(Cell(format_seconds(value), value) for value in (least, middle, most)),
            Cell(format_percent(spread), spread),
        )
