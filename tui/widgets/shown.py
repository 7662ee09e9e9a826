"""What a table shows at this moment: its rows as they are filtered and sorted, for exports, with no text cut short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from textual.widget import Widget

from ...analysis.tables import Cell, Table
from .. import glyphs
from .data_table import DataTable
from .log_pane import LogPane


class _Picked(Sequence[tuple[Cell, ...]]):
    """Rows in another order, each taken when it is asked for: a table may have a million."""

    def __init__(self, rows: Sequence[tuple[Cell, ...]], order: Sequence[int]) -> None:
        self._rows = rows
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Cell, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Cell, ...] | Sequence[tuple[Cell, ...]]:
        if isinstance(index, slice):
            return _Picked(self._rows, self._order[index])
        return in_full(self._rows[self._order[index]])

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        return (in_full(self._rows[place]) for place in self._order)


def in_full(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The row with the whole text where a cell holds a part of it: a file has no edge as a screen has."""
    return tuple(cell._replace(text=cell.value) if _cut(cell) else cell for cell in row)  # type: ignore[arg-type]


def _cut(cell: Cell) -> bool:
    return isinstance(cell.value, str) and glyphs.ELLIPSIS in cell.text and cell.text != cell.value


def shown_table(widget: DataTable) -> Table:
    """The table with the rows that pass the filter, in the order shown; it stays what it is when the screen goes on."""
    title = widget.table.title or str(widget.border_title or "")
    return widget.table._replace(title=title, rows=_Picked(widget.table.rows, tuple(widget._order)))  # type: ignore[arg-type]


def line_meant(focused: Widget | None) -> int | None:
    """The line of the log that the cursor of this pane is about."""
    if isinstance(focused, LogPane):
        return focused.current.number if focused.current is not None else None
    return focused.line_at_cursor() if isinstance(focused, DataTable) else None
