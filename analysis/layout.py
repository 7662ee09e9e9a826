"""The shape of a run's bytes, learnt from one run: others of the same shape are read with a few operations each.

A `Layout` holds what does not change as literal bytes and what changes as groups of one pattern.  A *tight* one (plain
lines back to back) jumps over the literals, and then compares the run with the literals and groups put together again: one
comparison of memory proves every byte.  A *loose* one (time stamps, colours, other programs' lines in between) spells
everything out.  Either way a run is taken only when every byte is accounted for, and when all conditions that the judge of
the first run asked of its figures hold for it too; any other run goes to the reader for everything.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from json import JSONDecoder
from operator import itemgetter
from typing import Any, NamedTuple

from .elements import count_elements
from .judgement import EXACT_LIMIT, Judgement, Result, renamed, simplified
from .layout_unit import FIRST_VALUES, Block, Reading, Text, UnfitError, Unit, moving, stamp_of
from .rows import RunRow
from .traced import variables

HOLD = "+" if sys.version_info >= (3, 11) else ""
"""Makes a repeat possessive; without it the patterns below still go forward only, since what follows never matches inside."""
INTEGER = rf"\d{{1,20}}{HOLD}".encode()
LESSONS = 64
WAYS = 40
"""Ways in which runs of one shape may come to one result, and different results that they may come to."""
JUDGEMENTS = 6
TIED_DIGITS = 5
_OF_PLACE = frozenset(("source", "index", "first_line", "last_line", "start_byte", "end_byte", "at"))
LONG_BLOCK = 48
"""Elements from which a block of a tight layout is jumped over rather than matched."""
COLOUR = rf"(?:\x1b\[[\d;]*{HOLD}m)?{HOLD}".encode()
END = rf"[\r]*{HOLD}\n".encode()
_numbers: Callable[[str, int], tuple[Any, int]] = JSONDecoder().scan_once  # type: ignore[attr-defined]


Picker = Callable[[tuple[bytes, ...]], tuple[bytes, ...]]


class Taken(NamedTuple):
    """A run that a layout has read."""

    row: RunRow
    end: int
    """Where the next run begins."""
    lines: int
    recognised: int
    json: str | None


def exact(data: bytes) -> bytes:
    """A pattern for these bytes."""
    return re.escape(data)


def same_shape(stamp: bytes) -> bytes:
    """A pattern for time stamps like this one: digits may differ, nothing else."""
    return re.sub(rb"\d+", lambda run: rb"\d{%d}" % len(run.group()), re.escape(stamp))


class Start:
    """The first line of a run: bytes to look for, and the pattern of the whole line."""

    __slots__ = ("key", "pattern", "raw")

    def __init__(self, raw: bytes, text: Text) -> None:
        self.raw = raw
        body = raw[text.body :].rstrip()
        first = min((figure.start for figure in text.figures), default=len(raw)) - text.body
        self.key = body[: max(0, first)]
        self.pattern = re.compile(line_pattern(text, loose=True, names={})[0])


def line_pattern(text: Text, *, loose: bool, names: dict[str, int], stamped: bool = True) -> tuple[bytes, int]:
    """The pattern of one line, and its number of groups; `names` receives the group that holds each variable."""
    raw = text.raw.rstrip(b"\r\n")
    begin, pieces, groups = 0, [], 0
    if loose:
        stamp = stamp_length(text)
        if stamped:
            pieces.append(same_shape(raw[:stamp]))
        begin = stamp
        colour = re.compile(COLOUR).match(raw, begin)
        assert colour is not None
        pieces.append(COLOUR)
        begin = colour.end()
    for figure in text.figures:
        pieces.append(exact(raw[begin : figure.start]))
        point = b"." in raw[figure.start : figure.end]
        number = INTEGER + rb"\." + INTEGER if point else INTEGER
        if figure.name:
            names[figure.name] = len(names) + 1
            pieces.append(b"(" + number + b")")
            groups += 1
        else:
            pieces.append(number)
        begin = figure.end
    tail = raw[begin:]
    if loose:
        tail = re.sub(rb"(?:\x1b\[[\d;]*m)+\Z", b"", tail)
        pieces += [exact(tail), COLOUR, END]
    else:
        pieces += [exact(tail), END if text.raw.endswith(b"\r\n") else b"\n"]
    return b"".join(pieces), groups


def stamp_length(text: Text) -> int:
    """Bytes of the time stamp at the start of a line, the blank after it included; 0 where there is none."""
    stamp = stamp_of(text)
    if stamp is None:
        return 0
    length = len(stamp)
    if not text.raw.startswith(stamp.encode()):
        raise UnfitError
    return length + (text.raw[length : length + 1] == b" ")


class Layout:
    """One shape of runs, with what was learnt of them."""

    def __init__(self, unit: Unit, here: Reading, there: Reading) -> None:
        self.taken = 0
        """Runs that it has read."""
        self.lessons = 0
        self.unjudged = -1
        """Start byte of a run of this layout whose figures were not judged like those of any run learnt from."""
        self.signature: object = None
        """Equal for layouts that take the same bytes."""
        self.recognised = here.recognised
        self.start = Start(unit.raw_lines[0], first_text(unit))
        self.blocks = [part for part in unit.parts if isinstance(part, Block)]
        for block in self.blocks:
            self.recognised -= min(block.count, FIRST_VALUES)
        self.ties = ties(unit)
        self.places: dict[str, int] = {}
        """Group of each variable."""
        self.reals = unit.reals
        self.judgements: list[tuple[Picker, Judgement]] = []
        """What runs of this shape come to, with the groups that are looked at."""
        self.pinned = here.pinned
        self.lengths = here.values
        """The numbers of elements in the run that is learnt from, by their variables."""

    def placed(self, expression: str) -> str:
        """An expression for a line of a run ("line + 40"), where the number of elements before it varies.

        Raises:
            UnfitError: it is a line in the middle of a block.
        """
        if not expression.startswith("line + "):
            return expression
        place = int(expression[7:])
        more = ""
        for block in self.blocks:
            if place >= block.place + self.lengths[block.names[0]]:
                place -= self.lengths[block.names[0]]
                more += f" + {block.names[0]}"
            elif place > block.place:
                raise UnfitError
        return f"line + {place}{more}"

    def known(self, here: Reading) -> bool:
        """Whether runs of this shape came to the same row before, with nothing in it that moves from run to run."""
        self.lengths = here.values
        values, computed = self._fields(here, here)
        steady = (known.result for _, known in self.judgements if known.steady)
        return Result(tuple(values), tuple(computed)) in steady

    def _fields(self, here: Reading, there: Reading) -> tuple[list[Any], list[bool]]:
        values: list[Any] = []
        computed: list[bool] = []
        for name, a, b in zip(RunRow._fields, here.row, there.row, strict=True):
            expression = moving(a, b)
            if name not in _OF_PLACE:
                values.append(a if expression is None else self.placed(renamed(expression, self.ties)))
                computed.append(expression is not None)
        return values, computed

    def learn(self, here: Reading, there: Reading) -> None:
        """Runs of this shape may be judged like this one.

        Raises:
            UnfitError: its elements were looked at, or something moves from run to run in a way that is not understood.
        """
        self.lessons += 1
        self.lengths = here.values
        values, computed = self._fields(here, there)
        conditions = [f"({name} == {here.values[name]!r})" for name in sorted(here.pinned - self.pinned)]
        conditions += here.tracer.conditions
        words = simplified(dict.fromkeys(renamed(condition, self.ties) for condition in conditions))
        words += [f"{name} < {EXACT_LIMIT}" for name in sorted(set(self.ties.values()) & variables(words))]
        result = Result(tuple(values), tuple(computed))
        known = next((known for _, known in self.judgements if known.result == result), None)
        judgement = known or Judgement(result, self.reals)
        if judgement.ways >= WAYS or not variables([*words, *(str(v) for v in values)]) <= self.places.keys():
            raise UnfitError
        judgement.add(words)
        entry = (picker([self.places[name] for name in judgement.needed]), judgement)
        others = [other for other in self.judgements if other[1] is not judgement]
        self.judgements = [entry, *others[: JUDGEMENTS - 1]]

    @property
    def full(self) -> bool:
        """True where no more is learnt of runs of this shape."""
        return self.lessons >= LESSONS

    def row(
        self,
        groups: tuple[bytes, ...],
        source: str,
        index: int,
        first: int,
        last: int,
        start: int,
        end: int,
        at: str | None,
    ) -> RunRow | None:
        """Judge the figures; the row, where they are judged like those of a run that was learnt from."""
        for place, (pick, judgement) in enumerate(self.judgements):
            try:
                picked = pick(groups)
                if None in picked:  # an element that this run does not have
                    picked = tuple(b"null" if shown is None else shown for shown in picked)
                numbers = _numbers("[" + b",".join(picked).decode() + "]", 0)[0]
                row: RunRow | None = judgement.judge(numbers, source, index, first, last, start, end, at)
            except (ValueError, ArithmeticError, TypeError, StopIteration):
                continue
            if row is not None:
                if place:
                    self.judgements.insert(0, self.judgements.pop(place))
                return row
        return None

    def use(self, junk: list[bytes]) -> None:
        """Take lines of these shapes as meaningless from now on, where such lines may stand."""

    def take(self, data: bytes, at: int, source: str, index: int, line: int, offset: int) -> Taken | None:
        """Read the run that begins at `at`; None where it is not of this layout, or not judged like the first one."""
        raise NotImplementedError


def ties(unit: Unit) -> dict[str, str]:
    """Figures that are printed twice, as the second's variable to the first's.

    "1498202" and "1498202.00" on one line (a single inference), or a number of many digits that comes back later.
    """
    tied: dict[str, str] = {}
    first: dict[bytes, str] = {}
    for part in unit.parts:
        before: tuple[bytes, str] | None = None
        for figure in part.figures if isinstance(part, Text) else ():
            if not figure.name:
                continue
            shown = part.raw[figure.start : figure.end]
            if before is not None and figure.real and shown == before[0] + b".00":
                tied[figure.name] = tied.get(before[1], before[1])
            elif not figure.real:
                if len(shown) >= TIED_DIGITS and shown in first:
                    tied[figure.name] = first[shown]
                first.setdefault(shown, figure.name)
                before = (shown, figure.name)
    return tied


def first_text(unit: Unit) -> Text:
    """The line that a unit begins with."""
    first = unit.parts[0]
    if not isinstance(first, Text) or first.plain:
        raise UnfitError
    return first


def layout_of(unit: Unit, here: Reading, there: Reading, junk: list[bytes]) -> Layout:
    """The layout of a unit that was read; `junk`: patterns of lines without meaning.

    Raises:
        UnfitError: it has none that could be relied on.
    """
    if unit.decorated:
        from .layout_loose import LooseLayout

        return LooseLayout(unit, here, there, junk)
    return TightLayout(unit, here, there)


class _Segment:
    """Literals and groups of a tight layout between two long blocks."""

    def __init__(self) -> None:
        self.pattern: list[bytes] = []
        self.literals: list[bytes] = [b""]
        self.order: list[int] = []
        """Which group stands behind each literal: one stands at two places where figures are tied."""
        self.groups = 0
        self.counted: list[tuple[Block, int]] = []
        """Groups that hold a short block."""

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
        self.pieces = [b""] * (2 * len(self.order) + 1)
        self.pieces[0::2] = self.literals
        self.places = None if self.order == list(range(self.groups)) else picker(self.order)


class TightLayout(Layout):
    """Plain lines back to back."""

    def __init__(self, unit: Unit, here: Reading, there: Reading) -> None:
        super().__init__(unit, here, there)
        self.segments = [_Segment()]
        self.long: list[Block] = []
        self.first_values: list[re.Pattern[bytes]] = []
        self.fixed_lines = 0
        self.counts: list[str] = []
        """Variables of the numbers of elements; they stand behind all groups."""
        before = 0
        for part in unit.parts:
            segment = self.segments[-1]
            if isinstance(part, Text):
                self._text(part, segment, before)
            elif part.count < LONG_BLOCK:
                self._short(part, segment, before)
            else:
                before += segment.groups
                first = re.compile(b"".join(element_patterns(part)[0]))
                self.places.update(zip(part.names[1:], range(before, before + FIRST_VALUES), strict=False))
                before += FIRST_VALUES
                self.first_values.append(first)
                self.counts.append(part.names[0])
                self.long.append(part)
                self.segments.append(_Segment())
        for segment in self.segments:
            segment.compile()
        total = before + self.segments[-1].groups
        for place, name in enumerate(self.counts):
            self.places[name] = total + place
        for segment in self.segments[1:]:
            if len(segment.literals[0]) < 8 or segment.literals[0].startswith((b"Output[", b"Input[")):
                raise UnfitError
        self.signature = tuple((segment.regex.pattern, *segment.literals) for segment in self.segments)

    def _short(self, part: Block, segment: _Segment, before: int) -> None:
        first, rest = element_patterns(part)
        group = segment.group(b"".join(first) + rest)
        segment.counted.append((part, group))
        segment.groups += len(first)
        self.places.update(zip(part.names[1:], range(before + group + 1, before + segment.groups), strict=False))
        self.counts.append(part.names[0])

    def _text(self, part: Text, segment: _Segment, before: int) -> None:
        self.fixed_lines += 1
        begin = 0
        for figure in part.figures:
            segment.literal(part.raw[begin : figure.start])
            begin = figure.end
            shown = part.raw[figure.start : figure.end]
            tied = self.places.get(self.ties.get(figure.name, ""), -1) - before
            if tied >= 0:
                twice = INTEGER + (rb"\.00" if figure.real else b"")
                segment.group(twice, tied)
                if figure.real:
                    segment.literal(b".00")
                    segment.pattern[-1] = INTEGER
                continue
            group = segment.group(INTEGER + rb"\." + INTEGER if b"." in shown else INTEGER)
            self.ties.pop(figure.name, None)  # its twin is in another segment
            if figure.name:
                self.places[figure.name] = before + group
        segment.literal(part.raw[begin:])

    def take(self, data: bytes, at: int, source: str, index: int, line: int, offset: int) -> Taken | None:
        end = at
        lines = self.fixed_lines
        groups: tuple[bytes, ...] = ()
        counts: tuple[bytes, ...] = ()
        for place, segment in enumerate(self.segments):
            if place:
                found = self._jump(data, end, place - 1, segment.literals[0])
                if found is None:
                    return None
                end, more, first = found
                lines += more
                groups += first
                counts = (*counts, b"%d" % more)
            match = segment.regex.match(data, end)
            if match is None:
                return None
            values = match.groups()
            pieces = segment.pieces
            pieces[1::2] = values if segment.places is None else segment.places(values)
            text = b"".join(pieces)
            if not data.startswith(text, end):
                return None
            end += len(text)
            for block, group in segment.counted:
                more = values[group].count(b"\n")
                if not values[group].startswith(block.prefix + b"%d]" % (more - 1), values[group].rfind(block.prefix)):
                    return None
                lines += more
                counts = (*counts, b"%d" % more)
            groups = groups + values if groups else values
        if not data.startswith(self.start.raw, end) and self.start.pattern.match(data, end) is None:
            return None
        row = self.row(groups + counts, source, index, line, line + lines - 1, at + offset, end + offset, None)
        if row is None:
            self.unjudged = at + offset
            return None
        return Taken(row, end, lines, self.recognised + lines - self.fixed_lines, None)

    def _jump(self, data: bytes, begin: int, place: int, after: bytes) -> tuple[int, int, tuple[bytes, ...]] | None:
        """End, number of lines and first values of a long block; None where its lines are not all elements, in order."""
        block = self.long[place]
        first = self.first_values[place].match(data, begin)
        if first is None:
            return None
        counted = count_elements(data, begin, block.prefix, block.middle, block.tail)
        if counted is None or not data.startswith(after, counted[1]):
            return None
        return counted[1], counted[0], first.groups()


def picker(groups: list[int]) -> Picker:
    """What takes these groups out of all."""
    if len(groups) > 1:
        return itemgetter(*groups)
    return lambda all_groups: tuple(all_groups[group] for group in groups)


def element_value(block: Block) -> bytes:
    """The pattern of an element's value."""
    return b"-?" + INTEGER + (rb"\." + INTEGER if block.real else b"")


def element_patterns(block: Block) -> tuple[list[bytes], bytes]:
    """The patterns of a block's first lines, each with its value as a group and optional but for the first; and of the rest."""
    value = element_value(block)
    end = exact(block.tail)
    begin, middle = exact(block.prefix), exact(block.middle)
    first = [begin + b"%d" % index + middle + b"(" + value + b")" + end for index in range(FIRST_VALUES)]
    rest = b"(?:" + begin + INTEGER + middle + value + end + b")*" + HOLD.encode()
    return [first[0], *(b"(?:" + line + b")?" + HOLD.encode() for line in first[1:])], rest
