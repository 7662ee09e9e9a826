"""Takes one run of a capture apart: which lines counted, where its figures stand, and what was concluded from them.

The scanner learns from such a unit (the bytes from the first line of a run to the first line of the next) how to read
others of the same shape. `RunBuilder`, the reader for everything, stays the judge of what lines mean: it is fed the
unit with `Traced` numbers in place of the printed ones, and what it does with them is learnt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..collect.collect import FAILURES, TROUBLE
from ..dividing.left_off import UNKNOWN, Neighbours
from ..draft_parts import FIRST_VALUES
from ..lines import Line
from ..patterns import TABLE, Event
from ..report import Finding, Run
from ..rows import row_of, run_object
from ..runs import RunBuilder
from ..traced import Traced, Tracer, written
from .alone import read_lines
from .line_events import ELSEWHERE, LINE_LIMIT_BYTES, event_of, line_of, spans_of
from .line_shapes import stamp_of
from .parts import Block, DumpText, Figure, Reading, Text, UnfitError

if TYPE_CHECKING:
    from ..draft import RunDraft
    from .dumps import Dump

Complete = Callable[[Run, Sequence[Finding]], Run]
UNTRACED = (ArithmeticError, ValueError, TypeError, LookupError, AttributeError)
"""Errors where a number that can be traced is used as only a plain one can be."""
MOST_GAPPED = 64
"""Elements after a gap in their dump, each of which is a line of its own here."""
_ELEMENT = re.compile(
    rb"((Output|Input)\[(\d{1,4})\]\[)(\d{1,9})(\]: (?:\(\w{1,9}\) )?)(-?\d{1,20}(\.\d{1,20})?)(?= *(?:\x1b\[[\d;]*m)?\r*\n)"
)
_PLAIN_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?\Z")


_DUMP = b'echo "'
"""A line that begins like this may be longer than others."""


@lru_cache(maxsize=4)
def _known_dump(text: str) -> Dump | None:
    from .dumps import Dump  # only here: few captures hold ETDumps

    try:
        return Dump(text)
    except ValueError:
        return None


class Unit:
    """The bytes of one run, from its first line to that of the next."""

    def __init__(self, data: bytes) -> None:
        if not data.endswith(b"\n") or b"\0" in data:
            raise UnfitError
        self.raw_lines = [line + b"\n" for line in data.split(b"\n")[:-1]]
        if any(b"\r" in line.rstrip(b"\r\n") for line in self.raw_lines):
            raise UnfitError
        if any(len(line) > LINE_LIMIT_BYTES and not line.startswith(_DUMP) for line in self.raw_lines):
            raise UnfitError
        self.parts: list[Text | Block] = []
        self.escapes = b"\x1b" in data
        self.gapped = 0
        """Number of elements after a gap in their dump."""
        self.torn = False
        """True where meaningless lines stand within a dump."""
        self.full = False
        """True where the whole report of the run is wanted, not only its row."""
        self.reals: dict[str, bool] = {}
        """Variables of figures in their order; True for those that are read as floats."""
        self.values: dict[str, Any] = {}

    def read(
        self, tracer: Tracer, pinned: set[str], line: int, index: int, complete: Complete | None, full: bool
    ) -> Reading:
        """Feed the unit to the reader for everything, as the run after `index` others that begins at `line`.

        Raises:
            UnfitError: it is not one whole run, or holds what cannot be learnt.
        """
        self.parts, self.reals, self.values, self.gapped, self.torn, self.full = [], {}, {}, 0, False, full
        builder = RunBuilder()
        builder.count, builder.left = index, UNKNOWN
        for part in self._feed(builder, line, tracer, pinned):
            self.parts.append(part)
        recognised = builder.recognised
        own = builder.draft
        if own is None:
            raise UnfitError
        self._trace_dump(own, tracer, pinned)
        builder.match = TABLE.match
        again = line_of(self.raw_lines[0], line + len(self.raw_lines))
        again = again._replace(text=again.message)  # the same line with the same stamp would be a piece that came twice
        builder.feed(again)
        runs, findings = builder.take()
        draft = builder.draft
        ended = draft is not None and draft.first_line == again.number and builder.undisturbed
        if len(runs) != 1 or runs[0].first_line != line or not ended:
            raise UnfitError
        run = runs[0]
        row = row_of("", run, findings, start_byte=0, end_byte=0, at=None)
        trailing = line + len(self.raw_lines) - 1 - run.last_line
        if not all(type(part) is Text and not part.figures for part in self.parts[len(self.parts) - trailing :]):
            raise UnfitError
        whole = None
        if full:
            run = complete(run, findings) if complete is not None else run
            tracer.active = False
            whole = run_object(run, findings)
            tracer.active = True
        return Reading(row, whole, tracer, recognised, set(pinned), self.values, trailing, Neighbours.of(own))

    def plainly(self, known: Reading, line: int, index: int) -> Reading | None:
        """A reading at another place than `known`, without looking for figures; None where it takes a full reading."""
        raws = [*self.raw_lines, self.raw_lines[0]]
        alone = read_lines(raws, range(line, line + len(raws)), index + 1)
        if alone is None:
            return None
        row = row_of("", alone.run, alone.findings, start_byte=0, end_byte=0, at=None)
        known = known._replace(row=row, run=None, recognised=alone.recognised)
        return known._replace(trailing=alone.trailing, neighbours=alone.neighbours)

    @property
    def decorated(self) -> bool:
        """True where lines have time stamps or colours, or meaningless lines stand between them."""
        texts = [part for part in self.parts if isinstance(part, Text)]
        return self.escapes or any(part.raw.strip() if part.plain else stamp_of(part) is not None for part in texts)

    def first_line(self) -> Text:
        """The line that the unit begins with.

        Raises:
            UnfitError: it is none that begins a run.
        """
        self.parts, self.reals, self.values = [], {}, {}
        raw, alone = self.raw_lines[0], RunBuilder()
        try:
            text = self._text(alone, line_of(raw, 1), Tracer(), set(), raw, 0)
        except UNTRACED:
            raise UnfitError from None
        if text.plain or text.body < 0 or alone.draft is None:  # what begins one only behind another run is no mark
            raise UnfitError
        return text

    def _feed(self, builder: RunBuilder, first: int, tracer: Tracer, pinned: set[str]) -> Iterator[Text | Block]:
        block: Block | None = None
        for place, raw in enumerate(self.raw_lines):
            number = first + place
            found = _ELEMENT.search(raw) if b"put[" in raw else None
            if block is not None and found is not None and block.takes(found):
                block.count += 1
                self.torn = self.torn or bool(block.idle)
                if block.count <= FIRST_VALUES:
                    self._element(builder, raw, number)
                else:
                    assert builder.draft is not None
                    builder.draft.last_line = number
                continue
            if found is not None:
                if block is not None:
                    yield from self._closed(block, builder, tracer, pinned)
                    block = None
                if found[4] != b"0":
                    yield self._behind_gap(builder, found, raw, place, number)
                    continue
                block = Block(found, raw, place)
                block.count = 1
                self._element(builder, raw, number)
                continue
            line = line_of(raw, number)
            idle = not line.level and not line.eot and event_of(line.message, 0) is None
            if block is not None and not idle:
                yield from self._closed(block, builder, tracer, pinned)
                block = None
            text = self._text(builder, line, tracer, pinned, raw, place)
            text.plain, changed = text.plain and idle, not text.plain
            if block is None:
                yield text
            elif changed:
                raise UnfitError
            else:
                block.idle.append(text)
        if block is not None:
            yield from self._closed(block, builder, tracer, pinned)

    @staticmethod
    def _element(builder: RunBuilder, raw: bytes, number: int) -> None:
        event = builder.feed(line_of(raw, number))
        if event is None or event.kind not in ("output", "input") or builder.draft is None:
            raise UnfitError

    def _behind_gap(self, builder: RunBuilder, found: re.Match[bytes], raw: bytes, place: int, number: int) -> Text:
        """Count an element after others that the dump left out; its value is not kept."""
        self._element(builder, raw, number)
        assert builder.draft is not None
        known = (builder.draft.outputs if found[2] == b"Output" else builder.draft.inputs).get(int(found[3]))
        self.gapped += 1
        if known is None or not known.elided or self.gapped > MOST_GAPPED:
            raise UnfitError
        text = Text(raw, place, line_of(raw, number))
        text.figures.append(Figure(*found.span(6), "", found[7] is not None, signed=True))
        return text

    def _closed(self, block: Block, builder: RunBuilder, tracer: Tracer, pinned: set[str]) -> list[Text | Block]:
        """Let the reader, which has seen the first elements, know of the others, and make what it keeps traceable."""
        draft = builder.draft
        assert draft is not None
        known = getattr(draft, block.kind)[block.tensor]
        kept = min(block.count, FIRST_VALUES)
        if known.elided or known.count != kept or len(known.first) != kept:
            raise UnfitError
        block.names = [self._name(False), *(self._name(block.real, "e") for _ in range(FIRST_VALUES))]
        count, *names = block.names  # as many names for a short block, so that those after it stay the same
        self.values[count] = block.count
        self.values.update(zip(names, known.first, strict=False))
        known.count = block.count if count in pinned else tracer.figure(block.count, count)
        known.first = [
            value if name in pinned else tracer.figure(value, name)
            for name, value in zip(names, known.first, strict=False)
        ]
        return [block, *block.idle]

    def _name(self, real: bool, letter: str = "v") -> str:
        name = f"{letter}{len(self.reals)}"
        self.reals[name] = real
        return name

    def _text(self, builder: RunBuilder, line: Line, tracer: Tracer, pinned: set[str], raw: bytes, place: int) -> Text:
        text = Text(raw, place, line)

        def match(message: str, number: int) -> Event | None:
            event = event_of(message, number)
            if event is None or message is not line.message:
                return event
            if event.kind in ELSEWHERE:
                raise UnfitError
            if event.kind == "etdump_data":
                self._dump(text, event, message)
                return event
            if event.kind in FAILURES or event.kind in TROUBLE or line.level in ("E", "F"):
                return event
            return event._replace(values=self._traced(text, event, message, tracer, pinned))

        builder.match = match  # type: ignore[assignment]
        event = builder.feed(line)
        draft = builder.draft
        text.plain = event is None and (draft is None or draft.last_line != line.number)
        return text

    def _dump(self, text: Text, event: Event, message: str) -> None:
        """Note where the text of an ETDump stands, if other texts may stand there; else it is a part of the line."""
        dump = _known_dump(str(event.values.get("data")))
        if dump is None or text.body < 0 or not message.isascii():
            return
        names = [self._name(False) for shown in dump.shown if shown] if self.full else []
        start = next(start for name, _, start, _ in spans_of(message) if name == "data")
        text.figures.append(DumpText(text.body + start, dump, names))

    def _trace_dump(self, draft: RunDraft, tracer: Tracer, pinned: set[str]) -> None:
        """Make the times in the run's ETDump traceable."""
        found = [
            (part, figure)
            for part in self.parts
            if type(part) is Text
            for figure in part.figures
            if type(figure) is DumpText
        ]
        if not found or not self.full:
            return
        part, figure = found[0]
        if len(draft.etdump.blocks) != 1:
            raise UnfitError
        block, known = draft.etdump.blocks[0], figure.dump.found
        assert known.report is not None
        events = []
        for name, event in zip(figure.names, known.report.events, strict=True):
            self.values[name] = event.cycles
            events.append(event if name in pinned else event._replace(cycles=tracer.figure(event.cycles or 0, name)))  # type: ignore[arg-type]
        report = known.report._replace(events=tuple(events))
        draft.etdump.decoded = block.size + block.complete, known._replace(report=report, line=block.line)

    def _traced(self, text: Text, event: Event, message: str, tracer: Tracer, pinned: set[str]) -> dict[str, Any]:
        values = dict(event.values)
        for name, kind, start, end in spans_of(message):
            shown = message[start:end]
            if kind not in ("int", "float", "element") or not _PLAIN_NUMBER.match(shown):
                continue
            if text.body < 0 or not message.isascii():
                break  # where the figures stand in the bytes is not known: they count as a part of the line
            variable, real = "", kind != "int"
            if name:
                variable = self._name(real)
                self.values[variable] = values.get(name)
                if variable in pinned or values.get(name) != (float(shown) if real else int(shown)):
                    continue
                values[name] = tracer.figure(values[name], variable)  # type: ignore[arg-type, assignment]
            text.figures.append(Figure(text.body + start, text.body + end, variable, real))
        return values


def strings(value: Any) -> Iterator[str]:
    """All texts in report data, keys included."""
    if isinstance(value, str):
        yield value
    elif type(value) is dict:
        for key, item in value.items():
            yield str(key)
            yield from strings(item)
    elif type(value) is list or type(value) is tuple:
        for item in value:
            yield from strings(item)


def settle(
    unit: Unit,
    complete: Complete | None,
    full: bool,
    pinned: Iterable[str] = (),
    known: Callable[[Reading], bool] | None = None,
) -> tuple[Reading, Reading]:
    """Read the unit until no more figures need to be pinned; twice, at two places of a capture, to tell what moves, unless
    a reading is one whose results are `known`.

    Raises:
        UnfitError: it cannot be learnt.
    """
    fixed = set(pinned)
    for _ in range(8):
        tracer = Tracer()
        try:
            reading = unit.read(tracer, fixed, *PLACES[0], complete, full)
        except UNTRACED:
            if tracer.written <= fixed:
                raise UnfitError from None
            fixed |= tracer.written  # a text with a number in it was used as a name
            continue
        more = set(tracer.pinned)
        for text in strings((tuple(reading.row), reading.run)):
            more |= written(text)
        if more <= fixed and known is not None and known(reading):
            return reading, reading
        if more <= fixed:
            elsewhere = unit.plainly(reading, *PLACES[1]) if not full else None
            return reading, elsewhere or unit.read(Tracer(), fixed, *PLACES[1], complete, full)
        fixed |= more
    raise UnfitError


PLACES = ((1_000_003, 500_009), (21_000_037, 700_027))
"""Lines, and numbers of runs before them, at which a unit is read: what moves in the results is told by comparing them.
"""


def moving(here: Any, there: Any) -> str | None:
    """The expression of a number of the results: "line + 5", "index + 1", a traced one, or None where it is fixed.

    Raises:
        UnfitError: it moves in another way.
    """
    if type(here) is Traced:
        return here.expression
    if type(here) is not int or here == there:
        if here != there and not (here != here and there != there):
            raise UnfitError
        return None
    moved = there - here
    if moved == PLACES[1][0] - PLACES[0][0]:
        return f"line + {here - PLACES[0][0]}"
    if moved == PLACES[1][1] - PLACES[0][1]:
        return f"index + {here - PLACES[0][1] - 1}"  # `index` is that of the run itself
    raise UnfitError
