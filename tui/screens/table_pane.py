"""A tab around one table: what stands above and below it, and any of its rows in full."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

from ...analysis.lines import clean
from ...analysis.tables import Cell, Column, Table
from ..widgets.data_table import DataTable
from ..widgets.noted import NotesNear
from ..widgets.said import Said, plain
from ..widgets.table_layout import GAP
from .pane import Pane

_COLUMNS = (Column("What"), Column("Value", least=20))
_WIDTH = 100
_ROWS = 30
_ABOVE_AND_BELOW = 3
"""Lines of the border and of the keys."""
_FRAME = 5
"""Cells of the border, its padding and a scrollbar."""


class RowScreen(ModalScreen[None]):
    """One row of a table, a line for each column, and what else is known of it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,d", "close", "Close", priority=True)]
    DEFAULT_CSS = """
    RowScreen { align: center middle; background: $background 60%; }
    RowScreen > Vertical { width: %d; max-width: 95%; height: auto; max-height: 90%; border: round $primary;
        border-title-color: $text-primary; border-title-style: bold; background: $surface; padding: 0 1; }
    RowScreen DataTable { height: auto; max-height: 30; }
    RowScreen #beside { height: auto; max-height: 10; color: $foreground-muted; margin-top: 1; }
    RowScreen #keys { height: 1; color: $foreground-disabled; }
    """.replace("%d", str(_WIDTH))

    def __init__(self, title: str, table: Table, row: int, lines: Sequence[str] = ()) -> None:
        super().__init__()
        self._title = title
        self._lines = tuple(lines)
        cells = table.rows[row]
        pairs = zip(table.columns, cells, strict=False)
        self._rows = tuple((Cell(column.name), _full(cell)) for column, cell in pairs)

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(plain(self._title))
            yield DataTable(Table("", _COLUMNS, self._rows), header=False, cells=False, sortable=False)
            said = Said(Content("\n").join(Content(plain(line)) for line in self._lines), id="beside")
            said.display = bool(self._lines)
            yield said
            yield Said("escape closes", id="keys")

    def on_resize(self) -> None:
        """A text that is longer than its line goes on below it, and a table that is higher than its frame scrolls."""
        table = self.query_one(DataTable)
        beside = min(10, len(self._lines)) + 1 if self._lines else 0
        table.styles.max_height = min(_ROWS, max(3, self.app.size.height * 9 // 10 - _ABOVE_AND_BELOW - beside))
        names = max((cell_len(name.text) for name, _ in self._rows), default=0)
        room = min(_WIDTH, self.app.size.width * 95 // 100) - _FRAME - names - GAP
        rows = [row for name, value in self._rows for row in _wrapped(name, value, room)]
        table.table = Table("", _COLUMNS, tuple(rows))

    def action_close(self) -> None:
        self.dismiss()


def _wrapped(name: Cell, value: Cell, room: int) -> list[tuple[Cell, Cell]]:
    pieces = textwrap.wrap(clean(value.text), max(8, room)) or [value.text]
    return [(name, value._replace(text=pieces[0])), *((Cell(""), value._replace(text=piece)) for piece in pieces[1:])]


def _full(cell: Cell) -> Cell:
    """What a column cuts or shortens is written out where it is a text."""
    if isinstance(cell.value, str) and len(cell.value) > len(cell.text):
        return cell._replace(text=cell.value)
    return cell if cell.text else cell._replace(text="-", tone="dim")


class TablePane(NotesNear, Pane):
    """A pane around one table of the view."""

    NAME = ""
    EMPTY = "this log holds no such figures"
    TABLE: ClassVar[type[DataTable]] = DataTable
    FIXED = 0
    """Columns that stay when the others are scrolled."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "details", "Details", tooltip="The row under the cursor with all its columns"),
    ]

    def compose(self) -> ComposeResult:
        yield from self.above()
        yield self.TABLE(classes="pane", empty=self.EMPTY, fixed=self.FIXED, id=self.main_id)
        yield Said(classes="note", id="note")
        yield from self.below()

    def above(self) -> Sequence[Widget]:
        return ()

    def below(self) -> Sequence[Widget]:
        return ()

    @property
    def table(self) -> Table:
        """What is shown."""
        return self.view.tables.get(self.NAME, Table("", (), ()))

    @property
    def main_id(self) -> str:
        """Each tab has its own, since order and columns are remembered by it."""
        return f"{self.NAME}-table"

    @property
    def main(self) -> DataTable:
        """The widget around it."""
        return self.query_one(f"#{self.main_id}", DataTable)

    def fill(self) -> None:
        table = self.table
        widget = self.main
        widget.empty = self.EMPTY if table.rows else plain(table.note) or self.EMPTY
        widget.table = table
        widget.border_title = Content(table.title)
        note = self.query_one("#note", Said)
        note.say(table.note)
        note.display = bool(table.note and table.rows)

    def details_of(self, row: int) -> Sequence[str]:
        """What else is known of a row of the main table."""
        return ()

    def action_details(self) -> None:
        widget = self.screen.focused
        if not isinstance(widget, DataTable) or widget.row is None:
            return
        row = widget.row
        main = widget is self.main
        name = next((cell.text for cell in widget.table.rows[row][:2] if not cell.text.isdigit()), "")
        title = f"{widget.table.title}: {name}" if name else widget.table.title
        self.app.push_screen(RowScreen(title, widget.table, row, self.details_of(row) if main else ()))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "details":
            return any(table.table.rows for table in self.query(DataTable))
        return super().check_action(action, parameters)
