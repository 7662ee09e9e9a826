"""Where the reading of one capture may be divided: places between two runs at which nothing of what came before is open.

Somebody who has read the beginning can read on far behind it, if it is counted what stands between; whether that gives what
reading all of it would give is known when the other has come as far, by one comparison of what both carry.
"""

from __future__ import annotations

from collections import deque

from .named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


_INDEX = '"index": '
LOOKED_AT_BYTES = 1 << 20
"""Before the place where reading begins: a run that is longer is left to the one who comes from the beginning."""


class Amounts(NamedTuple):
    """What was counted up to a place: it adds up, and how runs are read does not depend on it."""

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
    """What lasts from run to run and may matter to those that come."""
    amounts: Amounts

    def meets(self, other: Seam) -> bool:
        """Whether reading goes on alike from both."""
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
    """Bytes from a seam on that somebody else reads: their lines are counted, and where the last run begins is found at the end.

    How many runs they hold is not known then; the other tells it.
    """

    def __init__(self) -> None:
        self.bytes = self.lines = 0
        """What stands before `rest`."""
        self.rest = b""
        """Once `begin` was called: the newest that came, from the first line of a run on."""
        self._newest: deque[bytes] = deque()
        self._newest_bytes = 0

    def count(self, size_bytes: int, lines: int) -> None:
        """So much is passed over, long before anything else."""
        self.bytes += size_bytes
        self.lines += lines

    def add(self, block: bytes) -> None:
        """Pass over the next bytes."""
        self._newest.append(block)
        self._newest_bytes += len(block)
        while self._newest_bytes - len(self._newest[0]) >= LOOKED_AT_BYTES:
            self._leave(self._newest.popleft())

    def begin(self, last_start: Callable[[bytes], int]) -> bool:
        """Go on from the newest first line of a run; False where none came lately.

        `last_start` finds the last one in whole lines, or gives -1.
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
