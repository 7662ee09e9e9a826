"""Trends: what the runs of an overview were, which passed ones stand out, and what changed over time; nothing is computed here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget

from ...analysis.tables import Table
from ...analysis.units import format_many
from .. import glyphs
from ..widgets.data_table import DataTable
from ..widgets.noted import NotesNear
from ..widgets.said import Said
from .page import Page
from .table_pane import RowScreen


class _Tables(NotesNear, Vertical):
    """The tables below each other, each with its note."""


class TrendsScreen(Page):
    """Kinds, outliers and trends of the runs so far."""

    HEADING = "Trends"
    ABOUT = (
        "Of the runs read so far: what changed over time, if time stamps give the order; passed runs that stand out; and "
        "what ran, with the median NPU cycles of passed runs. Enter on a run that stands out opens it; "
        "{details} shows a row in full."
    )
    CSS_PATH = "trends.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "details", "Details", tooltip="The row under the cursor with all its columns"),
        Binding("tab", "app.focus_next", "Pane", tooltip="To the next table"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    def __init__(
        self,
        tables: Iterable[Table],
        label: str,
        command: str,
        open_run: Callable[[str, int], None],
        so_far: int | None = None,
    ) -> None:
        """The tables are those of kinds, outliers and trends; `open_run` shows the run of this source and index.

        `so_far`: how many runs had been read, where more come, of which these tables say nothing.
        """
        super().__init__()
        self._tables = dict(zip(("kinds", "outliers", "trends"), tables, strict=True))
        self._label = label
        self._command = command
        self._open_run = open_run
        self._so_far = so_far

    def body(self) -> Iterable[Widget]:
        empty = {"kinds": "no run so far", "outliers": "no outliers among the passed runs", "trends": "no trend"}
        with _Tables():
            for name in reversed(self._tables):  # what changed first: it is what one comes for
                table = self._tables[name]
                widget = DataTable(table, id=name, classes="pane", cells=False, empty=empty[name])
                widget.border_title = table.title
                yield widget
                if table.note:
                    yield Said(table.note, classes="note")

    def on_mount(self) -> None:
        self.command = self._command
        partly = f"of {format_many(self._so_far, 'run')} so far" if self._so_far is not None else ""
        self.set_trail(f"{self.HEADING} {glyphs.JUMP} {self._label}", partly, "$text-warning")
        first = next((name for name in ("trends", "outliers") if self._tables[name].rows), "kinds")
        self.query_one(f"#{first}").focus()

    @on(DataTable.Chosen)
    def _chosen(self, event: DataTable.Chosen) -> None:
        if event.table.id != "outliers":
            self.action_details()
            return
        source, run, *_ = self._tables["outliers"].rows[event.row]
        self._open_run(str(source.value), int(str(run.value)))

    def action_details(self) -> None:
        """The row under the cursor in full."""
        table = self.focused
        if isinstance(table, DataTable) and table.row is not None:
            self.app.push_screen(RowScreen(table.table.title, table.table, table.row))
