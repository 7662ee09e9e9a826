"""Targets: where programs can run, whether each could be used now, who has it, and what is known of it and by whom."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from ...analysis.lines import clean
from ...analysis.tables import Cell, Column, Table
from ...analysis.target_entries.figures import Shown, shown
from ...runners.job import JobError
from .. import messages
from ..dashboard import state_of
from ..looking import Looking
from ..state import twin
from ..widgets.data_table import DataTable
from ..widgets.said import Said
from .page import Page

if TYPE_CHECKING:
    from ...runners.target_overview import Overseen

COLUMNS = (
    Column(""),
    Column("Target", least=19),
    Column("NPU", least=14),
    Column("State", least=20),
    Column("Kind", least=7),
    Column("Where", least=8, kept="end"),
    Column("From", least=7),
)
KNOWN = (Column("Key"), Column("Value", least=34), Column("Who says so", least=10))
LOOK_SECONDS = 2.0


class TargetsScreen(Page):
    """All targets that can be named here."""

    HEADING = "Targets"
    ORIGIN = "ethosu-tui targets"
    PLACE = "targets"
    REMEMBERED = ("all",)
    ABOUT = (
        "The places where programs can run: those of the project, yours, and the boards and simulators that are known. "
        "State says what this machine has of what a target needs, and who uses it now; nothing is opened or asked for "
        "that. {use} opens the run form for the target. A known board gets a port by an entry of yours that names it as "
        "its base: `ethosu-tui targets template` prints a file to start from."
    )
    CSS_PATH = "targets.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "use", "Run here", key_display="↵", tooltip="Open the run form with this target"),
        Binding("f5", "reload", "Look again", tooltip="Read the files of targets again"),
        Binding("tab", "app.focus_next", "Pane", tooltip="Between the targets and what is known of one"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    @dataclass
    class Looked(Message):
        """The targets were looked at."""

        found: tuple[Overseen, ...]

    def __init__(self, chosen: str | None = None) -> None:
        """`chosen` is the target that the cursor begins on."""
        super().__init__()
        self._chosen = chosen
        self._found: tuple[Overseen, ...] = ()
        self._looking = Looking(self._look, LOOK_SECONDS, lambda: None)

    def body(self) -> Iterable[Widget]:
        with Container(id="split"):
            targets = DataTable(id="all", classes="pane", cells=False, empty="looking")
            targets.border_title = "Targets"
            yield targets
            known = DataTable(id="known", classes="pane", cells=False, sortable=False)
            known.border_title = "What is known"
            yield known
        yield Said(id="said")

    def on_mount(self) -> None:
        self.command = twin("targets")
        self.query_one("#all").focus()
        self.action_reload()
        self._looking.begin()

    def on_unmount(self) -> None:
        self._looking.end()

    def on_screen_suspend(self) -> None:
        self._looking.pause()

    def on_screen_resume(self) -> None:
        self._looking.begin()

    @work(thread=True, group="targets", exclusive=True, exit_on_error=False)
    def action_reload(self) -> None:
        self._look()

    def _look(self) -> None:
        from ...runners.target_overview import overview

        try:
            self.post_message(self.Looked(tuple(overview())))
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))

    @on(Looked)
    def _show(self, event: Looked) -> None:
        rows = []
        for one in event.found:
            sign, text, tone = state_of(one)
            rows.append(
                (
                    Cell(sign, tone=tone),
                    Cell(one.name),
                    Cell(one.npu or "-"),
                    Cell(text, tone=tone),
                    Cell(one.kind or "-"),
                    Cell(one.where or "-"),
                    Cell(one.layer, tone="dim"),
                )
            )
        table = self.query_one("#all", DataTable)
        made = Table("Targets", COLUMNS, tuple(rows))
        same = [one.name for one in self._found] == [one.name for one in event.found]
        self._found = event.found
        if table.given != made:
            table.table = made
        if not same:
            names = [one.name for one in event.found]
            table.select_row(names.index(self._chosen) if self._chosen in names else table.row or 0)
        table.border_title = f"Targets ({len(rows)})"
        self._describe()

    def _one(self) -> Overseen | None:
        row = self.query_one("#all", DataTable).row
        return self._found[row] if row is not None and row < len(self._found) else None

    @on(DataTable.Highlighted, "#all")
    def _moved(self) -> None:
        one = self._one()
        self._chosen = one.name if one is not None else None
        self._describe()

    def _describe(self) -> None:
        one = self._one()
        if one is None:
            return
        rows = tuple(
            (
                Cell(value.key),
                Cell(value.text),
                Cell(_said_by(value), tone="warn" if value.verified is False else "dim"),
            )
            for value in shown(one.place)
        )
        known = self.query_one("#known", DataTable)
        made = Table("What is known", KNOWN, rows)
        if known.table != made:
            known.table = made
            known.border_title = f"What is known of {one.name}"
        said = [clean(str(problem)) for problem in one.place.problems[:2]]
        if not said:
            sign, text, _ = state_of(one)
            said = [f"{sign} {text}"]
            if not one.reachable:
                said.append(f'to use it, name its port or host in an entry of yours with base = "{one.name}"')
        self.query_one("#said", Said).say("\n".join(said))
        self.command = twin("targets", "show", one.name)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "use":
            one = self._one() if self.is_mounted else None
            return one is not None and one.reachable
        return super().check_action(action, parameters)

    @on(DataTable.Chosen, "#all")
    def action_use(self) -> None:
        one = self._one()
        if one is None or not one.reachable:
            return
        from ...runners.targets.catalogue import target_of

        try:
            target = target_of(one.place)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            return
        self.navigation.open_run_form(target=target)


def _said_by(value: Shown) -> str:
    """Who says a value: of a figure its source, else the file where it was written."""
    if value.source:
        return f"{value.source} (unverified)" if value.verified is False else value.source
    return clean(os.path.basename(value.origin))
