"""Watching a run that a keeper carries out, live or later: its folder as the stream of events that a session gives.

What the keeper wrote is read again here, so any number of viewers may come and go, and none of them can hold up or harm
the run.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...analysis import Capture, Line, Outcome
from ...analysis.watching.live_reader import LiveReader
from ..job import EXIT_REASONS, Exit, ExitReason, InputError, JobError, Progress, Started
from ..runs.folder import MANIFEST, PROGRESS, RunFolder, printable
from ..runs.stored import kind_of
from ..session import SNAPSHOT_SECONDS, SessionEvent, Snapshot, Unfinished, overall_status
from ..storage import open_file
from .stopping import GOING_ON, ask_to_stop

_LOOK_SECONDS = 0.03
_ALIVE_SECONDS = 0.3
"""How often it is asked whether the keeper lives, where nothing has changed."""
_MOMENT_SECONDS = 0.002
_PAUSE_SECONDS = 0.1
"""After so long without output, a line without an end is shown: the target waits, as behind a prompt."""
_BLOCK_BYTES = 1 << 16
_MESSAGE = 2000
_MOST_SECONDS = 1e12
GONE = "its process is gone (killed, or the machine was restarted)"


class Viewer:
    """A run seen from outside; `events()` can be iterated once."""

    lasting = True
    """Leaving it does not stop the run."""

    def __init__(self, path: Path) -> None:
        """Raises InputError: there is no such run."""
        self.folder = RunFolder.open(path)
        self.source = str(path)
        self.label = self.folder.label
        self._reader = LiveReader(self.source)
        self.capture: Capture = self._reader.snapshot()
        """The newest report."""
        self.status: str | None = None
        """As that of a session."""
        self._left = threading.Event()
        self._console = _Tail(self.folder.console_path)
        self._progress = _Tail(path / PROGRESS)
        self._times = _Tail(self.folder.times_path, needed=False)
        self._moments: deque[tuple[float, int]] = deque()
        """Seconds and offset of the chunks that were not read yet."""
        self._torn = b""
        self._offset = 0
        self._at: float | None = None
        self._unread = b""
        self._seen: tuple[int, int, int] | None = None
        self._asked = 0.0

    def stop(self) -> None:
        """Ask the keeper to end the run, from any thread."""
        ask_to_stop(self.folder)

    def leave(self) -> None:
        """Look no longer, from any thread; the run goes on."""
        self._left.set()

    def events(self) -> Iterator[SessionEvent]:
        """What `Session.events` gives; without an `Exit` where `leave` was called.

        Raises:
            JobError: what stopped the keeper from carrying on, as a full disk, or the folder was removed.
        """
        started = pending = False
        queued = prompt = ""
        shown = heard = 0.0
        with contextlib.closing(self._console), contextlib.closing(self._progress), contextlib.closing(self._times):
            while not self._left.is_set():
                over = self._look() not in GOING_ON  # before the files: what is there then is all
                facts = self.folder.manifest
                if facts.get("state") == "queued" and facts.get("queued") != queued and not started:
                    queued = str(facts.get("queued"))
                    yield Progress(queued[:_MESSAGE])
                if not started and isinstance(facts.get("argv"), list):
                    started = True
                    yield _started(facts)
                yield from self._said()
                moved = False
                while not self._left.is_set() and (data := self._console.read()):
                    moved, heard = True, time.monotonic()
                    lines = self._fed(data)
                    if lines:
                        prompt = ""
                    yield from lines
                    pending = pending or bool(lines)
                    if pending and time.monotonic() - shown >= SNAPSHOT_SECONDS:
                        shown, pending = time.monotonic(), False
                        self.capture = self._reader.snapshot()
                        yield Snapshot(self.capture)
                if over and not self._left.is_set():
                    yield from self._end()
                    return
                if pending and time.monotonic() - shown >= SNAPSHOT_SECONDS:
                    shown, pending = time.monotonic(), False
                    self.capture = self._reader.snapshot()
                    yield Snapshot(self.capture)
                if not moved:
                    if time.monotonic() - heard >= _PAUSE_SECONDS and (text := self._reader.unfinished) != prompt:
                        prompt = text
                        yield Unfinished(text)
                    self._left.wait(_LOOK_SECONDS)

    def _fed(self, data: bytes) -> list[Line]:
        """The lines that these bytes complete, each with the seconds at which its last chunk came."""
        end = self._offset + len(data)
        self._read_moments(end)
        if not self._moments or self._moments[-1][1] < self._offset:
            time.sleep(_MOMENT_SECONDS)  # bytes are written before the time at which they came
            self._read_moments(end)
        lines: list[Line] = []
        while data:
            while self._moments and self._moments[0][1] <= self._offset:
                self._at = self._moments.popleft()[0]
            room = self._moments[0][1] - self._offset if self._moments else end - self._offset
            piece, data = data[:room], data[room:]
            self._offset += len(piece)
            lines += self._reader.feed(piece, self._at)
        return lines

    def _read_moments(self, end: int) -> None:
        """The side file of the console up to what tells of this offset, as far as it is sound."""
        while (not self._moments or self._moments[-1][1] < end) and (data := self._times.read()):
            *rows, self._torn = (self._torn + data).split(b"\n")
            for row in rows:
                with contextlib.suppress(ValueError, TypeError, RecursionError, OverflowError):
                    seconds, offset = json.loads(row)
                    if isinstance(offset, int) and 0 <= float(seconds) < _MOST_SECONDS:
                        self._moments.append((float(seconds), offset))

    def _look(self) -> str:
        """The state, read again where the manifest was written or it is time to ask for the keeper."""
        try:
            facts = os.stat(self.folder.path / MANIFEST)
            mark = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
        except OSError:
            mark = None
        now = time.monotonic()
        if mark is None or mark != self._seen:
            self._seen, self._asked = mark, now
            self.folder = RunFolder.open(self.folder.path)
            return self.folder.state
        if now - self._asked >= _ALIVE_SECONDS:
            self._asked = now
            if self.folder.state == "lost":  # unless it said how it ended before it went
                self.folder = RunFolder.open(self.folder.path)
                return self.folder.state
        return str(self.folder.manifest.get("state"))

    def _said(self) -> Iterator[Progress]:
        *lines, self._unread = (self._unread + self._progress.read()).split(b"\n")
        for line in lines:
            try:
                said = json.loads(line)
                yield Progress(printable(str(said["stage"]))[:_MESSAGE], _count(said["done"]), _count(said["total"]))
            except (ValueError, KeyError, TypeError, RecursionError):
                continue

    def _end(self) -> Iterator[SessionEvent]:
        end = self._exit()
        yield from self._reader.flush()
        told = end.text if end.text != GONE else ""
        kind = kind_of(self.folder) if self.folder.state != "lost" else ""  # it is not the target's end
        outcome = Outcome(end.reason, end.code, told, kind)
        self.capture = self._reader.finish(outcome)
        self.status = overall_status(self.capture, outcome)
        yield Snapshot(self.capture)
        if (error := stored_failure(self.folder)) is not None:
            raise error
        yield end

    def _exit(self) -> Exit:
        facts = self.folder.manifest
        if self.folder.state == "lost":
            return Exit(None, "lost", _last_moment(self.folder.times_path), GONE)
        reason, code, seconds, text = (facts.get(name) for name in ("reason", "exit_code", "seconds", "text"))
        known: ExitReason = reason if reason in EXIT_REASONS else "lost"
        measured = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 <= seconds < _MOST_SECONDS
        return Exit(
            code if isinstance(code, int) and not isinstance(code, bool) and abs(code) < 1 << 32 else None,
            known,
            float(seconds) if measured else 0.0,  # type: ignore[arg-type]
            text[:_MESSAGE] if isinstance(text, str) else "",
        )


class _Tail:
    """What is new at the end of a file that may not be there yet."""

    def __init__(self, path: Path, needed: bool = True) -> None:
        self._path = path
        self._needed = needed
        """Whether it is an error that the file cannot be read; otherwise it is as one that is not there."""
        self._descriptor = -1

    def read(self) -> bytes:
        """The next bytes, nothing where there are none yet."""
        try:
            if self._descriptor < 0:
                with open_file(self._path) as stream:
                    self._descriptor = os.dup(stream.fileno())
            return os.read(self._descriptor, _BLOCK_BYTES)
        except FileNotFoundError:
            return b""
        except OSError as error:
            if not self._needed:
                return b""
            raise InputError(f"{self._path} cannot be read ({error.strerror or error})", "check it") from error

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def stored_failure(folder: RunFolder) -> JobError | None:
    """What kept the keeper from carrying on, as it would have been raised."""
    told = folder.manifest.get("failure")
    if not isinstance(told, dict) or not isinstance(told.get("message"), str):
        return None
    code = told.get("exit_code")
    return JobError(told["message"], str(told.get("hint") or ""), code if code in (2, 3, 4, 5) else 4)


def _started(facts: dict[str, Any]) -> Started:
    cwd, child = facts.get("cwd"), facts.get("child_pid")
    argv = tuple(str(word) for word in facts["argv"])
    return Started(argv, cwd if isinstance(cwd, str) else None, child if isinstance(child, int) else None)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _last_moment(path: Path) -> float:
    """Seconds from the start to the last output, as far as the times tell."""
    try:
        with open_file(path) as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - 200))
            rows = stream.read().splitlines()
        last = max(float(json.loads(row)[0]) for row in rows[-2:] if row.startswith(b"[") and row.endswith(b"]"))
    except (OSError, ValueError, TypeError, IndexError, OverflowError):
        return 0.0
    return last if math.isfinite(last) else 0.0
