"""Which columns of a table a narrow terminal can do without, so that those that are left can be read."""

from __future__ import annotations

from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.tables.text import width
from .output import columns, goes_elsewhere

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...analysis.tables import Table

_FIGURE = 12
"""Columns that a figure is given at most where they are few."""
_READABLE = 24
"""Columns that a name or a cause should have."""


def fitting(table: Table, less_needed: Sequence[str], *, readable: int = _READABLE) -> Table:
    """A table, where the terminal is too narrow for all columns without those that hold nothing, then without some more.

    A text is given `readable` columns at most, and the `least` of its column at least.
    """
    wide = columns() if not goes_elsewhere() else None
    longest = [max((width(row[i].text) for row in table.rows), default=0) for i in range(len(table.columns))]
    needs = [
        max(min(max(need, len(c.name)), _FIGURE if c.align == "right" else readable), min(need, c.least))
        for need, c in zip(longest, table.columns, strict=True)
    ]
    kept = list(range(len(table.columns)))

    def too_wide() -> bool:
        return wide is not None and sum(needs[i] for i in kept) + 2 * (len(kept) - 1) > wide

    if too_wide():
        kept = [i for i in kept if i == 0 or any(row[i].value is not None for row in table.rows)]
    left: list[str] = []
    for name in less_needed:
        found = [i for i in kept if table.columns[i].name == name]
        if found and too_wide():
            kept.remove(found[0])
            left.append(name)
    note = f"Left out in this narrow terminal: {', '.join(left)}." if left else table.note
    rows = tuple(tuple(row[i] for i in kept) for row in table.rows)
    return table._replace(columns=tuple(table.columns[i] for i in kept), rows=rows, note=note)
