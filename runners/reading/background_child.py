"""The process that reads a large capture for the dashboard (see `reading`): input to frames on its standard output."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import time
from collections.abc import Iterator
from contextlib import suppress

from ...analysis.line_forms.encodings import LineFeeds, has_only_returns
from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.rows.store import RunStore
from ..job import JobError
from .background import LENGTH_BYTES, WIDE, Done, News, Opened
from .blocks import Source, blocks
from .digest import read_source
from .paths import log_of
from .settings import ReadSettings
from .window import LineCounter

if TYPE_CHECKING:
    from typing import IO

    from ...analysis.scan import Scanner

SPILL_BYTES = 4 << 30
"""Text of a compressed capture that is kept in a temporary file, at most, so that its log can be shown."""
FULL_RUNS = 1
FIRST_NEWS_SECONDS = 0.05
NEWS_SECONDS = 0.2
_HURRY_SECONDS = 1.0
_FIRST_BYTES = 1 << 16
"""Bytes that are read at once until the first runs are told of."""
_NICE = 5
GARBAGE_AFTER = 20_000
"""As on the command line: nearly all objects of a scan go by themselves."""


def main(path: str, spill: str) -> None:
    """What the child does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(GARBAGE_AFTER)
    with suppress(BrokenPipeError), os.fdopen(os.dup(1), "wb", buffering=0) as out:
        try:
            _Teller(path, int(spill), out).tell()
        except JobError as error:
            send(out, Done(None, error.message, error.hint))
        except MemoryError:
            send(out, Done(None, f"{path}: there is not enough memory to continue reading", "close other programs"))
        except BrokenPipeError:
            raise
        except Exception as error:  # an input that nobody thought of must not go unsaid
            said = f"{path}: reading failed ({type(error).__name__}: {error})"
            send(out, Done(None, said, "please report it as a bug"))


class Pace:
    """When the dashboard is told: at once of the first runs, for which somebody waits, then a few times a second."""

    def __init__(self) -> None:
        self.shown = False
        """Whether the first runs were told of."""
        self._began = self._told = time.monotonic()

    def is_due(self, runs: int) -> bool:
        """Whether to tell now, where there are so many runs that were not told of."""
        now = time.monotonic()
        if not self.shown and runs:
            self.shown = True
            with suppress(OSError):
                os.nice(_NICE)  # from here on the dashboard comes first
        elif now - self._told < (FIRST_NEWS_SECONDS if now - self._began < _HURRY_SECONDS else NEWS_SECONDS):
            return False
        self._told = now
        return True


class _Teller:
    """Reads one input and tells on the way."""

    def __init__(self, path: str, spill: int, out: IO[bytes]) -> None:
        self._path = path
        self._log = log_of(path)
        self._spill = spill
        self._out = out
        self._rows = RunStore()
        self._counter = LineCounter()
        self._room = 0
        self._plain = True
        self._bytes = 0
        self._pace = Pace()

    def tell(self) -> None:
        """All of it."""
        outcome = None
        if self._log != self._path:
            from ..runs.stored import recorded_outcome

            outcome = recorded_outcome(self._path)
        source = Source(self._path, self._watched(), [])
        reading = read_source(source, ReadSettings(full_runs=FULL_RUNS), self._take, outcome)
        self._counter.finish()
        self._news()
        problem = reading.problem
        send(
            self._out,
            Done(reading.capture, problem.message if problem else "", (problem.hint or "") if problem else ""),
        )

    def _watched(self) -> Iterator[bytes]:
        """The blocks of the input, whose lines are counted on the way, and whose text is kept where that is needed."""
        size = os.stat(self._log).st_size
        text: _Utf8 | None = None
        for block in blocks(self._log):
            if not self._bytes:
                self._plain = _is_plain(self._log, block)
                if not self._plain:
                    self._room, text = _room(self._spill), _Utf8(block)
                send(self._out, Opened(self._plain, size))
            for piece in self._pieces(block):
                self._bytes += len(piece)
                if text is None:
                    self._counter.feed(piece)
                else:
                    self._keep(text.of(piece))
                yield piece

    def _pieces(self, block: bytes) -> Iterator[bytes]:
        """What is handed on at once: little until the first runs are shown, for which somebody waits."""
        at = 0
        while at < len(block) and not self._pace.shown:
            yield block[at : at + _FIRST_BYTES]
            at += _FIRST_BYTES
        if at < len(block):
            yield block[at:] if at else block

    def _keep(self, text: bytes) -> None:
        if len(text) <= self._room and _write(self._spill, text):
            self._room -= len(text)
            self._counter.feed(text)
        else:
            self._room = 0

    def _take(self, scanner: Scanner) -> None:
        self._rows.add(scanner.rows())
        if self._pace.is_due(self._rows.count):
            self._news()

    def _news(self) -> None:
        counts = self._counter.take().tobytes()
        send(self._out, News(self._bytes, self._counter.lines, self._rows.take(), counts))


def _is_plain(log: str, first: bytes) -> bool:
    """Whether the text of a capture stands in the file as it is."""
    with suppress(OSError), open(log, "rb") as file:
        same = file.read(len(first)) == first
        return same and not first.startswith(WIDE) and not has_only_returns(first)
    return False


def _room(spill: int) -> int:
    """Bytes that may be written: half of what is free, within the bound."""
    import shutil

    with suppress(OSError):
        return min(SPILL_BYTES, shutil.disk_usage(f"/proc/self/fd/{spill}").free // 2)
    return SPILL_BYTES // 8


def _write(descriptor: int, data: bytes) -> bool:
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError:
        return False
    return True


class _Utf8:
    """UTF-16 text becomes UTF-8, carriage returns that alone end lines become line feeds, anything else stays."""

    def __init__(self, first: bytes) -> None:
        self._decoder = None
        self._line_feeds = LineFeeds(first)
        if first.startswith(WIDE):
            import codecs

            self._decoder = codecs.getincrementaldecoder("utf-16")("replace")

    def of(self, block: bytes) -> bytes:
        """The same text."""
        block = self._line_feeds.of(block)
        return block if self._decoder is None else self._decoder.decode(block).encode("utf-8", "replace")


def send(out: IO[bytes], frame: object) -> None:
    """Write one frame, as `background.frames` reads them."""
    data = pickle.dumps(frame, pickle.HIGHEST_PROTOCOL)
    view = memoryview(len(data).to_bytes(LENGTH_BYTES, "big") + data)
    while view:
        view = view[out.write(view) :]
