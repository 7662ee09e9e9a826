"""The process that reads a run for a screen (`beside`): what a `Viewer` gives, gathered and written to a pipe.

Its input is a pipe that nobody writes to: it ends when the screen does, however that ended.
"""

from __future__ import annotations

import os
import pickle
import select
import sys
import threading
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from ...analysis.lines import Line
from ...analysis.watching.dump_lines import kind_of
from ..job import Exit, JobError
from ..session import SessionEvent, Snapshot
from .beside import MOST_LINES, PERIOD_SECONDS, PIECE, Became, Failed, Packed
from .viewer import Viewer

Told = SessionEvent | Failed | Became


def main(path: str) -> None:
    """Read the run in this folder to its end, or until nobody listens."""
    os.nice(5)  # keys come first
    gathered = _Gathered()
    reader = threading.Thread(target=_read, args=(path, gathered), daemon=True)
    reader.start()
    over = False
    while not over:
        if select.select([0], [], [], PERIOD_SECONDS)[0] and not os.read(0, 1):
            return
        over = not reader.is_alive()
        for piece in _pieces(gathered.take()):
            try:
                pickle.dump(piece, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
                sys.stdout.buffer.flush()
            except BrokenPipeError:
                os._exit(0)  # nothing is left to be flushed


def _pieces(events: Sequence[Told]) -> Iterator[list[Told | Packed]]:
    """The same events, lines that follow one another in columns."""
    for are_lines, found in groupby(events, key=lambda event: isinstance(event, Line)):
        some: list[Any] = list(found)
        for start in range(0, len(some), PIECE):
            piece = some[start : start + PIECE]
            yield [Packed(tuple(zip(*piece, strict=True)), bytes(map(kind_of, piece)))] if are_lines else piece


def _read(path: str, gathered: _Gathered) -> None:
    viewer = None
    try:
        viewer = Viewer(Path(path))
        for event in viewer.events():
            if isinstance(event, Exit):
                _add_end(viewer, gathered)
            gathered.add(event)
    except JobError as error:
        if viewer is not None and viewer.status is not None:
            _add_end(viewer, gathered)
        gathered.add(Failed(error.message, error.hint, error.exit_code))


def _add_end(viewer: Viewer, gathered: _Gathered) -> None:
    gathered.add(Snapshot(viewer.capture), whole=True)
    gathered.add(Became(viewer.status))


class _Gathered:
    """Events since the last were taken: of lines the newest, of reports the newest one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: list[Told] = []
        self._lines = 0
        self._snapshot: int | None = None

    def add(self, event: Told, whole: bool = False) -> None:
        """One more event; an earlier report is forgotten.  Until the end a screen looks at the newest run of it only."""
        with self._lock:
            if isinstance(event, Snapshot):
                if self._snapshot is not None:
                    del self._events[self._snapshot]
                self._snapshot = len(self._events)
                if not whole:
                    event = Snapshot(event.capture._replace(runs=event.capture.runs[-1:]))
            self._lines += isinstance(event, Line)
            self._events.append(event)

    def take(self) -> list[Told]:
        """What has come since, with at most `MOST_LINES` lines."""
        with self._lock:
            events, self._events = self._events, []
            surplus, self._lines, self._snapshot = self._lines - MOST_LINES, 0, None
        if surplus <= 0:
            return events
        kept: list[Told] = []
        for event in events:
            if isinstance(event, Line) and surplus > 0:
                surplus -= 1
            else:
                kept.append(event)
        return kept
