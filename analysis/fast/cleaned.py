"""Takes time stamps, colours and other programs' lines off a capture, so that what is left is read like plain reports.

A night of console output consists of few kinds of lines. A line with a 0 for each digit gives its *shape*. The reader
for everything judges each shape once (what stands before the message, and whether it could mean anything with other
digits); all lines of that shape are then cut or dropped by one look into a table.
"""

from __future__ import annotations

import re
from io import BytesIO
from itertools import compress
from operator import getitem
from typing import Any

from ..dividing.interleaved import precise
from ..line_forms.host_prefix import host_time
from ..lines import Line, parse_line, pieces
from .idle import ZEROS, is_junk
from .line_shapes import behind_stamp
from .origin import Extent, Origin
from .parts import REFUSED

ODD = slice(0, 0)
"""Stands for a line that needs more than a look into the table."""
MOST_SHAPES = 1 << 13
LINE_LIMIT_BYTES = 4096
COLOURS = re.compile(rb"(?:\x1b\[[\d;]*m)+")
LAST_COLOURS = re.compile(rb"(?:\x1b\[[\d;]*m)+\Z")
_UNREADABLE = bytes(range(0x80, 0x100)) + b" \r\n"
_cut: Any = getitem


class Shapes(dict[bytes, "slice | None"]):
    """Maps the shape of a line to its message, found when a shape is first seen; None where it means nothing."""

    def __init__(self, stamp: bytes, tail: bytes) -> None:
        """`stamp` is what stands before the first line of a run, with its blank; `tail` is what stands after it."""
        super().__init__()
        self.stamp = stamp.translate(ZEROS)
        self.stamps = {self.stamp.rstrip()}
        self.plain = slice(len(stamp), -1 - len(tail))
        """Shape of a line to its message."""
        self.tail = tail + b"\n"
        self.begins: dict[bytes, int] = {}
        """Shape of a line to the length of its stamp, where that differs from the others'."""
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

    def are_before(self, data: bytes) -> bool:
        """Whether these bytes follow a time stamp like that of the others, or need none."""
        return data[: len(self.stamp)].translate(ZEROS) == self.stamp

    def stamp_of(self, data: bytes, at: int, cut: slice | None) -> str | None:
        """The time stamp of the line at `at`, which means something; `cut` is its message."""
        length = self.plain.start
        if cut is not self.plain and self.begins:
            length = self.begins.get(data[at : data.find(b"\n", at) + 1].translate(ZEROS), length)
        return stamp_in(data[at : at + length])

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
            begin = behind_stamp(raw, len(stamp))
        stamp_bytes = begin
        self.stamps.add(raw[:begin].rstrip())
        colours, last = COLOURS.match(raw, begin), LAST_COLOURS.search(raw, begin)
        begin = colours.end() if colours is not None else begin
        end = last.start() if last is not None and last.start() > begin else len(raw)
        body = raw[begin:end]
        bare = parse_line(1, body)
        if b"\x1b" in body or not _same(line, bare):
            return ODD
        if not body.strip(_UNREADABLE) or is_junk(bare, body.strip()):
            return None
        if stamp_bytes != self.plain.start:
            self.begins[shape] = stamp_bytes
        if begin == stamp_bytes == self.plain.start and shape[end:] == self.tail:
            return self.plain
        return slice(begin, end)


def _same(line: Line, bare: Line) -> bool:
    """Whether a line says the same without what stood around its message."""
    if line.stream or bare.stream or pieces(line) != [line] or pieces(bare) != [bare]:
        return False
    return line._replace(text="") == bare._replace(text="")


def stamp_in(shown: bytes) -> str | None:
    """The time stamp in the text before a message."""
    text = shown.decode()
    return host_time(text) or text.strip() or None


class Numbers:
    """The numbers of a run's meaningful lines within the capture, worked out when asked for: few runs are asked.

    Asking raises ValueError where a line is odd, so that it may mean something or not.
    """

    __slots__ = ("_at", "_data", "_end", "_line", "_numbers", "_shapes")

    def __init__(self, shapes: Shapes, data: bytes, at: int, end: int, line: int) -> None:
        """The run stands in `data` from `at` to `end`; its first line is line `line` of the capture."""
        self._shapes, self._data, self._at, self._end, self._line = shapes, data, at, end, line
        self._numbers: list[int] | None = None

    def __getitem__(self, places: Any) -> Any:
        if self._numbers is None:
            cuts = _cuts(self._shapes, self._data[self._at : self._end])
            if any(cut is ODD for cut in cuts):
                raise ValueError("an odd line")
            self._numbers = list(compress(range(self._line, self._line + len(cuts)), cuts))
        return self._numbers[places]


class Cleaned:
    """One run of a capture without lines that mean nothing, up to the first line of the next run."""

    __slots__ = (
        "_at",
        "_count",
        "_cuts",
        "_data",
        "_line",
        "_numbers",
        "_offset",
        "_shapes",
        "_stop",
        "text",
    )

    def __init__(self, shapes: Shapes, data: bytes, at: int, stop: int, line: int, offset: int) -> None:
        """Clean `data` from `at`, which is line `line` of the capture and byte `at + offset`, to the end of the line at
        `stop`.

        Both places are first lines of runs.
        """
        self._shapes, self._data, self._line, self._offset = shapes, data, line, offset
        self._at, self._stop = at, stop
        piece = data[at : data.find(b"\n", stop) + 1]
        self._cuts = cuts = _cuts(shapes, piece)
        self._numbers: list[int] | None = None
        kept = _kept(shapes, piece, cuts)
        self._count = len(kept)
        kept.append(b"")
        self.text = b"\n".join(kept)
        """The text from the first line of the run to that of the next, inclusive."""

    @property
    def origin(self) -> Origin:
        """Created when asked for: an object that holds its own method keeps its data until a garbage collection."""
        return Origin(self, self.extent)

    def __getitem__(self, places: Any) -> Any:
        """The numbers within the capture of lines of the text, worked out when asked for."""
        if self._numbers is None:
            self._numbers = list(compress(range(self._line, self._line + len(self._cuts)), self._cuts))
        return self._numbers[places]

    def extent(self, lines: int, idle: int) -> Extent | None:
        """Where the run stands in the capture, if it has so many lines of the text, of which the last `idle` do not
        count.

        None where it may be a piece of the log that came twice: the next run begins at the same instant.
        """
        cuts, stop = self._cuts, self._stop
        behind = len(cuts) - 1
        if lines + 1 != self._count or cuts[0] is None or cuts[behind] is None:
            return None  # another first line stands between, which is known as one only when it is cleaned
        data, at, stamp = self._data, self._at, None
        if self._shapes.stamp:
            stamp = self._shapes.stamp_of(data, at, cuts[0])
            if stamp is None or (precise(f"{stamp} ") and stamp == self._shapes.stamp_of(data, stop, cuts[behind])):
                return None
        last = behind - 1
        while cuts[last] is None or idle:
            idle -= cuts[last] is not None
            last -= 1
        run = data[at:stop].rsplit(b"\n", behind - last)[0]  # up to the last line that means something
        line, start = self._line, at + self._offset
        return line, line + last, start, start + len(run) + 1, stamp, stop, behind


def _cuts(shapes: Shapes, data: bytes) -> list[slice | None]:
    """What is the message of each line; None where it means nothing."""
    return list(map(shapes.__getitem__, BytesIO(data.translate(ZEROS))))


def _kept(shapes: Shapes, data: bytes, cuts: list[slice | None]) -> list[bytes]:
    """The messages of the lines that mean something.

    Each line is gone before the next one is made, so that all of them are made in the same few bytes: as a list, they take
    twice as long.
    """
    kept = list(map(_cut, compress(BytesIO(data), cuts), filter(None, cuts)))
    if shapes.met_odd:
        shapes.met_odd = False
        odd = (cut is ODD for cut in cuts if cut is not None)
        kept = [REFUSED if is_odd else line for line, is_odd in zip(kept, odd, strict=True)]
    return kept


def cleaned(shapes: Shapes, data: bytes) -> bytes | None:
    """The text of one run; None where a line of it is odd, or equal to the one before it."""
    kept = _kept(shapes, data, _cuts(shapes, data))
    if REFUSED in kept or any(one == other for one, other in zip(kept, kept[1:], strict=False)):
        return None
    return b"\n".join([*kept, b""])
