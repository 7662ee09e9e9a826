"""A FlatBuffer with other contents in some of its vectors, laid out as the writer that made it would have laid it out.

FlatBuffers are written from their end to their start, and where a thing lands, how it is padded and which table layouts it can
share depends on all that was written before.  So the things of a buffer are taken apart by a schema, and put down again in
the order in which they were written (which is that of their places, backwards) by the rules that every writer follows.  What
comes out for unchanged contents must be the bytes that went in; the caller compares, and so knows that the rules hold for
this buffer.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct
from struct import error as StructError

from ..named_tuple import NamedTuple
from .buffer import U16, U32, Damaged


class Scalar(NamedTuple):
    """A field with a number of this width."""

    bytes: int


class Vector(NamedTuple):
    """A list of numbers of this width, or bytes; `align` is the `force_align` of the schema."""

    bytes: int
    align: int = 0


class Text(NamedTuple):
    """A string."""


class Child(NamedTuple):
    """A table of this name."""

    table: str


class Children(NamedTuple):
    """A list of tables of this name."""

    table: str


class Union(NamedTuple):
    """A table of one of these names, by the number in the field before."""

    tables: Mapping[int, str]


Field = Scalar | Vector | Text | Child | Children | Union
Schema = Mapping[str, tuple[Field, ...]]
"""The fields of each table, by slot; a union is two of them, its type (a scalar of one byte) and itself."""

_I32 = Struct("<i")


class TableThing:
    """A table: its fields in the order in which they were written, each a number's bytes or the place of a thing."""

    __slots__ = ("fields", "slots")

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.fields: list[tuple[int, bytes | int]] = []


class VectorThing:
    """A list of numbers or bytes, or a string: a part of the data until it is given other contents."""

    __slots__ = ("align", "content", "count", "end", "start", "text", "width")

    def __init__(self, start: int, end: int, count: int, width: int, align: int, text: bool) -> None:
        self.start, self.end, self.count, self.width, self.align, self.text = start, end, count, width, align, text
        self.content: bytes | None = None


class PlacesThing:
    """A list of tables."""

    __slots__ = ("places",)

    def __init__(self, places: tuple[int, ...]) -> None:
        self.places = places


Thing = TableThing | VectorThing | PlacesThing


class TakenApart:
    """The things of a buffer by their place; every method raises `Damaged` for what the schema does not describe."""

    def __init__(self, data: bytes, schema: Schema, root: str, aligns: Mapping[str, int]) -> None:
        """`aligns` gives vectors of bytes another alignment than the schema has, by the name of their table."""
        self.data = data
        self.identifier = data[4:8]
        self._schema = schema
        self._aligns = aligns
        self.things: dict[int, Thing] = {}
        self._names: dict[int, str] = {}
        self._left = 2 * len(data) + 4096
        try:
            self.root = int(U32.unpack_from(data)[0])
            waiting = [(self.root, root)]
            while waiting:
                place, name = waiting.pop()
                if place in self._names:
                    if self._names[place] != name:
                        raise Damaged
                    continue
                waiting += self._table(place, name)
        except StructError:
            raise Damaged from None

    def _spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise Damaged

    def _table(self, place: int, name: str) -> list[tuple[int, str]]:
        data = self.data
        if not 0 < place <= len(data) - 4:
            raise Damaged
        at = place - _I32.unpack_from(data, place)[0]
        if not 0 <= at <= len(data) - 4:
            raise Damaged
        length = int(U16.unpack_from(data, at)[0])
        if length < 4 or length & 1 or at + length > len(data):
            raise Damaged
        slots = (length - 4) // 2
        self._spend(8 + slots)
        schema = self._schema[name]
        if slots > len(schema):
            raise Damaged
        table = TableThing(slots)
        self._names[place] = name
        self.things[place] = table
        found: list[tuple[int, str]] = []
        offsets = Struct(f"<{slots}H").unpack_from(data, at + 4)
        kind = 0
        for slot in sorted(range(slots), key=lambda slot: -offsets[slot]):
            if not offsets[slot]:
                continue
            field, where = schema[slot], place + offsets[slot]
            if isinstance(field, Scalar):
                if where + field.bytes > len(data):
                    raise Damaged
                table.fields.append((slot, data[where : where + field.bytes]))
                continue
            target = where + int(U32.unpack_from(data, where)[0])
            if target <= where:
                raise Damaged
            table.fields.append((slot, target))
            if isinstance(field, Child):
                found.append((target, field.table))
            elif isinstance(field, Union):
                kind_at = offsets[slot - 1]
                kind = data[place + kind_at] if kind_at and place + kind_at < len(data) else 0
                if kind not in field.tables:
                    raise Damaged
                found.append((target, field.tables[kind]))
            elif isinstance(field, Children):
                found += [(child, field.table) for child in self._places(target)]
            else:
                self._vector(target, field, name)
        return found

    def _new(self, place: int, name: str) -> bool:
        known = self._names.setdefault(place, name)
        if known != name:
            raise Damaged
        return place not in self.things

    def _places(self, place: int) -> tuple[int, ...]:
        if self._new(place, "[]"):
            count = int(U32.unpack_from(self.data, place)[0])
            self._spend(4 * count)
            offsets = Struct(f"<{count}I").unpack_from(self.data, place + 4)
            self.things[place] = PlacesThing(tuple(place + 4 + 4 * i + o for i, o in enumerate(offsets)))
        thing = self.things[place]
        assert isinstance(thing, PlacesThing)
        return thing.places

    def _vector(self, place: int, field: Vector | Text, table: str) -> None:
        text = isinstance(field, Text)
        width = 1 if isinstance(field, Text) else field.bytes
        align = 1 if isinstance(field, Text) else self._aligns.get(table, field.align) if field.align else field.bytes
        if self._new(place, f"{width} {align} {text}"):
            count = int(U32.unpack_from(self.data, place)[0])
            start, end = place + 4, place + 4 + count * width
            if end > len(self.data):
                raise Damaged
            self._spend(end - start)
            self.things[place] = VectorThing(start, end, count, width, align, text)

    def table(self, place: int) -> TableThing:
        """The table at this place of the original."""
        thing = self.things.get(place)
        if not isinstance(thing, TableThing):
            raise Damaged
        return thing

    def child(self, table: TableThing, slot: int) -> int | None:
        """The place of what a field leads to."""
        found = next((value for number, value in table.fields if number == slot), None)
        return found if isinstance(found, int) else None

    def children(self, table: TableThing, slot: int) -> tuple[int, ...]:
        """The places of the tables in a list."""
        place = self.child(table, slot)
        thing = self.things.get(place) if place is not None else None
        return thing.places if isinstance(thing, PlacesThing) else ()

    def vector(self, table: TableThing, slot: int) -> VectorThing | None:
        """A field that is a string or a list of numbers."""
        place = self.child(table, slot)
        thing = self.things.get(place) if place is not None else None
        return thing if isinstance(thing, VectorThing) else None

    def number(self, table: TableThing, slot: int) -> int:
        """A whole number without a sign; 0 where it is absent."""
        found = next((value for number, value in table.fields if number == slot), b"")
        return int.from_bytes(found, "little") if isinstance(found, bytes) else 0

    def content(self, thing: VectorThing) -> bytes:
        """The bytes of a vector, as they stand in the original."""
        return self.data[thing.start : thing.end]

    def put_together(
        self, contents: Mapping[int, bytes], numbers: Mapping[tuple[int, int], bytes], *, by_size: bool
    ) -> bytes:
        """The buffer with other bytes in some vectors and other numbers in some fields.

        Args:
            contents: new bytes, by the `start` of the vector in the original.
            numbers: new bytes of a scalar that is there, by the place of its table and its slot.
            by_size: tables share a layout only where they are of one size, as the writer in C++ (flatc) has it; the one in
                Python looks at the offsets alone.
        """
        try:
            return self._put_together(contents, numbers, _Writer(by_size))
        except StructError:  # a number that its place in a FlatBuffer is too small for
            raise Damaged from None

    def _put_together(
        self, contents: Mapping[int, bytes], numbers: Mapping[tuple[int, int], bytes], writer: _Writer
    ) -> bytes:
        for place in sorted(self.things, reverse=True):
            thing = self.things[place]
            if isinstance(thing, TableThing):
                writer.table(place, thing, numbers)
            elif isinstance(thing, PlacesThing):
                writer.places(place, thing)
            else:
                content = contents.get(thing.start)
                if content is None:
                    writer.vector(place, thing, memoryview(self.data)[thing.start : thing.end], thing.count)
                else:
                    writer.vector(place, thing, content, len(content) // thing.width)
        return writer.finish(self.root, self.identifier)


class _Writer:
    """Puts things down from the end; offsets count from the end too, as in every FlatBuffer writer."""

    def __init__(self, by_size: bool) -> None:
        self._by_size = by_size
        self._pieces: list[bytes | memoryview] = []  # last piece of the buffer first
        self._size = 0
        self._align = 1
        self._at: dict[int, int] = {}
        self._layouts: dict[tuple[int, ...], int] = {}

    def _put(self, piece: bytes | memoryview) -> None:
        self._pieces.append(piece)
        self._size += len(piece)

    def _prepare(self, align: int, more: int) -> None:
        self._align = max(self._align, align)
        pad = -(self._size + more) % align
        if pad:
            self._put(bytes(pad))

    def vector(self, place: int, thing: VectorThing, content: bytes | memoryview, count: int) -> None:
        end = 1 if thing.text else 0
        self._prepare(4, len(content) + end)
        if not thing.text:
            self._prepare(thing.align, len(content))
        else:
            self._put(b"\0")
        self._put(content)
        self._put(U32.pack(count))
        self._at[place] = self._size

    def places(self, place: int, thing: PlacesThing) -> None:
        self._prepare(4, 4 * len(thing.places))
        size = self._size
        count = len(thing.places)
        self._put(
            Struct(f"<{count}I").pack(
                *(size + 4 * (count - i) - self._known(child) for i, child in enumerate(thing.places))
            )
        )
        self._put(U32.pack(count))
        self._at[place] = self._size

    def _known(self, place: int) -> int:
        at = self._at.get(place)
        if at is None:  # a thing stands before what it leads to: no writer does that
            raise Damaged
        return at

    def table(self, place: int, thing: TableThing, numbers: Mapping[tuple[int, int], bytes]) -> None:
        begin = self._size
        at: dict[int, int] = {}
        for slot, value in thing.fields:
            if isinstance(value, int):
                self._prepare(4, 0)
                self._put(U32.pack(self._size + 4 - self._known(value)))
            else:
                value = numbers.get((place, slot), value)
                self._prepare(len(value), 0)
                self._put(value)
            at[slot] = self._size
        self._prepare(4, 0)
        end = self._size + 4
        layout = (thing.slots * 2 + 4, end - begin, *(end - at[s] if s in at else 0 for s in range(thing.slots)))
        key = layout if self._by_size else (layout[0], *layout[2:])
        known = self._layouts.get(key)
        if known is not None:
            self._put(_I32.pack(known - end))
        else:
            self._put(_I32.pack(len(layout) * 2))
            self._put(Struct(f"<{len(layout)}H").pack(*layout))
            self._layouts[key] = self._size
        self._at[place] = end

    def finish(self, root: int, identifier: bytes) -> bytes:
        self._prepare(self._align, 8)
        self._put(identifier)
        self._put(U32.pack(self._size + 4 - self._known(root)))
        return b"".join(reversed(self._pieces))
