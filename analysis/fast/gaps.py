"""Line numbers of a run that one pattern took whole, told by what stood between its lines.

Looking at each line again takes several times as long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, repeat
from operator import add
from typing import Any, NamedTuple

_count = bytes.count


class Lines(NamedTuple):
    """Lines of a run that follow each other, with only meaningless lines between them."""

    gaps: tuple[int, ...]
    """An empty group twice (one group alone would give no tuple), then the groups of what follows each of the lines."""
    dump: int
    """The group of the dump that comes next; 0 where there is none."""
    prefix: bytes
    """How the message of each line of that dump begins, and of no other line within it."""


class Gapped:
    """The number in the capture of any line of a run, by its place among the meaningful ones.

    Of a dump only the first and the last line are known, because a report names no others.
    """

    __slots__ = ("_counts", "_line", "_match", "_numbers", "_parts")

    def __init__(self, parts: Sequence[Lines], match: re.Match[bytes], line: int, counts: Sequence[Any]) -> None:
        """The run was taken by `match`, begins with line `line` of the capture, and dumps so many elements of each
        tensor.
        """
        self._parts, self._match, self._line, self._counts = parts, match, line, counts
        self._numbers: list[Any] | None = None

    def __getitem__(self, places: Any) -> Any:
        if self._numbers is None:
            self._numbers = self._counted()
        return self._numbers[places]

    def _counted(self) -> list[Any]:
        match, line = self._match, self._line
        numbers: list[Any] = []
        for part, (groups, dump, prefix) in enumerate(self._parts):
            gaps = match.group(*groups)[2:]
            if gaps:
                before = accumulate(map(_count, gaps, repeat(b"\n")), initial=line)
                numbers += map(add, before, range(len(gaps)))
                line = numbers[-1] + 1 + gaps[-1].count(b"\n")
            if dump:
                text, count = match[dump], self._counts[part]
                last = line + text.count(b"\n", 0, text.rfind(prefix))
                numbers += [line, *[None] * (count - 2), last] if count > 1 else [line]
                line += text.count(b"\n")
        return numbers
