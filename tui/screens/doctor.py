"""Doctor: what this machine has for compiling and running, and the line that gets what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from ...analysis.tables import Cell, Column, Table
from .. import glyphs
from ..copying import copy
from ..state import Surroundings, twin
from ..widgets.data_table import DataTable
from ..widgets.said import Said
from .page import Page

if TYPE_CHECKING:
    from ...runners.doctor import Tool

COLUMNS = (Column(""), Column("Tool", least=30), Column("Needed for"), Column("Found"))


class DoctorScreen(Page):
    """What is installed and missing."""

    HEADING = "Doctor"
    PLACE = "doctor"
    ABOUT = "What is installed and what is missing. Below the table: how to get it. {copy_install} copies that line."
    CSS_PATH = "doctor.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "copy_install", "Copy install line", tooltip="Copy the line that installs it"),
        Binding("f5", "check", "Check again"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    @dataclass
    class Checked(Message):
        """The machine was looked at."""

        tools: tuple[Tool, ...]

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__()
        self._surroundings = surroundings
        self._tools: tuple[Tool, ...] = ()

    def body(self) -> Iterable[Widget]:
        tools = DataTable(classes="pane", cells=False, sortable=False, empty="checking")
        tools.border_title = "This machine"
        yield tools
        yield Said(id="install")

    def on_mount(self) -> None:
        self.command = twin("doctor")
        self.query_one(DataTable).focus()
        self.action_check()

    @work(thread=True, group="tools", exclusive=True, exit_on_error=False)
    def action_check(self) -> None:
        found: list[Tool] = []
        for tool in self._surroundings.look_for_tools():
            found.append(tool)
            self.post_message(self.Checked(tuple(found)))

    @on(Checked)
    def _show(self, event: Checked) -> None:
        self._tools = event.tools
        rows = tuple(
            (
                Cell(glyphs.PASSED if t.found else glyphs.BROKEN, tone="good" if t.found else "warn"),
                Cell(t.name),
                Cell(t.needed_for, tone="dim"),
                Cell(t.detail, tone="" if t.found else "warn"),
            )
            for t in event.tools
        )
        self.query_one(DataTable).table = Table("This machine", COLUMNS, rows)
        self._describe(self.query_one(DataTable).row or 0)

    @on(DataTable.Highlighted)
    def _moved(self, event: DataTable.Highlighted) -> None:
        self._describe(event.row)

    def _describe(self, row: int) -> None:
        tool = self._tools[row] if row < len(self._tools) else None
        text = "" if tool is None else f"{tool.name}, for {tool.needed_for}: {tool.detail}"
        if tool is not None and tool.install:
            text += f"\nto get it: {tool.install}"
        self.query_one("#install", Said).say(text)

    def action_copy_install(self) -> None:
        row = self.query_one(DataTable).row
        if row is not None and self._tools[row].install:
            copy(self.navigation, self._tools[row].install, self._tools[row].install)
