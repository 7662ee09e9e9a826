"""Overview: a capture of many runs while it is read beside the screen: how far, which runs, and why they did not pass."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from ...analysis.report import Capture
from ...analysis.rows import RunRow
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_bytes, format_count
from ...runners.job import JobError
from ...runners.reading.background import BackgroundReading, run_bytes
from .. import glyphs, messages
from ..state import twin
from ..widgets.data_table import DataTable
from ..widgets.log_pane import LogPane
from ..widgets.runs_table import RunsTable
from ..widgets.said import Said
from .page import Page

PERIOD = 0.2
SOON = 0.03
MOST_CAUSES = 500
CAUSE_COLUMNS = (Column("Why"), Column("Runs", "right"), Column("First run", "right"))


class OverviewScreen(Page):
    """A large capture."""

    HEADING = "Capture"
    ABOUT = (
        "A large capture, read by a process beside the screen: keys work while it goes on. {report} on a run opens its "
        "report, Enter on a reason shows only its runs (again: all). {filter} filters by words in status, reason, target and "
        "time, -word leaves runs out, a number finds a run."
    )
    CSS_PATH = "overview.tcss"
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
        capture: Capture
        cut: bool

    def __init__(self, path: str, reading: BackgroundReading | None = None) -> None:
        """`reading`: of this path, where it was begun before there was a screen.

        Raises:
            OSError: there is no process or no temporary file to be had.
        """
        super().__init__()
        self._reading = reading or BackgroundReading(path)
        self._label = os.path.basename(path.rstrip("/")) or path
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
            runs = RunsTable(self._reading.rows, id="runs", classes="pane")
            runs.border_title = "Runs"
            yield runs
            causes = DataTable(id="causes", classes="pane", cells=False, sortable=False, empty="none so far")
            causes.border_title = "Why runs did not pass"
            yield causes

    def on_mount(self) -> None:
        self.command = twin("analyze", self._reading.path)
        self.set_trail(f"Capture {glyphs.JUMP} {self._label}", f"{glyphs.ACTIVE} reading", "$text-accent")
        self.query_one("#runs").focus()
        self._timer = self.set_interval(SOON, self._show)
        self._follow()

    def on_unmount(self) -> None:
        if not self._given_away:
            self._reading.close()

    @work(thread=True, group="capture", exit_on_error=False)
    def _follow(self) -> None:
        self._reading.follow()

    def log_place(self) -> tuple[str, int | None] | None:
        row = self.query_one(RunsTable).row
        return self._reading.path, self._reading.rows.row(row).first_line if row is not None else None

    @property
    def reading(self) -> BackgroundReading:
        """What reads the capture."""
        return self._reading

    def on_screen_resume(self) -> None:
        if not self._over and not self._first:
            self._show()

    # -- what was read so far ----------------------------------------------------------------------------------------

    def _show(self) -> None:
        """A few times a second: what has come since."""
        reading = self._reading
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
                self._titles, self._titled = self._reading.rows.titles(), count
                self._show_causes()
            self._timer.stop()
            self._end()

    def _count(self, count: int) -> None:
        rows, first = self._reading.rows, self._counted
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
        rows = self._reading.rows
        cells = []
        for rule, (number, position) in self._ranked():
            title = self._titles.get(rows.code_of(rule)) or rows.text("cause_title", position) or rule
            chosen = glyphs.MARKED if rule == self._cause else glyphs.BROKEN
            index = rows.numbers("index")[position]
            cells.append(
                (
                    Cell(f"{chosen} {title}", title, None, "bad"),
                    Cell(format_count(number), number),
                    Cell(format_count(index), index),
                )
            )
        table = self.query_one("#causes", DataTable)
        table.table = Table("Why runs did not pass", CAUSE_COLUMNS, tuple(cells))
        count = len(self._causes)
        table.border_title = f"Why runs did not pass: {count} reason{'s' if count > 1 else ''}"

    def _ranked(self) -> list[tuple[str, tuple[int, int]]]:
        return sorted(self._causes.items(), key=lambda item: (-item[1][0], item[1][1]))[:MOST_CAUSES]

    def _runs_title(self) -> str:
        runs = self.query_one(RunsTable)
        if self._reading.done is None:
            return "Runs: some are hidden" if runs.sifted else "Runs"
        hidden = self._counted - runs.row_count
        return f"Runs: {format_count(self._counted)}" + (f", {format_count(hidden)} hidden" if hidden else "")

    def _progress(self) -> str:
        reading = self._reading
        seconds = time.monotonic() - self._began
        far = f"{format_bytes(reading.bytes_done)}, {format_count(reading.lines_done)} lines"
        if reading.size_bytes and reading.done is None:
            share = min(1.0, reading.bytes_done / reading.size_bytes)
            left = seconds / share - seconds if share > 0.01 else None
            far = f"{share:.0%} of {format_bytes(reading.size_bytes)}, {format_count(reading.lines_done)} lines"
            far += f", about {left:.0f} s to go" if left is not None and seconds > 2 else ""
        told = [f"{glyphs.status_sign(status)} {format_count(n)} {status}" for status, n in self._statuses.items()]
        said = f"{'read' if reading.done is not None else 'reading'}: {far}"
        return f"{said}\n{'  '.join(told) or 'no run so far'}"

    def _end(self) -> None:
        done = self._reading.done
        assert done is not None
        sign = f"{glyphs.BROKEN} incomplete" if done.capture is None else f"{glyphs.PASSED} read"
        tone = "$text-error" if done.capture is None else "$text-success"
        self.set_trail(f"Capture {glyphs.JUMP} {self._label}", sign, tone)
        if done.problem:
            self.query_one("#state", Said).say(f"{self._progress()}\n{glyphs.BROKEN} {done.problem}; {done.hint}")
            self.post_message(messages.Problem(done.problem, done.hint))
        elif done.capture is not None and self._counted <= 1 and self.app.screen is self:
            self._give_away(done.capture)

    def _give_away(self, capture: Capture) -> None:
        """One run, or compiles only: there is nothing to overlook, so the report takes this screen's place."""
        from ...runners.reading.inputs import Loaded
        from .report import ReportScreen

        self._given_away = True
        loaded = Loaded(self._label, self._reading.path, capture)
        if capture.compile and not capture.runs:
            loaded = loaded._replace(summary=capture.compile[-1])
        self.app.switch_screen(ReportScreen(loaded, window=self._reading.window, close=self._reading.close))

    # -- keys --------------------------------------------------------------------------------------------------------

    @on(DataTable.Chosen, "#runs")
    def _run_chosen(self, event: DataTable.Chosen) -> None:
        self._read_run(self._reading.rows.row(event.row))

    @on(DataTable.Chosen, "#causes")
    def _cause_chosen(self, event: DataTable.Chosen) -> None:
        rule = self._ranked()[event.row][0]
        self._cause = None if rule == self._cause else rule
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

    @work(thread=True, group="run", exclusive=True, exit_on_error=False)
    def _read_run(self, row: RunRow) -> None:
        from ...analysis.reread import AFTER_BYTES, reread

        worker = get_current_worker()
        try:
            data, cut = run_bytes(self._reading.path, row.start_byte, row.end_byte, AFTER_BYTES)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            return
        capture = reread(row, data, self._reading.lines_done)
        if not worker.is_cancelled:
            self.post_message(self.RunRead(row, capture, cut))

    @on(RunRead)
    def _show_run(self, event: RunRead) -> None:
        from ...runners.reading.inputs import Loaded
        from .report import ReportScreen

        if not event.capture.runs:
            said = f"{self._reading.path}: run {event.row.index} is not there any more"
            self.post_message(messages.Problem(said, "the file was written again; open it again"))
            return
        if event.cut:
            self.notify("The run is very long; its report is made of its first part.", severity="warning", markup=False)
        label = f"{self._label} run {event.row.index}"
        loaded = Loaded(label, self._reading.path, event.capture)
        self.app.push_screen(ReportScreen(loaded, window=self._reading.window))

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
        self._reading.stop()
        super().worker_died(group, error)
