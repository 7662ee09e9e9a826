"""Layouts of runs whose lines are stamped, coloured, or have lines of other programs between them.

Everything is spelled out in one pattern: a time stamp of the shape seen before each line, colours where they may be, and
any number of lines known to mean nothing.  Such lines are learnt by their shape too, and only where no row of the pattern
table could match them whatever numbers were in them.
"""

from __future__ import annotations

import re

from ..host_prefix import host_time
from ..lines import parse_line, pieces
from ..nano import with_numbers
from ..patterns import TABLE
from .layout import (
    COLOUR,
    END,
    HOLD,
    INTEGER,
    Layout,
    Taken,
    element_value,
    exact,
    line_pattern,
    nested,
    same_shape,
    stamp_length,
)
from .unit import FIRST_VALUES, Block, Reading, Text, UnfitError, Unit

_NOT_ASCII = rb"[\x80-\xff]+" + HOLD.encode()
_COLOURS = re.compile(rb"(?:\x1b\[[\d;]*m)+")


def junk_shape(text: Text, stamped: bool) -> bytes | None:
    """The pattern of lines like this one, which means nothing; None where another number in it might mean something."""
    raw = text.raw.rstrip(b"\r\n")
    bare = raw[stamp_length(text) if stamped else 0 :]
    bare = _COLOURS.sub(b"", bare).strip()
    if not bare or not re.search(rb"[^\x80-\xff]", bare):
        return b""  # always taken
    line = parse_line(1, bare)
    message = line.message
    if message.encode() != bare or line.level or line.eot or line.stream or len(pieces(line)) != 1:
        return None
    if any(word in message for word in ("executorch", ".cpp", ".c:", ".h:", "put[", "Info: ")) or host_time(message):
        return None
    if (
        message.startswith("E: ")
        or with_numbers(message) is not None
        or not TABLE.foreign(message)
        or _is_error(message)
    ):
        return None
    return re.sub(rb"\d+", rb"\\d+" + HOLD.encode(), exact(bare))


def _is_error(message: str) -> bool:
    from ..patterns.errors import is_error

    return is_error(message)


class LooseLayout(Layout):
    """Lines with stamps, colours and other programs' lines."""

    narrows = False

    def __init__(self, unit: Unit, here: Reading, there: Reading, junk: list[bytes]) -> None:
        if here.run is not None:
            raise UnfitError  # its lines stand anywhere between others
        super().__init__(unit, here, there)
        self.ties.clear()
        first = unit.parts[0]
        assert isinstance(first, Text)
        length = stamp_length(first)
        self._stamp = same_shape(first.raw[:length])
        self._stamp_bytes = length
        self._lines: list[bytes] = []
        self._counted: list[tuple[Block, int]] = []
        groups = 0
        counts: list[str] = []
        for part in unit.parts:
            if isinstance(part, Block):
                groups += 1
                self._counted.append((part, groups - 1))
                self.places.update(zip(part.names[1:], range(groups, groups + FIRST_VALUES), strict=False))
                groups += FIRST_VALUES
                counts.append(part.names[0])
                self._lines.append(self._block(part))
            elif not part.plain:
                if same_shape(part.raw[: stamp_length(part)]) != self._stamp:
                    raise UnfitError
                names: dict[str, int] = {}
                pattern, more = line_pattern(part, loose=True, names=names, stamped=False)
                self.places.update({name: groups + place - 1 for name, place in names.items()})
                groups += more
                self._lines.append(pattern)
        self._last = groups + 1
        self.places.update({name: groups + 1 + place for place, name in enumerate(counts)})
        self.signature = (self._stamp, *self._lines)
        self._junk_known = -1
        self.use(junk)

    def placed(self, expression: str) -> str:
        if expression.startswith("line"):
            raise UnfitError  # there may be any number of other lines before it
        return expression

    def _block(self, part: Block) -> bytes:
        found = part.raw.find(part.prefix)
        if same_shape(part.raw[: self._stamp_bytes]) != self._stamp or _COLOURS.sub(
            b"", part.raw[self._stamp_bytes : found]
        ):
            raise UnfitError
        return b"\0%d" % (len(self._counted) - 1)

    def use(self, junk: list[bytes]) -> None:
        """Take lines of these shapes as meaningless from now on."""
        if len(junk) == self._junk_known:
            return
        self._junk_known = len(junk)
        hold = HOLD.encode()
        shapes = b"|".join([*(b"%s" % shape for shape in junk if shape), _NOT_ASCII, b""])
        levelled = any(shape.startswith(b"I\\ ") for shape in junk)
        other = COLOUR + (b"" if levelled else b"(?!I )") + b"(?:" + shapes + b") *" + hold + COLOUR + END
        between = b"(?:" + other + self._stamp + b")*" + hold
        written = []
        for place, line in enumerate(self._lines):
            begin = self._stamp + (between if place else b"")
            if not line.startswith(b"\0"):
                written.append(begin + line)
                continue
            block = self._counted[int(line[1:])][0]
            written.append(b"(" + self._elements(block, begin) + b")")
        trailing = b"(?:" + self._stamp + other + b")*" + hold
        self._regex = re.compile(b"".join(written) + b"()" + trailing + b"(?=" + self.start.pattern.pattern + b")")

    @staticmethod
    def _elements(block: Block, begin: bytes) -> bytes:
        hold = HOLD.encode()
        prefix, middle, value = exact(block.prefix), exact(block.middle), element_value(block)
        tail = b" *" + hold + COLOUR + END
        first = [
            begin + COLOUR + prefix + b"%d" % index + middle + b"(" + value + b")" + tail
            for index in range(FIRST_VALUES)
        ]
        rest = b"(?:" + begin + COLOUR + prefix + INTEGER + middle + value + tail + b")*" + hold
        return nested(first, rest)

    def take(self, data: bytes, at: int, source: str, index: int, line: int, offset: int) -> Taken | None:
        match = self._regex.match(data, at)
        if match is None:
            return None
        groups = match.groups()
        recognised = self.recognised
        for block, group in self._counted:
            text = groups[group]
            count = text.count(block.prefix)
            if not text.startswith(block.prefix + b"%d]" % (count - 1), text.rfind(block.prefix)):
                return None
            recognised += count
            groups += (b"%d" % count,)
        last, end = match.end(self._last), match.end()
        if self._stamp_bytes and data.startswith(data[at : at + self._stamp_bytes], end):
            return None  # at the same instant: it may be this run's piece that came twice
        lines = data.count(b"\n", at, last)
        stamp = data[at : at + self._stamp_bytes].decode().strip() if self._stamp_bytes else None
        row = self.row(groups, source, index, line, line + lines - 1, at + offset, last + offset, stamp)
        if row is None:
            self.unjudged = at + offset
            return None
        return Taken(row, end, lines + data.count(b"\n", last, end), recognised, None)
