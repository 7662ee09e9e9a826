"""Where the reading of one capture may be divided: places between two runs at which nothing of what came before is open.

Somebody who has read the beginning can read on far behind it, if it is counted what stands between; whether that gives what
reading all of it would give is known when the other has come as far, by one comparison of what both carry.
"""

from __future__ import annotations

from .named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


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


class Passing:
    """Bytes from a seam on that somebody else reads: where runs begin in them, as far as their first lines tell.

    So the number of runs is a guess: where a first line comes twice, the second may be a copy.
    """

    def __init__(self, starts: Callable[[bytes], list[int]]) -> None:
        """`starts` finds the first lines of runs in whole lines."""
        self._starts = starts
        self.bytes = self.lines = self.runs = 0
        """What stands before the newest first line of a run."""
        self.rest = b""
        """What came from there on."""

    def add(self, block: bytes) -> None:
        """Pass over the next bytes."""
        data = self.rest + block
        found = self._starts(data[: data.rfind(b"\n") + 1])
        last = found[-1] if found else 0
        self.bytes += last
        self.lines += data.count(b"\n", 0, last)
        self.runs += max(0, len(found) - 1)
        self.rest = data[last:]
