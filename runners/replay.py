"""Plays a stored log as if it were being captured now: for looking again, for demonstrations, and for tests.

The pace is part of the request: at once, as recorded, or so many lines a second.  When the recorded pace is asked for
and the log does not know it, the replay says so and takes a stated rate instead.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from .deadlines import IDLE_SECONDS
from .job import Chunk, Exit, JobEvent, Progress, Started
from .reading.blocks import blocks
from .storage import CONSOLE, TIMES

Pace = Literal["instant", "original"] | float

FALLBACK_LINES_PER_SECOND = 50.0

_CHUNK_BYTES = 65536
_DAY_SECONDS = 86400.0
_STAMP = re.compile(
    rb"\s{0,8}(?:[DIEF?] )?\[?(?:(\d{4})-(\d\d)-(\d\d)[T ])?(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?=[\sZ+\]-])"
)
_UPTIME = re.compile(rb"\s{0,8}\[ *(\d{1,9}\.\d{3,6})\]")
_STAMPED_WITHIN_LINES = 50


class ReplayJob:
    """A stored log as a job; `path` is a log (plain or compressed) or a run folder."""

    def __init__(self, path: str | Path, pace: Pace = "instant") -> None:
        chosen = Path(path)
        self.path = chosen / CONSOLE if chosen.is_dir() else chosen
        self.label = f"replay of {chosen.name}"
        self._pace = pace
        self._stop = threading.Event()

    def stop(self) -> None:
        """End the replay at once, from any thread."""
        self._stop.set()

    def run(self) -> Iterator[JobEvent]:
        """Yield the log in chunks at the chosen pace.

        Raises:
            InputError: the log cannot be read.
        """
        log = _Bytes(str(self.path))
        yield Started(())
        began = time.monotonic()
        pace = self._pace
        if pace == "original" and not has_times(self.path):
            pace = FALLBACK_LINES_PER_SECOND
            yield Progress(f"no times in {self.path.name}: playing {pace:g} lines a second")
        for data, due in self._pieces(log, pace):
            wait = due - (time.monotonic() - began)
            if wait > IDLE_SECONDS and not self._stop.wait(IDLE_SECONDS):
                yield Chunk(b"", time.monotonic() - began)
                wait = due - (time.monotonic() - began)
            if self._stop.is_set() or (wait > 0 and self._stop.wait(wait)):
                break
            yield Chunk(data, time.monotonic() - began)
        seconds = time.monotonic() - began
        yield Exit(None, "stopped", seconds, "stopped") if self._stop.is_set() else Exit(None, "ended", seconds)

    def _pieces(self, log: _Bytes, pace: Pace) -> Iterator[tuple[bytes, float]]:
        if pace == "instant":
            return ((data, 0.0) for data in iter(log.read, b""))
        if pace != "original":
            return _at_rate(log, float(pace))
        times = self.path.with_name(TIMES)
        return _recorded(log, times) if times.is_file() else _stamped(log)


class _Bytes:
    """A log as a stream of bytes or of lines."""

    def __init__(self, path: str) -> None:
        self._blocks = blocks(path)
        self._rest = next(self._blocks, b"")

    def read(self, most: int = _CHUNK_BYTES) -> bytes:
        """The next bytes, at most so many; nothing at the end."""
        if not self._rest:
            self._rest = next(self._blocks, b"")
        data, self._rest = self._rest[:most], self._rest[most:]
        return data

    def lines(self) -> Iterator[bytes]:
        """Lines with their ends; one that is too long comes in pieces."""
        pending = b""
        while data := self.read():
            *whole, pending = (pending + data).splitlines(keepends=True)
            yield from whole
            if pending.endswith(b"\n") or len(pending) >= _CHUNK_BYTES:
                yield pending
                pending = b""
        if pending:
            yield pending


def has_times(path: Path) -> bool:
    """Whether the pace of a log is known: recorded beside it, or stamped on its lines."""
    if path.name == CONSOLE and path.with_name(TIMES).is_file():
        return True
    if str(path) == "-":
        return False
    first = islice(_Bytes(str(path)).lines(), _STAMPED_WITHIN_LINES)
    return sum(_seconds(line) is not None for line in first) >= 2


def _at_rate(log: _Bytes, lines_per_second: float) -> Iterator[tuple[bytes, float]]:
    step = 1.0 / lines_per_second
    # Faster than the screen can follow, several lines make one piece.
    together = max(1, int(lines_per_second * 0.01))
    piece, due = b"", 0.0
    for number, line in enumerate(log.lines(), start=1):
        piece += line
        if number % together == 0:
            yield piece, due
            piece, due = b"", number * step
    if piece:
        yield piece, due


def _recorded(log: _Bytes, times: Path) -> Iterator[tuple[bytes, float]]:
    """Chunks as they were captured.  What the times do not cover follows at once."""
    position, due, first = 0, 0.0, None
    with open(times, "rb") as stream:
        while line := stream.readline(_CHUNK_BYTES):
            entry = _time_entry(line)
            if entry is None:
                continue
            seconds, offset = entry
            first = seconds if first is None else first
            while position < offset and (data := log.read(min(offset - position, _CHUNK_BYTES))):
                position += len(data)
                yield data, due
            due = max(due, seconds - first)
    while data := log.read():
        yield data, due


def _time_entry(line: bytes) -> tuple[float, int] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, list) or len(entry) != 2:
        return None
    seconds, offset = entry
    if not isinstance(seconds, (int, float)) or not isinstance(offset, int) or not 0 <= seconds < 1e9:
        return None
    return float(seconds), offset


def _stamped(log: _Bytes) -> Iterator[tuple[bytes, float]]:
    """Lines at the distances that the time stamps on them tell; a clock that goes back does not."""
    last: float | None = None
    due = 0.0
    for line in log.lines():
        now = _seconds(line)
        if now is not None:
            if last is not None:
                gap = now - last
                if gap < -_DAY_SECONDS / 2:
                    gap += _DAY_SECONDS  # stamps without a date, over midnight
                due += max(0.0, gap)
            last = now
        yield line, due


def _seconds(line: bytes) -> float | None:
    match = _STAMP.match(line)
    if match is None:
        uptime = _UPTIME.match(line)
        return None if uptime is None else float(uptime[1])
    year, month, day, hour, minute, second, fraction = match.groups()
    days = 0.0 if year is None else (int(year) * 12.0 + int(month)) * 31 + int(day)
    return days * _DAY_SECONDS + int(hour) * 3600 + int(minute) * 60 + int(second) + float(b"0." + (fraction or b"0"))
