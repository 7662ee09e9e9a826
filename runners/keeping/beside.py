"""Watching a run through a process of its own, for screens: whatever the run prints, the keys need not wait for it.

Reading a log in a thread takes the interpreter from the keys, at ten thousand lines a second most of the time.  Here a
child reads (`viewer_child`), and what comes from it ten times a second are the newest lines and the newest report.  Its
pipe is the bound of what lies between: where a screen is slow the child waits, and the run itself knows of neither.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from ...analysis.lines import Line
from ..job import Exit, InputError, JobError
from ..own_python import own_python
from ..runs.folder import RunFolder
from ..session import Session, SessionEvent, Snapshot
from .viewer import Viewer

PERIOD_SECONDS = 0.1
MOST_LINES = 20_000
"""Lines of one period that are handed on; before these a gap in the numbers tells of those that were not."""
PIECE = 2_000
"""Lines, or other events, that are written, and read again, at a time: meanwhile no key is looked at."""


class Lines(NamedTuple):
    """Lines that came one after the other."""

    lines: list[Line]
    kinds: bytes
    """What `kind_of` says of each."""


class Packed(NamedTuple):
    """The same on its way: a column for each field, which are read in half the time."""

    fields: tuple[tuple[Any, ...], ...]
    kinds: bytes


class Failed(NamedTuple):
    """A `JobError`, on its way."""

    message: str
    hint: str
    exit_code: int


class Became(NamedTuple):
    """How the run ended."""

    status: str | None


class BesideViewer(Viewer):
    """A `Viewer` whose reading is done by a child; in this process where there can be no child."""

    def __init__(self, path: Path) -> None:
        """Raises InputError: there is no such run."""
        super().__init__(path)
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def child_pid(self) -> int | None:
        """Of the process that reads, while there is one."""
        child = self._child
        return child.pid if child is not None and child.poll() is None else None

    def leave(self) -> None:
        super().leave()
        with self._lock:
            if self._child is not None:
                self._child.kill()

    def events(self) -> Iterator[SessionEvent]:
        """What `Viewer.events` gives, with gaps in the lines where they come faster than they can be shown.

        Raises:
            JobError: as there, or the process that reads was killed.
        """
        for event in self.gathered():
            if isinstance(event, Lines):
                yield from event.lines
            else:
                yield event

    def gathered(self) -> Iterator[SessionEvent | Lines]:
        """The same, with lines that came together in one piece.

        Raises:
            JobError: as in `events`.
        """
        with self._lock:
            if self._left.is_set():
                return
            with contextlib.suppress(OSError):
                self._child = subprocess.Popen(
                    own_python(".runners.keeping.viewer_child", str(self.folder.path)),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # a Ctrl-C at the terminal is a key of the dashboard
                )
        child = self._child
        if child is None:
            yield from super().events()
            return
        assert child.stdin is not None and child.stdout is not None
        ended, new = False, tuple.__new__
        with contextlib.closing(child.stdin), child.stdout as pipe:
            try:
                for event in _received(pipe):
                    if isinstance(event, Packed):
                        yield Lines([new(Line, fields) for fields in zip(*event.fields, strict=True)], event.kinds)
                        continue
                    if isinstance(event, (Failed, Exit)):
                        ended = True
                        self.folder = RunFolder.read(self.folder.path)  # the child has seen it end, we have not
                    if isinstance(event, Failed):
                        raise JobError(*event)
                    if isinstance(event, Became):
                        self.status = event.status
                        continue
                    if isinstance(event, Snapshot):
                        self.capture = event.capture
                    yield event
            finally:
                child.kill()
                child.wait()
        if not ended and not self._left.is_set():
            said = f"the process that reads {self.folder.id} was killed"
            raise JobError(said, "the run goes on without it; open it again from Home")


def _received(pipe: IO[bytes]) -> Iterator[Any]:
    """The events that the child wrote, until its pipe ends; a piece that is cut short is none."""
    while True:
        try:
            events = pickle.load(pipe)
        except (EOFError, pickle.UnpicklingError, ValueError):
            return
        yield from events


def read_beside(session: Session | Viewer) -> Session | Viewer:
    """The same for a screen: a run that a keeper carries out is read by a process of its own."""
    if isinstance(session, Viewer) and not isinstance(session, BesideViewer):
        with contextlib.suppress(InputError):  # it has just gone; whoever reads it says so
            return BesideViewer(session.folder.path)
    return session
