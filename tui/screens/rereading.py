"""A report whose file goes on growing, as a terminal program writes it: that it changed is said, and a key reads it again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.events import Mount
from textual.message import Message

from ...runners.job import JobError
from .. import messages
from .assuming import AssumingPage

if TYPE_CHECKING:
    from ...runners.reading.inputs import Loaded
    from ...runners.reading.window import LogWindow

LOOK_SECONDS = 2.0
"""How often the file is looked at, while its report is in sight."""

Stamp = tuple[int, int]


class RereadingPage(AssumingPage):
    """Subclasses show what was read again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "read_again", "Read again", show=False, tooltip="Read the file again, in case it has grown"),
    ]

    watched: Path | None = None
    """The file that may grow; None where what is shown is no plain file, or too long to be read again at once."""
    _window: LogWindow | None = None
    _seen: Stamp | None = None
    grown = False
    """Whether the file is another one than what is shown."""

    @dataclass
    class Looked(Message):
        """Size and time of the file; None where it is gone."""

        stamp: Stamp | None

    @dataclass
    class ReadAgain(Message):
        """The file as it is now."""

        loaded: Loaded
        stamp: Stamp | None

    async def show_loaded(self, loaded: Loaded) -> None:
        """Show this in place of what is shown, with the same tab, run and assumptions."""
        raise NotImplementedError

    def describe(self) -> None:
        """Say anew what is shown."""
        raise NotImplementedError

    @on(Mount)
    def _begin_to_look(self) -> None:
        report = self.shown_report
        log = report[0].log if report is not None and self._window is None else None
        if log is not None and log.is_file():
            self.watched = log
            self.set_interval(LOOK_SECONDS, self._look_again)
            self._look_at_file()

    def _look_again(self) -> None:
        if self.app.screen is self and not self.grown:
            self._look_at_file()

    @work(thread=True, group="file", exclusive=True, exit_on_error=False)
    def _look_at_file(self) -> None:
        path = self.watched
        if path is not None:
            self.post_message(self.Looked(_stamp(path)))

    @on(Looked)
    def _compare_stamps(self, event: Looked) -> None:
        if event.stamp is None or self.grown:
            return  # what was read stays; that it is gone is said when somebody asks for it
        if self._seen is None:
            self._seen = event.stamp
        elif event.stamp != self._seen:
            self.grown = True
            self.describe()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "read_again":
            return self.watched is not None
        return super().check_action(action, parameters)

    @work(thread=True, group="again", exclusive=True, exit_on_error=False)
    def action_read_again(self) -> None:
        from ...runners.reading.inputs import load

        path, report = self.watched, self.shown_report
        if path is None or report is None:
            return
        stamp = _stamp(path)
        try:
            self.post_message(self.ReadAgain(load(report[0].path), stamp))
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))

    @on(ReadAgain)
    async def _take_again(self, event: ReadAgain) -> None:
        self._seen, self.grown = event.stamp, False
        await self.show_loaded(event.loaded)


def _stamp(path: Path) -> Stamp | None:
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_size, facts.st_mtime_ns
