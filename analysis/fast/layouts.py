"""The layouts known for one capture: which to try, when to learn another, and which lines begin a run.

A wrong layout is worse than none. So a run that a layout has read is now and then read line by line as well (after 1,
4, 16, 64 ... runs), and a layout that gives anything else is dropped for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..dividing.left_off import left_by
from ..draft_parts import FIRST_VALUES
from ..report import Finding, Run
from ..rows import RunRow, json_line, row_of
from ..runs import RunBuilder
from .alone import Alone, read_alone
from .cleaned import Cleaned, Shapes, cleaned
from .elements import shortened, stretches
from .known import Known
from .layout import Layout, Taken, first_text
from .line_events import line_of
from .line_shapes import Start, stamp_length
from .noisy import Noisy
from .parts import CHECKED, UnfitError
from .tight import TightLayout
from .unit import Complete, Unit, settle

MOST_STARTS = 8
LEARN_BYTES = 1 << 18
CHECK_BYTES = 1 << 16
"""Larger runs are neither learnt from nor read twice."""
LEARN_ELEMENTS = 128
"""Elements of a dump that are kept in a run to learn from."""
FIRST_ATTEMPTS = 40
RUNS_PER_ATTEMPT = 48
"""Learning costs as much as reading dozens of runs; a capture of only different runs must not pay for it each time."""
KEY_LEAST_BYTES = 6


class Layouts:
    """The layouts of one capture, for runs as they stand in it and for runs that are cleaned first."""

    def __init__(self, source: str, *, jsonl: bool = False, complete: Complete | None = None) -> None:
        """With `jsonl`, layouts give JSON texts as well; `complete` adds to a run before it becomes one."""
        self.source = source
        self._full = jsonl
        self._complete = complete
        self._bare = Known(source, complete, full=jsonl)
        self._clean = Known(source, complete, full=jsonl)
        self._shapes: Shapes | None = None
        self._noisy: Noisy | None = None
        self._starts: list[Start] = []
        self._noted: dict[bytes, int] = {}
        self._attempts = 0
        self._apart = True
        """False once a run that was read alone gave something else than in its capture."""
        self._read_apart = 0
        self.left = 0
        """How far the run before came in its report, if it broke off there."""
        self._by: Layout | Alone | None = None
        """What read the run that was taken last."""
        self._newest_alone: Alone | None = None
        self._data = b""
        self._found: list[int] = []
        """Where each start stands next; two may have the same key, with time stamps and without."""

    def forget(self) -> None:
        """Learn everything again, because what is added to every run has changed."""
        self._bare = Known(self.source, self._complete, full=self._full)
        self._clean = Known(self.source, self._complete, full=self._full)
        self._noisy = Noisy(self._shapes) if self._shapes is not None else None

    @property
    def layouts(self) -> list[TightLayout]:
        """All known layouts."""
        return self._bare.all() + self._clean.all()

    @property
    def start_count(self) -> int:
        """How many kinds of first lines are looked for."""
        return len(self._starts)

    def open(self, data: bytes) -> None:
        """Look into these bytes from now on."""
        self._data = data
        self._found = [-1] * len(self._starts)

    def note_start(self, raw: bytes) -> None:
        """Record that a run began with this line; once it happened twice, such lines are looked for."""
        if not raw.endswith(b"\n") or len(raw) > 512 or len(self._starts) >= MOST_STARTS:
            return
        if any(start.pattern.fullmatch(raw) for start in self._starts):
            return
        try:
            unit = Unit(raw)
            start = Start(raw, unit.first_line())
        except UnfitError:
            return
        if len(start.key) < KEY_LEAST_BYTES:
            return
        self._noted[start.key] = self._noted.get(start.key, 0) + 1
        if self._noted[start.key] > 1:
            self._starts.append(start)
            self._found.append(-1)
        elif len(self._noted) > 64:
            self._noted.clear()

    def may_start(self, data: bytes | bytearray) -> bool:
        """Whether these bytes may hold the first line of a run."""
        return any(start.key in data for start in self._starts)

    def next_start(self, data: bytes, at: int) -> int:
        """Where the next whole line stands, from `at` on, that begins runs; -1 where there is none."""
        nearest = -1
        for place, begin in enumerate(self._found):
            if begin < at and begin != len(data):
                begin = self._found[place] = self._find(data, at, self._starts[place])
            if begin < len(data) and (nearest < 0 or begin < nearest):
                nearest = begin
        return nearest

    def last_start(self, data: bytes) -> int:
        """Where the last line stands, in whole lines, that begins a run; -1 where none does."""
        self.open(data)
        last = -1
        while (at := self.next_start(data, last + 1)) >= 0:
            last = at
        return last

    @staticmethod
    def _find(data: bytes, at: int, start: Start) -> int:
        begin = at
        while (place := data.find(start.key, begin)) >= 0:
            line = data.rfind(b"\n", 0, place) + 1
            if line >= at and start.pattern.match(data, line) is not None:
                return line
            begin = place + 1
        return len(data)

    def take(self, data: bytes, at: int, index: int, line: int, offset: int) -> Taken | None:
        """Read the run that begins at `at`, if it has a known layout and the first line of another run follows it."""
        taken = self._take(data, at, index, line, offset)
        if taken is None or self._by is None:
            return None
        place, leans = self._by.neighbours
        if self.left in leans:
            return None
        self.left = left_by(place, taken.row.status)
        return taken

    def _take(self, data: bytes, at: int, index: int, line: int, offset: int) -> Taken | None:
        bare = self._bare
        if bare.layouts or (self._shapes is None and bare):
            taken = bare.take(data, at, index, line, offset)
            if taken is not None:
                if bare.to_check and not self._holds(bare, data, at, taken, data, at):
                    return None
                self._by = bare.taking
                return taken
        if self._shapes is None or self._noisy is None:
            return None
        taken = self._noisy.take(data, at, self.source, index, line, offset)
        if taken is not None:
            if not self._noisy.to_check or self._same(data, at, taken):
                self._by = self._noisy.taking.layout if self._noisy.taking is not None else None
                return taken
            self._noisy.drop()
        stop = self.next_start(data, at + 1)
        if stop < 0:
            return None
        rest, clean = Cleaned(self._shapes, data, at, stop, line, offset), self._clean
        taken = clean.take(rest.text, 0, index, 0, offset, rest.origin)
        if taken is None:
            return self._alone(rest, data, at, index)
        if clean.to_check:
            alone = self._read_alone(rest, index) if taken.row.status == "truncated" else None
            if taken != alone and not self._holds(clean, data, at, taken, rest.text, 0):
                return None
        if clean.taking is not None:
            self._noisy.missed(clean.taking)
        self._by = clean.taking
        return taken

    def _read_alone(self, rest: Cleaned, index: int) -> Taken | None:
        found = read_alone(rest, index) if self._apart else None
        extent = rest.extent(found.lines, found.trailing) if found is not None else None
        if found is None or extent is None or extent[1] != found.run.last_line:
            return None
        self._newest_alone = found
        _, _, start, end, stamp, stop, lines = extent
        row = row_of(self.source, found.run, found.findings, start_byte=start, end_byte=end, at=stamp)
        return Taken(row, stop, lines, found.recognised, self._json(found.run, found.findings))

    def _alone(self, rest: Cleaned, data: bytes, at: int, index: int) -> Taken | None:
        """Read this run though no layout fits it, if it was cut short or nothing more is learnt about such runs."""
        taken = self._read_alone(rest, index)
        if taken is None:
            return None
        cut = taken.row.status == "truncated"
        to_learn = not cut and self._attempts < self._most_attempts(index - 1)
        if to_learn or self._clean.unjudged(taken.row.start_byte) is not None:
            return None
        self._read_apart += 1
        if self._read_apart in CHECKED and not self._same(data, at, taken):
            self._apart = False
            return None
        run = rest.text[: rest.text.rfind(b"\n", 0, -1) + 1]
        if cut and self._clean.is_common_cut(run):
            with suppress(UnfitError):
                unit = Unit(shortened(run, LEARN_ELEMENTS))
                readings = settle(unit, self._complete, self._full, self._clean.pinned(run))
                self._clean.learn(unit, *readings, run)
        self._by = self._newest_alone
        return taken

    def _json(self, run: Run, findings: Sequence[Finding]) -> str | None:
        """The JSON text of a run, where such texts are wanted; else ""."""
        if not self._full:
            return None
        run = self._complete(run, findings) if self._complete is not None else run
        return json_line(self.source, run, findings)

    def _most_attempts(self, runs: int) -> int:
        return FIRST_ATTEMPTS + runs // RUNS_PER_ATTEMPT

    def _same(self, data: bytes, at: int, taken: Taken) -> bool:
        """Whether reading this run line by line gives the same; True where that is not checked now."""
        if taken.end - at > CHECK_BYTES:
            return True
        following = data[taken.end : data.find(b"\n", taken.end) + 1]
        return self._slowly(data[at : taken.end], following, taken.row) == (taken.row, taken.json)

    def _holds(self, known: Known, data: bytes, at: int, taken: Taken, text: bytes, begin: int) -> bool:
        """The same for a run that one of the `known` layouts has taken; the layout may learn from it.

        The run stands in `text`, which may be cleaned, from `begin` on.
        """
        layout = known.taking
        if layout is not None and taken.end - at <= CHECK_BYTES:
            if not self._same(data, at, taken):
                known.drop()
                if self._noisy is not None:
                    self._noisy.forget(layout)
                return False
            if known.may_narrow:
                known.narrow(text[begin : layout.stop])
        return True

    def _slowly(self, data: bytes, following: bytes, row: RunRow) -> tuple[RunRow, str | None] | None:
        """The same run and the first line of the next, read line by line: its row, and its JSON text where such are
        wanted.
        """
        builder = RunBuilder()
        builder.count, builder.left = row.index - 1, self.left
        number = row.first_line
        try:
            for lines, dump, rest in stretches(data, FIRST_VALUES):
                number = _feed(builder, lines, number)
                known = getattr(builder.draft, dump.kind).get(dump.tensor) if dump is not None else None
                if dump is not None and known is not None and known.takes(dump.first + FIRST_VALUES, dump.dtype):
                    known.count = dump.last_line
                    number += dump.count - FIRST_VALUES - 1
                else:
                    number = _feed(builder, rest, number)
            again = line_of(following, number)
            builder.feed(again._replace(text=again.message))  # with the same stamp it would be a piece that came twice
        except UnfitError:
            return None
        runs, findings = builder.take()
        if len(runs) != 1 or builder.draft is None or builder.draft.first_line != number:
            return None
        text = self._json(runs[0], findings)
        slow = row_of(self.source, runs[0], findings, start_byte=row.start_byte, end_byte=row.end_byte, at=row.at)
        return slow, text

    def learn(self, data: bytes, start_byte: int, runs: int, *, truncated: bool) -> None:
        """Learn the layout of the run in `data`, which stands at `start_byte`, if that may pay; `runs` have finished."""
        data = shortened(data, LEARN_ELEMENTS)
        if len(data) > LEARN_BYTES:
            return
        try:
            self._learn(data, start_byte, runs, truncated=truncated)
        except UnfitError:
            return

    def _learn(self, data: bytes, start_byte: int, runs: int, *, truncated: bool) -> None:
        shapes = self._shapes
        bare = shapes is None or not shapes.are_before(data)
        known = self._bare if bare else self._clean
        alike = known.unjudged(start_byte)
        text = data if shapes is None or bare else cleaned(shapes, data)
        if text is None or (alike is not None and alike.full):
            return
        if text.find(b"\n") == len(text) - 1:
            return  # a first line may also be the copy of one
        if alike is not None:
            alike.learn(*settle(Unit(text), self._complete, self._full, alike.pinned, alike.known))
            return
        if truncated:
            if not known.is_common_cut(text):  # most are cut in another place each time
                return
        elif self._attempts >= self._most_attempts(runs):
            return
        self._attempts += not truncated
        unit = Unit(text)
        if unit.decorated and bare and shapes is not None:
            return  # decorated otherwise
        here, there = settle(unit, self._complete, self._full, known.pinned(text) if truncated else ())
        if unit.decorated and shapes is None:
            first = first_text(unit)
            self._shapes = shapes = Shapes(
                first.raw[: stamp_length(first)], first.raw[len(first.raw.rstrip(b"\r\n")) : -1]
            )
            self._noisy = Noisy(shapes)
            self._learn(data, start_byte, runs, truncated=truncated)
            return
        known.learn(unit, here, there, text if truncated else None)


def _feed(builder: RunBuilder, data: bytes, number: int) -> int:
    """Give these lines to the builder; the number of the line behind them."""
    for raw in data.split(b"\n")[:-1]:
        builder.feed(line_of(raw, number))
        number += 1
    return number
