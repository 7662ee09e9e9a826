"""What is in a program, graph, profile or table of Vela: the tables of `ethosu-tui inspect`, a tab for each question."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget

from ...analysis.lines import clean
from ...analysis.tables import Table
from ...analysis.units import format_bytes
from .. import glyphs
from ..state import twin
from ..widgets.data_table import DataTable
from ..widgets.noted import NotesNear
from ..widgets.said import Said, plain
from ..widgets.tab_line import TabLine
from .page import Page
from .table_pane import RowScreen

if TYPE_CHECKING:
    from ..exports import Subject
    from ..looked_into import LookedInto


class ArtefactScreen(Page):
    """The tables of one file that is no log."""

    HEADING = "Artefact"
    KEPT_KEYS = frozenset(("filter", "run"))
    ABOUT = (
        "What is in this file, as `ethosu-tui inspect` prints it. Of a compiled program: what it was built for, the "
        "memory it needs, the boards that fit, its delegates, inputs and outputs. {details} shows a row in full."
    )
    CSS_PATH = "artefact.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(i + 1), f"tab({i})", f"Tab {i + 1}", show=False, tooltip="Open that tab") for i in range(9)),
        Binding("tab", "turn(1)", "Next tab", show=False),
        Binding("shift+tab", "turn(-1)", "Previous tab", show=False),
        Binding("d", "details", "Details", tooltip="The row under the cursor with all its columns"),
        Binding("o", "other", "Other table", tooltip="To the next table of this tab"),
        Binding("r", "run", "Run", tooltip="Run this program on a simulator, a board or this machine"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    def __init__(self, shown: LookedInto) -> None:
        super().__init__()
        self._shown = shown
        self._tabs = shown.tabs

    @property
    def place(self) -> tuple[str, ...]:
        return ("report", os.path.abspath(self._shown.path))

    def body(self) -> Iterable[Widget]:
        yield TabLine([name for name, _ in self._tabs])
        with Container(id="tab"):
            for _, tables in self._tabs:
                yield TablesPane(tables)

    async def on_mount(self) -> None:
        artefact = self._shown.artefact
        self.command = twin("inspect", artefact.path)
        name = os.path.basename(artefact.path)
        self.set_trail(f"{artefact.description.split(' (')[0]} {glyphs.JUMP} {name}", format_bytes(artefact.bytes))
        await self.action_tab(0)

    def _panes(self) -> list[TablesPane]:
        return list(self.query(TablesPane))

    async def action_tab(self, index: int) -> None:
        panes = self._panes()
        if 0 <= index < len(panes):
            self.query_one(TabLine).active = index
            for i, pane in enumerate(panes):
                pane.display = i == index
            panes[index].query(DataTable).first().focus()
            self.refresh_bindings()

    async def action_turn(self, by: int) -> None:
        await self.action_tab((self.query_one(TabLine).active + by) % len(self._tabs))

    @on(TabLine.Picked)
    async def _picked(self, event: TabLine.Picked) -> None:
        await self.action_tab(event.index)

    def _tables(self) -> list[DataTable]:
        """Of the open tab."""
        panes = self._panes()
        return list(panes[self.query_one(TabLine).active].query(DataTable)) if panes else []

    def action_other(self) -> None:
        tables = self._tables()
        place = tables.index(self.focused) if isinstance(self.focused, DataTable) and self.focused in tables else -1
        tables[(place + 1) % len(tables)].focus()

    @on(DataTable.Chosen)
    def action_details(self) -> None:
        table = self.focused
        if isinstance(table, DataTable) and table.row is not None:
            self.app.push_screen(RowScreen(table.table.title or "File", table.table, table.row))

    def action_run(self) -> None:
        self.navigation.open_run_form(programs=(os.path.abspath(self._shown.path),))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "other":
            return self.is_mounted and len(self._tables()) > 1
        if action == "run":
            return self._shown.is_program
        return super().check_action(action, parameters)

    def export_subject(self) -> Subject:
        """All tables, those of tabs that were not opened too."""
        from ...analysis.export.document import Document, Section

        name = clean(os.path.basename(self._shown.path))
        tables = tuple(table for table in self._shown.tables if table.rows)
        document = Document(name, (Section("", tables),), self.command)
        return super().export_subject()._replace(name=name, report=lambda: document)


class TablesPane(NotesNear, Vertical):
    """The tables of one tab below each other, each with its note; the last one has what room is left."""

    def __init__(self, tables: tuple[Table, ...]) -> None:
        super().__init__(classes="-three" if len(tables) > 2 else None)
        self._tables = tables

    def compose(self) -> ComposeResult:
        for i, table in enumerate(self._tables):
            widget = DataTable(table, classes="pane last" if i == len(self._tables) - 1 else "pane")
            widget.border_title = Content(plain(table.title or "File"))
            yield widget
            if table.note:
                yield Said(plain(table.note), classes="note")
