"""Runs and why they did not pass, while they are read beside the screen: what an overview of one capture and of many share."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from ...analysis.tables import Cell, Column
from ...analysis.units import format_count
from ...runners.reading.background import Done, ReadBeside
from ...runners.reading.paths import states_of
from .. import glyphs, messages
from ..widgets.data_table import DataTable
from ..widgets.detail import Detail
from ..widgets.log_pane import LogPane
from ..widgets.runs_table import RunsTable
from ..widgets.said import Said
from .looking_through import LooksThrough
from .run_details import (
    Reason,
    reason_table,
    reasons_table,
    run_table,
    said_of_reason,
    said_of_run,
    with_to_do,
)

if TYPE_CHECKING:
    from ..exports import Subject

PERIOD = 0.2
SOON = 0.03
MOST_CAUSES = 500
STATUSES = ("passed", "failed", "timeout", "hung", "truncated", "not_started")
"""In the order in which they are counted below the title."""


class RunsOverviewScreen(LooksThrough):
    """The runs, the reasons, and how far the reading is; subclasses say what is read and how one run is shown."""

    KIND: ClassVar[str] = ""
    """What the title calls it."""
    WHERE: ClassVar[Column] = Column("")
    """The column that names the first run of a reason."""
    CSS_PATH = "runs_overview.tcss"
    KEPT_KEYS = frozenset(("filter", "failure(1)", "report", "trends"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "report",
            "Report",
            key_display="↵",
            tooltip="Open the run's report, or the reason's runs only",
        ),
        Binding("d", "details", "Details", tooltip="The run or the reason under the cursor in full, with what to do"),
        Binding("t", "trends", "Trends", tooltip="What changed over time, which runs stand out, what ran"),
        Binding("e", "failure(1)", "Next failed", tooltip="The next run that did not pass"),
        Binding("E", "failure(-1)", "Failed before", show=False, tooltip="The previous run that did not pass"),
        Binding("tab", "app.focus_next", "Pane", tooltip="Between runs and reasons"),
        Binding(
            "escape,backspace",
            "back",
            "Back",
            key_display="esc",
            tooltip="Back; what was read is kept, and reading goes on",
        ),
    ]

    def __init__(self, reading: ReadBeside, label: str, below: str | None = None) -> None:
        """`below` is the folder that all logs are in, where there are several."""
        super().__init__(reading, label)
        self._below = below
        self._began = time.monotonic()
        self._counted = 0
        self._statuses: dict[str, int] = {}
        self._causes: dict[str, tuple[int, int]] = {}
        """How many runs and the first one's position, by rule."""
        self._titles: dict[int, str] = {}
        """A title for each reason that holds for all its runs, of the first `_titled` runs."""
        self._titled = 0
        self._advice: dict[str, list[str]] = {}
        """What to do about each reason, of those runs."""
        self._reasons: list[Reason] = []
        """Those that are shown."""
        self._cause: str | None = None
        self._over = False
        self._given_away = False
        self._first = True
        self._states: dict[str, tuple[int, int, int] | None] = {}
        """Of the files when reading them began."""

    def body(self) -> Iterable[Widget]:
        yield Said("reading", id="state")
        with Container(id="split"):
            runs = RunsTable(self._beside.rows, self._below, id="runs", classes="pane")
            runs.border_title = "Runs"
            yield runs
            causes = DataTable(id="causes", classes="pane", cells=False, sortable=False, empty="none so far")
            causes.border_title = "Why runs did not pass"
            yield causes
        yield Detail(id="told", shared=True)

    def on_mount(self) -> None:
        runs, causes = self.query_one(RunsTable), self.query_one("#causes", DataTable)
        runs.moved = causes.moved = self._tell
        self.set_trail(f"{self.KIND} {glyphs.JUMP} {self._label}", f"{glyphs.ACTIVE} reading", "$text-accent")
        self.query_one("#runs").focus()
        self._timer = self.set_interval(SOON, self._show)
        self._follow()

    def on_unmount(self) -> None:
        if not self._given_away:
            self._beside.close()

    @work(thread=True, group="capture", exit_on_error=False)
    def _follow(self) -> None:
        self._states = states_of(self.opened)
        self._beside.follow()

    @property
    def is_kept(self) -> bool:
        done = self._beside.done
        return not self._given_away and (done is None or not done.problem)

    def still_shows(self, paths: Sequence[str]) -> bool:
        return len(paths) == len(self._states) and self._states == states_of(paths)

    def on_screen_resume(self) -> None:
        done = self._beside.done
        if not self._over and not self._first:
            self._show()
        elif self._over and done is not None and not done.problem:
            self.ended(done)  # it was over while something else was in front

    # -- what subclasses know ----------------------------------------------------------------------------------------

    def far(self, seconds: float) -> str:
        """How far the reading is after so long."""
        raise NotImplementedError

    def whole(self, done: Done) -> bool:
        """Whether all was read that there was to read."""
        raise NotImplementedError

    def ended(self, done: Done) -> None:
        """It is over, and nothing was wrong."""

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
            if self._titled != count or self._beside.rows.outside:
                self._note_reasons(count)
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
                self._note_reasons(count)  # joined of all there are, so not each time
            self._show_causes()

    def _note_reasons(self, count: int) -> None:
        from ...analysis.post_mortem.summary import advice_of  # only where something did not pass

        rows = self._beside.rows
        self._titles, self._titled, self._advice = rows.titles(), count, advice_of(rows)

    def _show_causes(self) -> None:
        table = self.query_one("#causes", DataTable)
        kept = self._reasons[table.row] if table.row is not None and table.row < len(self._reasons) else None
        reasons = self._reasons = self._ranked()
        if not reasons and not table.table.rows:
            return
        table.table = reasons_table(reasons, self._cause, self.WHERE)
        if kept is not None and table.has_focus:  # others overtake it while it is looked at
            same = (i for i, reason in enumerate(reasons) if reason.key == kept.key)
            table.select_row(next(same, table.cursor_row))
        count = len(reasons)
        table.border_title = f"Why runs did not pass: {count} reason{'s' if count > 1 else ''}"
        self._tell()

    def _ranked(self) -> list[Reason]:
        """The most frequent ones first, and of those that are as frequent, the one that came first."""
        rows = self._beside.rows
        known = sorted(self._causes.items(), key=lambda item: (-item[1][0], item[1][1]))[:MOST_CAUSES]
        found = []
        for rule, (number, position) in known:
            title = self._titles.get(rows.code_of(rule)) or rows.text("cause_title", position) or rule
            found.append(Reason(rule, title, number, self.where(position), advice=self._advice.get(rule, ())))
        more = sorted(self.more_reasons(), key=lambda reason: -reason.times)
        return sorted([*found, *more[:MOST_CAUSES]], key=lambda reason: (reason.unread, -reason.times))

    def _tell(self, row: int | None = None) -> None:
        """Below the tables: the row under the cursor in full, as no column holds it."""
        causes, runs = self.query_one("#causes", DataTable), self.query_one(RunsTable)
        said: str | Content = ""
        if causes.has_focus:
            row = causes.row if row is None else row
            if row is not None and row < len(self._reasons):
                said = said_of_reason(self._reasons[row])
        else:
            row = runs.row if row is None else row
            if row is not None and row < self._beside.rows.count:
                said = said_of_run(self._beside.rows.row(row), self.log_of(row))
        self.query_one("#told", Detail).say(said)

    def on_descendant_focus(self) -> None:
        self._tell()

    def log_of(self, position: int) -> str:
        """The log of a run, where there are several."""
        return ""

    def _runs_title(self) -> str:
        runs = self.query_one(RunsTable)
        if self._beside.done is None:
            return "Runs: some are hidden" if runs.sifted else "Runs"
        hidden = self._counted - runs.row_count
        return f"Runs: {format_count(self._counted)}" + (f", {format_count(hidden)} hidden" if hidden else "")

    def _progress(self) -> str:
        places = {status: place for place, status in enumerate(STATUSES)}  # what comes next moves no other
        known = sorted(self._statuses.items(), key=lambda item: places.get(item[0], len(places)))
        told = [f"{glyphs.status_sign(status)} {format_count(n)} {status}" for status, n in known]
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

    # -- keys --------------------------------------------------------------------------------------------------------

    @on(DataTable.Chosen, "#runs")
    def _run_chosen(self, event: DataTable.Chosen) -> None:
        self.open_run(self._beside.rows.row(event.row))

    @on(DataTable.Chosen, "#causes")
    def _cause_chosen(self, event: DataTable.Chosen) -> None:
        reason = self._reasons[event.row]
        if reason.rule is None:
            if reason.path is not None:
                self.post_message(messages.OpenReport(reason.path))
            else:
                self.action_details()
            return
        self._show_only(None if reason.rule == self._cause else reason.rule)
        if self._cause is not None:
            self.query_one(RunsTable).focus()

    def _show_only(self, cause: str | None) -> None:
        self._cause = cause
        runs = self.query_one(RunsTable)
        runs.show_cause(cause)
        runs.border_title = self._runs_title()
        self._show_causes()

    def drop_filter(self) -> bool:
        """A reason whose runs are shown alone is a filter, too."""
        if super().drop_filter():
            return True
        if self._cause is None:
            return False
        self._show_only(None)
        return True

    def action_details(self) -> None:
        """The row under the cursor with all that its columns cut."""
        from .table_pane import RowScreen

        causes, runs = self.query_one("#causes", DataTable), self.query_one(RunsTable)
        if causes.has_focus:
            if causes.row is not None and causes.row < len(self._reasons):
                self.app.push_screen(RowScreen("Reason", reason_table(self._reasons[causes.row]), 0))
        elif runs.row is not None:
            row = self._beside.rows.row(runs.row)
            self.app.push_screen(RowScreen(f"Run {row.index}", run_table(row, self.log_of(runs.row)), 0))

    def action_report(self) -> None:
        """Enter where no table has the focus."""

    def export_subject(self) -> Subject:
        """The reasons with what to do, and the whole post-mortem as `analyze` makes it."""
        from ...analysis.post_mortem.export import post_mortem_document

        subject, rows = super().export_subject(), self._beside.rows
        if self.focused is self.query_one("#causes") and subject.table is not None:
            subject = subject._replace(table=with_to_do(subject.table, self._reasons))
        title, remarks = f"{self.KIND} of {self._label}", tuple(self.remarks())
        return subject._replace(
            report=lambda: post_mortem_document(rows.so_far(), title, self.command, remarks),
            reported=bool(rows.count or rows.outside or remarks),
        )

    def remarks(self) -> Sequence[str]:
        """What is to be said of inputs."""
        return ()

    def action_failure(self, direction: int) -> None:
        runs = self.query_one(RunsTable)
        if not runs.next_failure(direction):
            passed = f"Every run {'that is shown' if runs.sifted else 'so far'} passed."
            none = "No run is shown: Escape shows all." if runs.sifted else "There is no run so far."
            self.notify(passed if runs.row_count else none, markup=False)

    def filter_hint(self, target: DataTable | LogPane) -> str:
        if isinstance(target, RunsTable):
            log = "log, " if self._below is not None else ""
            return f"filter: words of {log}status, reason, target or time; -word leaves out; a number is a run"
        return super().filter_hint(target)

    def filter_changed(self, target: DataTable | LogPane, text: str) -> str:
        said = super().filter_changed(target, text)
        if isinstance(target, RunsTable):
            target.border_title = self._runs_title()
        return said

    def worker_died(self, group: str, error: BaseException | None) -> None:
        self._beside.stop()
        super().worker_died(group, error)
