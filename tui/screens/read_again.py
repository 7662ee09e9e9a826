"""The report of one run of a log that is too long to be read for it: its bytes alone are read again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from ...analysis.report import Capture
from ...analysis.rows import RunRow
from ...runners.job import JobError
from ...runners.reading.background import run_bytes
from .. import messages
from .page import Page

if TYPE_CHECKING:
    from ...runners.reading.window import LogWindow


class ReadAgain(Page):
    """A screen that can show the report of one run; subclasses know where it is."""

    @dataclass
    class RunRead(Message):
        """One run was read again."""

        row: RunRow
        label: str
        capture: Capture
        cut: bool

    def path_of(self, row: RunRow) -> str:
        """What to read to see this run again."""
        return row.source

    @property
    def window(self) -> LogWindow | None:
        """The lines of the log, where it is too long to be read at once, and they are known."""
        return None

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

        path = self.path_of(event.row)
        if not event.capture.runs:
            said = f"{path}: run {event.row.index} is no longer there"
            self.post_message(messages.Problem(said, "the file has changed; open it again"))
            return
        if event.cut:
            self.notify(
                "The run is very long: this report covers only its first part.", severity="warning", markup=False
            )
        self.navigation.open_report(Loaded(event.label, path, event.capture), window=self.window)
