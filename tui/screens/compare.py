"""Compare: runs or compiles side by side, with a baseline, ratios, the best value marked, and a bar for each side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from ...analysis.compare import Side, compare
from .. import glyphs, messages
from ..comparisons import Sheet, bars_of, sheet
from ..state import twin
from ..widgets.bars import Bars
from ..widgets.data_table import DataTable
from ..widgets.said import Said
from .page import Page


class CompareScreen(Page):
    """The comparison of two or more inputs."""

    HEADING = "Compare"
    KEPT_KEYS = frozenset(("export",))
    ABOUT = (
        "Runs or compiles as columns, metrics as rows. The best value of a row has a star; a value that cannot be "
        "compared says n/c and the line below says why. b makes the column under the cursor the baseline; t shows "
        "ratios to it; = hides rows where all are equal. Enter opens the report of the column."
    )
    CSS_PATH = "compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "baseline", "Baseline", tooltip="Make the column under the cursor the baseline"),
        Binding("t", "ratios", "Ratio", tooltip="Ratios to the baseline, or absolute values"),
        Binding(
            "equals_sign,a",
            "differences",
            "Differences",
            key_display="=",
            tooltip="Hide or show rows without a difference",
        ),
        Binding("enter", "report", "Report", key_display="↵", tooltip="Open the report of the column under the cursor"),
        Binding("escape,backspace", "back", "Back", key_display="esc"),
    ]

    def __init__(self, sides: Sequence[Side]) -> None:
        super().__init__()
        self._sides = tuple(sides)
        self._baseline = 0
        self._ratios = False
        self._differences = False
        self._sheet: Sheet | None = None

    def body(self) -> Iterable[Widget]:
        yield DataTable(classes="pane", fixed=1, empty="no metric is in more than one of them")
        yield Said(id="why", classes="note")
        yield Bars()

    def on_mount(self) -> None:
        self._fill()
        table = self.query_one(DataTable)
        table.focus()
        table.cursor_column = 1

    def _fill(self) -> None:
        self._comparison = compare(self._sides, self._baseline)
        self._sheet = sheet(self._comparison, ratios=self._ratios, differences=self._differences)
        table = self.query_one(DataTable)
        table.table = self._sheet.table
        table.border_title = Content(self._sheet.table.title + (", differences only" if self._differences else ""))
        base = self._sides[self._baseline]
        self.set_trail(f"Compare {glyphs.JUMP} {len(self._sides)} sides", f"baseline: {base.label}")
        paths = list(dict.fromkeys(side.source for side in self._sides))
        name = base.source if sum(side.source == base.source for side in self._sides) == 1 else base.label
        self.command = twin("compare", paths, [] if not self._baseline else ["--baseline", name])
        self._describe(table.row)

    @on(DataTable.Highlighted)
    def _moved(self, event: DataTable.Highlighted) -> None:
        self._describe(event.row)

    def _describe(self, row: int | None) -> None:
        metrics = self._sheet.metrics if self._sheet is not None else ()
        bars, why = self.query_one(Bars), self.query_one("#why", Said)
        if row is None or row >= len(metrics):
            bars.bars = ()
            why.say("")
            return
        metric = metrics[row]
        bars.bars = bars_of(self._comparison, metric)
        better = "" if metric.better == "none" else f", {metric.better} is better"
        why.say(f"{metric.name}{better}" + (f"; not comparable: {metric.reason}" if metric.reason else ""))

    def _column(self) -> int | None:
        column = self.query_one(DataTable).cursor_column - 1
        return column if 0 <= column < len(self._sides) else None

    def action_baseline(self) -> None:
        column = self._column()
        self._baseline = (self._baseline + 1) % len(self._sides) if column is None else column
        self._fill()

    def action_ratios(self) -> None:
        self._ratios = not self._ratios
        self._fill()

    def action_differences(self) -> None:
        self._differences = not self._differences
        self._fill()

    @on(DataTable.Chosen)
    def action_report(self) -> None:
        column = self._column()
        if column is None:
            self.notify("Move to a column with ←/→; enter opens its report.", markup=False)
        else:
            self.post_message(messages.OpenReport(self._sides[column].source))
