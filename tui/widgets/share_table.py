"""A table whose column of shares has bars; what it gives to others is the table as it was set, without them."""

from __future__ import annotations

from textual import events

from ...analysis.tables import Table
from .. import glyphs
from .data_table import EMPTY, DataTable

_SHARES = ("Share", "Of execute")


def with_share_bars(table: Table, room: int) -> Table:
    """The table with a bar of so many cells before each share; the largest one is full."""
    place = next((i for i, column in enumerate(table.columns) if column.name in _SHARES), None)
    if place is None or room < 1:
        return table
    shares = [row[place].value if place < len(row) else None for row in table.rows]
    most = max((share for share in shares if isinstance(share, (int, float))), default=0)
    if most <= 0:
        return table
    rows = []
    width = max(len(row[place].text) for row in table.rows if place < len(row))
    for row, share in zip(table.rows, shares, strict=True):
        if isinstance(share, (int, float)):
            full = round(room * share / most)
            bar = glyphs.FILLS[0] * max(full, int(share > 0)) + glyphs.TRACK * (room - max(full, int(share > 0)))
            cell = row[place]
            row = (*row[:place], cell._replace(text=f"{bar} {cell.text:>{width}}"), *row[place + 1 :])
        rows.append(row)
    return table._replace(rows=tuple(rows))


class ShareTable(DataTable):
    """Bars as wide as the terminal allows, which changes with it."""

    DEFAULT_CSS = ""
    _given: Table = EMPTY

    @property
    def table(self) -> Table:
        """As it was set."""
        return self._given

    @table.setter
    def table(self, table: Table) -> None:
        self._given = table
        self._redraw()

    def _redraw(self) -> None:
        width = self.app.size.width if self.is_attached else 0
        room = 0 if not width else 4 if width < 100 else 8 if width < 160 else 20
        DataTable.table.__set__(self, with_share_bars(self._given, room))  # type: ignore[attr-defined]

    def on_mount(self) -> None:
        self._redraw()

    def on_resize(self, event: events.Resize | None = None) -> None:
        self._redraw()
        super().on_resize()
