"""Layouts of runs whose plain lines follow each other directly: skip what does not change, then compare it all at once."""

from __future__ import annotations

import re

from ..draft_parts import FIRST_VALUES
from .elements import count_elements
from .layout import UNJUDGED, Groups, Layout, Taken, picker
from .line_shapes import INTEGER, LONG_BLOCK, element_patterns, in_order, number_pattern
from .origin import Origin
from .parts import Block, DumpText, Reading, Text, UnfitError
from .unit import Unit

_join = b"".join


class _Segment:
    """Literals and groups of a tight layout between two long blocks."""

    def __init__(self) -> None:
        self.pattern: list[bytes] = []
        self.literals: list[bytes] = [b""]
        self.order: list[int] = []
        """Which group follows each literal; a group stands at two places where figures are tied."""
        self.groups = 0
        self.counted: list[tuple[int, list[bytes]]] = []
        """Groups that hold a short block, and how the last line of one begins, by the number of lines before it."""

    def literal(self, data: bytes) -> None:
        self.literals[-1] += data

    def group(self, pattern: bytes, tied: int | None = None) -> int:
        length = len(self.literals[-1])
        if length:
            self.pattern.append(b".{%d}" % length)
        self.literals.append(b"")
        if tied is not None:
            self.pattern.append(pattern)
            self.order.append(tied)
            return tied
        self.pattern.append(b"(" + pattern + b")")
        self.order.append(self.groups)
        self.groups += 1
        return self.groups - 1

    def compile(self) -> None:
        length = len(self.literals[-1])
        self.regex = re.compile(b"(?s)" + b"".join(self.pattern) + (b".{%d}" % length if length else b""))
        self.match = self.regex.match
        self.pieces = [b""] * (2 * len(self.order) + 1)
        self.pieces[0::2] = self.literals
        self.places = None if self.order == list(range(self.groups)) else picker(self.order)


def _mark(after: bytes, block: Block) -> bytes:
    """What to search for to find the end of a block: a byte that none of its lines holds is found much faster."""
    inside = block.prefix + block.middle + block.tail + b"0123456789.-"
    return after if after[:1] in inside else after[:1]


class TightLayout(Layout):
    """The layout of plain lines that follow each other directly."""

    def __init__(self, unit: Unit, here: Reading, there: Reading) -> None:
        super().__init__(unit, here, there)
        if unit.torn:
            raise UnfitError
        self.parts = unit.parts
        self.segments = [_Segment()]
        self.long: list[Block] = []
        self.first_values: list[re.Pattern[bytes]] = []
        self.fixed_lines = 0
        self.dump_groups: list[tuple[int, DumpText]] = []
        self.counts: list[str] = []
        """Variables of the numbers of elements; they stand after all groups."""
        before = 0
        for part in unit.parts:
            segment = self.segments[-1]
            if isinstance(part, Text):
                self._text(part, segment, before)
            elif part.count < LONG_BLOCK:
                self._short(part, segment, before)
            else:
                before += segment.groups
                first = re.compile(in_order(element_patterns(part)[:FIRST_VALUES]))
                self.places.update(zip(part.names[1:], range(before, before + FIRST_VALUES), strict=False))
                before += FIRST_VALUES
                self.first_values.append(first)
                self.counts.append(part.names[0])
                self.long.append(part)
                self.segments.append(_Segment())
        self.first = self.segments[0]
        for segment in self.segments:
            segment.compile()
        self.groups = before + self.segments[-1].groups
        for place, name in enumerate(self.counts):
            self.places[name] = self.groups + place
        for segment in self.segments[1:]:
            if len(segment.literals[0]) < 8 or segment.literals[0].startswith((b"Output[", b"Input[")):
                raise UnfitError
        self.behind = [
            _mark(segment.literals[0], block) for segment, block in zip(self.segments[1:], self.long, strict=True)
        ]
        place = self.groups + len(self.counts)
        for figure in self.dumps:
            self.places.update(zip(figure.names, range(place, place + len(figure.names)), strict=True))
            place += len(figure.names)
        shapes = tuple((segment.regex.pattern, *segment.literals) for segment in self.segments)
        self.signature = (*shapes, *(figure.dump.shape for figure in self.dumps))

    def _short(self, part: Block, segment: _Segment, before: int) -> None:
        group = segment.group(in_order(element_patterns(part)))
        segment.counted.append((group, [part.prefix + b"%d]" % index for index in range(LONG_BLOCK)]))
        segment.groups += FIRST_VALUES
        self.places.update(zip(part.names[1:], range(before + group + 1, before + segment.groups), strict=False))
        self.counts.append(part.names[0])

    def _text(self, part: Text, segment: _Segment, before: int) -> None:
        self.fixed_lines += 1
        begin = 0
        for figure in part.figures:
            segment.literal(part.raw[begin : figure.start])
            begin = figure.end
            tied = self.places.get(self.ties.get(figure.name, ""), -1) - before
            if tied >= 0:
                twice = INTEGER + (rb"\.00" if figure.real else b"")
                segment.group(twice, tied)
                if figure.real:
                    segment.literal(b".00")
                    segment.pattern[-1] = INTEGER
                continue
            group = segment.group(number_pattern(figure, part.raw))
            self.ties.pop(figure.name, None)  # its twin is in another segment
            if figure.name:
                self.places[figure.name] = before + group
            elif isinstance(figure, DumpText):
                self.dump_groups.append((before + group, figure))
        segment.literal(part.raw[begin:])

    def take(
        self, data: bytes, at: int, source: str, index: int, line: int, offset: int, origin: Origin | None = None
    ) -> Taken | None:
        """Read the run that begins at `at`; None where it does not fit, or is judged like no run learnt from.

        `line` is the number of its first line, and `offset` the distance from a place in `data` to the same place in
        the capture. With an `origin`, the lines of `data` were taken out of a capture, and `line` is the place of the
        first among them.
        """
        segment = self.first
        match = segment.match(data, at)
        if match is None:
            return None
        found: Groups = match.groups()
        pieces, places = segment.pieces, segment.places
        pieces[1::2] = found if places is None else places(found)
        text = _join(pieces)
        if not data.startswith(text, at):
            return None
        end = at + len(text)
        lines, recognised = self.fixed_lines, self.recognised
        for group, last_lines in segment.counted:
            block = found[group]
            more = block.count(b"\n")
            if not block.startswith(last_lines[more - 1], block.rfind(b"\n", 0, -1) + 1):
                return None
            lines += more
            recognised += more
            found += (more,)
        if self.long:
            rest = self._rest(data, end, found)
            if rest is None:
                return None
            end, more, found = rest
            lines += more
            recognised += more
        for group, figure in self.dump_groups:
            ticks = figure.dump.ticks(found[group])
            if ticks is None:
                return None
            if figure.names:
                found += ticks
        if not data.startswith(self.start.raw, end) and self.start.pattern.match(data, end) is None:
            if self.endings is None or not self.endings.at(data, end):
                return None
        self.stop = end
        if origin is not None:
            numbers, extent_of = origin
            extent = extent_of(lines, self.trailing)
            if extent is None:
                return None
            if self.settled:
                with_numbers = self.usual.elsewhere
                try:
                    taken: Taken | None = with_numbers(found, source, index, *extent, recognised, line, numbers)
                except UNJUDGED:
                    taken = None
                if taken is not None:
                    return taken
            taken = self.judged(found, (source, index, *extent, recognised), line, numbers)
            if taken is None:
                self.unjudged = extent[2]
            return taken
        last, start, close = line + lines - 1 - self.trailing, at + offset, end + offset
        if self.trailing:
            close = start + len(data[at:end].rsplit(b"\n", self.trailing + 1)[0]) + 1
        if self.settled:  # then the first judgement mostly does, and nothing else needs to be known
            with_facts = self.usual.judge
            try:
                taken = with_facts(found, source, index, line, last, start, close, None, end, lines, recognised)
            except UNJUDGED:
                taken = None
            if taken is not None:
                return taken
        taken = self.judged(found, (source, index, line, last, start, close, None, end, lines, recognised))
        if taken is None:
            self.unjudged = start
        return taken

    def _rest(self, data: bytes, at: int, found: Groups) -> tuple[int, int, Groups] | None:
        """What follows the first segment: its end, the lines of its dumps, and everything that was found."""
        end, lines = at, 0
        counts = found[self.first.groups :]
        found = found[: self.first.groups]
        for place, segment in enumerate(self.segments[1:]):
            jumped = self._jump(data, end, place, segment.literals[0])
            if jumped is None:
                return None
            end, more, first = jumped
            lines += more
            counts += (more,)
            match = segment.match(data, end)
            if match is None:
                return None
            values = match.groups()
            segment.pieces[1::2] = values if segment.places is None else segment.places(values)
            text = _join(segment.pieces)
            if not data.startswith(text, end):
                return None
            end += len(text)
            for group, last_lines in segment.counted:
                block = values[group]
                more = block.count(b"\n")
                if not block.startswith(last_lines[more - 1], block.rfind(b"\n", 0, -1) + 1):
                    return None
                lines += more
                counts += (more,)
            found += first + values
        return end, lines, found + counts

    def _jump(self, data: bytes, begin: int, place: int, after: bytes) -> tuple[int, int, tuple[bytes, ...]] | None:
        """End, number of lines and first values of a long block; None where its lines are not all elements, in order."""
        block = self.long[place]
        first = self.first_values[place].match(data, begin)
        if first is None:
            return None
        stop = data.find(self.behind[place], begin)  # in a block whose end is not there yet, nothing need be counted
        if stop < 0 or not data.startswith(after, stop):
            return None
        counted = count_elements(data, begin, block.prefix, block.middle, block.tail, 0, stop)
        if counted is None or counted[1] != stop:
            return None
        return counted[1], counted[0], first.groups()
