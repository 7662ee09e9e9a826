"""An output as people look at it: a few figures of all its values, a histogram, and the largest ones with their labels."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Sequence

from ..named_tuple import NamedTuple
from ..report import Prediction, Run
from ..tables import Cell, Column, Table
from ..units import format_count, format_percent
from .left_out import left_out
from .read import OutputValues

BINS = 12
TOP = 5
_MOST_VALUES = 100_000
"""Of one output, in a table of all."""


class Bin(NamedTuple):
    """Values from `low` up to (in the last bin: and with) `high`."""

    low: float
    high: float
    count: int  # type: ignore[assignment]

    @property
    def label(self) -> str:
        """As it is written beside a bar."""
        return f"{self.low:.4g}" if self.low == self.high else f"{self.low:.4g} to {self.high:.4g}"


def histogram(values: Sequence[float], most: int = BINS) -> tuple[Bin, ...]:
    """The finite values in bins of one width; few different whole numbers get a bin each."""
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return ()
    different = set()
    for value in finite:
        different.add(value)
        if len(different) > most or not value.is_integer():
            break
    else:
        counted = Counter(finite)
        return tuple(Bin(value, value, counted[value]) for value in sorted(different))
    low, high = min(finite), max(finite)
    width = high / most - low / most  # the difference alone may be infinite
    if not math.isfinite(width) or width <= 0:
        return (Bin(low, high, len(finite)),)
    counts = [0] * most
    for value in finite:
        counts[min(most - 1, int(value / width - low / width))] += 1
    edges = [*(low + i * width for i in range(most)), high]
    return tuple(Bin(edges[i], edges[i + 1], count) for i, count in enumerate(counts))


def top(output: OutputValues, most: int = TOP) -> tuple[tuple[int, float], ...]:
    """Places and values of the largest ones, the first of equal ones first."""
    pairs = zip(output.places, output.values, strict=True)
    return tuple(
        heapq.nsmallest(most, (pair for pair in pairs if not math.isnan(pair[1])), key=lambda p: (-p[1], p[0]))
    )


def missing(output: OutputValues, run: Run) -> str:
    """What of the output is not in the log, in a sentence; empty where all is."""
    have = len(output.values)
    if output.cut:
        return f"Only the first {have:,} values are read."
    if have < output.count:
        said = next((t for t in run.outputs if t.index == output.index), None)
        who = (
            "the runner left the others out of its dump"
            if said is not None and said.elided
            else "the others are not in the log"
        )
        return f"{have:,} of {output.count:,} values: {who}. Figures, histogram and top values are of these only."
    return ""


def stats_table(outputs: Sequence[OutputValues], run: Run) -> Table:
    """One row for each output."""
    columns = (
        Column("Output", least=8), Column("Type"), Column("Values", "right"), Column("Min", "right"),
        Column("Mean", "right"), Column("Max", "right"), Column("Zeros", "right"), Column("Not numbers", "right"),
        Column("Different", "right"),
    )  # fmt: skip
    rows = []
    for output in outputs:
        finite = [value for value in output.values if math.isfinite(value)]
        have, line = len(output.values), run.lines.get(f"outputs.{output.index}")
        mean = math.fsum(value / len(finite) for value in finite) if finite else None
        known = format_count(have) if output.whole else f"{have:,} of {output.count:,}"
        zeros = sum(1 for value in finite if value == 0)
        rows.append(
            (
                Cell(f"output {output.index}", output.index, line),
                Cell(output.dtype or "-", output.dtype, line),
                Cell(known, have, line),
                _value(min(finite, default=None), line),
                _value(mean, line),
                _value(max(finite, default=None), line),
                Cell(format_count(zeros), zeros, line),
                Cell(format_count(have - len(finite)), have - len(finite), line, "warn" if have > len(finite) else ""),
                Cell(format_count(len(set(finite))), len(set(finite)), line),
            )
        )
    many = max((output.dumps for output in outputs), default=0)
    notes = [f"Dumped {many} times; these are the values of the last."] if many > 1 else []
    notes += dict.fromkeys(text for output in outputs if (text := missing(output, run)))
    notes += [gaps] if (gaps := left_out(run)) else []
    return Table("Outputs", columns, tuple(rows), " ".join(notes))


def _value(value: float | None, line: int | None) -> Cell:
    return Cell("-" if value is None else f"{value:.6g}", value, line, "" if value is not None else "dim")


def top_table(output: OutputValues, predictions: Sequence[Prediction] = ()) -> Table:
    """The largest values; labels are those that the log has for the same places."""
    labels = {guess.index: guess.label for guess in predictions if guess.label}
    columns = (
        Column("Top", "right"),
        Column("Element", "right"),
        Column("Value", "right"),
        *((Column("Label"),) if labels else ()),
    )
    rows = tuple(
        (
            Cell(str(rank), rank),
            Cell(f"[{place}]", place),
            Cell(f"{value:.6g}", value),
            *((Cell(labels.get(place) or "-"),) if labels else ()),
        )
        for rank, (place, value) in enumerate(top(output), 1)
    )
    return Table(f"Largest of output {output.index}", columns, rows)


def values_table(output: OutputValues) -> Table:
    """Every value with its place."""
    rows = tuple(
        (Cell(f"[{place}]", place), Cell(f"{value:.6g}", value if math.isfinite(value) else None))
        for place, value in zip(output.places[:_MOST_VALUES], output.values[:_MOST_VALUES], strict=True)
    )
    more = f"The first {_MOST_VALUES:,}." if len(output.values) > _MOST_VALUES else ""
    return Table(f"Values of output {output.index}", (Column("Element", "right"), Column("Value", "right")), rows, more)


def histogram_table(output: OutputValues) -> Table:
    """The bins in numbers."""
    bins = histogram(output.values)
    total = sum(one.count for one in bins)
    rows = tuple(
        (
            Cell(one.label, one.low),
            Cell(format_count(one.count), one.count),
            Cell(format_percent(100 * one.count / total), 100 * one.count / total),
        )
        for one in bins
    )
    columns = (Column(f"Values of output {output.index}"), Column("Count", "right"), Column("Share", "right"))
    return Table("Histogram", columns, rows)


def output_tables(outputs: Sequence[OutputValues], run: Run) -> tuple[Table, ...]:
    """All of it, for one run."""
    if not outputs:
        return ()
    tables = [stats_table(outputs, run)]
    for output in outputs[:8]:
        if len(output.values) > 1:
            tables += [top_table(output, run.predictions), histogram_table(output)]
    return tuple(tables)
