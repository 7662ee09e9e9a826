"""The PMU tab and the Roofline tab: the NPU's counters, what follows from them, and what limits the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widget import Widget

from ...analysis.meaning.counters import unknown_uses
from ...analysis.meaning.roofline import roofline_of
from ..figures import use_bars
from ..keys_in_force import key_of
from ..widgets.bars import Bars
from ..widgets.data_table import DataTable
from ..widgets.noted import Noted
from ..widgets.roofline import RooflinePlot
from ..widgets.said import Said, plain
from .findings_pane import describe
from .pane import Pane
from .table_pane import TablePane


class PmuPane(TablePane):
    """Counters with what they count; below them shares as bars, the verdict with its evidence, and derived figures."""

    NAME = "pmu"
    EMPTY = "this log holds no PMU report"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("J,shift+down", "read(2)", "Read on", key_display="J", tooltip="Scroll shares and verdict down"),
        Binding("K,shift+up", "read(-2)", "Read back", show=False, key_display="K", tooltip="Scroll them up"),
    ]

    def below(self) -> Sequence[Widget]:
        return (
            Container(
                VerticalScroll(
                    Bars(id="uses"),
                    Said(id="unknown-uses", classes="note"),
                    Said(id="meaning"),
                    id="judged",
                    can_focus=False,
                ),
                Noted(
                    DataTable(classes="pane", id="derived"), Said(id="derived-note", classes="note"), id="derivation"
                ),
                id="pmu-below",
            ),
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "read" and self.is_mounted:
            return self.query_one("#judged", VerticalScroll).max_scroll_y > 0
        return super().check_action(action, parameters)

    def action_read(self, by: int) -> None:
        self.query_one("#judged", VerticalScroll).scroll_relative(y=by, animate=False)

    def on_resize(self) -> None:
        """Whether there is more to read is known when all of it has its place."""
        self.call_after_refresh(self.screen.refresh_bindings)

    def fill(self) -> None:
        super().fill()
        run = self.view.run
        bars, unknown = self.query_one("#uses", Bars), self.query_one("#unknown-uses", Said)
        bars.bars = use_bars(run) if run is not None else ()
        bars.display = bool(bars.bars)
        bars.border_title = "How much is used"
        missing = unknown_uses(run) if run is not None else ""
        unknown.say(missing)
        unknown.display = bool(missing)
        verdicts = [
            describe(f)
            for f in self.view.findings
            if f.rule.startswith(("bound-", "memory-mode-", "traffic-", "npu-idle"))
        ]
        said = self.query_one("#meaning", Said)
        said.border_title = "What limits it"
        said.say(Content("\n").join(verdicts))
        said.display = bool(verdicts)
        table = self.view.tables.get("derived")
        widget, note = self.query_one("#derived", DataTable), self.query_one("#derived-note", Said)
        self.query_one("#derivation").display = table is not None
        if table is not None:
            widget.table = table
            widget.border_title = Content(table.title)
            note.say(table.note)
            note.display = bool(table.note)


class RooflinePane(Pane):
    """The plot, or why there is none."""

    def compose(self) -> ComposeResult:
        yield RooflinePlot()
        yield Said(id="why-none")

    def fill(self) -> None:
        found = roofline_of(self.view.run) if self.view.run is not None else "There is no roofline: nothing ran."
        plot, said = self.query_one(RooflinePlot), self.query_one("#why-none", Said)
        plot.display = not isinstance(found, str)
        said.display = isinstance(found, str)
        if isinstance(found, str):
            given = ""
            if "(--" in found and self.view.run is not None:
                given = f"{key_of(self, 'assume_any')} gives what the log does not say."
            elif self.view.run is not None:  # nothing that could be said would draw it: other counters would
                given = next((f"\n{f.advice}" for f in self.view.findings if f.rule == "bound-cannot-tell"), "")
            said.say(Content(plain(f"{found}\n{given}".rstrip())))
        else:
            plot.show(found)

    def take_focus(self) -> None:
        """There is nothing to move in."""
        self.screen.set_focus(None)
