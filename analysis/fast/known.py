"""The layouts known for one kind of text: which to try first, and which runs teach another one something.

A capture has two kinds of text: runs as they stand in it, and runs that were cleaned first.
"""

from __future__ import annotations

from contextlib import suppress
from operator import attrgetter

from .endings import Endings
from .layout import SAMPLES, Taken
from .line_shapes import Start
from .origin import Origin
from .parts import CHECKED, Reading, UnfitError
from .tight import TightLayout
from .unit import Complete, Unit, settle

MOST = 96
"""Layouts of one kind; a night of twenty programs has fifty, because each may follow each."""
MOST_UNPROVEN = 24
"""Layouts that have read no run yet; where all runs differ, each is tried in vain."""
NARROW_LEAST = 4
"""With fewer such figures it would not pay."""
MOST_CUT = 128
"""Places where runs were cut short that are remembered."""
MOST_CUT_LESSONS = 24
_CHECKED_CUT = frozenset(16**power for power in range(16))
"""As `CHECKED`, of runs that were cut short: there are many such layouts."""
_DIGITS = b"0123456789"


class Known:
    """Layouts, the most recently used first; those of runs that were cut short, by the line where they were cut."""

    def __init__(self, source: str, complete: Complete | None, *, full: bool) -> None:
        self.source = source
        self.layouts: list[TightLayout] = []
        self.taking: TightLayout | None = None
        """The layout that took the last run."""
        self.to_check = False
        """True when that layout has taken 1, 4, 16, 64 ... runs; for runs cut short, 1, 16, 256 ..."""
        self._complete = complete
        self._full = full
        self._cut: dict[bytes, list[TightLayout]] = {}
        self._cut_seen: set[bytes] = set()
        self._cut_lessons: dict[bytes, int] = {}
        self._starts: dict[bytes, Start] = {}
        self._begun: list[tuple[list[bytes], frozenset[str]]] = []
        """Lines of some runs without their digits, up to the first element, with the figures that were pinned."""
        self._dropped: set[object] = set()

    def __bool__(self) -> bool:
        return bool(self.layouts or self._cut)

    def all(self) -> list[TightLayout]:
        """Every layout."""
        return [*self.layouts, *(layout for alike in self._cut.values() for layout in alike)]

    def take(
        self, text: bytes, at: int, index: int, line: int, offset: int, origin: Origin | None = None
    ) -> Taken | None:
        """Read the run that begins at `at`, if it has a known layout and the first line of another run follows it."""
        for place, layout in enumerate(self.layouts):
            taken = layout.take(text, at, self.source, index, line, offset, origin)
            if taken is not None:
                layout.taken += 1
                self.to_check = layout.taken in CHECKED
                layout.hits += 1
                self.taking = layout
                if place:
                    self._teach(text, at, place, taken.row.start_byte)
                    if layout.hits > self.layouts[place - 1].hits:
                        self.layouts[place - 1 : place + 1] = layout, self.layouts[place - 1]
                return taken
        if self._cut:
            for layout in self._cut.get(self._last_line(text, at), ()):
                taken = layout.take(text, at, self.source, index, line, offset, origin)
                if taken is not None:
                    layout.taken += 1
                    self.to_check = layout.taken in _CHECKED_CUT
                    self.taking = layout
                    return taken
        return None

    def _last_line(self, text: bytes, at: int) -> bytes:
        """The line before the first line of the next run, without its digits."""
        end = len(text)
        for start in self._starts.values():
            place = at
            while (place := text.find(start.key, place + 1, end)) >= 0:
                begin = text.rfind(b"\n", 0, place) + 1
                if begin > at and start.pattern.match(text, begin) is not None:
                    end = begin
                    break
        return _last_line(text, at, end)

    def _teach(self, text: bytes, at: int, place: int, start_byte: int) -> None:
        """Teach an earlier layout to judge a run that only a later one could read."""
        for other in range(place):
            layout = self.layouts[other]
            if layout.unjudged == start_byte and layout.narrow and not layout.full:
                run = text[at : self.layouts[place].stop]
                with suppress(UnfitError):
                    layout.learn(*settle(Unit(run), self._complete, self._full, layout.pinned, layout.known))

    def drop(self) -> None:
        """Never use the layout that took the last run again: it was wrong."""
        layout = self.taking
        if layout is None:
            return
        self._dropped.add(layout.signature)
        for layouts in (self.layouts, *self._cut.values()):
            if layout in layouts:
                layouts.remove(layout)

    @property
    def may_narrow(self) -> bool:
        """Whether enough runs were seen to narrow the layout that took the last run."""
        layout = self.taking
        return layout is not None and layout.taken == SAMPLES and not layout.narrow and layout in self.layouts

    def narrow(self, text: bytes) -> None:
        """Learn a layout for runs that print the same figures wherever all runs so far did: it has less to look at."""
        wide = self.taking
        assert wide is not None
        same = wide.same_everywhere()
        wide.samples.clear()
        if len(same) < NARROW_LEAST or len(self.layouts) >= MOST:
            return
        try:
            unit = Unit(text)
            here, there = settle(unit, self._complete, self._full, same | wide.pinned)
            narrow = TightLayout(unit, here, there)
            narrow.learn(here, there)
        except UnfitError:
            return
        if narrow.signature in self._dropped or any(known.signature == narrow.signature for known in self.layouts):
            return
        narrow.hits = wide.hits + SAMPLES  # it is tried first until it was taught how runs like these may be judged
        narrow.narrow = True
        narrow.endings = wide.endings
        self.layouts.insert(self.layouts.index(wide), narrow)

    def unjudged(self, start_byte: int) -> TightLayout | None:
        """The layout of the run at this byte, whose figures were judged like those of no run learnt from."""
        return next((layout for layout in self.layouts if layout.unjudged == start_byte), None)

    def learn(self, unit: Unit, here: Reading, there: Reading, cut: bytes | None) -> None:
        """Learn the layout of this run, or another way to judge runs of it; `cut` is its text where it was cut short.

        Raises:
            UnfitError: no layout of it could be relied on.
        """
        layout = TightLayout(unit, here, there)
        if layout.signature in self._dropped:
            return
        alike = self.layouts if cut is None else self._cut.setdefault(_last_line(cut, 0, len(cut)), [])
        for known in alike:
            if known.signature == layout.signature and known.ties == layout.ties:
                known.learn(here, there)
                return
        layout.learn(here, there)
        layout.endings = Endings(unit.raw_lines, self._starts)
        if layout.start.key:
            self._starts.setdefault(layout.start.key, layout.start)
        unproven = [known for known in alike if not known.taken]
        if len(unproven) >= MOST_UNPROVEN:
            alike.remove(unproven[-1])
        elif len(alike) >= MOST:
            alike.remove(min(reversed(alike), key=attrgetter("hits", "taken")))
        alike.insert(0, layout)
        if cut is None:
            self._begun = [(_words(b"".join(unit.raw_lines)), frozenset(layout.pinned)), *self._begun[:MOST_UNPROVEN]]

    def pinned(self, text: bytes) -> frozenset[str]:
        """The figures that had to be equal in runs that began like this one."""
        lines = _words(text)
        for others, pinned in self._begun:
            if others[: len(lines)] == lines[: len(others)]:
                return pinned
        return frozenset()

    def is_common_cut(self, text: bytes) -> bool:
        """Whether several runs were cut short at this line, and too few of them were learnt from."""
        last = _last_line(text, 0, len(text))
        if last not in self._cut_seen:
            if len(self._cut_seen) < MOST_CUT:
                self._cut_seen.add(last)
            return False
        self._cut_lessons[last] = lessons = self._cut_lessons.get(last, 0) + 1
        return lessons <= MOST_CUT_LESSONS


def _last_line(text: bytes, begin: int, end: int) -> bytes:
    return text[text.rfind(b"\n", begin, end - 1) + 1 : end].translate(None, _DIGITS)


def _words(text: bytes) -> list[bytes]:
    """The lines up to the first element of a tensor, without their digits."""
    element = text.find(b"put[")
    if element >= 0:
        text = text[: text.rfind(b"\n", 0, element) + 1]
    return text.translate(None, _DIGITS).split(b"\n")[:-1]
