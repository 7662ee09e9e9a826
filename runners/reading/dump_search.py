"""Looks for the dumps of a large log in a process of its own: a thread that does would take the interpreter from the keys.

The process reads the file that the log window reads, as far as that was counted, and tells what it has found.  It ends when
its input does, however whoever asked has ended.
"""

from __future__ import annotations

import copy
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from ...analysis.watching.dump_finder import DumpFinder
from ...analysis.watching.dump_lines import Dump
from ..own_python import own_python
from .window import text_of_piece

NEWS_SECONDS = 0.25
MOST_DUMPS = 2_000
"""Told of at a time: meanwhile no key is looked at."""
_NICE = 10
_ASKED = struct.Struct("=QQ")


class DumpNews(NamedTuple):
    """What was found since the last."""

    dumps: list[Dump]
    for_now: list[Dump]
    """Those at the end of what is there so far; they are told of again."""
    lines: int
    """Lines looked at."""


class DumpSearch:
    """A search through one file; `news` in a thread, the rest from anywhere."""

    def __init__(self, descriptor: int) -> None:
        """Raises OSError: there is no process to be had."""
        self._process = subprocess.Popen(
            own_python(".runners.reading.dump_search", str(descriptor)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=(descriptor,),
            start_new_session=True,  # a Ctrl-C at the terminal is a key of the dashboard
            bufsize=0,
        )

    @property
    def pid(self) -> int:
        """Of the process that looks."""
        return self._process.pid

    def look(self, pieces: int, lines: int) -> None:
        """So many pieces were counted by now, with so many lines."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended
            self._process.stdin.write(_ASKED.pack(pieces, lines))

    def news(self) -> Iterator[DumpNews]:
        """What it finds, until `close`."""
        assert self._process.stdout is not None
        with open(os.dup(self._process.stdout.fileno()), "rb") as pipe:
            while True:
                try:
                    found = pickle.load(pipe)
                except (EOFError, pickle.UnpicklingError, ValueError):
                    return
                yield found

    def close(self) -> None:
        """Nobody asks any more."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def main(descriptor: str) -> None:
    """What the child does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICE)  # keys, and reading the capture, come first
    with suppress(BrokenPipeError):
        _look(int(descriptor))


def _look(descriptor: int) -> None:
    finder = DumpFinder()
    found: list[Dump] = []
    piece = pieces = lines = 0
    told = time.monotonic()
    while True:
        busy = piece < pieces - 1
        if select.select([0], [], [], 0 if busy else None)[0]:
            asked = os.read(0, _ASKED.size)
            if len(asked) < _ASKED.size:
                return
            pieces, lines = _ASKED.unpack(asked)
            busy = piece < pieces - 1
        if busy:
            text = text_of_piece(descriptor, piece)
            piece += 1
            found += finder.feed(text) if text is not None else []
            busy = piece < pieces - 1
        if not busy or time.monotonic() - told > NEWS_SECONDS or len(found) >= MOST_DUMPS:
            for_now = _newest(finder, descriptor, piece, lines) if not busy and pieces else _open(finder)
            for start in range(0, max(1, len(found)), MOST_DUMPS):
                last = start + MOST_DUMPS >= len(found)
                _tell(DumpNews(found[start : start + MOST_DUMPS], for_now if last else [], finder.index))
            found = []
            told = time.monotonic()


def _newest(finder: DumpFinder, descriptor: int, piece: int, lines: int) -> list[Dump]:
    """The dumps in the newest piece, which may grow and is looked at again then."""
    finder = copy.copy(finder)
    text = text_of_piece(descriptor, piece)
    left = lines - finder.index
    found = finder.feed(b"\n".join(text.split(b"\n")[:left])) if text is not None and left > 0 else []
    return found + _open(finder)


def _open(finder: DumpFinder) -> list[Dump]:
    return [finder.unfinished] if finder.unfinished is not None else []


def _tell(news: DumpNews) -> None:
    sys.stdout.buffer.write(pickle.dumps(news, pickle.HIGHEST_PROTOCOL))
    sys.stdout.buffer.flush()
