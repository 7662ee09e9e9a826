"""The Memory tab: how full each pool is and of what, and whether it all fits on a board."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from ...analysis.tables import Table
from ..figures import board_bars, compile_memory_bars, memory_bars
from ..keys_in_force import key_of
from ..views import View
from ..widgets.bars import Bar, Bars
from ..widgets.data_table import DataTable
from ..widgets.noted import Noted
from ..widgets.said import Said
from .pane import Pane

BOARD = "assume('board')"


def bars_of(view: View) -> tuple[Bar, ...]:
    """The memory bars of a run or of a compile."""
    if view.run is not None:
        return memory_bars(view.run)
    return compile_memory_bars(view.summary) if view.summary is not None else ()


class MemoryPane(Pane):
    """Bars, the same to the byte, and what of it a board has room for."""

    def compose(self) -> ComposeResult:
        yield Bars(id="bars")
        with Container(id="memory-tables"):
            with Noted(id="in-bytes"):
                yield DataTable(classes="pane", empty="this log holds no memory figures")
                yield Said(classes="note", id="memory-note")
            with Noted(id="on-board"):
                yield DataTable(classes="pane", id="board")
                yield Said(classes="note", id="board-note")

    def fill(self) -> None:
        bars = self.query_one(Bars)
        bars.bars = (*bars_of(self.view), *board_bars(self.view.fit, self.view.needs))
        bars.display = bool(bars.bars)
        for place, name, note in (
            ("#in-bytes DataTable", "memory", "#memory-note"),
            ("#board", "board", "#board-note"),
        ):
            table = self.view.tables.get(name, Table("", (), ()))
            widget, said = self.query_one(place, DataTable), self.query_one(note, Said)
            widget.table, widget.border_title = table, Content(table.title)
            said.say(table.note)
            said.display = bool(table.note and table.rows)
        nothing = "no known board has this NPU; " if self.view.summary is not None else ""
        self.query_one("#board", DataTable).empty = f"{nothing}{key_of(self, BOARD)} chooses a board"
        self.query_one("#on-board").display = "board" in self.view.tables
        self.query_one("#in-bytes").set_class("board" not in self.view.tables, "-alone")
