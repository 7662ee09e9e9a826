"""The tabs of the Report screen: each shows its part of a `View` and knows nothing of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget

from ...analysis.lines import Line
from ...analysis.report import Finding
from ...analysis.tables import Cell, Column, Table, Tone
from .. import glyphs
from ..figures import compile_memory_bars, cycle_bars, memory_bars, ratio_is_time
from ..messages import Problem
from ..views import View
from ..widgets.bars import Bar, Bars
from ..widgets.chart import Chart
from ..widgets.data_table import DataTable
from ..widgets.log_pane import LogPane
from ..widgets.said import Said, plain

SIGNS = {"error": glyphs.BROKEN, "warning": "!", "info": "i"}
TONES: dict[str, Tone] = {"error": "bad", "warning": "warn"}
STYLES = {"error": "$text-error bold", "warning": "$text-warning", "info": "$foreground-muted"}


class Pane(Vertical):
    """The content of one tab."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view

    def show_view(self, view: View) -> None:
        """Show another run of the same capture."""
        self.view = view
        self._fill_or_say()

    def on_mount(self) -> None:
        self._fill_or_say()

    def _fill_or_say(self) -> None:
        """A tab that fails for a reason that nobody thought of leaves the others usable."""
        try:
            self.fill()
        except Exception as error:
            said = f"{self.view.label}: {type(error).__name__}: {error}; please report it as a bug"
            self.post_message(Problem("this tab cannot be shown", said))

    def fill(self) -> None:
        """Put the view into the widgets."""

    def take_focus(self) -> None:
        """Give the keys to the pane's main widget."""
        for widget in self.query("DataTable, LogPane"):
            widget.focus()
            return


class TablePane(Pane):
    """A pane around one table of the view."""

    NAME = ""
    EMPTY = "this log holds no such figures"

    def compose(self) -> ComposeResult:
        yield from self.above()
        yield DataTable(classes="pane", empty=self.EMPTY)
        yield Said(classes="note")
        yield from self.below()

    def above(self) -> Sequence[Widget]:
        return ()

    def below(self) -> Sequence[Widget]:
        return ()

    def fill(self) -> None:
        table = self.view.tables.get(self.NAME, Table("", (), ()))
        widget = self.query_one(DataTable)
        widget.table = table
        widget.border_title = Content(table.title)
        note = self.query("Said.note").last(Said)
        note.say(table.note)
        note.display = bool(table.note)


class SummaryPane(TablePane):
    """What happened, in words, then the figures, how full the memory is, and what else there is to say."""

    NAME = "summary"

    def compose(self) -> ComposeResult:
        yield Said(id="verdict")
        with Container(id="overview"):
            yield DataTable(classes="pane", empty=self.EMPTY)
            with Vertical(id="beside"):
                bars = Bars(id="bars")
                bars.border_title = "Memory"
                yield bars
                said = Said(id="said")
                said.border_title = "Findings"
                yield said
        yield Said(classes="note")

    def fill(self) -> None:
        super().fill()
        failed = self.view.failed
        verdict, said = self.query_one("#verdict", Said), self.query_one("#said", Said)
        cause = self.view.cause if failed else None
        verdict.display = cause is not None
        if cause is not None:
            verdict.say(describe(cause, short=True))
            self.query_one(".note", Said).display = False
        bars = self.query_one(Bars)
        bars.bars = bars_of(self.view)
        bars.display = bool(bars.bars)
        others = [finding for finding in self.view.findings if finding is not cause]
        said.display = bool(others)
        lines = [Content.styled(plain(f"{SIGNS[f.severity]} {f.title}"), STYLES[f.severity]) for f in others[:8]]
        said.say(Content("\n").join(lines))


def bars_of(view: View) -> tuple[Bar, ...]:
    """The memory bars of a run or of a compile."""
    if view.run is not None:
        return memory_bars(view.run)
    return compile_memory_bars(view.summary) if view.summary is not None else ()


class MemoryPane(TablePane):
    """How full each pool is, and of what."""

    NAME = "memory"

    def above(self) -> Sequence[Widget]:
        return (Bars(id="bars"),)

    def fill(self) -> None:
        super().fill()
        bars = self.query_one(Bars)
        bars.bars = bars_of(self.view)
        bars.display = bool(bars.bars)


class CyclesPane(TablePane):
    """Where the time went, as far as the log can tell."""

    NAME = "cycles"

    def above(self) -> Sequence[Widget]:
        return (Bars(id="bars"), Said(id="why", classes="note"))

    def fill(self) -> None:
        super().fill()
        run = self.view.run
        bars = self.query_one(Bars)
        bars.bars = cycle_bars(run) if run is not None else ()
        bars.display = bool(bars.bars)
        why = self.query_one("#why", Said)
        why.display = bool(bars.bars) and run is not None and not ratio_is_time(run)
        why.say("Grey: on a simulator the share of CPU and NPU is not time.")


class PmuPane(TablePane):
    """The NPU's own counters."""

    NAME = "pmu"
    EMPTY = "this log holds no PMU report"


class OperatorsPane(TablePane):
    """Vela's estimate for each operator."""

    NAME = "operators"
    EMPTY = "no operator data: nothing was delegated, or the compile failed before Vela"


class OutputsPane(TablePane):
    """What the model gave, with a chart of the values that the log shows."""

    NAME = "outputs"
    EMPTY = "this log shows no outputs"

    def fill(self) -> None:
        super().fill()
        self.query(Chart).remove()
        values = [(o.index, o.first) for o in self.view.run.outputs if len(o.first) > 1] if self.view.run else []
        if values:
            index, first = values[0]
            self.mount(Chart(f"output {index}: the first {len(first)} values", first))


class FindingsPane(Pane):
    """What is wrong or worth knowing, root cause first, and what to do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("J,shift+down", "read(2)", "Read on", key_display="J", tooltip="Scroll the explanation down"),
        Binding("K,shift+up", "read(-2)", "Read back", show=False, key_display="K", tooltip="Scroll it up"),
    ]

    def compose(self) -> ComposeResult:
        yield DataTable(classes="pane", cells=False, sortable=False, empty="nothing to say: no finding")
        with VerticalScroll(id="room", can_focus=False):
            yield Said(id="detail")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return (
            self.query_one("#room", VerticalScroll).max_scroll_y > 0 if action == "read" and self.is_mounted else True
        )

    def action_read(self, by: int) -> None:
        self.query_one("#room", VerticalScroll).scroll_relative(y=by, animate=False)

    def fill(self) -> None:
        table = self.query_one(DataTable)
        table.table = Table(
            "Findings",
            (Column("What"), Column("Line", "right")),
            tuple(
                (
                    Cell(f"{SIGNS[f.severity]} {f.title}", tone=_tone(f)),
                    Cell(
                        str(f.lines[0]) if f.lines else "-",
                        f.lines[0] if f.lines else None,
                        f.lines[0] if f.lines else None,
                    ),
                )
                for f in self.view.findings
            ),
        )
        table.border_title = "Findings, the root cause first"
        self._describe(0)

    def line_of(self, row: int) -> int | None:
        """The line that explains the finding in this row."""
        findings = self.view.findings
        return findings[row].lines[0] if row < len(findings) and findings[row].lines else None

    def on_data_table_highlighted(self, event: DataTable.Highlighted) -> None:
        self._describe(event.row)

    def _describe(self, row: int) -> None:
        detail, room = self.query_one("#detail", Said), self.query_one("#room", VerticalScroll)
        findings = self.view.findings
        room.display = bool(findings)
        room.scroll_home(animate=False)
        self.call_after_refresh(self.screen.refresh_bindings)
        if row < len(findings):
            detail.say(describe(findings[row]))


class LogTab(Pane):
    """The log itself; below it the cursor's whole line and what a finding says about it."""

    def compose(self) -> ComposeResult:
        yield LogPane()
        yield Said(id="line")

    @property
    def log_pane(self) -> LogPane:
        """The lines."""
        return self.query_one(LogPane)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """The lines were read."""
        self.log_pane.load(lines, self.view.evidence)
        if self.log_pane.current is not None:
            self._describe(self.log_pane.current)

    def fill(self) -> None:
        self.log_pane.evidence = frozenset(self.view.evidence)
        self.log_pane.refresh()

    def goto(self, number: int) -> None:
        """Put the cursor on a line."""
        if not self.log_pane.goto(number):
            self.notify(f"Line {number} is not in the log as stored.", severity="warning", markup=False)

    def on_log_pane_highlighted(self, event: LogPane.Highlighted) -> None:
        event.stop()
        self._describe(event.line)

    def _describe(self, line: Line) -> None:
        told = next((f for f in self.view.findings if line.number in f.lines), None)
        content = Content.assemble((f"{line.number} ", "$text-accent bold"), line.text[:600])
        if told is not None:
            content = Content("\n").join(
                (content, Content.styled(plain(f"{SIGNS[told.severity]} {told.title}"), STYLES[told.severity]))
            )
        self.query_one("#line", Said).say(content, layout=False)


PANES: Mapping[str, Callable[[View], Pane]] = {
    "Summary": SummaryPane,
    "Memory": MemoryPane,
    "Cycles": CyclesPane,
    "PMU": PmuPane,
    "Operators": OperatorsPane,
    "Outputs": OutputsPane,
    "Findings": FindingsPane,
    "Log": LogTab,
}


def describe(finding: Finding, short: bool = False) -> Content:
    """A finding in words: what, why, what to do, where."""
    parts = [Content.styled(plain(f"{SIGNS[finding.severity]} {finding.title}"), STYLES[finding.severity])]
    if finding.detail and not short:
        parts.append(Content(plain(finding.detail)))
    if finding.advice:
        parts.append(Content.assemble(("Do: ", "$text-success bold"), plain(finding.advice)))
    if finding.lines:
        shown = ", ".join(str(line) for line in finding.lines[:6])
        parts.append(Content.styled(f"line {shown}; e goes there", "$foreground-muted"))
    return Content("\n").join(parts)


def _tone(finding: Finding) -> Tone:
    return TONES.get(finding.severity, "")
