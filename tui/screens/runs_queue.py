"""Runs that were started together: a table of all of them while they wait, run and end, and the log of the one under the cursor."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.widget import Widget

from ...analysis.splitter import LineSplitter
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_cycles, format_seconds
from ...runners.job import JobError
from ...runners.run_request import RunRequest
from ...runners.runs.folder import RunFolder
from ...runners.runs.following import Followed, Following
from ...runners.session import ENDED_WELL
from ...runners.several import place_name, program_name
from ...runners.storage import open_file
from .. import glyphs, messages
from ..dashboard import progress_cell, time_text
from ..looking import Looking
from ..state import Surroundings
from ..stored import ended_as, tone_of
from ..widgets.data_table import DataTable
from ..widgets.log_pane import LogPane
from ..widgets.said import Said
from .page import Page

COLUMNS = (
    Column("Program", least=14),
    Column("Place", least=12, kept="end"),
    Column("State", least=16),
    Column("NPU cycles", "right"),
    Column("Time", "right"),
)
LOG_BYTES = 1 << 16
"""So much of the end of a console is shown here; its report has all."""


class RunsQueueScreen(Page):
    """Follow several runs."""

    HEADING = "Runs"
    ABOUT = (
        "Runs that were started together. Each waits for a free slot of its target. Leaving this screen stops none of "
        "them; Home shows them. Opening a run shows it live, or its report when it is over. A comparison takes the "
        "marked runs, or all that ended well."
    )
    CSS_PATH = "runs_queue.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "report", "Open", key_display="↵", tooltip="Watch the run, or open its report when it is over"
        ),
        Binding("v", "compare", "Compare", tooltip="Put the marked runs side by side, or all that ended well"),
        Binding("x", "stop", "Stop", tooltip="Stop the run under the cursor; what was captured is kept"),
        Binding("X", "stop_all", "Stop all", tooltip="Stop all runs that go on or wait"),
        Binding("tab", "app.focus_next", "Pane", tooltip="Between runs and log"),
        Binding("escape,backspace", "back", "Back", key_display="esc", tooltip="Leave; the runs go on"),
    ]

    def __init__(
        self, surroundings: Surroundings, paths: Sequence[str], requests: Sequence[RunRequest], command: str
    ) -> None:
        super().__init__()
        self._surroundings = surroundings
        self._requests = tuple(requests)
        self._twin = command
        self._following = Following(surroundings.root, [Path(path) for path in paths])
        self._found: tuple[Followed, ...] = ()
        self._shown: tuple[str, int] | None = None
        """The console whose end the log shows, and its size then."""
        self._over = False
        self._looking = Looking(self._look, 3600.0, lambda: None, rests=8.0)  # somebody waits for it

    def body(self) -> Iterable[Widget]:
        runs = DataTable(id="runs", classes="pane", markable=True, empty="looking at the runs", fixed=1)
        runs.border_title = "Runs, as they were asked for; space marks"
        yield runs
        yield Said(id="state")
        log = LogPane(id="log", follow=True)
        log.add_class("pane")
        yield log

    def on_mount(self) -> None:
        self.command = self._twin
        self.query_one("#runs").focus()
        self._look_now()
        self._looking.begin()

    def on_unmount(self) -> None:
        self._looking.end()

    def on_screen_suspend(self) -> None:
        self._looking.pause()

    def on_screen_resume(self) -> None:
        if not self._over:
            self._looking.begin()

    @work(thread=True, group="look", exclusive=True, exit_on_error=False)
    def _look_now(self) -> None:
        self._look()

    @work(thread=True, group="log", exclusive=True, exit_on_error=False)
    def _read_log(self) -> None:
        """The log of the run that the cursor came to, without a look at all of them."""
        tail = self._tail()
        if tail is not None:
            self.app.call_from_thread(self._show_tail, *tail)

    def _look(self) -> None:
        """In a thread, once a second."""
        try:
            found = self._following.look()
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            return
        tail = self._tail()
        self.app.call_from_thread(self._show, found, self._following.over, tail)

    def _tail(self) -> tuple[str, int, bytes] | None:
        """The end of the console under the cursor, where it has changed."""
        path = self._path()
        if path is None:
            return None
        console = RunFolder.read(Path(path)).console_path
        try:
            with open_file(console) as stream:
                size = stream.seek(0, os.SEEK_END)
                if self._shown == (path, size):
                    return None
                stream.seek(max(0, size - LOG_BYTES))
                return path, size, stream.read(LOG_BYTES)
        except OSError:  # it has said nothing yet
            return None if self._shown == (path, 0) else (path, 0, b"")

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _show(self, found: tuple[Followed, ...], over: bool, tail: tuple[str, int, bytes] | None) -> None:
        if not self.is_mounted:
            return
        self._found = found
        table = self.query_one("#runs", DataTable)
        made = Table("Runs", COLUMNS, tuple(self._row(one) for one in found))
        if table.given != made:
            kept = table.row
            table.table = made
            if kept is not None and kept < len(found):
                table.select_row(kept)
        if tail is not None:
            self._show_tail(*tail)
        self._title(over)
        self._say()
        if over and not self._over:
            self._over = True
            self._looking.pause()
        self.refresh_bindings()

    def _title(self, over: bool) -> None:
        done = sum(one.over for one in self._found)
        well = sum(one.row is not None and one.row.status in ENDED_WELL for one in self._found if one.over)
        total = len(self._found)
        if over:
            sign, tone = (glyphs.PASSED, "$text-success") if well == total else (glyphs.BROKEN, "$text-error")
            self.set_trail("Runs", f"{sign} {well} of {total} ended well", tone)
            return
        running = sum(one.going is not None and one.going.state == "running" for one in self._found)
        self.set_trail("Runs", f"{glyphs.ACTIVE} {done} of {total} done, {running} running", "$text-accent")

    def _row(self, one: Followed) -> tuple[Cell, ...]:
        request, row, going = self._requests[one.asked], one.row, one.going
        if going is not None:
            sign = glyphs.status_sign(going.state)
            state = Cell(
                f"{sign} {progress_cell(going).text}", going.state, tone="dim" if going.state == "queued" else ""
            )
            time = Cell(time_text(going, self._surroundings.now()))
        elif row is None:
            state, time = Cell("removed", tone="warn"), Cell("-")
        else:
            status, said = ended_as(row)
            state = Cell(f"{glyphs.status_sign(status)} {said}", said, tone=tone_of(status))
            time = Cell(format_seconds(row.seconds) if row.seconds is not None else "-", row.seconds)
        cycles = row.npu_cycles if row is not None else None
        return (
            Cell(program_name(request, one.repeat)),
            Cell(place_name(request).replace("ethos-", "")),
            state,
            Cell(format_cycles(cycles) if cycles is not None else "-", cycles),
            time,
        )

    def _show_tail(self, path: str, size: int, data: bytes) -> None:
        if path != self._path():  # the cursor has gone on meanwhile
            return
        splitter = LineSplitter()
        start = data.partition(b"\n")[2] if size > LOG_BYTES else data
        lines = splitter.feed(start) + splitter.finish()
        log = self.query_one(LogPane)
        self._shown = (path, size)
        log.heading = f"End of the log of {Path(path).name}" if size > LOG_BYTES else f"Log of {Path(path).name}"
        log.empty_said = "it has printed nothing"
        log.load(lines)
        log.action_edge(1)

    def _say(self) -> None:
        """The run under the cursor: its folder, and why it waits or ended so."""
        one = self._current()
        if one is None:
            return
        text = ""
        if one.going is not None and one.going.state == "queued":
            text = f"{one.going.stage or 'queued'}"
        elif one.row is not None and one.over and one.row.problem:
            text = one.row.problem
        state = self.query_one("#state", Said)
        state.say(f"{Path(one.path).name}{f': {text}' if text else ''}")

    def _current(self) -> Followed | None:
        if not self.is_mounted:
            return None
        row = self.query_one("#runs", DataTable).row
        return self._found[row] if row is not None and row < len(self._found) else None

    def _path(self) -> str | None:
        one = self._current()
        return one.path if one is not None and one.row is not None else None

    @on(DataTable.Highlighted, "#runs")
    def _moved(self) -> None:
        self._say()
        self._read_log()
        self.refresh_bindings()

    @on(DataTable.Marked, "#runs")
    def _marked(self) -> None:
        self.refresh_bindings()

    # -- keys --------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "compare":
            return len(self._compared()) > 1
        if action == "stop":
            one = self._current()
            return one is not None and one.going is not None
        if action == "stop_all":
            return any(one.going is not None for one in self._found)
        if action == "report":
            return self._path() is not None
        return super().check_action(action, parameters)

    def _compared(self) -> tuple[str, ...]:
        if not self.is_mounted:
            return ()
        marks = sorted(self.query_one("#runs", DataTable).marks)
        found = [self._found[mark] for mark in marks if mark < len(self._found)] or [
            one for one in self._found if one.row is not None and one.row.status in ENDED_WELL
        ]
        return tuple(one.path for one in found if one.over and one.row is not None)

    @on(DataTable.Chosen, "#runs")
    def action_report(self) -> None:
        one = self._current()
        if one is None or one.row is None:
            return
        watched = one.going is not None and one.going.keeper
        self.post_message(messages.AttachRun(one.path) if watched else messages.OpenReport(one.path))

    def action_compare(self) -> None:
        self.post_message(messages.OpenCompare(self._compared()))

    def action_stop(self) -> None:
        one = self._current()
        if one is not None and one.going is not None:
            self._stop((one.path,))

    def action_stop_all(self) -> None:
        self._stop(tuple(one.path for one in self._found if one.going is not None))

    @work(thread=True, group="stop", exit_on_error=False)
    def _stop(self, paths: Sequence[str]) -> None:
        from ...runners.keeping.stopping import ask_all_to_stop

        for error in ask_all_to_stop(paths):
            self.post_message(messages.Problem(error.message, error.hint))
        self._look()
