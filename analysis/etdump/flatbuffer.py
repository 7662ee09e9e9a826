"""A FlatBuffer of unknown origin: tables, numbers, text and lists, every offset checked before it is followed.

Steps and text are counted against a budget that grows with the size of the data, so that offsets which lead in circles or
overlap cost no more than honest ones.  Where the end of the data was cut off, and with it the layouts that stand there,
the layouts that ExecuTorch is known to write are tried, and believed only where the data bear them out.
"""

from __future__ import annotations

from struct import Struct

from ..lines import clean

TEXT_LIMIT_BYTES = 512
"""Bytes of one name that are kept."""

U16 = Struct("<H")
U32 = Struct("<I")
I32 = Struct("<i")
U64 = Struct("<Q")
I64 = Struct("<q")
F32 = Struct("<f")
F64 = Struct("<d")


class Damaged(Exception):
    """An offset leads out of the data, or the budget is used up."""


TableAt = tuple[int, tuple[int, ...]]
"""Where a table is, and the offset of each of its fields in it (0 for an absent one)."""

# What ExecuTorch's writer lays out, for dumps whose end, where the layouts stand, is lost: fields in schema order.
_LAYOUTS: dict[str, tuple[tuple[int, tuple[int, ...]], ...]] = {
    "run": ((12, (4, 0, 0, 8)),),
    "event": ((8, (4,)),),
    "profile": ((28, (24, 0, 20, 0, 0, 0, 4, 12)), (32, (28, 20, 24, 0, 0, 0, 4, 12))),
}


class Buffer:
    """The data with its budgets; every method raises `Damaged` where it would have to leave the data or the budget.

    `whole` is the size that the data would have if none of it were cut off.
    """

    def __init__(self, data: bytes, whole: int) -> None:
        self.data = data
        self.whole = whole
        self.cut = len(data) < whole
        self.unreadable = 0
        """Entries that lists announce beyond the end of cut data."""
        self.recovered = 0
        """Tables that were read by a known layout."""
        self._size = len(data)
        self._layouts: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._texts: dict[int, str] = {}
        self._steps_left = self._size + 4096  # places, sizes and layout fields that may be looked at
        self._text_left = 4 * self._size + 65536

    def _spend(self, steps: int) -> None:
        self._steps_left -= steps
        if self._steps_left < 0:
            raise Damaged

    def table(self, place: int, kind: str = "") -> TableAt:
        """The table at this place."""
        if not 0 < place <= self._size - 4:
            raise Damaged
        at = place - I32.unpack_from(self.data, place)[0]
        layout = self._layouts.get(at)
        if layout is None:
            if self.cut and self._beyond(at):
                return self._lost(place, kind)
            layout = self._layouts[at] = self._layout(at)
        if place + layout[0] > self._size:
            raise Damaged
        return place, layout[1]

    def _beyond(self, at: int) -> bool:
        return self._size - 4 < at <= self.whole - 4 or (
            0 <= at <= self._size - 4 < at + int(U16.unpack_from(self.data, at)[0]) - 4
        )

    def _layout(self, at: int) -> tuple[int, tuple[int, ...]]:
        if not 0 <= at <= self._size - 4:
            raise Damaged
        length, size = U16.unpack_from(self.data, at)[0], U16.unpack_from(self.data, at + 2)[0]
        if length < 4 or length & 1 or length > 256 or at + length > self._size or size < 4:
            raise Damaged
        self._spend(length // 2)
        fields = tuple(U16.unpack_from(self.data, at + i)[0] for i in range(4, length, 2))
        if any(field >= size for field in fields):
            raise Damaged
        return size, fields

    def _lost(self, place: int, kind: str) -> TableAt:
        """The table's layout is lost: believe the usual one only where a profile event's name and ticks bear it out."""
        for size, fields in _LAYOUTS.get(kind, ()):
            if place + size > self._size:
                continue
            table = (place, fields)
            if kind != "profile":
                return table
            instruction = self.number(table, 2, I32, -1)
            start, end = self.number(table, 6, U64, 0), self.number(table, 7, U64, 0)
            try:
                name = self.text(table, 0)
            except Damaged:
                continue
            if name.isprintable() and len(name) > 2 and start <= end and -1 <= instruction < 1 << 20:
                self.recovered += 1
                return table
        raise Damaged

    def number(self, table: TableAt, field: int, kind: Struct, default: int) -> int:
        """A whole number of the table."""
        place, fields = table
        offset = fields[field] if field < len(fields) else 0
        if not offset:
            return default
        if place + offset + kind.size > self._size:
            raise Damaged
        value: int = kind.unpack_from(self.data, place + offset)[0]
        return value

    def _follow(self, table: TableAt, field: int) -> int | None:
        place, fields = table
        offset = fields[field] if field < len(fields) else 0
        if not offset:
            return None
        at = place + offset
        if at > self._size - 4:
            raise Damaged
        target = at + int(U32.unpack_from(self.data, at)[0])
        if not at < target <= self._size - 4:
            raise Damaged
        return target

    def child(self, table: TableAt, field: int, kind: str = "") -> TableAt | None:
        """The table that a field leads to, or None where it is absent."""
        target = self._follow(table, field)
        return None if target is None else self.table(target, kind)

    def _vector(self, table: TableAt, field: int, width: int) -> tuple[int, int]:
        target = self._follow(table, field)
        if target is None:
            return 0, 0
        count = int(U32.unpack_from(self.data, target)[0])
        room = (self._size - target - 4) // width
        if count > room:
            if not self.cut or width != 4 or target + 4 + 4 * count > self.whole:
                raise Damaged
            self.unreadable += count - room
            count = room
        return target + 4, count

    def places(self, table: TableAt, field: int) -> list[int]:
        """The places that a list of tables names, checked only to be inside."""
        start, count = self._vector(table, field, 4)
        self._spend(count)
        offsets = Struct(f"<{count}I").unpack_from(self.data, start)
        return [start + 4 * i + offset for i, offset in enumerate(offsets)]

    def raw(self, table: TableAt, field: int, limit: int) -> bytes:
        """Bytes of a field, at most `limit` of them."""
        start, count = self._vector(table, field, 1)
        count = min(count, limit)
        self._text_left -= count
        if self._text_left < 0:
            raise Damaged
        return self.data[start : start + count]

    def text(self, table: TableAt, field: int) -> str:
        """A string of the table, safe to show; "" where it is absent."""
        target = self._follow(table, field)
        if target is None:
            return ""
        known = self._texts.get(target)
        if known is None:
            known = clean(self.raw(table, field, TEXT_LIMIT_BYTES).decode("utf-8", "replace"))
            self._texts[target] = known
        return known

    def longs(self, table: TableAt, field: int) -> tuple[int, ...]:
        """A list of 64-bit numbers (the dimensions of a tensor)."""
        start, count = self._vector(table, field, 8)
        if count > 64:
            raise Damaged
        self._spend(count)
        return Struct(f"<{count}q").unpack_from(self.data, start)
