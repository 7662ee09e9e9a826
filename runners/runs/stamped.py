"""The lines of a stored run with the times at which they began: from the console and the side file of its chunks."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from ...analysis.line_forms.encodings import LineFeeds
from ...analysis.lines import Line
from ...analysis.splitter import LineSplitter
from ..job import InputError
from ..storage import open_file
from .event_log import EVENTS, read_events
from .folder import RunFolder

_BLOCK_BYTES = 1 << 16
_ROW_BYTES = 1000
_FIRST_YEAR, _LAST_YEAR = 1970, 9900
_UNSOUND = (OSError, ValueError, TypeError, OverflowError, RecursionError)


class Stamped(NamedTuple):
    """One line; a time is None where the side files do not tell."""

    seconds: float | None
    """From the start of the job to the arrival of the chunk that holds the beginning of the line."""
    delta_seconds: float | None
    """Since the line before."""
    at: datetime | None
    """The same moment by the clock of the machine, where an event of the run ties the two."""
    line: Line


def stamped_lines(folder: RunFolder) -> Iterator[Stamped]:
    """The lines of a run with their times, in bounded memory.

    Raises:
        InputError: there is no console, or it cannot be read.
    """
    moments, origin = _moments(folder), _origin(folder)
    following = next(moments, None)
    splitter, now, begun, before = LineSplitter(), None, None, None
    offset = 0
    try:
        with open_file(folder.console_path) as stream:
            while data := stream.read(_BLOCK_BYTES):
                if not offset:
                    splitter.returns = LineFeeds(data)
                while data:
                    while following is not None and following[1] <= offset:
                        now, following = following[0], next(moments, None)
                    room = following[1] - offset if following is not None else len(data)
                    piece, data = data[:room], data[room:]
                    offset += len(piece)
                    if not splitter.pending:
                        begun = now
                    for line in splitter.feed(piece):
                        yield _stamp(origin, line, begun, before)
                        before, begun = begun, now
    except OSError as error:
        raise InputError(f"{folder.console_path} cannot be read ({error.strerror or error})", "check it") from error
    for line in splitter.finish():
        yield _stamp(origin, line, begun, before)
        before = begun


def _stamp(origin: datetime | None, line: Line, begun: float | None, before: float | None) -> Stamped:
    if begun is None:
        return Stamped(None, None, None, line)
    moment = origin + timedelta(seconds=begun) if origin is not None else None
    return Stamped(begun, begun - before if before is not None else None, moment, line)


def _origin(folder: RunFolder) -> datetime | None:
    """When the job began, by the clock of the machine: from the first event, which has both times."""
    for event in read_events(folder.path / EVENTS):
        with contextlib.suppress(KeyError, TypeError, ValueError, OverflowError):
            began = datetime.fromisoformat(event["time"]) - timedelta(seconds=float(event["at"]))
            if _FIRST_YEAR <= began.year <= _LAST_YEAR:  # the ends of the calendar leave no room for a time zone
                return began
    return None


def _moments(folder: RunFolder) -> Iterator[tuple[float, int]]:
    """Seconds and offset of each chunk, as far as the side file is sound; offsets only grow."""
    last = -1
    with contextlib.suppress(*_UNSOUND), open_file(folder.times_path) as stream:
        while row := stream.readline(_ROW_BYTES):
            seconds, offset = json.loads(row)
            if not isinstance(offset, int) or offset <= last or not 0 <= float(seconds) < 1e9:
                return
            last = offset
            yield float(seconds), offset
