"""Runs and why they did not pass, while they are read beside the screen: what an overview of one capture and of many share."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from ...analysis.report import Capture
from ...analysis.rows import RunRow
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_count
from ...runners.job import JobError
from ...runners.reading.background import Done, ReadBeside, run_bytes
from .. import glyphs, messages
from ..widgets.data_table import DataTable
from ..widgets.log_pane import LogPane
from ..widgets.runs_table import RunsTable
from ..widgets.said import Said
from .page import Page

if TYPE_CHECKING:
    from ...runners.reading.window import LogWindow

PERIOD = 0.2
SOON = 0.03
MOST_CAUSES = 500


class Reason(NamedTuple):
    """Why something did not pass, and how often."""

    rule: str | None
    """The root cause of runs; None for what no run stands for."""
    title: str
    times: int
    where: Cell
    """The first one."""
    path: str | None = None
    """What to open, where no run stands for it."""


class RunsOverviewScreen(Page):
    """The runs, the reasons, and how far the reading is; subclasses say what is read and how one run is shown."""

    KIND: ClassVar[str] = ""
    """What the title calls it."""
    WHERE: ClassVar[Column] = Column("")
    """The column that names the first run of a reason."""
    CSS_PATH = "runs_overview.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "report", "Report", key_display="↵", tooltip="Open the report of the run, or one reason's runs"
        ),
        Binding("e", "failure(1)", "Next failed", tooltip="The next run that did not pass"),
        Binding("E", "failure(-1)", "Failed before", show=False, tooltip="The previous run that did not pass"),
        Binding("tab", "app.focus_next", "Pane", tooltip="Between runs and reasons"),
        Binding("escape,backspace", "back", "Back", key_display="esc", tooltip="Leave; reading stops"),
    ]

    @dataclass
    class RunRead(Message):
        """One run was read again."""

        row: RunRow
        label: str
        capture: Capture
        cut: bool

    def __init__(self, reading: ReadBeside, label: str, below: str | None = None) -> None:
        """`below` is the folder that all logs are in, where there are several."""
        super().__init__()
        self._beside = reading
        self._label = label
        self._below = below
        self._began = time.monotonic()
        self._counted = 0
        self._statuses: dict[str, int] = {}
        self._causes: dict[str, tuple[int, int]] = {}
        """How many runs and the first one's position, by rule."""
        self._titles: dict[int, str] = {}
        """A title for each reason that holds for all its runs, of the first `_titled` runs."""
        self._titled = 0
        self._cause: str | None = None
        self._over = False
        self._given_away = False
        self._first = True

    def body(self) -> Iterable[Widget]:
        yield Said("reading", id="state")
        with Container(id="split"):
            runs = RunsTable(self._beside.rows, self._below, id="runs", classes="pane")
            runs.border_title = "Runs"
            yield runs
            causes = DataTable(id="causes", classes="pane", cells=False, sortable=False, empty="none so far")
            causes.border_title = "Why runs did not pass"
            yield causes

    def on_mount(self) -> None:
        self.set_trail(f"{self.KIND} {glyphs.JUMP} {self._label}", f"{glyphs.ACTIVE} reading", "$text-accent")
        self.query_one("#runs").focus()
        self._timer = self.set_interval(SOON, self._show)
        self._follow()

    def on_unmount(self) -> None:
        if not self._given_away:
            self._beside.close()

    @work(thread=True, group="capture", exit_on_error=False)
    def _follow(self) -> None:
        self._beside.follow()

    def on_screen_resume(self) -> None:
        if not self._over and not self._first:
            self._show()

    # -- what subclasses know ----------------------------------------------------------------------------------------

    def far(self, seconds: float) -> str:
        """How far the reading is after so long."""
        raise NotImplementedError

    def whole(self, done: Done) -> bool:
        """Whether all was read that there was to read."""
        raise NotImplementedError

    def ended(self, done: Done) -> None:
        """It is over, and nothing was wrong."""

    def open_run(self, row: RunRow) -> None:
        """Show the report of this run."""
        raise NotImplementedError

    def path_of(self, row: RunRow) -> str:
        """What to read to see this run again."""
        return row.source

    @property
    def window(self) -> LogWindow | None:
        """The lines of the log, where it is too long to be read at once, and they are known."""
        return None

    def where(self, position: int) -> Cell:
        """How the first run of a reason is named."""
        raise NotImplementedError

    def more_reasons(self) -> Iterable[Reason]:
        """What no run stands for."""
        return ()

    # -- what was read so far ----------------------------------------------------------------------------------------

    def _show(self) -> None:
        """A few times a second: what has come since."""
        reading = self._beside
        done = reading.done
        count = reading.rows.count
        if done is None and not self.is_current:  # nobody looks, and keys of the report in front would wait
            self._count(count)
            return
        if self._first and (count or done is not None):
            self._first = False
            self._timer.stop()
            self._timer = self.set_interval(PERIOD, self._show)
        self._count(count)
        runs = self.query_one(RunsTable)
        runs.grow(final=done is not None)
        if done is not None:  # a new title repaints the whole table
            runs.border_title = self._runs_title()
        self.query_one("#state", Said).say(self._progress(), layout=False)
        if done is not None and not self._over:
            self._over = True
            if self._causes and self._titled != count:
                self._titles, self._titled = self._beside.rows.titles(), count
            self._show_causes()
            self._timer.stop()
            self._end(done)

    def _count(self, count: int) -> None:
        rows, first = self._beside.rows, self._counted
        if count == first:
            return
        self._counted = count
        rows.note_titles()
        for status, number in rows.counts("status", first, count).items():
            self._statuses[status or "-"] = self._statuses.get(status or "-", 0) + number
        known = len(self._causes)
        changed = False
        for rule, number in rows.counts("cause", first, count).items():
            if rule is not None:
                before, position = self._causes.get(rule) or (0, rows.find("cause", rule, first))
                self._causes[rule] = (before + number, position)
                changed = True
        if changed or len(self._causes) != known:
            if len(self._causes) != known or count >= 2 * self._titled:
                self._titles, self._titled = rows.titles(), count  # joined of all there are, so not each time
            self._show_causes()

    def _show_causes(self) -> None:
        reasons = self._ranked()
        cells = []
        for reason in reasons:
            chosen = glyphs.MARKED if reason.rule is not None and reason.rule == self._cause else glyphs.BROKEN
            cells.append(
                (
                    Cell(f"{chosen} {reason.title}", reason.title, None, "bad"),
                    Cell(format_count(reason.times), reason.times),
                    reason.where,
                )
            )
        table = self.query_one("#causes", DataTable)
        if not cells and not table.table.rows:
            return
        columns = (Column("Why"), Column("Runs", "right"), self.WHERE)
        table.table = Table("Why runs did not pass", columns, tuple(cells))
        count = len(reasons)
        table.border_title = f"Why runs did not pass: {count} reason{'s' if count > 1 else ''}"

    def _ranked(self) -> list[Reason]:
        """The most frequent ones first, and of those that are as frequent, the one that came first."""
        rows = self._beside.rows
        known = sorted(self._causes.items(), key=lambda item: (-item[1][0], item[1][1]))[:MOST_CAUSES]
        found = []
        for rule, (number, position) in known:
            title = self._titles.get(rows.code_of(rule)) or rows.text("cause_title", position) or rule
            found.append(Reason(rule, title, number, self.where(position)))
        more = sorted(self.more_reasons(), key=lambda reason: -reason.times)
        return sorted([*found, *more[:MOST_CAUSES]], key=lambda reason: -reason.times)

    def _runs_title(self) -> str:
        runs = self.query_one(RunsTable)
        if self._beside.done is None:
            return "Runs: some are hidden" if runs.sifted else "Runs"
        hidden = self._counted - runs.row_count
        return f"Runs: {format_count(self._counted)}" + (f", {format_count(hidden)} hidden" if hidden else "")

    def _progress(self) -> str:
        told = [f"{glyphs.status_sign(status)} {format_count(n)} {status}" for status, n in self._statuses.items()]
        said = f"{'read' if self._beside.done is not None else 'reading'}: {self.far(time.monotonic() - self._began)}"
        return f"{said}\n{'  '.join(told) or 'no run so far'}"

    def _end(self, done: Done) -> None:
        whole = self.whole(done)
        sign = f"{glyphs.PASSED} read" if whole else f"{glyphs.BROKEN} incomplete"
        tone = "$text-success" if whole else "$text-error"
        self.set_trail(f"{self.KIND} {glyphs.JUMP} {self._label}", sign, tone)
        if done.problem:
            self.query_one("#state", Said).say(f"{self._progress()}\n{glyphs.BROKEN} {done.problem}; {done.hint}")
            self.post_message(messages.Problem(done.problem, done.hint))
        else:
            self.ended(done)

    # -- one run of a log that is too long to be read again ----------------------------------------------------------

    @work(thread=True, group="run", exclusive=True, exit_on_error=False)
    def read_again(self, row: RunRow, label: str, lines: int) -> None:
        """Read this run alone, of a log of so many lines, and show its report."""
        from ...analysis.reread import AFTER_BYTES, reread

        worker = get_current_worker()
        try:
            data, cut = run_bytes(self.path_of(row), row.start_byte, row.end_byte, AFTER_BYTES)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            return
        capture = reread(row, data, lines)
        if not worker.is_cancelled:
            self.post_message(self.RunRead(row, label, capture, cut))

    @on(RunRead)
    def _show_run(self, event: RunRead) -> None:
        from ...runners.reading.inputs import Loaded
        from .report import ReportScreen

        path = self.path_of(event.row)
        if not event.capture.runs:
            said = f"{path}: run {event.row.index} is not there any more"
            self.post_message(messages.Problem(said, "the file was written again; open it again"))
            return
        if event.cut:
            self.notify("The run is very long; its report is made of its first part.", severity="warning", markup=False)
        self.app.push_screen(ReportScreen(Loaded(event.label, path, event.capture), window=self.window))

    # -- keys --------------------------------------------------------------------------------------------------------

    @on(DataTable.Chosen, "#runs")
    def _run_chosen(self, event: DataTable.Chosen) -> None:
        self.open_run(self._beside.rows.row(event.row))

    @on(DataTable.Chosen, "#causes")
    def _cause_chosen(self, event: DataTable.Chosen) -> None:
        reason = self._ranked()[event.row]
        if reason.rule is None:
            if reason.path is not None:
                self.post_message(messages.OpenReport(reason.path))
            else:
                self.notify(reason.title, markup=False)
            return
        self._cause = None if reason.rule == self._cause else reason.rule
        runs = self.query_one(RunsTable)
        runs.show_cause(self._cause)
        runs.border_title = self._runs_title()
        self._show_causes()
        if self._cause is not None:
            runs.focus()

    def action_report(self) -> None:
        """Enter where no table has the focus."""

    def action_failure(self, direction: int) -> None:
        if not self.query_one(RunsTable).next_failure(direction):
            self.notify("No run so far did not pass.", markup=False)

    def filter_hint(self, target: DataTable | LogPane) -> str:
        if isinstance(target, RunsTable):
            return "filter: words of status, reason, target or time; -word leaves out; a number is a run"
        return super().filter_hint(target)

    def filter_changed(self, target: DataTable | LogPane, text: str) -> str:
        said = super().filter_changed(target, text)
        if isinstance(target, RunsTable):
            target.border_title = self._runs_title()
        return said

    def worker_died(self, group: str, error: BaseException | None) -> None:
        self._beside.stop()
        super().worker_died(group, error)
