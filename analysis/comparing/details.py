"""Explains the row and the column under the cursor: full names, all figures, and why there is no ratio or what a `~`
means.
"""

from __future__ import annotations

from ..meaning.figure_names import short_name
from ..named_tuple import TYPE_CHECKING
from ..units import format_count, format_percent, format_ratio
from .setups import Setting
from .tables import delta_text, text_of

if TYPE_CHECKING:
    from .comparison import Comparison, Metric
    from .operators import OperatorDiff, OperatorRow
    from .sides import Side

_BY = {
    "name": "found by its name",
    "place": "found by its module",
    "order": "found by its kind and its order alone, which may be wrong",
}


def details(comparison: Comparison, what: Setting | Metric | str, column: int | None) -> tuple[str, ...]:
    """Up to three lines; without a column, what holds for all columns."""
    if isinstance(what, str):
        return (what,) if column is None else (what, _column(comparison, column))
    if isinstance(what, Setting):
        if column is None:
            return (f"{what.name}: {_STATES[what.state]}",)
        value = what.values[column]
        return (
            f"{what.name}: {value if value is not None else 'not known'}",
            _column(comparison, column),
            (what.name == "status" and _cause(comparison.sides[column])) or _STATES[what.state],
        )
    better = "" if what.better == "none" else f", {what.better} is better"
    if column is None:
        why = f". Not comparable: {what.reason}" if what.reason else ""
        return (short_name(what.name), f"{what.name}{better}{why}")
    why = _why(what, column) or f"{what.name}{better}"
    return (_figure(comparison, what, column), _column(comparison, column), why)


_STATES = {
    "differs": "the columns differ in it",
    "same": "the same in all columns",
    "unknown": "not known of all columns, so it may differ",
}


def _cause(side: Side) -> str:
    """Why the run of a column did not pass, with the line; empty where it did, or nothing says why."""
    if side.cause is None:
        return ""
    return f"line {side.cause.lines[0]}: {side.cause.title}" if side.cause.lines else side.cause.title


def _label(comparison: Comparison, column: int) -> str:
    return comparison.sides[column].label + (" (baseline)" if column == comparison.baseline else "")


def _column(comparison: Comparison, column: int) -> str:
    label, source = _label(comparison, column), comparison.sides[column].source
    return label if comparison.sides[column].label in source else f"{label}, {source}"


def _figure(comparison: Comparison, metric: Metric, column: int) -> str:
    value, base, ratio = metric.values[column], metric.values[comparison.baseline], metric.ratios[column]
    name = short_name(metric.name)
    if value is None:
        return f"{name}: not in this column"
    said = f"{name}: {text_of(metric, value)}{_range(metric, column)}"
    if metric.unit == "bytes" and abs(value) >= 1024:
        said += f" ({format_count(value)} B)"
    if ratio is None or base is None or column == comparison.baseline:
        return said
    part = f" ({'+' if ratio > 1 else ''}{format_percent(100 * (ratio - 1))})" if ratio != 1 else ""
    return f"{said}, {format_ratio(ratio)} baseline, {delta_text(metric.unit, value - base)}{part}"


def _why(metric: Metric, column: int) -> str:
    """Why there is no ratio, or what repeats say of it; empty where neither is so."""
    if not metric.comparable[column] and metric.values[column] is not None:
        return f"Not comparable: {metric.reason}."
    if not metric.samples:
        return ""
    said = []
    sample, verdict = metric.samples[column], metric.verdicts[column]
    if verdict is not None:
        word = "separates" if verdict.separates else "~ not separated"
        test = f", {verdict.test.partition(',')[0]} test" if verdict.p is not None else ""
        said.append(f"{word}: {verdict.reason}{test}")
    if sample is not None and sample.n == 1:
        said.append("a single run, whose spread is not known")
    elif sample is not None and sample.interval is not None and sample.least != sample.most:
        low, high, confidence = sample.interval
        ends = f"{text_of(metric, low)} to {text_of(metric, high)}"
        said.append(f"{100 * confidence:.0f} % interval of the median {ends}, from order statistics")
    return "; ".join(said)


def _range(metric: Metric, column: int) -> str:
    sample = metric.samples[column] if metric.samples else None
    if sample is None or sample.n < 2:
        return ""
    if sample.least == sample.most:
        return f" (all {sample.n} repeats)"
    return f" ({text_of(metric, sample.least)} to {text_of(metric, sample.most)})"


def operator_details(
    comparison: Comparison, diff: OperatorDiff, row: OperatorRow | None, column: int | None
) -> tuple[str, ...]:
    """Up to three lines about one operator, or about the sums of all."""
    if row is None:
        return ("the sums of all operators",)
    first = row.first
    kinds = list(dict.fromkeys(one.item.kind for one in row.operators if one is not None))
    where = ", ".join(part for part in (first.module, first.torch, first.source) if part)
    head = " / ".join(kinds) + (f" of {where}" if where else "")
    if column is None:
        return (head,)
    name = _column(comparison, column)
    operator = row.operators[column]
    if operator is None:
        lacks = "has no such operator" if diff.columns[column] else "does not tell of operators"
        return (head, f"{lacks}: {name}")
    value, ratio, delta = operator.cycles, diff.ratio(row, column), diff.delta(row, column)
    said = f"{format_count(round(value))} cycles" if value is not None else operator.note
    if column != diff.baseline and ratio is not None and delta is not None:
        said += f", {format_ratio(ratio)} baseline, {delta_text('cycles', round(delta))}"
    by = row.by[column]
    why = f"Not comparable: {diff.reason}." if not diff.comparable[column] else _BY[by] if by is not None else ""
    return (head, f"{said}; {name}", f"operator {operator.order} of its table{'; ' if why else ''}{why}")
