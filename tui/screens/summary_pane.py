"""The Summary tab: five answers first, then the figures, and as much beside them as the terminal has room for."""

from __future__ import annotations

from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content

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

BELOW = 10
"""Rows that the answers leave to everything else: the figures can be scrolled, the answers cannot."""
TALL, WIDE, HUGE = 34, 100, 160
"""As the classes of `app.tcss`: rows from which the answers are shown whole, columns from which there is more beside them."""


class Room(NamedTuple):
    """What there is room for; nothing else is made, since the first frame pays for it."""

    beside: bool
    full: bool
    more: bool


class SummaryPane(Pane):
    """What happened, in words; the figures; and beside them how full, how busy and what is wrong."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._made = Room(False, False, False)

    @property
    def _room(self) -> Room:
        width, height = self.app.size
        return Room(width >= WIDE or height >= TALL, width >= HUGE, width >= HUGE and height >= TALL)

    @property
    def _brief(self) -> int:
        """Lines that an answer may have."""
        height = self.app.size.height
        return 0 if height >= TALL else 3 if height >= 28 else 2

    def compose(self) -> ComposeResult:
        self._made = room = self._room
        yield AnswerLines(id="answers")
        with Container(id="overview"):
            yield DataTable(classes="pane", empty="this log holds no such figures", id="facts")
            if room.beside:
                with VerticalScroll(id="beside", can_focus=False):
                    for name, title in (("bars", "Memory"), ("uses", "NPU"), ("cpu", "CPU and NPU")):
                        bars = Bars(id=name)
                        bars.border_title = title
                        yield bars
                    for name, title in (("said", "Findings"), ("release", "Release")):
                        said = Said(id=name)
                        said.border_title = title
                        yield said
            if room.full:
                with VerticalScroll(id="told-in-full", can_focus=False) as column:
                    column.border_title = "Findings"
                    yield Said(id="full")
        if room.more:
            with Container(id="more"):
                yield DataTable(classes="pane", id="more-left")
                yield DataTable(classes="pane", id="more-right")

    def fill(self) -> None:
        view = self.view
        answers = self.query_one(AnswerLines)
        answers.brief, answers.most = self._brief, max(self.app.size.height // 2, self.app.size.height - BELOW)
        answers.answers = view.answers
        answers.display = bool(view.answers)
        table = view.tables.get("summary", Table("", (), ()))
        facts = self.query_one("#facts", DataTable)
        facts.table, facts.border_title = table, Content(table.title)
        if self._made.beside:
            self._fill_beside(view)
        if self._made.full:
            told = Content("\n\n").join([describe(finding) for finding in view.findings[:12]])
            self.query_one("#full", Said).say(told)
            self.query_one("#told-in-full").set_class(bool(view.findings), "-some")
        if self._made.more:
            self._fill_more(view)

    def _fill_beside(self, view: View) -> None:
        shown = {
            "#bars": bars_of(view),
            "#uses": use_bars(view.run) if view.run is not None else (),
            "#cpu": cycle_bars(view.run) if view.run is not None else (),
        }
        for place, found in shown.items():
            bars = self.query_one(place, Bars)
            bars.bars = found
            bars.display = bool(found)
        lines = [Content.styled(plain(titled(f)), STYLES[f.severity]) for f in view.findings[:8]]
        said, release = self.query_one("#said", Said), self.query_one("#release", Said)
        said.say(Content("\n").join(lines))
        said.set_class(bool(lines), "-some")
        run = view.run
        release.display = run is not None and run.runner.version_evidence is not None
        if run is not None and run.runner.version_evidence is not None:
            evidence = f"{run.runner.executorch_version or 'release not known'}: {run.runner.version_evidence}"
            release.say(Content.styled(plain(f"ExecuTorch {evidence}"), "$foreground-muted"))

    def _fill_more(self, view: View) -> None:
        some = False
        left, right = ("pmu", "derived") if view.run is not None else ("operators", "board")
        for place, name in (("#more-left", left), ("#more-right", right)):
            more = view.tables.get(name)
            widget = self.query_one(place, DataTable)
            widget.display = more is not None and bool(more.rows)
            some = some or widget.display
            if more is not None:
                widget.table, widget.border_title = more, Content(more.title)
        self.query_one("#more").set_class(some, "-some")

    async def on_resize(self) -> None:
        """More room than before is put to use; what is too much is hidden by the styles."""
        made, room = self._made, self._room
        if any(new and not old for new, old in zip(room, made, strict=True)):
            had_keys = self.screen.focused is not None and self in self.screen.focused.ancestors
            await self.recompose()
            self._fill_or_say()
            if had_keys:
                self.take_focus()
        else:
            answers = self.query_one(AnswerLines)
            answers.brief, answers.most = self._brief, max(self.app.size.height // 2, self.app.size.height - BELOW)
