"""What the Compare screen shows of a comparison: which columns there are, their bars, and the text of the lines; formatting only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..analysis.comparing.tables import NOT_SEPARATE, text_of
from ..analysis.lines import clean
from ..analysis.units import format_count, format_ratio
from . import glyphs
from .widgets.bars import Bar, Part

if TYPE_CHECKING:
    from ..analysis import Capture
    from ..analysis.comparing.comparison import Comparison, Metric
    from ..analysis.comparing.operators import OperatorDiff, OperatorRow
    from ..runners.reading.compared import Columns


def columns_of(paths: Sequence[str]) -> Columns:
    """The columns that these inputs give, each with what follows from its figures and from where it ran."""
    from ..analysis.meaning.assumptions import of_place
    from ..analysis.meaning.derive import derive
    from ..runners.reading.compared import Columns
    from ..runners.targets.recorded import recorded_place

    def complete(path: str, capture: Capture) -> Capture:
        return derive(capture, of_place(recorded_place(path)))

    return Columns(paths, complete)


def headed(labels: Sequence[str], baseline: int) -> list[str]:
    """The labels as names of columns, the baseline with its sign."""
    labels = [clean(label) for label in labels]
    return [f"{glyphs.BASELINE} {label}" if i == baseline else label for i, label in enumerate(labels)]


def in_sight(count: int, room: int, column: int | None) -> range:
    """Which of so many bars are drawn where there is room for fewer: those around the column under the cursor."""
    if count <= room:
        return range(count)
    first = max(0, min((column or 0) - room // 2, count - room))
    return range(first, first + room)


def bars_of(comparison: Comparison, metric: Metric, labels: Sequence[str]) -> tuple[Bar, ...]:
    """One bar for each side."""
    values = metric.values
    whole = max((abs(value) for value in values if value is not None), default=0)
    bars = []
    for i, label in enumerate(headed(labels, comparison.baseline)):
        value, comparable, ratio = values[i], metric.comparable[i], metric.ratios[i]
        if value is None:
            bars.append(Bar(label, (), whole or 1, "not in the log", muted=True))
            continue
        text = text_of(metric, value)
        if not comparable:
            text += "  not comparable"
        elif ratio is not None:
            text += f"  {format_ratio(ratio)}"
        best = i in metric.best
        apart = metric.separates(i) or value == values[comparison.baseline]
        text += f" {glyphs.BEST}" if best else "  " if apart else f" {NOT_SEPARATE}"
        bars.append(Bar(label, (Part(metric.name, abs(value)),), whole or 1, text, muted=not comparable, marked=best))
    if all(bar.text.endswith("  ") for bar in bars):  # no mark in any
        bars = [bar._replace(text=bar.text.rstrip()) for bar in bars]
    return tuple(bars)


def operator_bars(diff: OperatorDiff, row: OperatorRow, labels: Sequence[str]) -> tuple[Bar, ...]:
    """One bar for each side, with the cycles of one operator."""
    whole = max((value for value in row.values if value is not None), default=0)
    bars = []
    for i, label in enumerate(headed(labels, diff.baseline)):
        value, ratio = row.values[i], diff.ratio(row, i)
        if value is None:
            operator = row.operators[i]
            text = "no such operator" if operator is None else operator.note.partition(",")[0] or "no cycles"
            bars.append(Bar(label, (), whole or 1, text if diff.columns[i] else "has no operators", muted=True))
            continue
        text = format_count(round(value)) + (f"  {format_ratio(ratio)}" if ratio is not None else "")
        text += "" if diff.comparable[i] else "  not comparable"
        bars.append(Bar(label, (Part("cycles", value),), whole or 1, text, muted=not diff.comparable[i]))
    return tuple(bars)
