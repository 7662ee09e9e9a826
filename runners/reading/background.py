"""Reading a capture of gigabytes beside the screen: a process of ours scans it and tells what it has found so far.

A thread of the dashboard would hold the interpreter while keys wait.  The child (`reading/background_child`) writes frames to a pipe:
finished runs as columns, counts of lines, how far it is, at the end the capture.  Where the input is not a plain file
(compressed, UTF-16), it also writes the text to an unnamed temporary file, within a bound, so that its lines can be shown.
It ends when the pipe does.
"""

from __future__ import annotations

import os
import pickle
import stat
from array import array
from collections.abc import Iterator
from contextlib import suppress

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ...analysis.rows.store import Packed, RunStore
from ..own_python import own_python
from .archives import may_hold_several
from .blocks import blocks
from .paths import log_of
from .window import LogWindow

if TYPE_CHECKING:
    from typing import IO

    from ...analysis.report import Capture

HUGE_BYTES = 4 << 20
"""Captures from this size on are read beside the screen."""
HUGE_COMPRESSED_BYTES = 256 << 10
RUN_BYTES = 8 << 20
"""Bytes of one run that are read again to show its report."""
PACKED = (b"\x1f\x8b", b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")
COMPILED = (b"ET1", b"BP0", b"ED00", b"TOSA")
"""At byte 4 of programs, profiles and graphs, which are no captures however large they are."""
WIDE = (b"\xff\xfe", b"\xfe\xff")
LENGTH_BYTES = 4


class Opened(NamedTuple):
    """The first frame: what kind of file it is."""

    plain: bool
    size_bytes: int


class News(NamedTuple):
    """What was found since the last frame."""

    bytes_done: int
    lines_done: int
    rows: Packed
    counts: bytes
    """Line counts for the log window, as of `LineCounter`."""


class Done(NamedTuple):
    """The last frame."""

    capture: Capture | None
    problem: str
    """Why there is no more, or why nothing was recognised."""
    hint: str = ""


def is_huge(path: str) -> bool:
    """Whether opening this would keep a person waiting, so that it is read beside the screen."""
    log = log_of(os.path.expanduser(path))
    with suppress(OSError, ValueError):
        facts = os.stat(log)
        if not stat.S_ISREG(facts.st_mode) or os.path.isfile(os.path.join(path, "result.json")):
            return False
        if not log.endswith(".csv"):
            packed = facts.st_size >= HUGE_COMPRESSED_BYTES and _head(log).startswith(PACKED)
            large = packed or (facts.st_size >= HUGE_BYTES and not _head(log)[4:8].startswith(COMPILED))
            return large and not may_hold_several(log)
    return False


def _head(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(8)


def begin(path: str) -> BackgroundReading | None:
    """The reading of a large capture, where the system has a process for it; None for anything else."""
    with suppress(OSError):
        return BackgroundReading(path) if is_huge(path) else None
    return None


class ReadBeside:
    """A process of ours that reads, from our side; `follow()` in a thread, the rest from anywhere."""

    AGAIN = "open it again to read all"

    def __init__(self, child: list[str], *, stdin: int, pass_fds: tuple[int, ...] = ()) -> None:
        """Raises:
        OSError: there is no process to be had.
        """
        import subprocess  # here: the child loads this module too, and somebody waits for it

        self.rows = RunStore()
        self.done: Done | None = None
        self._stopped = False
        self._process = subprocess.Popen(
            child,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=pass_fds,
            start_new_session=True,  # a Ctrl-C at the terminal is a key of the dashboard
        )

    @property
    def pid(self) -> int:
        """Of the process that reads."""
        return self._process.pid

    def follow(self) -> None:
        """Take in what the child says until it has ended; `done` is set then."""
        assert self._process.stdout is not None
        done: Done | None = None
        with self._process.stdout as pipe:
            for frame in _frames(pipe):
                if isinstance(frame, Done):
                    done = frame
                else:
                    self.take(frame)
        code = self._process.wait()
        how = f"was killed (signal {-code})" if code < 0 else f"ended with status {code}"
        problem = "" if self._stopped else self.ended_early(how)
        self.done = done or Done(None, problem, f"what is listed was read before that; {self.AGAIN}")

    def take(self, frame: object) -> None:
        """What the child says on the way."""
        raise NotImplementedError

    def ended_early(self, how: str) -> str:
        """What to say of a child that ended so before it had read all."""
        raise NotImplementedError

    def stop(self) -> None:
        """End the child; what was read stays."""
        self._stopped = True
        with suppress(ProcessLookupError):
            self._process.kill()

    def close(self) -> None:
        """Nobody looks any more."""
        self.stop()


class BackgroundReading(ReadBeside):
    """The reading of one capture."""

    def __init__(self, path: str) -> None:
        """Raises:
        OSError: there is no process or no temporary file to be had.
        """
        import subprocess
        import tempfile

        self.path = os.path.expanduser(path)
        self.bytes_done = 0
        self.lines_done = 0
        self.size_bytes: int | None = None
        """Of the file; None where that says nothing about how far the reading is."""
        self.window: LogWindow | None = None
        self._spill: IO[bytes] | None = tempfile.TemporaryFile(prefix="ethosu-tui-")
        spill = self._spill.fileno()
        child = own_python(".runners.reading.background_child", self.path, str(spill))
        try:
            super().__init__(child, stdin=subprocess.DEVNULL, pass_fds=(spill,))
        except OSError:
            self._spill.close()
            raise
        self.rows.captures = 1

    def take(self, frame: object) -> None:
        if isinstance(frame, Opened):
            self.size_bytes = frame.size_bytes if frame.plain else None
            self.window = self._open_window(frame.plain)
        elif isinstance(frame, News):
            self._take(frame)

    def follow(self) -> None:
        try:
            super().follow()
        finally:
            if self.window is not None:
                self.window.counted = True

    def _open_window(self, plain: bool) -> LogWindow | None:
        assert self._spill is not None
        with suppress(OSError):
            log = os.open(log_of(self.path), os.O_RDONLY | os.O_CLOEXEC) if plain else os.dup(self._spill.fileno())
            window = LogWindow(log)
            window.counted = False
            return window
        return None

    def _take(self, news: News) -> None:
        counts: array[int] = array("Q")
        counts.frombytes(news.counts)
        if self.window is not None:
            self.window.grow(counts)
        self.bytes_done, self.lines_done = news.bytes_done, news.lines_done
        self.rows.extend(news.rows)

    def ended_early(self, how: str) -> str:
        return f"{self.path}: the process that reads it {how} after {self.bytes_done:,} bytes"

    def close(self) -> None:
        super().close()
        if self.window is not None:
            self.window.close()
        if self._spill is not None:
            self._spill.close()
            self._spill = None


def run_bytes(path: str, start: int, end: int, more: int) -> tuple[bytes, bool]:
    """A piece of a capture again, up to `more` bytes behind its end, and whether it was cut at the bound.

    What is compressed is unpacked up to there.

    Raises:
        InputError: it cannot be read any more.
    """
    cut = end - start > RUN_BYTES
    end = start + RUN_BYTES if cut else end
    whole = end - start
    end += 0 if cut else more
    log = log_of(path)
    with suppress(OSError), open(log, "rb") as file:
        head = file.read(8)
        if not head.startswith(PACKED) and not head.startswith(WIDE) and b"\0" not in head:
            found = os.pread(file.fileno(), end - start, start)
            if len(found) >= whole:
                return found, cut
    position = 0
    pieces: list[bytes] = []
    for block in blocks(log):
        if not position and start and block.startswith(WIDE):
            pieces.append(block[:2])
            start, end = start + start % 2, end + end % 2  # a line end is two bytes there; lines were counted by one
        if position + len(block) > start:
            pieces.append(block[max(0, start - position) : end - position])
        position += len(block)
        if position >= end:
            break
    return b"".join(pieces), cut


def _frames(pipe: IO[bytes]) -> Iterator[object]:
    """What the child wrote, until the pipe ends; a frame that is cut short is none."""
    while len(head := pipe.read(LENGTH_BYTES)) == LENGTH_BYTES:
        length = int.from_bytes(head, "big")
        data = pipe.read(length)
        if len(data) < length:
            return
        yield pickle.loads(data)
