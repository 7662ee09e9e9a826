"""A FlatBuffer of unknown origin: tables, numbers, text and lists, every offset checked before it is followed.

Steps, text and blobs are counted against budgets that grow with the size of the data, so that offsets which lead in
circles or overlap cost no more than honest ones.  The `flatbuffers` package is left out on purpose: it checks no bounds and
loads numpy where it finds it.
"""

from __future__ import annotations

from struct import Struct

from ..cleaning import clean

TEXT_LIMIT_BYTES = 512
"""Bytes of one name that are kept."""

U8 = Struct("<B")
I8 = Struct("<b")
U16 = Struct("<H")
U32 = Struct("<I")
I32 = Struct("<i")
U64 = Struct("<Q")
I64 = Struct("<q")
F32 = Struct("<f")
F64 = Struct("<d")


class Damaged(Exception):
    """An offset leads out of the data, or a budget is used up."""


TableAt = tuple[int, tuple[int, ...]]
"""Where a table is, and the offset of each of its fields in it (0 for an absent one)."""


class Buffer:
    """The data with its budgets; every method raises `Damaged` where it would have to leave the data or the budget."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._size = len(data)
        self._layouts: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._texts: dict[int, str] = {}
        self._blobs: set[tuple[int, int]] = set()
        self._steps_left = self._size + 4096  # places, sizes and layout fields that may be looked at
        self._text_left = 4 * self._size + 65536
        self._blob_left = 2 * self._size

    def spend(self, steps: int) -> None:
        """Count work that does not go through the other methods."""
        self._steps_left -= steps
        if self._steps_left < 0:
            raise Damaged

    def table(self, place: int, kind: str = "") -> TableAt:
        """The table at this place; `kind` is for readers of cut data, which know how such tables are laid out."""
        if not 0 < place <= self._size - 4:
            raise Damaged
        at = place - I32.unpack_from(self.data, place)[0]
        layout = self._layouts.get(at)
        if layout is None:
            lost = self._without_layout(at, place, kind)
            if lost is not None:
                return lost
            layout = self._layouts[at] = self._layout(at)
        if place + layout[0] > self._size:
            raise Damaged
        return place, layout[1]

    def _without_layout(self, at: int, place: int, kind: str) -> TableAt | None:
        """What to do with a table whose layout is not in the data; None to read it as usual."""
        return None

    def _layout(self, at: int) -> tuple[int, tuple[int, ...]]:
        if not 0 <= at <= self._size - 4:
            raise Damaged
        length, size = U16.unpack_from(self.data, at)[0], U16.unpack_from(self.data, at + 2)[0]
        if length < 4 or length & 1 or length > 256 or at + length > self._size or size < 4:
            raise Damaged
        self.spend(length // 2)
        fields = tuple(U16.unpack_from(self.data, at + i)[0] for i in range(4, length, 2))
        if any(field >= size for field in fields):
            raise Damaged
        return size, fields

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
            count = self._short_list(target, count, width, room)
        return target + 4, count

    def _short_list(self, target: int, count: int, width: int, room: int) -> int:
        """Entries to read of a list that announces more than the data have room for."""
        raise Damaged

    def count(self, table: TableAt, field: int, width: int) -> int:
        """Entries of a list, without reading them."""
        return self._vector(table, field, width)[1]

    def places(self, table: TableAt, field: int) -> list[int]:
        """The places that a list of tables names, checked only to be inside."""
        start, count = self._vector(table, field, 4)
        self.spend(count)
        offsets = Struct(f"<{count}I").unpack_from(self.data, start)
        return [start + 4 * i + offset for i, offset in enumerate(offsets)]

    def tables(self, table: TableAt, field: int) -> list[TableAt]:
        """The tables of a list."""
        return [self.table(place) for place in self.places(table, field)]

    def raw(self, table: TableAt, field: int, limit: int) -> bytes:
        """Bytes of a field, at most `limit` of them."""
        start, count = self._vector(table, field, 1)
        count = min(count, limit)
        self._spend_text(count)
        return self.data[start : start + count]

    def _spend_text(self, count: int) -> None:
        self._text_left -= count
        if self._text_left < 0:
            raise Damaged

    def blob(self, table: TableAt, field: int) -> tuple[int, int]:
        """Where a long list of bytes begins and ends; nothing is copied."""
        start, count = self._vector(table, field, 1)
        return self.counted(start, start + count)

    def counted(self, start: int, end: int) -> tuple[int, int]:
        """A stretch of the data, counted so that the sum of different ones stays near the size of the data."""
        if not 0 <= start <= end <= self._size:
            raise Damaged
        if (start, end) not in self._blobs:
            self._blobs.add((start, end))
            self._blob_left -= end - start
            if self._blob_left < 0:
                raise Damaged
        return start, end

    def text(self, table: TableAt, field: int, limit: int = TEXT_LIMIT_BYTES) -> str:
        """A string of the table, safe to show and at most `limit` bytes of it; "" where it is absent."""
        target = self._follow(table, field)
        if target is None:
            return ""
        known = self._texts.get(target) if limit == TEXT_LIMIT_BYTES else None
        if known is None:
            known = clean(self.raw(table, field, limit).decode("utf-8", "replace"))
            if limit == TEXT_LIMIT_BYTES:
                self._texts[target] = known
        return known

    def texts(self, table: TableAt, field: int) -> tuple[str, ...]:
        """A list of strings."""
        found = []
        for place in self.places(table, field):
            if not 0 < place <= self._size - 4:
                raise Damaged
            known = self._texts.get(place)
            if known is None:
                count = int(U32.unpack_from(self.data, place)[0])
                if count > self._size - place - 4:
                    raise Damaged
                count = min(count, TEXT_LIMIT_BYTES)
                self._spend_text(count)
                known = clean(self.data[place + 4 : place + 4 + count].decode("utf-8", "replace"))
                self._texts[place] = known
            found.append(known)
        return tuple(found)

    def numbers(self, table: TableAt, field: int, code: str, limit: int) -> tuple[int, ...]:
        """A list of whole numbers, each of the kind that `struct` calls `code`; more than `limit` are no honest list."""
        start, count = self._vector(table, field, Struct(f"<{code}").size)
        if count > limit:
            raise Damaged
        self.spend(count)
        return Struct(f"<{count}{code}").unpack_from(self.data, start)

    def longs(self, table: TableAt, field: int) -> tuple[int, ...]:
        """A list of 64-bit numbers (the dimensions of a tensor)."""
        return self.numbers(table, field, "q", 64)

    def union(self, table: TableAt, field: int) -> tuple[int, TableAt | None]:
        """The type and the table of a union, which takes this field and the next."""
        return self.number(table, field, U8, 0), self.child(table, field + 1)
