"""Reads runs between stamps, colours and other programs' lines where they stand, with one pattern that skips all of
these.

Cleaning a run first (`cleaned`) takes several steps per line. Where the meaningless lines are known, a pattern of the
whole run is several times as fast: the stamp, the line of the layout, then any number of lines known to mean nothing.
It takes only what would be the same run when cleaned; anything else is cleaned as before.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from ..dividing.interleaved import precise
from ..draft_parts import FIRST_VALUES
from .cleaned import COLOURS, LAST_COLOURS, Numbers, Shapes, stamp_in
from .gaps import Gapped, Lines
from .layout import SAMPLES, UNJUDGED, Groups, Taken
from .line_shapes import element_value, exact, number_pattern
from .parts import CHECKED, Block, Text
from .tight import TightLayout

MISSES = 32
"""So many runs must be cleaned before another pattern is made, which costs as much as cleaning hundreds of runs."""
FEW = 16
"""Unless one in so many runs goes on into another minute, a pattern for those does not pay."""
MOST_KINDS = 96
"""Kinds of meaningless lines that a pattern skips; with more it would be slower than cleaning."""
MOST_ELEMENTS = 4096
_COLOUR = rb"(?:\x1b\[[\d;]{0,99}+m|)"
_ZEROS = re.compile(rb"0+")
_POSSIBLE = sys.version_info >= (3, 11, 5)
"""Before that there are no possessive repeats, or they are wrong about what is inside of them."""
_INDEXES = [b"%d]" % index for index in range(FIRST_VALUES, MOST_ELEMENTS)]
"""Of the elements that the pattern does not name."""
_begins = bytes.startswith


class Noise:
    """What may stand around and between the lines of a run, as patterns; made again when more of it was met."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.known = len(shapes)
        """The number of shapes that were known."""
        self.tail = exact(shapes.tail)
        coloured = [cut for shape, cut in shapes.items() if b"\x1b" in shape]
        self.colour = _COLOUR if coloured else b""
        self._colour_behind = _COLOUR if None in coloured else b""
        self.kinds = _kinds(_bodies(shapes))
        """Patterns of messages that mean nothing."""

    def passed_over(self, stamp: bytes) -> bytes:
        """The pattern of any number of meaningless lines, each with the stamp of the next line."""
        kinds = b"|".join([*self.kinds, rb"[\x80-\xff ]{0,999}+"])
        return b"(?:(?:%s)%s%s%s%s)*+" % (kinds, self._colour_behind, self.tail, stamp, self.colour)


def _bodies(shapes: Shapes) -> Iterable[bytes]:
    """The shapes of messages that mean nothing, plain text only."""
    for shape, cut in shapes.items():
        if cut is not None or not shape.startswith(shapes.stamp) or not shape.endswith(shapes.tail):
            continue
        body = shape[len(shapes.stamp) : -len(shapes.tail)]
        colours, last = COLOURS.match(body), LAST_COLOURS.search(body)
        body = body[colours.end() if colours is not None else 0 : last.start() if last is not None else len(body)]
        if body.strip() and body.isascii() and body.decode().isprintable():
            yield body


def _kinds(bodies: Iterable[bytes]) -> list[bytes]:
    """Patterns for these shapes and no others: those that differ in numbers of digits become one, where all are there."""
    alike: dict[bytes, set[tuple[int, ...]]] = {}
    for body in bodies:
        lengths = tuple(len(digits) for digits in _ZEROS.findall(body))
        alike.setdefault(_ZEROS.sub(b"0", body), set()).add(lengths)
    patterns: list[bytes] = []
    for body, seen in alike.items():
        texts = [exact(text) for text in body.split(b"0")]
        ranges = [(min(column), max(column)) for column in zip(*seen, strict=True)]
        size = 1
        for least, most in ranges:
            size *= most - least + 1
        for one in [ranges] if size == len(seen) else [[(length, length) for length in lengths] for lengths in seen]:
            pattern = texts[0]
            for (least, most), text in zip(one, texts[1:], strict=True):
                pattern += (rb"\d{%d}" % least if least == most else rb"\d{%d,%d}+" % (least, most)) + text
            patterns.append(pattern)
    return patterns


def stamps(shape: bytes) -> tuple[bytes, bytes]:
    """Patterns for the stamps of a run's first line and of later lines within one minute; equal where there is no
    stamp.
    """
    fixed = _whole(shape)
    digits = [found.start() for found in _ZEROS.finditer(shape)]
    if len(digits) > 1 and shape[digits[-1] - 1 : digits[-1]] in (b".", b","):
        digits.pop()  # a fraction of a second
    if not digits or b"0" not in shape[: digits[-1]]:
        return fixed, fixed
    head, rest = _whole(shape[: digits[-1]]), _whole(shape[digits[-1] :])
    return b"(?P<minute>%s)%s" % (head, rest), b"(?P=minute)" + rest


def _whole(shape: bytes) -> bytes:
    return rb"\d".join(exact(text) for text in shape.split(b"0"))


class NoisyLayout:
    """The pattern of one layout's runs with what may stand around their lines."""

    def __init__(self, layout: TightLayout, noise: Noise, *, near: bool) -> None:
        """`near` is for runs that begin and end within one minute, which is faster."""
        self.layout = layout
        self.near = near
        self.noise = noise
        self.taken = self.hits = 0
        """Number of runs it has read; `hits` tells which layout to try first."""
        shapes = self._shapes = noise.shapes
        self._colour, self._tail = noise.colour, noise.tail
        self._stamp_bytes = len(shapes.stamp)
        self._told_bytes = len(stamp_in(shapes.stamp) or "")
        self._precise = precise(shapes.stamp.decode()) is not None
        first, later = stamps(shapes.stamp) if near else (_whole(shapes.stamp),) * 2
        self._between = later + noise.colour + noise.passed_over(later)
        self._blocks: list[_Dump] = []
        opening = layout.parts[0]
        assert isinstance(opening, Text)
        numbered = layout.judgements[0].result.text is not None
        """Only JSON text names so many lines that it pays to keep what stands between them."""

        def between(place: int) -> bytes:
            name = b"?P<gap%d>" % place if numbered else b"?:"
            return b"%s(%s%s)" % (later + noise.colour, name, noise.passed_over(later))

        pattern = [first, noise.colour, self._line(opening), between(0)]
        for place, part in enumerate(layout.parts[1:], 1):
            pattern += (self._line(part), between(place)) if isinstance(part, Text) else (self._dump(part),)
        last = layout.parts[len(layout.parts) - 1 - layout.trailing]
        pattern.insert(len(pattern) - 2 * layout.trailing - isinstance(last, Text), b"(?P<end>)")
        regex = re.compile(b"".join((*pattern, self._line(opening, named=False))))
        self._match = regex.match
        """Matches a run and the first line of the next one."""
        group = regex.groupindex
        self._end = group["end"]
        places = {place: group[name] for name, place in layout.places.items() if name in group}
        self._order = [places.get(place, self._end) for place in range(layout.groups)]
        self._counted = [(group[dump.name], dump) for dump in self._blocks]
        self._ends_in_dump = isinstance(last, Block)
        self._lines = self._followed(layout, group) if numbered else None

    def _followed(self, layout: TightLayout, group: Mapping[str, int]) -> list[Lines]:
        """The groups by which lines are numbered."""
        none = [group["end"]] * 2
        gaps = list(none)
        lines: list[Lines] = []
        dumps = iter(self._blocks)
        for place, part in enumerate(layout.parts):
            if isinstance(part, Text):
                gaps.append(group[f"gap{place}"])
                continue
            dump = next(dumps)
            lines.append(Lines(tuple(gaps), group[dump.name], dump.prefix))
            gaps = list(none)
        return [*lines, Lines(tuple(gaps), 0, b"")]

    def _line(self, part: Text, named: bool = True) -> bytes:
        """The pattern of a line after its stamp and colour; figures are groups where they are `named`."""
        pattern: list[bytes] = []
        begin, ties = 0, self.layout.ties
        for figure in part.figures:
            pattern.append(exact(part.raw[begin : figure.start]))
            begin = figure.end
            integer = number_pattern(figure, part.raw)
            if not named or figure.name not in self.layout.places | ties:
                pattern.append(integer)
            elif figure.name in ties:
                pattern.append(b"(?P=%s)" % ties[figure.name].encode() + (rb"\.00" if figure.real else b""))
            else:
                pattern.append(b"(?P<%s>%s)" % (figure.name.encode(), integer))
        return b"".join((*pattern, exact(part.raw[begin:-1]), self._colour, self._tail))

    def _dump(self, part: Block) -> bytes:
        """The pattern of a dump: the first values are groups; the order of the others is checked afterwards."""
        prefix, middle, value = exact(part.prefix), exact(part.middle), element_value(part)
        end = exact(part.tail[:-1]) + self._colour + self._tail + self._between
        pattern = rb"(?:%s\d{1,4}+%s%s%s)*+" % (prefix, middle, value, end)
        for index in reversed(range(FIRST_VALUES)):
            named = b"(?P<%s>%s)" % (part.names[1 + index].encode(), value)
            pattern = b"%s%d%s%s%s%s" % (prefix, index, middle, named, end, pattern)
            pattern = b"(?:%s)?+" % pattern if index else pattern
        self._blocks.append(_Dump(part, f"dump{len(self._blocks)}"))
        return b"(?P<%s>%s)" % (self._blocks[-1].name.encode(), pattern)

    def take(self, data: bytes, at: int, source: str, index: int, line: int, offset: int) -> Taken | None:
        """Read the run that begins at `at`, as `TightLayout.take` does; None where it does not fit or is not judged."""
        match = self._match(data, at)
        if match is None:
            return None
        layout = self.layout
        stop = data.rfind(b"\n", at, match.end() - 1) + 1
        stamp: str | None = None
        if self._stamp_bytes:
            shown = data[at : at + self._stamp_bytes]
            if self._precise and data.startswith(shown, stop):
                return None  # it may be a piece that came twice
            stamp = shown[: self._told_bytes].decode().strip()
        end, recognised = match.start(self._end), layout.recognised
        found = match.group(*self._order)
        for group, dump in self._counted:
            elements = match[group].split(dump.prefix)
            count = len(elements) - 1
            if count > MOST_ELEMENTS or not all(map(_begins, elements[1 + FIRST_VALUES :], _INDEXES)):
                return None
            recognised += count
            found += (count,)
        if self._ends_in_dump:
            end = data.find(b"\n", data.rfind(dump.prefix, at, end)) + 1
        lines = data.count(b"\n", at, end)
        last, start, close = line + lines - 1, at + offset, end + offset
        behind = lines + data.count(b"\n", end, stop)
        numbers: Any
        if layout.settled:  # then the first judgement mostly does, and asks for no numbers of lines
            first = layout.usual
            numbers = None if first.placeless else self._numbers(data, at, end, line, match, found)
            try:
                taken: Taken | None = first.elsewhere(
                    found, source, index, line, last, start, close, stamp, stop, behind, recognised, 0, numbers
                )
            except UNJUDGED:
                taken = None
            if taken is not None:
                return taken
        facts = source, index, line, last, start, close, stamp, stop, behind, recognised
        numbers = self._numbers(data, at, end, line, match, found)
        return layout.judged(found, facts, 0, numbers)

    def _numbers(self, data: bytes, at: int, end: int, line: int, match: re.Match[bytes], found: Groups) -> Any:
        """The numbers of its lines, worked out when asked for."""
        if self._lines is None:
            return Numbers(self._shapes, data, at, end, line)
        return Gapped(self._lines, match, line, found[len(self._order) :])


class _Dump:
    """The elements of one tensor, with other lines between them."""

    def __init__(self, part: Block, name: str) -> None:
        self.name = name
        self.prefix = part.prefix
        """Bytes that stand in no meaningless line."""


class Noisy:
    """The layouts of one capture that are read where they stand."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._noise: Noise | None = None
        self._layouts: list[NoisyLayout] = []
        self._missed: dict[TightLayout, int] = {}
        self._wrong: set[TightLayout] = set()
        self.taking: NoisyLayout | None = None
        """What took the last run."""
        self.to_check = False
        """True when it has taken 1, 4, 16, 64 ... runs."""

    def take(self, data: bytes, at: int, source: str, index: int, line: int, offset: int) -> Taken | None:
        """Read the run that begins at `at`, if it has a known layout and the first line of another run follows it."""
        for place, layout in enumerate(self._layouts):
            taken = layout.take(data, at, source, index, line, offset)
            if taken is not None:
                layout.taken += 1
                self.to_check = layout.taken in CHECKED
                self.taking = layout
                layout.hits += 1
                if place and layout.hits > self._layouts[place - 1].hits:
                    self._layouts[place - 1 : place + 1] = layout, self._layouts[place - 1]
                return taken
        return None

    def drop(self) -> None:
        """Never use the layout that took the last run here again: it was wrong."""
        if self.taking is not None:
            self._wrong.add(self.taking.layout)
            self.forget(self.taking.layout)

    def forget(self, layout: TightLayout) -> None:
        """Do not use this layout any more."""
        self._layouts = [known for known in self._layouts if known.layout is not layout]

    def missed(self, layout: TightLayout) -> None:
        """Record that a run of this layout had to be cleaned; now and then, look for a pattern that avoids it."""
        if not _POSSIBLE or layout.dumps or layout in self._wrong or not (layout.narrow or layout.taken > SAMPLES):
            return
        missed = self._missed[layout] = self._missed.get(layout, 0) + 1
        if missed < MISSES or missed & (missed - 1):
            return
        noise = self._noise
        if noise is None or noise.known < len(self._shapes):
            noise = self._noise = Noise(self._shapes)
        known = [one for one in self._layouts if one.layout is layout]
        wanted = [near for near in (True, False) if not any(one.near == near and one.noise is noise for one in known)]
        if len(noise.kinds) > MOST_KINDS or not wanted:
            return
        if not wanted[0] and missed < sum(one.taken for one in known) // FEW:
            return  # few runs go from one minute into the next
        made = NoisyLayout(layout, noise, near=wanted[0])
        made.hits = sum(one.hits for one in known)
        self._layouts = [one for one in self._layouts if one.layout is not layout or one.noise is noise] + [made]
