"""Files that grow while they are read: what is new in each, and when one was cut short, replaced, or has fallen silent.

A file is watched by its name, as it appears, is rotated or is emptied for the next capture.  Polling works on every file
system, the network's too; five looks a second cost nothing.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import sys
import time
from collections.abc import Iterator
from typing import Literal, NamedTuple

from ..job import InputError
from .archives import SEPARATOR, is_archive, may_hold_several
from .blocks import refusing
from .compression import BLOCK_BYTES, compression_of, refuse_unread

POLL_SECONDS = 0.2
_FINGERPRINT_BYTES = 256
_WHOLE = "read it without --follow"


class Grown(NamedTuple):
    """New bytes at the end of an input."""

    path: str
    data: bytes


class Restarted(NamedTuple):
    """What follows begins a new file under the same name."""

    path: str
    how: Literal["truncated", "overwritten", "replaced"]


class Silent(NamedTuple):
    """An input has had nothing new for so long; told at every look."""

    path: str
    seconds: float


class Ended(NamedTuple):
    """A pipe was closed by who wrote to it: nothing more can come."""

    path: str


class Absent(NamedTuple):
    """There is no such file yet; told once."""

    path: str


FollowEvent = Grown | Restarted | Silent | Ended | Absent


def follow(paths: list[str]) -> Iterator[FollowEvent]:
    """Watch these inputs until the pipes among them have ended; with any file among them, until the caller stops.

    Raises:
        InputError: one of them can never be followed (a folder, a device, compressed data).
    """
    watched = [_Pipe(path) if _is_pipe(path) else _File(path) for path in paths]
    try:
        while watched:
            moved = False
            for one in list(watched):
                for event in one.look():
                    moved = moved or isinstance(event, Grown)
                    yield event
                    if isinstance(event, Ended):
                        watched.remove(one)
            if not moved and watched:
                time.sleep(POLL_SECONDS)
    finally:
        for one in watched:
            one.close()


def _is_pipe(path: str) -> bool:
    if path == "-":
        if sys.stdin is None:
            raise InputError("-: standard input is closed", "pipe a log into it")
        return not stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


class _Watched:
    def __init__(self, path: str) -> None:
        self.path = path
        self._heard = time.monotonic()

    def _silent(self) -> Silent:
        return Silent(self.path, time.monotonic() - self._heard)


class _Pipe(_Watched):
    """Standard input or a named pipe."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._begun = False
        with refusing(path):
            self._descriptor = sys.stdin.fileno() if path == "-" else os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def look(self) -> Iterator[FollowEvent]:
        while select.select([self._descriptor], [], [], 0)[0]:
            with refusing(self.path):
                data = os.read(self._descriptor, BLOCK_BYTES)
            if not data:
                if self._begun or self.path == "-":
                    yield Ended(self.path)
                    self.close()
                    return
                break  # a named pipe without a writer yet
            self._begun = True
            self._heard = time.monotonic()
            yield Grown(self.path, data)
        yield self._silent()

    def close(self) -> None:
        if self.path != "-":
            with contextlib.suppress(OSError):
                os.close(self._descriptor)


class _File(_Watched):
    """A regular file, or the place where one will be."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._descriptor: int | None = None
        self._position = 0
        self._first = b""
        self._last = b""
        self._told_absent = False

    def look(self) -> Iterator[FollowEvent]:
        if self._descriptor is None:
            if not self._open():
                if not self._told_absent:
                    self._told_absent = True
                    yield Absent(self.path)
                return
        how: Literal["truncated", "overwritten", "replaced"] | None = self._begun_anew()
        if how is None:
            yield from self._read()
            how = self._begun_anew() or self._replaced()
        if how is not None:
            if how == "replaced":
                yield from self._read()  # what was written before it was rotated
            yield Restarted(self.path, how)
            self._position, self._first, self._last = 0, b"", b""
            if how == "replaced":
                self.close()
            return
        yield self._silent()

    def _open(self) -> bool:
        if self.path == "-":  # a file that the shell has opened for us: it may grow, and has no name to watch
            self._descriptor = os.dup(sys.stdin.fileno())
            self._told_absent = True
            return True
        with refusing(self.path):
            try:
                mode = os.stat(self.path).st_mode
            except FileNotFoundError:
                archive, inside, _ = self.path.partition(SEPARATOR)
                if inside and may_hold_several(archive):
                    raise InputError(f"{self.path}: an archive cannot be followed", _WHOLE) from None
                return False
            if not stat.S_ISREG(mode):
                kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
                raise InputError(f"{self.path}: is {kind}, which cannot be followed", "give the file that grows")
            self._descriptor = os.open(self.path, os.O_RDONLY)
        self._told_absent = True
        return True

    def _read(self) -> Iterator[FollowEvent]:
        assert self._descriptor is not None
        while True:
            with refusing(self.path):
                data = os.pread(self._descriptor, BLOCK_BYTES, self._position)
            if not data:
                return
            if self._position == 0:
                refuse_unread(self.path, data)
                if compression_of(data) is not None:
                    raise InputError(f"{self.path}: compressed data cannot be followed", _WHOLE)
                if is_archive(data):
                    raise InputError(f"{self.path}: an archive cannot be followed", _WHOLE)
            self._first += data[: _FINGERPRINT_BYTES - len(self._first)]
            self._last = (self._last + data[-_FINGERPRINT_BYTES:])[-_FINGERPRINT_BYTES:]
            self._position += len(data)
            self._heard = time.monotonic()
            yield Grown(self.path, data)

    def _begun_anew(self) -> Literal["truncated", "overwritten"] | None:
        """Whether this was emptied, and perhaps written to again.

        Captures begin alike, so of a longer one that was copied over it the bytes read last are looked at, too.
        """
        assert self._descriptor is not None
        with refusing(self.path):
            if os.fstat(self._descriptor).st_size < self._position:
                return "truncated"
            last = os.pread(self._descriptor, len(self._last), self._position - len(self._last))
            first = os.pread(self._descriptor, len(self._first), 0)
        return "overwritten" if (first, last) != (self._first, self._last) else None

    def _replaced(self) -> Literal["replaced"] | None:
        """Whether another file has taken the name."""
        assert self._descriptor is not None
        if self.path == "-":
            return None
        try:
            named = os.stat(self.path)
        except OSError:  # between two files, or removed: what is open can still grow
            return None
        own = os.fstat(self._descriptor)
        return "replaced" if (named.st_dev, named.st_ino) != (own.st_dev, own.st_ino) else None

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
