"""A table whose column of shares has bars; what it gives to others is the table as it was set, without them."""

from __future__ import annotations

from ...analysis.tables import Table
from .. import glyphs
from .bars import eighths
from .data_table import EMPTY, DataTable

MOST = 20_000
"""Rows from which on no bars are made: each takes its time, and nobody looks at so many."""
_SHARES = ("Share", "Of execute")


def with_share_bars(table: Table, room: int) -> Table:
    """The table with a bar of so many cells before each share; the largest one is full."""
    place = next((i for i, column in enumerate(table.columns) if column.name in _SHARES), None)
    if place is None or room < 1 or len(table.rows) > MOST:
        return table
    shares = [row[place].value if place < len(row) else None for row in table.rows]
    most = max((share for share in shares if isinstance(share, (int, float))), default=0)
    if most <= 0:
        return table
    rows = []
    width = max(len(row[place].text) for row in table.rows if place < len(row))
    for row, share in zip(table.rows, shares, strict=True):
        if isinstance(share, (int, float)):
            bar = eighths(share / most, room)
            bar += glyphs.TRACK * (room - len(bar))
            cell = row[place]
            row = (*row[:place], cell._replace(text=f"{bar} {cell.text:>{width}}"), *row[place + 1 :])
        rows.append(row)
    return table._replace(rows=tuple(rows))


class ShareTable(DataTable):
    """Bars as wide as the terminal allows, which changes with it."""

    DEFAULT_CSS = ""
    _plain: Table = EMPTY

    def without_hidden(self, table: Table) -> Table:
        self._plain = super().without_hidden(table)
        width = self.app.size.width if self.is_attached else 0
        return with_share_bars(self._plain, 0 if not width else 4 if width < 100 else 8 if width < 160 else 20)

    def _without_bars(self) -> Table:
        """The columns that are shown, as they were set."""
        return self._plain

    table = DataTable.table.getter(_without_bars)  # type: ignore[attr-defined]

    def on_mount(self) -> None:
        self.take_up()

    def on_resize(self) -> None:
        self.take_up()
        super().on_resize()
