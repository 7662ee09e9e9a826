"""The Summary tab: five answers first, then the figures, and as much beside them as the terminal has room for."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content

from ...analysis.report import Finding
from ...analysis.tables import Table
from ..figures import cycle_bars, use_bars
from ..views import View
from ..widgets.answer_lines import AnswerLines
from ..widgets.bars import Bars
from ..widgets.data_table import DataTable
from ..widgets.said import Said, plain
from .findings_pane import STYLES, describe, titled
from .memory_pane import bars_of
from .pane import Pane

TALL = 34
"""Rows from which the answers are shown whole."""


class SummaryPane(Pane):
    """What happened, in words; the figures; and beside them how full, how busy and what is wrong."""

    def compose(self) -> ComposeResult:
        yield AnswerLines(id="answers")
        with Container(id="overview"):
            yield DataTable(classes="pane", empty="this log holds no such figures", id="facts")
            with VerticalScroll(id="beside", can_focus=False):
                for name, title in (("bars", "Memory"), ("uses", "NPU"), ("cpu", "CPU and NPU")):
                    bars = Bars(id=name)
                    bars.border_title = title
                    yield bars
                said = Said(id="said")
                said.border_title = "Findings"
                yield said
                release = Said(id="release")
                release.border_title = "Release"
                yield release
            with VerticalScroll(id="told-in-full", can_focus=False):
                yield Said(id="full")
        with Container(id="more"):
            yield DataTable(classes="pane", id="more-left")
            yield DataTable(classes="pane", id="more-right")

    def fill(self) -> None:
        view = self.view
        answers = self.query_one(AnswerLines)
        answers.answers = view.answers
        answers.display = bool(view.answers)
        table = view.tables.get("summary", Table("", (), ()))
        facts = self.query_one("#facts", DataTable)
        facts.table, facts.border_title = table, Content(table.title)
        self._show_bars(view)
        self._say(view.findings, view)
        for place, name in (("#more-left", "pmu"), ("#more-right", "derived")):
            more = view.tables.get(name)
            widget = self.query_one(place, DataTable)
            widget.display = more is not None and bool(more.rows)
            if more is not None:
                widget.table, widget.border_title = more, Content(more.title)
        self.query_one("#more").set_class(any(w.display for w in self.query("#more DataTable")), "-some")
        self._fit_answers()

    def _show_bars(self, view: View) -> None:
        shown = {
            "#bars": bars_of(view),
            "#uses": use_bars(view.run) if view.run is not None else (),
            "#cpu": cycle_bars(view.run) if view.run is not None else (),
        }
        for place, found in shown.items():
            bars = self.query_one(place, Bars)
            bars.bars = found
            bars.display = bool(found)

    def _say(self, findings: tuple[Finding, ...], view: View) -> None:
        lines = [Content.styled(plain(titled(f)), STYLES[f.severity]) for f in findings[:8]]
        run, release = view.run, self.query_one("#release", Said)
        release.display = run is not None and run.runner.version_evidence is not None
        if run is not None and run.runner.version_evidence is not None:
            evidence = f"{run.runner.executorch_version or 'release not known'}: {run.runner.version_evidence}"
            release.say(Content.styled(plain(f"ExecuTorch {evidence}"), "$foreground-muted"))
        said, full = self.query_one("#said", Said), self.query_one("#full", Said)
        said.say(Content("\n").join(lines))
        said.set_class(bool(lines), "-some")
        full.say(Content("\n\n").join([describe(finding) for finding in findings[:12]]))
        column = self.query_one("#told-in-full")
        column.border_title = "Findings"
        column.set_class(bool(findings), "-some")

    def on_resize(self) -> None:
        self._fit_answers()

    def _fit_answers(self) -> None:
        self.query_one(AnswerLines).brief = self.app.size.height < TALL
