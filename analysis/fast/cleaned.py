"""Captures with time stamps, colours and other programs' lines: what is left of them is read like plain reports.

A night of console output consists of few kinds of lines.  With a 0 for each digit, a line is of a *shape*; the reader for
everything judges each shape once (what stands before the message, whether it could mean anything with other digits), and
all lines of that shape are then cut or dropped by one look into a table.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from io import BytesIO
from itertools import accumulate, compress
from operator import getitem
from typing import Any

from ..host_prefix import host_time
from ..lines import Line, parse_line, pieces
from ..nano import with_numbers
from ..patterns import TABLE
from .layout import Extent, Origin

ODD = slice(0, 0)
"""Stands for whatever may need more than a look."""
MOST_SHAPES = 1 << 13
LINE_LIMIT_BYTES = 4096
PIECE_BYTES = 1 << 16
"""Cleaned at once: more would not stay in the processor's cache."""
REFUSED = b"\0"
"""Stands for an odd line; no layout takes it."""
_DIGITS = b"0123456789"
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_COLOURS = re.compile(rb"(?:\x1b\[[\d;]*m)+")
_LAST_COLOURS = re.compile(rb"(?:\x1b\[[\d;]*m)+\Z")
_UNREADABLE = bytes(range(0x80, 0x100)) + b" \r\n"
_cut: Any = getitem
_TELLING = ("executorch", ".cpp", ".c:", ".h:", "put[", "Info: ")


class Shapes(dict[bytes, "slice | None"]):
    """What is the message of a line, by the line's shape and found when a shape is first seen; None where it means nothing."""

    def __init__(self, stamp: bytes, tail: bytes) -> None:
        """`stamp`: what stands before the first line of a run, with its blank; `tail`: what stands after it."""
        super().__init__()
        self.stamp = stamp.translate(_ZEROS)
        self.stamps = {self.stamp.rstrip()}
        self.plain = slice(len(stamp), -1 - len(tail))
        """The message of lines like that one."""
        self.tail = tail + b"\n"
        self.begins: dict[bytes, int] = {}
        """The length of the stamp, where it is another one."""
        self.met_odd = False
        """True once an odd line was looked up."""
        self._odd: set[bytes] = set()

    def __missing__(self, shape: bytes) -> slice | None:
        if shape not in self._odd:
            if shape.rstrip(_UNREADABLE) in self.stamps:
                return None  # each time another one
            cut = self._judged(shape) if len(self) + len(self._odd) < MOST_SHAPES else ODD
            if cut is not ODD:
                self[shape] = cut
                return cut
            if len(self._odd) < MOST_SHAPES:
                self._odd.add(shape)
        self.met_odd = True
        return ODD

    def stamp_of(self, raw: bytes) -> str | None:
        """The time stamp of a line that means something."""
        begin = self.begins.get(raw.translate(_ZEROS), self.plain.start)
        return raw[:begin].decode().strip() or None

    def _judged(self, shape: bytes) -> slice | None:
        raw = shape.rstrip(b"\r\n")
        if len(raw) > LINE_LIMIT_BYTES or b"\0" in raw or b"\r" in raw:
            return ODD
        line = parse_line(1, raw)
        stamp = host_time(line.text)
        begin = 0
        if stamp is not None:
            if not self.stamp or not raw.startswith(stamp.encode()):
                return ODD
            begin = len(stamp) + (raw[len(stamp) : len(stamp) + 1] == b" ")
        stamp_bytes = begin
        self.stamps.add(raw[:begin].rstrip())
        colours, last = _COLOURS.match(raw, begin), _LAST_COLOURS.search(raw, begin)
        begin = colours.end() if colours is not None else begin
        end = last.start() if last is not None and last.start() > begin else len(raw)
        body = raw[begin:end]
        bare = parse_line(1, body)
        if b"\x1b" in body or not _same(line, bare):
            return ODD
        if not body.strip(_UNREADABLE) or _is_junk(bare, body.strip()):
            return None
        if stamp_bytes != self.plain.start:
            self.begins[shape] = stamp_bytes
        if begin == self.plain.start and shape[end:] == self.tail:
            return self.plain
        return slice(begin, end)


def _same(line: Line, bare: Line) -> bool:
    """Whether a line says the same without what stood around its message."""
    if line.stream or bare.stream or pieces(line) != [line] or pieces(bare) != [bare]:
        return False
    return line._replace(text="") == bare._replace(text="")


def _is_junk(line: Line, body: bytes) -> bool:
    """Whether a line means nothing, and would not with any other numbers in it."""
    message = line.message
    if message.encode() != body or line.level or line.eot:
        return False
    if any(word in message for word in _TELLING) or host_time(message) or message.startswith("E: "):
        return False
    if with_numbers(message) is not None or not TABLE.foreign(message):
        return False
    from ..patterns.errors import is_error

    return not is_error(message)


class Cleaned:
    """A stretch of a capture without what means nothing, from the first line of a run on; a place in it that moves on."""

    def __init__(self, shapes: Shapes, data: bytes, at: int, line: int, offset: int) -> None:
        """Take `data` from `at` on, which is line `line` of the capture and byte `at + offset`, to its last line end."""
        self._shapes = shapes
        self._data = data
        self._offset = offset
        self._line, self._start = line, at
        """Of the next line to be added."""
        self.numbers: list[int] = []
        """The number in the capture of each line of the text, and where it starts in the data."""
        self.starts: list[int] = []
        self.kept: list[bytes] = []
        """The lines of the text."""
        end = data.rfind(b"\n", at) + 1
        while self._start < end:
            begin = self._start
            self._add(data[begin : data.rfind(b"\n", begin, begin + PIECE_BYTES) + 1 or data.find(b"\n", begin) + 1])
        self.text = b"\n".join([*self.kept, b""])
        self.at = at
        """Byte within `data` that is reached, always the first one of a line; and the same place in the text."""
        self.place = self.place_bytes = 0
        self._next_place = self._next_bytes = 0
        self._stamp: tuple[int, str | None] = (-1, None)
        self.origin = Origin(self.numbers, self.extent)

    def _add(self, piece: bytes) -> None:
        shapes = self._shapes
        lines = BytesIO(piece).readlines()  # twice as fast as to split
        cuts = list(map(shapes.__getitem__, BytesIO(piece.translate(_ZEROS)).readlines()))
        kept = list(map(_cut, compress(lines, cuts), filter(None, cuts)))
        if shapes.met_odd:
            shapes.met_odd = False
            odd = (cut is ODD for cut in cuts if cut is not None)
            kept = [REFUSED if is_odd else line for line, is_odd in zip(kept, odd, strict=True)]
        self.kept += kept
        self.starts += compress(accumulate(map(len, lines), initial=self._start), cuts)
        self.numbers += compress(range(self._line, self._line + len(lines)), cuts)
        self._line += len(lines)
        self._start += len(piece)

    def go(self, at: int) -> bool:
        """Go on to a line further behind, which begins at `at`; False where it is not one of the text."""
        if at < self.at:
            return False
        if at > self.at:
            place = bisect_left(self.starts, at)
            self.place_bytes += sum(map(len, self.kept[self.place : place])) + place - self.place
            self.place, self.at = place, at
        return self.place < len(self.starts) and self.starts[self.place] == at

    def extent(self, first: int, lines: int, end: int) -> Extent | None:
        """Where a run stands, of so many lines of the text from its place `first` to before byte `end`.

        None where it may be a piece that came twice: the next one begins at the same instant.
        """
        behind = first + lines
        starts, numbers = self.starts, self.numbers
        stamp = self.stamp_at(first)
        if self._shapes.stamp:
            next_stamp = self.stamp_at(behind)
            if stamp is None or stamp == next_stamp:
                return None
            self._stamp = behind, next_stamp
        start, stop, number = starts[first], starts[behind], numbers[first]
        last_end = self._data.find(b"\n", starts[behind - 1]) + 1
        self._next_place, self._next_bytes = behind, end
        offset = self._offset
        return (
            number, numbers[behind - 1], start + offset, last_end + offset, stamp, stop, numbers[behind] - number,
        )  # fmt: skip

    def stamp_at(self, place: int) -> str | None:
        """The time stamp of a line of the text."""
        if not self._shapes.stamp:
            return None
        if self._stamp[0] == place:
            return self._stamp[1]
        start = self.starts[place]
        return self._shapes.stamp_of(self._data[start : self._data.find(b"\n", start) + 1])

    def take(self) -> None:
        """Pass over the run whose extent was asked for last."""
        self.place, self.place_bytes = self._next_place, self._next_bytes
        self.at = self.starts[self.place]


def cleaned(shapes: Shapes, data: bytes) -> bytes | None:
    """The text of one run; None where a line of it is odd, is the same as the one before it, or is like the first."""
    kept = Cleaned(shapes, data, 0, 1, 0).kept
    if REFUSED in kept or any(one == other for one, other in zip(kept, kept[1:], strict=False)):
        return None
    bare = [line.translate(None, _DIGITS) for line in kept]
    return b"\n".join([*kept, b""]) if bare.count(bare[0]) == 1 else None
