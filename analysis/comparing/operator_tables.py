"""The operators of compared columns as a table: those that changed most come first, each with how its counterpart was
found.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..named_tuple import TYPE_CHECKING
from ..tables import Cell, Column, Table, marks_width
from ..units import format_count, format_ratio
from .operators import TITLES, OperatorDiff, OperatorRow
from .tables import NOT_COMPARABLE, delta_text

if TYPE_CHECKING:
    from ..tables import Tone
    from .tables import Form

TOTAL = "all operators"
_BY = {"name": "name", "place": "module", "order": "order"}


def operators_table(
    diff: OperatorDiff, labels: Sequence[str], form: Form = "both", *, compact: bool = False, differences: bool = False
) -> Table:
    """The table: its first row has the sums, the others follow in the order of `diff`.

    With `differences` only operators that differ are shown. In a `compact` table the module stands before the
    operator's name, and neither module nor source has a column. `Change` is the largest difference to the baseline; an
    operator that one of the two columns lacks counts with all its cycles.
    """
    shown = diff.differing() if differences else range(len(diff.rows))
    rows = [_total(diff, form), *(_row(diff, diff.rows[place], labels, form) for place in shown)]
    room = max((marks_width(cell) for row in rows for cell in row[2:-3]), default=1) or 1
    columns = (
        Column("Operator", least=16, kept="end" if compact else "start"),
        Column("Change", "right"),
        *(Column(label, "right", marks=room) for label in labels),
        Column("Found by", least=8),
        Column("Module", least=12, kept="end"),
        Column("Source", least=12, kept="end"),
    )
    if not compact and not any(cell.value for row in rows for cell in row[-2:]):  # as in an ETDump
        rows, columns = [row[:-2] for row in rows], columns[:-2]
    elif compact:
        rows = [(_in_module(row), *row[1:-2]) for row in rows]
        columns = columns[:-2]
    return Table(TITLES[diff.origin], columns, tuple(rows), note(diff, labels))


def _in_module(row: tuple[Cell, ...]) -> Cell:
    kind, module = row[0], row[-2].value
    return kind._replace(text=f"{module} {kind.text}") if module else kind


def _total(diff: OperatorDiff, form: Form) -> tuple[Cell, ...]:
    sums: list[float | None] = []
    for column, has in enumerate(diff.columns):
        known = [value for row in diff.rows if (value := row.values[column]) is not None]
        sums.append(sum(known) if has and known else None)
    change = _greatest(diff, sums)
    cells = (_figure(diff, sums, column, form, "-") for column in range(len(sums)))
    blank = Cell("")
    return (Cell(TOTAL, TOTAL), _change(diff, change), *cells, blank, blank, blank)


def _row(diff: OperatorDiff, row: OperatorRow, labels: Sequence[str], form: Form) -> tuple[Cell, ...]:
    first = row.first
    cells = []
    for column, operator in enumerate(row.operators):
        absent = "-" if operator is None else "chained" if operator.note.startswith("chained") else "?"
        cells.append(_figure(diff, row.values, column, form, absent))
    return (
        Cell(first.item.kind, first.item.kind),
        _change(diff, _greatest(diff, row.values)),
        *cells,
        _found_by(diff, row, labels),
        Cell(first.module or "-", first.module or ""),
        Cell(first.source or "-", first.source or ""),
    )


def _greatest(diff: OperatorDiff, values: Sequence[float | None]) -> float | None:
    """The difference to the baseline that is farthest from zero; None where nothing can be subtracted."""
    base = values[diff.baseline]
    deltas = [
        (value or 0) - (base or 0)
        for i, value in enumerate(values)
        if i != diff.baseline and diff.comparable[i] and (value is not None or base is not None)
    ]
    return max(deltas, key=abs, default=None)


def _change(diff: OperatorDiff, change: float | None) -> Cell:
    if change is None:
        return Cell("-", None, None, "dim")
    return Cell(delta_text("cycles", round(change)), change)


def _figure(diff: OperatorDiff, values: Sequence[float | None], column: int, form: Form, absent: str) -> Cell:
    value, base = values[column], values[diff.baseline]
    if value is None:
        return Cell(absent, None, None, "dim")
    text = format_count(round(value))
    if not diff.comparable[column]:
        return Cell(f"{text} {f'({NOT_COMPARABLE})' if form == 'both' else NOT_COMPARABLE}", value, None, "dim")
    tone: Tone = ""
    if column != diff.baseline and base is not None:
        ratio = value / base if base else None
        if form == "delta":
            text = delta_text("cycles", round(value - base))
        elif form == "ratio" and ratio is not None:
            text = format_ratio(ratio)
        elif form == "both" and ratio is not None:
            text = f"{text} ({format_ratio(ratio)})"
    return Cell(text, value, None, tone)


def _found_by(diff: OperatorDiff, row: OperatorRow, labels: Sequence[str]) -> Cell:
    """By what the operators of a row are the same, the weakest reason of all; or who alone has it."""
    if len(row.columns) == 1:
        text = f"only {labels[row.columns[0]]}"
        return Cell(text, text, None, "warn")
    reasons = [by for by in row.by if by is not None]
    weakest = max(reasons, key=("name", "place", "order").index)
    lacking = [labels[i] for i, has in enumerate(diff.columns) if has and row.operators[i] is None]
    text = _BY[weakest] + (f", not in {', '.join(lacking)}" if lacking else "")
    return Cell(text, text, None, "warn" if lacking else "" if weakest != "order" else "dim")


def note(diff: OperatorDiff, labels: Sequence[str]) -> str:
    """How many operators were matched by what, and what the words in the table mean."""
    rows = diff.rows
    counts = {by: sum(by in row.by for row in rows) for by in ("name", "place", "order")}
    said = [f"{sum(len(row.columns) > 1 for row in rows)} of {len(rows)} are in more than one column"]
    ways = {"name": "by name", "place": "by module", "order": "by kind and order alone"}
    found = [f"{count} {ways[by]}" for by, count in counts.items() if count]
    said[0] += f" (found {', '.join(found)})." if found else "."
    alone = [(label, i) for i, label in enumerate(labels) if any(row.columns == (i,) for row in rows)]
    if alone:
        listed = ", ".join(f"{sum(row.columns == (i,) for row in rows)} in {label}" for label, i in alone)
        said.append(f"Only {listed}: their cycles count whole as change.")
    if diff.reason is not None:
        said.append(f"n/c = not comparable: {diff.reason}.")
    if any(one is not None and one.note.startswith("chained") for row in rows for one in row.operators):
        said.append("chained: computed within another operator, which has its cycles.")
    if diff.origin == "vela":
        said.append("Estimates, no measurements.")
    if diff.origin == "trace":
        said.append(
            "Measured by the FVP's trace, Vela's estimates not among them. Time is split where commands are read: what is "
            "fetched early counts for the operator before."
        )
    if diff.repeated:
        said.append("Of repeats the median.")
    return " ".join(said)
