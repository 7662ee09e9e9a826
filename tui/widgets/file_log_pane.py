"""A log of any size: lines are read when they come into sight, searching and filtering go through the file in a thread."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from textual import on
from textual.message import Message
from textual.worker import get_current_worker

from ...analysis.line import SEVERE
from ...analysis.lines import Line
from ...analysis.units import format_count
from ...analysis.watching.line_filter import LineFilter, parse_filter
from ...runners.reading.dump_search import DumpNews, DumpSearch
from ...runners.reading.window import LogWindow
from .file_folds import FileFolds
from .folds import Matches
from .log_pane import LogPane

WIDEST = 4_000
"""Cells that one can scroll to the right; how wide the widest line is, nobody has looked."""
COUNT_SECONDS = 0.25
"""Between two tellings of how many lines contain what is searched for."""
MOST_FOUND = 2_000_000
"""Lines that a filter shows, at most."""
NONE_PASSES = "no line passes the filter"


class FileLogPane(LogPane):
    """A log pane on a `LogWindow`."""

    @dataclass
    class Found(Message):
        """Lines that pass the filter, in their order."""

        filter: LineFilter
        numbers: Sequence[int]
        through: int | None
        """The last line that was looked at, once all that were counted when the looking began are."""

    @dataclass
    class Counted(Message):
        """More lines that contain what is searched for."""

        matches: Matches
        numbers: Sequence[int]
        through: int | None

    @dataclass
    class Folded(Message):
        """More dumps."""

        news: DumpNews

    @dataclass
    class Reached(Message):
        """Where a search ended; None where there is nothing."""

        number: int | None
        said: str

    def __init__(self, window: LogWindow, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._window = window
        self._widest = WIDEST
        self._seen = 0
        self._kept: int | None = None
        self._filtered: int | None = 0
        self._searched: int | None = 0
        """The last line that a filter, or a search, has come to; None while it goes on."""
        self._folds: FileFolds = FileFolds()
        self._search_of_dumps: DumpSearch | None = None
        self._without_dumps = False
        self.looked_at = 0
        """Lines among which dumps were looked for, but for some of the newest."""
        self._line = lru_cache(256)(window.line_at)  # type: ignore[method-assign]

    def on_mount(self) -> None:
        self.set_interval(0.5, self.grow)
        self.grow()

    def grow(self) -> None:
        """Lines that were counted since can be shown; what became of the file meanwhile is said."""
        trouble = self._window.trouble()
        if trouble != self._trouble:
            self._trouble = trouble
            self._reshape()
        if self._window.total != self._seen:
            self._line.cache_clear()  # type: ignore[attr-defined]
            width, last = self.number_width, self._last_in_sight()
            in_sight = last < 0 or last >= self._seen - 1  # the last line may have been cut
            self._seen = self._window.total
            if self._filter.empty:
                self._fold()
            self._reshape(in_sight or self.number_width != width)
            self._look_for_dumps()
        self._look_on()

    def _last_in_sight(self) -> int:
        """The index of the last line that is seen, -1 where none is."""
        row = min(self.scroll_offset.y + self.size.height, self.row_count) - 1
        return row if self._shown is None or row < 0 else self._shown[row]

    @property
    def total(self) -> int:
        return self._seen

    @property
    def lines(self) -> Sequence[Line]:
        return ()

    @property
    def _last_number(self) -> int:
        return max(1, self._seen)

    def _number_at(self, index: int) -> int:
        return index + 1

    def index_of(self, number: int) -> int:
        self.grow()
        return max(0, number - 1)

    def _position(self, index: int) -> int:
        folded = self._shown is not None and self._filter.empty
        return self._folds.row_at(index) if folded else super()._position(index)

    # -- dumps -------------------------------------------------------------------------------------------------------

    def _fold(self) -> None:
        self._folds.total = self._seen
        super()._fold()

    def _look_for_dumps(self) -> None:
        """In what was counted since."""
        if self._search_of_dumps is None and not self._without_dumps:
            try:
                self._search_of_dumps = DumpSearch(self._window.descriptor)
            except OSError:  # then all stands open
                self._without_dumps = True
                return
            self.run_worker(partial(self._hear_of_dumps, self._search_of_dumps), thread=True, exit_on_error=False)
        if self._search_of_dumps is not None:
            self._search_of_dumps.look(self._window.strides, self._window.total)

    def _hear_of_dumps(self, search: DumpSearch) -> None:
        for news in search.news():
            self.post_message(self.Folded(news))

    def on_unmount(self) -> None:
        self._without_dumps = True
        if self._search_of_dumps is not None:
            self._search_of_dumps.close()
            self._search_of_dumps = None

    @on(Folded)
    def _show_folded(self, event: Folded) -> None:
        event.stop()
        known = self.row_count > self.cursor_row and self._filter.empty
        index = self.cursor_row if self._shown is None or not known else self._shown[self.cursor_row]
        last = self._last_in_sight()
        first = self._folds.add_dumps(event.news.dumps, event.news.for_now)
        if first is not None and self._filter.empty:
            self._refold(index, in_sight=first <= last)
        self.looked_at = event.news.lines

    def _refold(self, index: int, in_sight: bool) -> None:
        """What one reads stays where it is in the terminal; a dump that the cursor stands in stays open."""
        below = self.cursor_row - self.scroll_offset.y
        dump = self._folds.holding(index)
        if dump is not None and index != dump.start and self._folds.folded_at(dump.start) is not None:
            self._folds.turn(dump, self._number_at)
        self._fold()
        self.cursor_row = self._position(index)
        self._reshape(in_sight)
        if self.cursor_row - self.scroll_offset.y != below:
            self.refresh_rows()
            self.scroll_to(y=max(0, self.cursor_row - below), animate=False, force=True)

    # -- the filter --------------------------------------------------------------------------------------------------

    @property
    def settled(self) -> bool:
        return not self._none_said.startswith("looking")

    def apply_filter(self, text: str) -> str:
        wanted = parse_filter(text)
        if wanted[:6] == self._filter[:6]:
            return wanted.problem
        kept = self.current
        self._filter = wanted
        self._kept = kept.number if kept is not None else None
        self._filtered = 0
        self.workers.cancel_group(self, "filter")
        self._shown = None if wanted.empty else array("Q")
        if wanted.empty:
            self._fold()
        self._none_said = NONE_PASSES if wanted.empty else "looking for lines that pass"
        self._settle(kept)
        self._look_on()
        return wanted.problem

    def _look_on(self) -> None:
        """Filter and count lines that were counted since the last looking ended: the capture may still be read."""
        if isinstance(self._shown, array) and not self._filter.empty and len(self._shown) < MOST_FOUND:
            if self._filtered is not None and self._filtered < self._window.total:
                look = partial(self._look, self._filter, self._filtered + 1, len(self._shown))
                self._filtered = None
                self.run_worker(look, thread=True, group="filter", exit_on_error=False)
            elif self._filtered is not None and self._window.counted and not self.settled:
                self._none_said = NONE_PASSES
                self._reshape()
        if self._search and self._searched is not None and len(self._matches.numbers) < MOST_FOUND:
            if self._searched < self._window.total:
                count = partial(self._count, self._matches, self._searched + 1)
                self._searched = None
                self.run_worker(count, thread=True, group="count", exit_on_error=False)
            elif self._window.counted and not self._matches.over:
                self._matches.over = True
                self._entitle()

    def _look(self, wanted: LineFilter, start: int, total: int) -> None:
        worker = get_current_worker()
        found: list[int] = []
        through = self._window.total
        for count, numbers in enumerate(self._window.matching(wanted, start, through + 1)):
            found += numbers
            total += len(numbers)
            if worker.is_cancelled:
                return
            if total >= MOST_FOUND:
                break
            if len(found) > 2_000 or (found and count % 64 == 63):
                self.post_message(self.Found(wanted, found, None))
                found = []
        self.post_message(self.Found(wanted, found, through))

    @on(Found)
    def _show_found(self, event: Found) -> None:
        event.stop()
        if event.filter is not self._filter or not isinstance(self._shown, array):
            return
        self._shown.extend(number - 1 for number in event.numbers)
        if event.through is not None:
            self._filtered = event.through
            if len(self._shown) >= MOST_FOUND:
                self._none_said = NONE_PASSES
                said = f"Only the first {format_count(MOST_FOUND)} lines that pass are shown."
                self.notify(said, severity="warning", markup=False)
        if self._kept is not None and self._shown and self._shown[-1] >= self._kept - 1:
            self.cursor_row = bisect_left(self._shown, self._kept - 1)
            self._kept = None
            self.reveal()
        self._reshape()
        self._look_on()

    # -- searching ---------------------------------------------------------------------------------------------------

    def search(self, text: str) -> bool:
        self._search = text.casefold()
        self._matches = Matches(self._search, array("Q"))
        self.workers.cancel_group(self, "search")
        self.workers.cancel_group(self, "count")
        self._matches.over, self._searched = not self._search, 0
        self._reshape()
        self._look_on()
        current = self.current
        if self._search and (current is None or self._search not in current.text.casefold()):
            self.next_match(1)
        return True

    def _count(self, matches: Matches, start: int) -> None:
        """Look through what was counted of the file for the lines that contain it, told a few times a second."""
        worker = get_current_worker()
        found: list[int] = []
        total, through = len(matches.numbers), self._window.total
        told = time.monotonic()
        for numbers in self._window.matching(LineFilter(words=(matches.text,)), start, through + 1):
            found += numbers
            total += len(numbers)
            if worker.is_cancelled or total >= MOST_FOUND:
                break
            if time.monotonic() - told > COUNT_SECONDS:
                told = time.monotonic()
                self.post_message(self.Counted(matches, found, None))
                found = []
            time.sleep(0)  # keys come first
        self.post_message(self.Counted(matches, found, through))

    @on(Counted)
    def _show_count(self, event: Counted) -> None:
        event.stop()
        event.matches.numbers.extend(event.numbers)
        if event.matches is self._matches:
            if event.through is not None:
                self._searched = event.through
            self._entitle()
            self._look_on()

    def next_match(self, direction: int) -> bool:
        self._go_to_next(LineFilter(words=(self._search,)), (), direction, f"No line contains {self._search}.")
        return True

    def next_where(self, numbers: Iterable[int], direction: int = 1) -> bool:
        said = "This log has no error lines, and no finding points to a line."
        self._go_to_next(LineFilter(levels=SEVERE), sorted(numbers), direction, said)
        return True

    def _go_to_next(self, wanted: LineFilter, named: Sequence[int], direction: int, said: str) -> None:
        current = self.current
        here = current.number if current is not None else 1
        seek = partial(self._seek_in_file, wanted, named, here, direction, said)
        self.run_worker(seek, thread=True, group="search", exclusive=True, exit_on_error=False)

    def _seek_in_file(self, wanted: LineFilter, named: Sequence[int], here: int, direction: int, said: str) -> None:
        worker = get_current_worker()
        go = _onward if direction > 0 else _backward
        for number in go(self._window, wanted, named, here):
            if worker.is_cancelled:
                return
            if number is not None and self._filter.passes(self._window.line(number)):
                self.post_message(self.Reached(number, ""))
                return
        self.post_message(self.Reached(None, said))

    @on(Reached)
    def _go_there(self, event: Reached) -> None:
        event.stop()
        if event.number is None:
            said = event.said if self._window.counted else f"{event.said.removesuffix('.')} so far."
            self.notify(said, severity="warning", markup=False)
        else:
            index = self.index_of(event.number)
            self._unfold(index)
            self.go(self._position(index))


def _onward(window: LogWindow, wanted: LineFilter, named: Sequence[int], here: int) -> Iterator[int | None]:
    """Lines that pass or are named, from behind `here` to the end and round; None now and then, to be asked to stop."""
    for part, start, end in (
        ([n for n in named if n > here], here + 1, window.total + 1),
        ([n for n in named if n <= here], 1, here + 1),
    ):
        for stop in (*part, end):
            for found in window.matching(wanted, start, stop):
                yield None
                yield from found
            if stop != end:
                yield stop
            start = stop + 1


def _backward(window: LogWindow, wanted: LineFilter, named: Sequence[int], here: int) -> Iterator[int | None]:
    """The same the other way."""
    for part, start, end in (
        ([n for n in reversed(named) if n < here], 1, here),
        ([n for n in reversed(named) if n >= here], here, window.total + 1),
    ):
        for stop in (*part, start - 1):
            for found in window.before(wanted, end, stop + 1):
                yield None
                yield from reversed(found)
            if stop >= start:
                yield stop
            end = stop
