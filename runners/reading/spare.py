"""Cores that nobody uses just now: whoever has much left to read may take one, and read with another process.

Each is a byte in a pipe, which processes that were copied of each other share: one byte is read by one of them only.
Who works on although no core is free leaves a byte in a second pipe, so that there never come to be more of them.
"""

from __future__ import annotations

import os
from contextlib import suppress

from ..processors import processors

MOST_READERS = 4
"""Processes that read one file at once; more would wait for the disk, and hold as much memory again."""


def cores() -> int:
    """Processors for copies of this process; 1 where it cannot be copied safely."""
    return processors() if hasattr(os, "sched_getaffinity") and hasattr(os, "fork") else 1


class SpareCores:
    """So many cores to begin with.

    Raises:
        OSError: no pipe can be made, as too many files are open.
    """

    def __init__(self, count: int) -> None:
        self._free = _Bytes()
        try:
            self._owed = _Bytes()
        except OSError:
            self._free.close()
            raise
        self.give(count)

    def take(self) -> bool:
        """Whether there was one; it is in use from now on."""
        return self._free.take()

    def use(self) -> None:
        """One is in use from now on; where there was none, the next that is given is already used."""
        if not self.take():
            self._owed.add()

    def give(self, count: int = 1) -> None:
        """So many are not used any longer."""
        for _ in range(count):
            if not self._owed.take():
                self._free.add()

    def begin(self, count: int) -> None:
        """So many, whatever was left of the last file."""
        while self._free.take() or self._owed.take():
            pass
        self.give(count)

    def close(self) -> None:
        """No process asks any more."""
        self._free.close()
        self._owed.close()


class _Bytes:
    """A number that processes share."""

    def __init__(self) -> None:
        self._from, self._to = os.pipe()
        os.set_blocking(self._from, False)
        os.set_blocking(self._to, False)

    def add(self) -> None:
        with suppress(OSError):  # all is over
            os.write(self._to, b".")

    def take(self) -> bool:
        try:
            return bool(os.read(self._from, 1))
        except OSError:  # none, or all is over
            return False

    def close(self) -> None:
        os.close(self._from)
        os.close(self._to)


_shared: SpareCores | None = None
"""In a worker: what it shares with all others of its pool."""
_own: SpareCores | None = None


def share(spare: SpareCores | None) -> None:
    """This process is a worker: these are all that it may use, and the others of its pool may as well."""
    global _shared
    _shared = spare


def spare_cores() -> SpareCores | None:
    """What may be used to read one more file; None where this process must read alone.

    Raises:
        OSError: too many files are open.
    """
    global _own
    if _shared is not None or not _may_divide():
        return _shared
    if _own is None:
        _own = SpareCores(0)
    _own.begin(min(cores(), MOST_READERS) - 1)
    return _own


def _may_divide() -> bool:
    """Whether a copy of this process can be made, and has a core."""
    if cores() < 2:
        return False
    import threading

    return threading.active_count() == 1
