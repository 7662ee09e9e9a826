"""Which lines of a file of any size stand folded: a few bytes for each dump, and rows found by halving.

A list of the rows, as `folds` has it, would be as long as the file.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import overload

from ...analysis.watching.dump_lines import KINDS, Dump
from .folds import Folds

MOST_DUMPS = 500_000
"""Dumps that are folded; what comes after so many stands open."""


class FileFolds(Folds):
    """Dumps of a file, told in their order while it is looked through."""

    def __init__(self) -> None:
        super().__init__()
        self._starts = array("Q")
        self._ends = array("Q")
        self._kind_of = bytearray()
        self._hidden = array("Q", [0])
        """Lines in the dumps before each, but for the one of each that is a row."""
        self._for_now = 0
        self._turned: list[int] = []
        """The dumps that stand otherwise than most: open, or folded where `everything` is open.  Their places, ascending."""
        self.total = 0
        """Lines of the file."""

    def add_dumps(self, found: Iterable[Dump], for_now: Iterable[Dump] = ()) -> int | None:
        """More of them, and those at the end that may still grow; gives the first line that is about, None if nothing new."""
        before = len(self._starts), self._hidden[-1]
        known = len(self._starts) - self._for_now
        first = list(self._starts[known : known + 1])
        for _ in range(self._for_now):
            for column in (self._starts, self._ends, self._kind_of, self._hidden):
                column.pop()
        for dump in found:
            self._add(dump)
        certain = len(self._starts)
        for dump in for_now:
            self._add(dump)
        self._for_now = len(self._starts) - certain
        del self._turned[bisect_left(self._turned, len(self._starts)) :]
        if (len(self._starts), self._hidden[-1]) == before:
            return None
        return min([*first, *self._starts[known : known + 1], self.total])

    def _add(self, dump: Dump) -> None:
        if len(self._starts) < MOST_DUMPS:
            self._starts.append(dump.start)
            self._ends.append(dump.end)
            self._kind_of.append(KINDS.index(dump.kind))
            self._hidden.append(self._hidden[-1] + dump.end - dump.start - 1)

    def rows(self, number_of: Callable[[int], int]) -> Sequence[int] | None:
        """The lines that stand as rows, None where all do."""
        turned = len(self._turned)
        return Rows(self) if (turned if self.everything else turned < len(self._starts)) else None

    def hidden_before(self, place: int) -> int:
        """Lines that are folded away in the dumps before this one, or in all of so many."""
        turned = self._turned[: bisect_left(self._turned, place)]
        counted = sum(self._hidden[other + 1] - self._hidden[other] for other in turned)
        return counted if self.everything else self._hidden[place] - counted

    @property
    def row_count(self) -> int:
        """Rows there are."""
        return self.total - self.hidden_before(len(self._starts))

    def line_at(self, row: int) -> int:
        """The line that stands at a row."""
        place = bisect_right(range(len(self._starts)), row, key=self._row_of) - 1
        if place < 0:
            return row
        below = row - self._row_of(place)
        return self._ends[place] + below - 1 if below and self._is_folded(place) else self._starts[place] + below

    def row_at(self, index: int) -> int:
        """The row of a line, or of the dump that hides it."""
        place = bisect_right(self._starts, index) - 1
        if place >= 0 and index < self._ends[place] and self._is_folded(place):
            return self._row_of(place)
        return index - self.hidden_before(place + 1)

    def _row_of(self, place: int) -> int:
        return self._starts[place] - self.hidden_before(place)

    def _is_folded(self, place: int) -> bool:
        other = bisect_left(self._turned, place)
        return self.everything == (self._turned[other : other + 1] == [place])

    def holding(self, index: int) -> Dump | None:
        place = bisect_right(self._starts, index) - 1
        if place < 0 or index >= self._ends[place]:
            return None
        return Dump(self._starts[place], self._ends[place], KINDS[self._kind_of[place]])

    def folded_at(self, index: int) -> Dump | None:
        dump = self.holding(index)
        if dump is None or dump.start != index:
            return None
        return dump if self._is_folded(bisect_left(self._starts, index)) else None

    def turn(self, dump: Dump, number_of: Callable[[int], int]) -> None:
        place = bisect_left(self._starts, dump.start)
        other = bisect_left(self._turned, place)
        if self._turned[other : other + 1] == [place]:
            del self._turned[other]
        else:
            self._turned.insert(other, place)

    def turn_all(self) -> None:
        self.everything = self.rows(lambda index: index + 1) is not None
        self._turned.clear()


class Rows(Sequence[int]):
    """The lines that stand as rows, in their order."""

    def __init__(self, folds: FileFolds) -> None:
        self._folds = folds

    def __len__(self) -> int:
        return self._folds.row_count

    @overload
    def __getitem__(self, row: int) -> int: ...

    @overload
    def __getitem__(self, row: slice) -> list[int]: ...

    def __getitem__(self, row: int | slice) -> int | list[int]:
        if isinstance(row, slice):
            return [self._folds.line_at(i) for i in range(*row.indices(len(self)))]
        if row < 0:
            row += len(self)
        if not 0 <= row < len(self):
            raise IndexError(row)
        return self._folds.line_at(row)
