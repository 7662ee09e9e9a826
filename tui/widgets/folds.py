"""Which lines of a log stand folded into one row, and what a search has found: what a log pane remembers beside its lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, MutableSequence, Sequence

from ...analysis.lines import Line
from ...analysis.units import format_count
from ...analysis.watching.dump_lines import Dump, dumps
from .. import glyphs


class Folds:
    """Dumps of a log: each is one row until it is opened."""

    def __init__(self) -> None:
        self._kinds = bytearray()
        self._dumps: list[Dump] = []
        self._opened: set[int] = set()
        self.heads: dict[int, Dump] = {}
        """What is folded now, by the index of its first line."""
        self.everything = False
        """Whether all dumps stand open."""

    def clear(self) -> None:
        """Other lines come."""
        self._kinds.clear()
        self._opened.clear()
        self._dumps, self.heads, self.everything = [], {}, False

    def add(self, kinds: Iterable[int]) -> None:
        """Lines came at the end; what `kind_of` says of each."""
        self._kinds.extend(kinds)

    def pop(self) -> None:
        """The last line is taken back."""
        del self._kinds[-1:]

    def drop(self, count: int) -> None:
        """So many lines went at the beginning."""
        del self._kinds[:count]

    def rows(self, number_of: Callable[[int], int]) -> Sequence[int] | None:
        """The indices of the lines that stand as rows, None where all do; `number_of` gives a line's number."""
        self._dumps = list(dumps(self._kinds))
        folded = [] if self.everything else [d for d in self._dumps if number_of(d.end - 1) not in self._opened]
        self.heads = {dump.start: dump for dump in folded}
        if not folded:
            return None
        shown: list[int] = []
        before = 0
        for dump in folded:
            shown.extend(range(before, dump.start + 1))
            before = dump.end
        shown.extend(range(before, len(self._kinds)))
        return shown

    def holding(self, index: int) -> Dump | None:
        """The dump that a line belongs to, whether folded or not."""
        place = bisect_right(self._dumps, index, key=lambda dump: dump.start) - 1
        return self._dumps[place] if place >= 0 and index < self._dumps[place].end else None

    def folded_at(self, index: int) -> Dump | None:
        """The folded dump whose row is that of this line."""
        return self.heads.get(index)

    def turn(self, dump: Dump, number_of: Callable[[int], int]) -> None:
        """Open what is folded, fold what is open; a dump is known by its last line, since the first ones may go."""
        if self.everything:
            self._opened = {number_of(other.end - 1) for other in self._dumps}
            self.everything = False
        self._opened ^= {number_of(dump.end - 1)}

    def turn_all(self) -> None:
        """Open all, or, where nothing is folded, fold all."""
        self.everything = bool(self.heads)
        self._opened.clear()

    def keep_open(self, before: int, number_of: Callable[[int], int]) -> None:
        """A dump that stood open goes on: its last line was `before`, and is another one now."""
        if before in self._opened and self._kinds:
            self._opened.add(number_of(len(self._kinds) - 1))

    @staticmethod
    def told(dump: Dump) -> str:
        """What the row of a folded dump says."""
        kind = "Output" if dump.kind == "output" else dump.kind
        return f"{glyphs.ELLIPSIS} {format_count(dump.end - dump.start)} {kind} lines"


class Matches:
    """The numbers of the lines that contain what is searched for, ascending."""

    def __init__(self, text: str = "", numbers: MutableSequence[int] | None = None) -> None:
        self.text = text
        self.numbers: MutableSequence[int] = [] if numbers is None else numbers
        self.over = True
        """Whether all lines were looked at."""

    def add(self, lines: Iterable[Line]) -> None:
        """Lines came at the end."""
        if self.text:
            self.numbers.extend(line.number for line in lines if self.text in line.text.casefold())

    def drop(self, first: int) -> None:
        """Lines before this number went."""
        del self.numbers[: bisect_left(self.numbers, first)]

    def drop_from(self, number: int) -> None:
        """The line of this number, the last, went."""
        del self.numbers[bisect_left(self.numbers, number) :]

    def told(self, current: Line | None) -> str:
        """`3 of 17 matches`, or how many there are where the cursor is on none; nothing without a search."""
        if not self.text:
            return ""
        count = format_count(len(self.numbers)) + ("" if self.over else " so far")
        place = bisect_left(self.numbers, current.number) if current is not None else len(self.numbers)
        on_one = place < len(self.numbers) and current is not None and self.numbers[place] == current.number
        said = f"{count} match" + ("" if len(self.numbers) == 1 and self.over else "es")
        return f"{format_count(place + 1)} of {said}" if on_one else said
