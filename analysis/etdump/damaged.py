"""A whole ETDump some of whose bytes are known to be wrong: nothing is read from them, nor found through them.

An event that needs one of them counts as unreadable, and so does a list whose length or place does.  All else is as sound as
in a dump without damage if every byte is at its place, and where it is not, names tell: an event with one that can be none, or
that takes longer than any can, counts as unreadable, too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from struct import Struct

from ..flat.buffer import TEXT_LIMIT_BYTES
from .flatbuffer import Damaged, TableAt
from .names import plausible, printable
from .reader import DebugEvent, DumpReader, ProfileEvent, Tensor


class DamagedReader(DumpReader):
    """The reader with a look at every byte before it is used; `damage` is where wrong bytes stand (from, up to)."""

    def __init__(self, data: bytes, damage: Sequence[tuple[int, int]], whole: int) -> None:
        super().__init__(data, whole)
        self._starts = [start for start, _ in damage]
        self._ends = [end for _, end in damage]

    def _hit(self, at: int, size: int) -> bool:
        index = bisect_right(self._starts, at + size - 1) - 1
        return index >= 0 and self._ends[index] > at

    def sound(self, at: int, size: int) -> None:
        """Raise `Damaged` where one of these bytes is wrong."""
        if size > 0 and self._hit(at, size):
            raise Damaged

    def table(self, place: int, kind: str = "") -> TableAt:
        self.sound(place, 4)
        return super().table(place, kind)

    def _layout(self, at: int) -> tuple[int, tuple[int, ...]]:
        size, fields = super()._layout(at)
        self.sound(at, 4 + 2 * len(fields))
        return size, fields

    def number(self, table: TableAt, field: int, kind: Struct, default: int) -> int:
        place, fields = table
        if field < len(fields) and fields[field]:
            self.sound(place + fields[field], kind.size)
        return super().number(table, field, kind, default)

    def _follow(self, table: TableAt, field: int) -> int | None:
        place, fields = table
        if field < len(fields) and fields[field]:
            self.sound(place + fields[field], 4)
        return super()._follow(table, field)

    def _vector(self, table: TableAt, field: int, width: int) -> tuple[int, int]:
        start, count = super()._vector(table, field, width)
        if start:
            self.sound(start - 4, 4)
        return start, count

    def places(self, table: TableAt, field: int) -> list[int]:
        """Damaged places are 0, where no table can be: they cost one entry, not the list."""
        start, _ = self._vector(table, field, 4)
        found = super().places(table, field)
        return [0 if self._hit(start + 4 * i, 4) else place for i, place in enumerate(found)]

    def raw(self, table: TableAt, field: int, limit: int) -> bytes:
        start, count = self._vector(table, field, 1)
        self.sound(start, min(count, limit))
        return super().raw(table, field, limit)

    def numbers(self, table: TableAt, field: int, code: str, limit: int) -> tuple[int, ...]:
        width = Struct(f"<{code}").size
        start, count = self._vector(table, field, width)
        self.sound(start, count * width)
        return super().numbers(table, field, code, limit)

    def text(self, table: TableAt, field: int, limit: int = TEXT_LIMIT_BYTES) -> str:
        """Text that is sound in itself: printable, and with the zero behind it that ends every text."""
        known = super().text(table, field, limit)
        start, count = self._vector(table, field, 1)
        ended = self._hit(start + count, 1) or self.data[start + count : start + count + 1] == b"\0"
        if start and not (ended and printable(self.data[start : start + min(count, limit)])):
            raise Damaged
        return known

    def _profile(self, table: TableAt) -> ProfileEvent:
        event = super()._profile(table)
        if event.endless or not (isinstance(event.delegate_id, int) or plausible(event.name)):
            raise Damaged
        return event

    def _debug(self, table: TableAt) -> DebugEvent:
        event = super()._debug(table)
        if event.name and not isinstance(event.delegate_id, int) and not plausible(event.name):
            raise Damaged
        return event

    def _first(self, table: TableAt, size: int) -> None:
        if table[1] and table[1][0]:
            self.sound(table[0] + table[1][0], size)

    def _flag(self, table: TableAt) -> bool:
        self._first(table, 1)
        return super()._flag(table)

    def _scalar(self, entry: TableAt) -> int | float | bool | None:
        for field, size in ((4, 4), (5, 8)):
            real = self.child(entry, field)
            if real is not None:
                self._first(real, size)
        return super()._scalar(entry)

    def _tensor(self, table: TableAt) -> Tensor:
        self._first(table, 1)
        return super()._tensor(table)
