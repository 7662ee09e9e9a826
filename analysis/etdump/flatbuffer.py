"""An ETDump's FlatBuffer where its end was cut off, and with it the layouts of tables that stand there.

The layouts that ExecuTorch is known to write are tried then, and believed only where the data bear them out.
"""

from __future__ import annotations

from ..flat.buffer import F32, F64, I32, I64, U16, U32, U64, Damaged, TableAt
from ..flat.buffer import Buffer as WholeBuffer
from .names import plausible

__all__ = ["F32", "F64", "I32", "I64", "U32", "U64", "Buffer", "Damaged", "TableAt"]

# What ExecuTorch's writer lays out, for dumps whose end, where the layouts stand, is lost: fields in schema order.
_LAYOUTS: dict[str, tuple[tuple[int, tuple[int, ...]], ...]] = {
    "run": ((12, (4, 0, 0, 8)),),
    "event": ((8, (4,)),),
    "profile": ((28, (24, 0, 20, 0, 0, 0, 4, 12)), (32, (28, 20, 24, 0, 0, 0, 4, 12))),
}


class Buffer(WholeBuffer):
    """The data as far as they are there; `whole` is the size that they would have if none of them were cut off."""

    def __init__(self, data: bytes, whole: int) -> None:
        super().__init__(data)
        self.whole = whole
        self.cut = len(data) < whole
        self.unreadable = 0
        """Entries that lists announce beyond the end of cut data."""
        self.recovered = 0
        """Tables that were read by a known layout."""

    def _without_layout(self, at: int, place: int, kind: str) -> TableAt | None:
        return self._lost(place, kind) if self.cut and self._beyond(at) else None

    def _beyond(self, at: int) -> bool:
        return self._size - 4 < at <= self.whole - 4 or (
            0 <= at <= self._size - 4 < at + int(U16.unpack_from(self.data, at)[0]) - 4
        )

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
            if name.isascii() and plausible(name) and start <= end and -1 <= instruction < 1 << 20:
                self.recovered += 1
                return table
        raise Damaged

    def _short_list(self, target: int, count: int, width: int, room: int) -> int:
        if not self.cut or width != 4 or target + 4 + 4 * count > self.whole:
            raise Damaged
        self.unreadable += count - room
        return room
