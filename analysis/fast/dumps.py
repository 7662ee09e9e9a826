"""ETDump blocks that differ from run to run only in their ticks: what is reported of one holds for the others.

The base64 text of a dump is a FlatBuffer. One is walked by the reader for everything, noting which bytes are structure
and which are ticks. A dump with the same bytes except for its ticks has the same events, and no doubts as long as its
ticks are in order.
"""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64
from itertools import compress, pairwise
from operator import itemgetter, le, sub
from struct import Struct

from ..etdump.block import EtdumpBlock
from ..etdump.flatbuffer import I32, U32, U64, Damaged, TableAt
from ..etdump.reader import DumpReader, ProfileEvent, announced_size
from ..etdump.report import OVERHEAD, RunEtdump, run_etdump

_START_FIELD, _END_FIELD = 6, 7
_ABSENT = -1


class _Walked(DumpReader):
    """Notes what is read: `marked` has a 1 for each byte that says how the dump is built; `ticks` are places of the others."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, len(data))
        self.marked = bytearray(len(data))
        self.ticks: list[int] = []
        self.names: list[str] = []
        """Of the profile events, in their order."""

    def mark(self, at: int, size: int) -> None:
        self.marked[at : at + size] = b"\1" * min(size, len(self.marked) - at)

    def table(self, place: int, kind: str = "") -> TableAt:
        found = super().table(place, kind)
        self.mark(place, 4)
        self.mark(place - I32.unpack_from(self.data, place)[0], 4 + 2 * len(found[1]))
        return found

    def number(self, table: TableAt, field: int, kind: Struct, default: int) -> int:
        place, fields = table
        offset = fields[field] if field < len(fields) else 0
        if kind is U64 and field in (_START_FIELD, _END_FIELD):
            self.ticks.append(place + offset if offset else _ABSENT)
        elif offset:
            self.mark(place + offset, kind.size)
        return super().number(table, field, kind, default)

    def _follow(self, table: TableAt, field: int) -> int | None:
        place, fields = table
        if field < len(fields) and fields[field]:
            self.mark(place + fields[field], 4)
        return super()._follow(table, field)

    def _vector(self, table: TableAt, field: int, width: int) -> tuple[int, int]:
        start, count = super()._vector(table, field, width)
        if start:
            self.mark(start - 4, 4 + count * width)
        return start, count

    def _first(self, table: TableAt) -> None:
        if table[1]:
            self.mark(table[0] + table[1][0], 8)

    def _flag(self, table: TableAt) -> bool:
        self._first(table)
        return super()._flag(table)

    def _scalar(self, entry: TableAt) -> int | float | bool | None:
        for field in (4, 5):
            real = self.child(entry, field)
            if real is not None:
                self._first(real)
        return super()._scalar(entry)

    def _tensor(self, table: TableAt):  # type: ignore[no-untyped-def]
        self._first(table)
        return super()._tensor(table)


class Dump:
    """The base64 text of a whole dump, as a kind: `takes` tells others that differ in ticks alone."""

    def __init__(self, text: str) -> None:
        """
        Raises:
            ValueError: it is no whole dump of which there is nothing to say.
        """
        body = text.rstrip("=")
        self.padding = text[len(body) :].encode()
        self.characters = len(body)
        block = EtdumpBlock(1, "etdump.bin")
        block.held += text.encode()
        block.complete = True
        found = run_etdump([block])
        if found is None or found.report is None or found.notes or not found.report.events:
            raise ValueError
        self.found: RunEtdump = found
        data = self._data(body.encode())
        if announced_size(data) != len(data):
            raise ValueError
        walked = self._walked(data[4:])
        places = sorted({place for place in walked.ticks if place != _ABSENT})
        if any(b - a < 8 for a, b in pairwise(places)) or any(any(walked.marked[at : at + 8]) for at in places):
            raise ValueError  # bytes that mean two things
        mask, layout, at = bytearray(b"\xff" * len(data)), "<", 0
        for place in places:
            layout += f"{4 + place - at}xQ"
            mask[4 + place : 12 + place] = bytes(8)
            at = 12 + place
        shown = [OVERHEAD not in name for name in walked.names]
        if sum(shown) != len(found.report.events):
            raise ValueError
        self.shown = shown
        """Which of the profile events are reported."""
        self._ticks = Struct(layout)
        order = {place: number for number, place in enumerate(places)} | {_ABSENT: len(places)}
        self._starts = itemgetter(*(order[place] for place in walked.ticks[0::2]), len(places))
        self._ends = itemgetter(*(order[place] for place in walked.ticks[1::2]), len(places))
        self._mask = int.from_bytes(mask, "little")
        self._fixed = int.from_bytes(data, "little") & self._mask
        self.shape = (self._fixed, self._mask)
        """Equal for dumps that take the same texts."""

    def _data(self, body: bytes) -> bytes:
        return a2b_base64(body + self.padding)

    @staticmethod
    def _walked(body: bytes) -> _Walked:
        walked = _Walked(body)
        walked.mark(0, 8)
        try:
            root = walked.table(U32.unpack_from(body)[0], "root")
            walked.number(root, 0, U32, 0)
            for place in walked.places(root, 1):
                run = walked.run(place)
                if run is None:
                    raise ValueError
                walked.names += (event.name for event in run.events if isinstance(event, ProfileEvent))
        except Damaged:
            raise ValueError from None
        if walked.unreadable or walked.lost_runs or len(walked.ticks) % 2:
            raise ValueError
        return walked

    def ticks(self, body: bytes) -> tuple[int, ...] | None:
        """How long each reported event took, in the dump of this base64 text without its padding.

        None where its structure differs, or its ticks would give a doubt.
        """
        try:
            data = self._data(body)
        except Base64Error:
            return None
        if int.from_bytes(data, "little") & self._mask != self._fixed:
            return None
        values = (*self._ticks.unpack_from(data), 0)
        starts, ends = self._starts(values), self._ends(values)
        if not any(values) or not all(map(le, starts, ends)):
            return None
        return tuple(compress(map(sub, ends, starts), self.shown))
