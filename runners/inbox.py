"""What threads of a run hand to the one that carries it on: bytes with the time of their arrival, and remarks, in order.

A port does not wait.  Its thread reads whatever the rest of the program does, and stops only when a bound is reached.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import NamedTuple

LIMIT_BYTES = 32 << 20
"""About two minutes at 3 Mbaud; a viewer that stands still for longer costs bytes, and the kernel says how many."""
_TOGETHER_SECONDS = 0.004
_TOGETHER_BYTES = 16384


class Arrived(NamedTuple):
    """Bytes of the port; `at` is seconds since the job began."""

    data: bytes
    at: float


class Remark(NamedTuple):
    """Anything else: `name` is for the program, `text` for people."""

    name: str
    at: float
    text: str = ""


class Inbox:
    """Filled by any thread, emptied by one."""

    def __init__(self) -> None:
        self._items: deque[Arrived | Remark] = deque()
        self._bytes = 0
        self._closed = False
        self._changed = threading.Condition()

    def arrived(self, data: bytes, at: float) -> None:
        """Take bytes; waits while too much is waiting already."""
        with self._changed:
            while self._bytes >= LIMIT_BYTES and not self._closed:
                self._changed.wait()
            self._items.append(Arrived(data, at))
            self._bytes += len(data)
            if len(self._items) == 1:
                self._changed.notify_all()

    def remark(self, name: str, at: float, text: str = "") -> None:
        """Take a remark."""
        with self._changed:
            self._items.append(Remark(name, at, text))
            self._changed.notify_all()

    def close(self) -> None:
        """Nobody empties it any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def take(self, seconds: float) -> Arrived | Remark | None:
        """The next item, or None after `seconds`; bytes that came within a few milliseconds come as one."""
        with self._changed:
            if not self._items:
                self._changed.wait(seconds)
                if not self._items:
                    return None
            first = self._items.popleft()
            if not isinstance(first, Arrived):
                return first
            parts, size = [first.data], len(first.data)
            while self._items and size < _TOGETHER_BYTES:
                then = self._items[0]
                if not isinstance(then, Arrived) or then.at - first.at > _TOGETHER_SECONDS:
                    break
                parts.append(then.data)
                size += len(then.data)
                self._items.popleft()
            full = self._bytes >= LIMIT_BYTES
            self._bytes -= size
            if full:
                self._changed.notify_all()
            return first if len(parts) == 1 else Arrived(b"".join(parts), first.at)
