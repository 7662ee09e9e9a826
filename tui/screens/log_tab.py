"""The Log tab: the log, what the findings say beside it, and the cursor's whole line below it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from ...analysis.lines import Line
from ...runners.job import JobError
from ..views import View
from ..widgets.data_table import DataTable
from ..widgets.detail import Detail
from ..widgets.log_pane import LogPane
from ..widgets.said import plain
from .filtering import Filtering
from .findings_pane import STYLES, FindingsBeside, signs_of, titled
from .pane import Pane

if TYPE_CHECKING:
    from ...runners.reading.window import LogWindow

MOST_TIMES = 5_000_000
WIDE = 100
"""Columns from which the findings stand beside the log unasked."""


class LogTab(Pane):
    """The log itself, with the findings beside it (below it in a narrow terminal, when asked for)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f",
            "findings",
            "Findings",
            tooltip="To the findings beside the log and back; the log follows",
        ),
        Binding("e", "screen.cause(1)", "Error", tooltip="The next line that is an error, or that a finding names"),
        Binding("escape", "log", "Log", show=False, key_display="esc"),
    ]

    @dataclass
    class TimesRead(Message):
        """When the lines came."""

        seconds: array[float]

    path = ""
    """The log, or the run folder that it is in."""

    def __init__(self, view: View, window: LogWindow | None = None) -> None:
        super().__init__(view)
        self._window = window
        self._run_shown: int | None = None
        """The run at whose beginning or root cause the log was opened; where the reader goes from there is kept."""
        self._asked: bool | None = None
        self._kept: int | None = None

    def compose(self) -> ComposeResult:
        with Container(id="log-and-findings"):
            if self._window is not None:
                from ..widgets.file_log_pane import FileLogPane

                yield FileLogPane(self._window, classes="pane")
            else:
                yield LogPane(classes="pane")
            yield FindingsBeside(id="beside-log")
        yield Detail(id="line")

    def on_mount(self) -> None:
        self._line = self.query_one("#line", Detail)
        self.log_pane.moved = self._moved
        self.log_pane.times_wanted = self._look_for_times
        super().on_mount()
        if self._window is not None:
            self._open_run()

    @property
    def log_pane(self) -> LogPane:
        """The lines."""
        return self.query_one(LogPane)

    @property
    def beside(self) -> FindingsBeside:
        """The findings."""
        return self.query_one(FindingsBeside)

    def take_focus(self) -> None:
        self.log_pane.focus()

    def show_lines(self, lines: Sequence[Line]) -> None:
        """The lines were read."""
        self.log_pane.load(lines, signs_of(self.view.findings))
        self._open_run()
        self.describe(self.log_pane.current)

    def fill(self) -> None:
        self.log_pane.evidence = signs_of(self.view.findings)
        self.log_pane.refresh()
        self.beside.show(self.view.findings)
        self._place()
        if self._run_shown is not None:
            self._open_run()

    def _open_run(self) -> None:
        """At its root cause if it failed, else where it begins if the log holds others; only once for each run."""
        run = self.view.run.index if self.view.run is not None else 0
        if run == self._run_shown:
            return
        self._run_shown = run
        first = self.view.run.first_line if self.view.run is not None and self.view.run_count > 1 else None
        line = self.view.cause_line if self.view.failed else first
        if line is not None:
            self.log_pane.begin_at(line)
        elif self.log_pane.total:
            self.log_pane.go(0)

    def goto(self, number: int) -> None:
        """Put the cursor on a line."""
        if not self.log_pane.goto(number):
            self.notify(f"Line {number} is not in the log as stored.", severity="warning", markup=False)

    # -- when the lines came -----------------------------------------------------------------------------------------

    def _look_for_times(self) -> None:
        self._read_times()

    @work(thread=True, group="times", exclusive=True, exit_on_error=False)
    def _read_times(self) -> None:
        """Of a stored run: the seconds of each line by its number, not a number where nobody knows."""
        from ...runners.runs.folder import RunFolder
        from ...runners.runs.stamped import stamped_lines

        worker = get_current_worker()
        seconds = array("d", [nan])
        try:
            for stamped in stamped_lines(RunFolder.open(Path(self.path))):
                missing = stamped.line.number - len(seconds)
                seconds.extend([nan] * missing)
                if missing >= 0:
                    seconds.append(stamped.seconds if stamped.seconds is not None else nan)
                if worker.is_cancelled or len(seconds) > MOST_TIMES:
                    break
        except JobError:
            seconds = array("d")
        self.post_message(self.TimesRead(seconds))

    @on(TimesRead)
    def _show_times(self, event: TimesRead) -> None:
        event.stop()
        known = event.seconds
        if all(isnan(value) for value in known):
            self.notify("This log has no arrival times: only stored runs have them.", markup=False)
            return

        def seconds_of(line: Line) -> float | None:
            value = known[line.number] if line.number < len(known) else nan
            return None if isnan(value) else value

        self.log_pane.seconds_of = seconds_of
        self.log_pane.refresh()

    # -- the findings ------------------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        self._place()

    def _place(self) -> None:
        wanted = self._asked if self._asked is not None else self.app.size.width >= WIDE
        self.beside.display = bool(self.view.findings) and wanted

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "findings":
            return bool(self.view.findings)
        return self.is_mounted and self.beside.table.has_focus if action == "log" else True

    def action_findings(self) -> None:
        """From the log to the findings, which appear; from there back, and in a narrow terminal they go."""
        if self.beside.table.has_focus:
            self._asked = None
            self.log_pane.focus()
            self._place()
            return
        self._asked = True
        self._place()
        current = self.log_pane.current
        self._kept = current.number if current is not None else None
        self.beside.table.focus()
        self._show_chosen()

    def action_log(self) -> None:
        """Show all findings again where a filter hides some; else back to the log, where the cursor was."""
        if isinstance(self.screen, Filtering) and self.screen.drop_filter():
            return
        self.log_pane.focus()
        if self._kept is not None:
            self.log_pane.goto(self._kept)

    def _show_chosen(self) -> None:
        chosen = self.beside.chosen
        if chosen is not None and chosen.lines:
            self.log_pane.goto(chosen.lines[0])

    def on_data_table_highlighted(self, event: DataTable.Highlighted) -> None:
        if event.table.has_focus:
            self._show_chosen()

    def on_data_table_chosen(self, event: DataTable.Chosen) -> None:
        event.stop()
        self._show_chosen()
        self.log_pane.focus()

    # -- the cursor's line -------------------------------------------------------------------------------------------

    def _moved(self, line: Line) -> None:
        self.describe(line)
        if self.beside.display and not self.beside.table.has_focus:
            self.beside.follow(line.number)

    def describe(self, line: Line | None) -> None:
        """Tell of this line in full, and what the findings say of it."""
        if line is None:
            return
        told = next((f for f in self.view.findings if line.number in f.lines), None)
        content = Content.assemble((f"{line.number} ", "$text-accent bold"), line.text[:600])
        if told is not None:
            content = Content("\n").join((content, Content.styled(plain(titled(told)), STYLES[told.severity])))
        self._line.say(content)
