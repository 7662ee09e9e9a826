"""Where the reading of one capture may be divided between processes: places between runs at which nothing earlier is
open.

A reader may go on far ahead of such a place if the lines between are counted. Whether its results are those of reading
everything is known once the other reader gets there, by comparing what both carry.
"""

from __future__ import annotations

from collections import deque

from ..named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


_INDEX = '"index": '
LOOKED_AT_BYTES = 1 << 20
"""How far back a run's start is looked for; a longer run is left to the reader that comes from the beginning."""


class Amounts(NamedTuple):
    """Counts up to a place. They add up, and do not change how runs are read."""

    runs: int
    recognised: int
    undecodable: int
    last_done: int
    """Line of the newest success."""

    def __sub__(self, other: Amounts) -> Amounts:
        pairs = zip(self, other, strict=True)
        return Amounts(*(most - some for most, some in pairs))


class Seam(NamedTuple):
    """A place between two runs."""

    byte: int
    line: int
    carried: tuple[object, ...]
    """What lasts from run to run and may change how later runs are read."""
    amounts: Amounts

    def meets(self, other: Seam) -> bool:
        """Whether reading continues alike from both seams."""
        return self[:3] == other[:3]


def counted_on(text: str, runs: int) -> str:
    """The JSON text of a run before which so many more `runs` stand.

    Example:
        >>> counted_on('{"source": "a.log", "index": 7, "first_line": 1}', 3)
        '{"source": "a.log", "index": 10, "first_line": 1}'
    """
    begin = text.index(_INDEX) + len(_INDEX)  # the source before it holds no such quotes: they are escaped there
    end = text.index(",", begin)
    return f"{text[:begin]}{int(text[begin:end]) + runs}{text[end:]}"


class Passing:
    """Bytes from a seam on that another process reads: only their lines are counted, and the start of the last run is
    found.

    How many runs they hold is learnt from the other process.
    """

    def __init__(self) -> None:
        self.bytes = self.lines = 0
        """Bytes before `rest`."""
        self.rest = b""
        """After `begin()`: the newest bytes, from the first line of a run on."""
        self._newest: deque[bytes] = deque()
        self._newest_bytes = 0

    def count(self, size_bytes: int, lines: int) -> None:
        """Count bytes that are skipped long before anything else is read."""
        self.bytes += size_bytes
        self.lines += lines

    def add(self, block: bytes) -> None:
        """Skip the next bytes."""
        self._newest.append(block)
        self._newest_bytes += len(block)
        while self._newest_bytes - len(self._newest[0]) >= LOOKED_AT_BYTES:
            self._leave(self._newest.popleft())

    def begin(self, last_start: Callable[[bytes], int]) -> bool:
        """Go on from the newest first line of a run; False where none came lately.

        `last_start` finds the last such line in whole lines, or gives -1.
        """
        rest = b"".join(self._newest)
        first = rest.find(b"\n") + 1
        found = last_start(rest[first : rest.rfind(b"\n") + 1])
        if found >= 0:
            self._newest_bytes = len(rest)
            self._leave(rest[: first + found])
            self.rest = rest[first + found :]
        return found >= 0

    def _leave(self, passed: bytes) -> None:
        self._newest_bytes -= len(passed)
        self.count(len(passed), passed.count(b"\n"))
