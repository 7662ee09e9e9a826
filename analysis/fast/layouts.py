"""The layouts known of one capture: which to try, when to learn another, and which lines begin a run.

A wrong layout is worse than none.  So a run that a layout has read is now and then read line by line as well (after 1, 2,
4, 8 ... runs); a layout that gives anything else is dropped for good.
"""

from __future__ import annotations

import json
from contextlib import suppress

from ..report import to_dict
from ..rows import RunRow, row_of
from ..runs import RunBuilder
from .elements import shortened
from .layout import SAMPLES, Layout, Start, Taken, first_text
from .tight import layout_of
from .unit import Complete, Text, UnfitError, Unit, line_of, settle, stamp_of

MOST = 12
MOST_STARTS = 4
NARROW_LEAST = 4
"""With fewer of them it would not pay."""
MOST_JUNK = 64
MOST_CUT = 4096
LEARN_BYTES = 1 << 18
CHECK_BYTES = 1 << 16
"""Runs larger than these are not learnt from, and not read twice."""
LEARN_ELEMENTS = 128
"""Elements of a dump that are left in a run that is learnt from."""
FIRST_ATTEMPTS = 24
RUNS_PER_ATTEMPT = 48
"""Learning costs as much as reading dozens of runs; a capture whose runs are all different must not pay for it each time."""
KEY_LEAST_BYTES = 6


class Layouts:
    """Layouts of one capture, the most recently used first."""

    def __init__(self, source: str, jsonl: bool = False, complete: Complete | None = None) -> None:
        """With `jsonl`, layouts give JSON texts as well; `complete` adds to a run before it becomes one."""
        self.source = source
        self._full = jsonl
        self._complete = complete
        self._known: list[Layout] = []
        self._starts: list[Start] = []
        self._noted: dict[bytes, int] = {}
        self._attempts = 0
        self._cut: set[int] = set()
        self._data = b""
        self._found: dict[bytes, int] = {}
        self._dropped: set[object] = set()
        self._junk: list[bytes] = []

    def open(self, data: bytes) -> None:
        """The next bytes to look into."""
        self._data = data
        self._found = {}

    def note_start(self, raw: bytes) -> None:
        """A run began with this line; where that happens twice, such lines are looked for."""
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
            self._found = {}
        elif len(self._noted) > 64:
            self._noted.clear()

    def may_start(self, data: bytes | bytearray) -> bool:
        """Whether a first line of a run may be in these bytes."""
        return any(start.key in data for start in self._starts)

    def next_start(self, data: bytes, at: int) -> int:
        """Where the next line stands that begins runs, whole and from `at` on; -1 where there is none."""
        nearest = -1
        for start in self._starts:
            begin = self._found.get(start.key, -1)
            if begin < at and begin != len(data):
                begin = self._find(data, at, start)
                self._found[start.key] = begin
            if begin < len(data) and (nearest < 0 or begin < nearest):
                nearest = begin
        return nearest

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
        """Read the run that begins at `at`, if it is of a known layout and the first line of another run follows it."""
        known = self._known
        for place, layout in enumerate(known):
            taken = layout.take(data, at, self.source, index, line, offset)
            if taken is None:
                continue
            layout.taken += 1
            layout.hits += 1
            if place:
                self._teach(data[at : taken.end], known[:place], at + offset)
            if place and layout.hits > known[place - 1].hits:
                known[place - 1 : place + 1] = layout, known[place - 1]
            if layout.taken & (layout.taken - 1) == 0 and taken.end - at <= CHECK_BYTES:
                if self._slowly(data[at : taken.end], taken.row) != (taken.row, taken.json):
                    known.remove(layout)
                    self._dropped.add(layout.signature)
                    return None
                if layout.taken == SAMPLES and layout.narrows and not layout.narrow:
                    self._narrow(data[at : taken.end], layout)
            return taken
        return None

    def _teach(self, data: bytes, others: list[Layout], start_byte: int) -> None:
        """Another layout has read a run that one of these would have, had it known how to judge it."""
        for layout in others:
            if layout.narrow and layout.unjudged == start_byte and not layout.full:
                with suppress(UnfitError):
                    layout.learn(*settle(Unit(data), self._complete, self._full, layout.pinned, layout.known))

    def _narrow(self, data: bytes, wide: Layout) -> None:
        """Learn a layout of the runs that print the same figures wherever all runs did so far: it has less to look at."""
        same = wide.same_everywhere()
        wide.samples.clear()
        if len(same) < NARROW_LEAST or len(self._known) >= MOST:
            return
        try:
            unit = Unit(data)
            here, there = settle(unit, self._complete, self._full, same | wide.pinned)
            narrow = layout_of(unit, here, there, self._junk)
            narrow.learn(here, there)
        except UnfitError:
            return
        if narrow.signature in self._dropped or any(known.signature == narrow.signature for known in self._known):
            return
        narrow.hits = wide.hits + 1
        narrow.narrow = True
        self._known.insert(self._known.index(wide), narrow)

    def _slowly(self, data: bytes, row: RunRow) -> tuple[RunRow, str | None] | None:
        """The same run read line by line: its row, and its JSON text where such are wanted."""
        builder = RunBuilder()
        builder.count = row.index - 1
        lines = data.split(b"\n")
        lines[-1] = lines[0]
        try:
            for number, raw in enumerate(lines, row.first_line):
                line = line_of(raw, number)
                builder.feed(line if number > row.first_line else line._replace(text=line.message))
        except UnfitError:
            return None
        runs, findings = builder.take()
        if len(runs) != 1 or builder.draft is None or builder.draft.first_line != row.first_line + len(lines) - 1:
            return None
        text = None
        if self._full:
            run = self._complete(runs[0], findings) if self._complete is not None else runs[0]
            text = json.dumps(to_dict(run), allow_nan=False)
        slow = row_of(self.source, runs[0], findings, start_byte=row.start_byte, end_byte=row.end_byte, at=row.at)
        return slow, text

    def seen(self, data: bytes) -> bool:
        """Whether a run that was cut short looked like this one before: most are cut in another place each time."""
        shape = hash(data.translate(None, b"0123456789")) if len(data) < LEARN_BYTES else 0
        if shape in self._cut:
            return True
        if len(self._cut) < MOST_CUT:
            self._cut.add(shape)
        return False

    def learn(self, data: bytes, start_byte: int, runs: int) -> bool:
        """Learn the layout of the run in `data`, which stands at `start_byte`, if that may pay; `runs` were finished."""
        alike = next((layout for layout in self._known if layout.unjudged == start_byte), None)
        if alike is None:
            if self._attempts >= FIRST_ATTEMPTS + runs // RUNS_PER_ATTEMPT:
                return False
            self._attempts += 1
        elif alike.full:
            return False
        data = shortened(data, LEARN_ELEMENTS)
        if len(data) > LEARN_BYTES or data.find(b"\n") == len(data) - 1:  # a first line may also be the copy of one
            return False
        try:
            return self._learn(data, alike)
        except UnfitError:
            return False

    def _learn(self, data: bytes, alike: Layout | None) -> bool:
        if alike is not None:
            unit = Unit(data)
            alike.learn(*settle(unit, self._complete, self._full, alike.pinned, alike.known))
            return True
        unit = Unit(data)
        here, there = settle(unit, self._complete, self._full)
        if unit.decorated and not self._learn_junk(unit):
            return False
        layout = layout_of(unit, here, there, self._junk)
        if layout.signature in self._dropped:
            return False
        for known in self._known:
            if known.signature == layout.signature and known.ties == layout.ties:
                known.use(self._junk)
                known.learn(here, there)
                return True
        layout.learn(here, there)
        self._known.insert(0, layout)
        del self._known[MOST:]
        return True

    def _learn_junk(self, unit: Unit) -> bool:
        """Take note of lines that mean nothing; False where one of them might."""
        from .loose import junk_shape

        stamped = stamp_of(first_text(unit)) is not None
        for part in unit.parts:
            if not isinstance(part, Text) or not part.plain:
                continue
            shape = junk_shape(part, stamped)
            if shape is None:
                return False
            if shape and shape not in self._junk:
                if len(self._junk) >= MOST_JUNK:
                    return False
                self._junk.append(shape)
        return True
