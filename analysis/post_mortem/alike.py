"""Groups rows with equal values: in a night of runs most columns hold one value, or a few, for thousands of rows.

Whoever counts or groups rows asks here, and pays for single rows only where neighbours differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array

_ROWS = 4096
"""Rows that are looked at together."""


def alike(columns: Sequence[array[int]], start: int, end: int) -> Iterator[tuple[tuple[int, ...], Sequence[int]]]:
    """Positions from `start` to before `end`, grouped by what these columns hold there; rising within a group.

    A few thousand rows are grouped at a time, so that the same values may come again with later rows.

    Example:
        >>> from array import array
        >>> list(alike([array("q", [7, 8, 7]), array("i", [1, 1, 1])], 0, 3))
        [((7, 1), [0, 2]), ((8, 1), [1])]
    """
    for first in range(start, end, _ROWS):
        behind = min(first + _ROWS, end)
        parts = [column[first:behind] for column in columns]
        if all(part == part[:1] * len(part) for part in parts):
            yield tuple(part[0] for part in parts), range(first, behind)
            continue
        groups: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for position, values in enumerate(zip(*parts, strict=True), first):
            groups[values].append(position)
        yield from groups.items()
