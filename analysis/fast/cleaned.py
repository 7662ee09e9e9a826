"""Captures with time stamps, colours and other programs' lines: what is left of them is read like plain reports.

A night of console output consists of few kinds of lines.  With a 0 for each digit, a line is of a *shape*; the reader for
everything judges each shape once (what stands before the message, whether it could mean anything with other digits), and
all lines of that shape are then cut or dropped by one look into a table.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import compress

from ..host_prefix import host_time
from ..lines import Line, parse_line, pieces
from ..nano import with_numbers
from ..patterns import TABLE
from .layout import Origin

JUNK, PLAIN, MARKED, ODD = range(4)
"""Means nothing; means something behind a stamp; the same, but cut in its own way; whatever may need more than a look."""
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
_UNREADABLE = bytes(range(0x80, 0x100)) + b" \r"
_TELLING = ("executorch", ".cpp", ".c:", ".h:", "put[", "Info: ")


class Shapes(dict[bytes, int]):
    """Verdicts on lines by their shape, found when a shape is first seen."""

    def __init__(self, stamp: bytes, tail: bytes) -> None:
        """`stamp`: what stands before the first line of a run, with its blank; `tail`: what stands after it."""
        super().__init__()
        self.stamp = stamp.translate(_ZEROS)
        self.stamps = {self.stamp.rstrip()}
        self.tail = tail
        self.begin = len(stamp)
        self.end = -len(tail) or None
        self.cuts: dict[bytes, tuple[int, int, int]] = {}
        """Of marked lines: the length of the stamp, and where the message begins and ends."""

    def __missing__(self, shape: bytes) -> int:
        if shape.rstrip(_UNREADABLE) in self.stamps:
            return JUNK  # each time another one
        if len(self) >= MOST_SHAPES:
            return ODD
        verdict = self[shape] = self._judged(shape)
        return verdict

    def _judged(self, shape: bytes) -> int:
        raw = shape.rstrip(b"\r")
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
            return JUNK
        if begin == stamp_bytes == self.begin and end == len(shape) - len(self.tail) and shape.endswith(self.tail):
            return PLAIN
        self.cuts[shape] = stamp_bytes, begin, end
        return MARKED


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
        self._first = self.number = line
        self._lines: list[bytes] = []
        self._marks = bytearray()
        """The verdicts on the lines of the text."""
        self._next_at = at
        self.numbers: list[int] = []
        """The number in the capture of each line of the text."""
        self.kept: list[bytes] = []
        """The lines of the text."""
        end = data.rfind(b"\n", at) + 1
        begin = at
        while begin < end:
            stop = data.rfind(b"\n", begin, begin + PIECE_BYTES) + 1 or data.find(b"\n", begin) + 1
            self._add(data[begin : stop - 1])
            begin = stop
        self.text = b"\n".join([*self.kept, b""])
        self.at = at
        """Byte within `data` that is reached, always the first one of a line; and the same place in the text."""
        self.place = self.place_bytes = 0
        self.origin = Origin(self.numbers, self.extent)

    def _add(self, piece: bytes) -> None:
        shapes, lines = self._shapes, piece.split(b"\n")
        shaped = piece.translate(_ZEROS).split(b"\n")
        codes = bytes(map(shapes.__getitem__, shaped))
        begin, end = shapes.begin, shapes.end
        kept = [line[begin:end] for line in compress(lines, codes)]
        first = self._first + len(self._lines)
        numbers = list(compress(range(first, first + len(lines)), codes))
        marks = codes.translate(None, b"\0")
        if MARKED in marks or ODD in marks:
            cuts = shapes.cuts
            place = marks.find(MARKED)
            while place >= 0:
                number = numbers[place] - first
                _, start, stop = cuts[shaped[number]]
                kept[place] = lines[number][start:stop]
                place = marks.find(MARKED, place + 1)
            place = marks.find(ODD)
            while place >= 0:
                kept[place] = REFUSED
                place = marks.find(ODD, place + 1)
        self._lines += lines
        self._marks += marks
        self.numbers += numbers
        self.kept += kept

    def go(self, at: int) -> bool:
        """Go on to a line further behind, which begins at `at`; False where it is not one of the text."""
        if at < self.at:
            return False
        if at > self.at:
            self.number += self._data.count(b"\n", self.at, at)
            place = bisect_left(self.numbers, self.number)
            self.place_bytes += sum(map(len, self.kept[self.place : place])) + place - self.place
            self.place, self.at = place, at
        return self.place < len(self.numbers) and self.numbers[self.place] == self.number

    def extent(self, first_place: int, last_place: int) -> tuple[int, int, int, int, str | None]:
        """First and last line of a run in the capture, where it starts and ends in bytes, and its time stamp."""
        first, last = self.numbers[first_place], self.numbers[last_place]
        self._next_at = self._find(last_place + 1, self.at)
        raw = self._lines[last - self._first]
        end = self._data.rindex(b"\n" + raw + b"\n", self.at, self._next_at) + len(raw) + 2
        return first, last, self.at + self._offset, end + self._offset, self.stamp_at(first_place)

    def _find(self, place: int, after: int) -> int:
        """Where a line of the text begins in the data: there is no line like it between that and `after`."""
        return self._data.index(b"\n" + self._lines[self.numbers[place] - self._first] + b"\n", after) + 1

    def stamp_at(self, place: int) -> str | None:
        """The time stamp of a line of the text."""
        shapes = self._shapes
        if not shapes.stamp:
            return None
        raw = self._lines[self.numbers[place] - self._first]
        begin = shapes.begin if self._marks[place] == PLAIN else shapes.cuts[raw.translate(_ZEROS)][0]
        return raw[:begin].decode().strip() or None

    def take(self, lines: int, end: int) -> None:
        """Pass over the run whose extent was asked for last: so many lines of the text, which end there."""
        self.place += lines
        self.number = self.numbers[self.place]
        self.at, self.place_bytes = self._next_at, end


def cleaned(shapes: Shapes, data: bytes) -> bytes | None:
    """The text of one run; None where a line of it is odd, is the same as the one before it, or is like the first."""
    kept = Cleaned(shapes, data, 0, 1, 0).kept
    if REFUSED in kept or any(one == other for one, other in zip(kept, kept[1:], strict=False)):
        return None
    bare = [line.translate(None, _DIGITS) for line in kept]
    return b"\n".join([*kept, b""]) if bare.count(bare[0]) == 1 else None
