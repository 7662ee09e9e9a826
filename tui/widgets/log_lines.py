"""The lines of a log as rows: which of them stand there by filter and folds, where a search leads, what is dropped.

How a row looks and which keys there are is in `log_pane`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.cells import cell_len
from textual.geometry import Size

from ...analysis.line import SEVERE
from ...analysis.lines import Line
from ...analysis.units import format_count
from ...analysis.watching.dump_lines import kind_of
from ...analysis.watching.line_filter import LineFilter, parse_filter
from .folds import Folds, Matches
from .row_cursor import RowCursor

TIME_WIDTH = 11
WIDEST = 4_000
"""Characters of a line that one can scroll to."""


class LogLines(RowCursor):
    """Lines, bounded where they come live, with a filter, folds and a search."""

    _trouble = ""
    """What is wrong with the log as it is now."""
    _none_said = "no line passes the filter"

    def __init__(
        self, *, id: str | None = None, classes: str | None = None, follow: bool = False, max_lines: int | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.follow = follow
        self.max_lines = max_lines
        self.heading = "Log"
        self.empty_said = "waiting for output" if follow else ""
        """What stands in a log without a line; that of a file says nothing."""
        self.moved: Callable[[Line], None] | None = None
        """Called with the cursor's new line, instead of a message, so that what it draws comes in the same frame."""
        self.evidence: Mapping[int, str] = {}
        """The sign in the gutter of each line that a finding names."""
        self.dropped = 0
        self.marks: set[int] = set()
        """Numbers of the lines that somebody marked."""
        self.seconds_of: Callable[[Line], float | None] = lambda line: line.at
        """When a line came, from the start of its run; None where nobody knows."""
        self.times_wanted: Callable[[], None] | None = None
        """Called before times are shown for the first time, where they must be read first."""
        self._times = False
        self._bare: bool | None = None
        """Whether lines stand without what their logger put before the message; None where the width decides."""
        self._folds = Folds()
        self._matches = Matches()
        self._lines: list[Line] = []
        self._shown: Sequence[int] | None = None
        self._filter = LineFilter()
        self._search = ""
        self._aimed = False
        self._widest = 0

    # -- content ---------------------------------------------------------------------------------------------------

    def load(self, lines: Iterable[Line], evidence: Mapping[int, str] | None = None) -> None:
        """Show these lines instead of what was there."""
        self._lines = []
        self._folds.clear()
        self._matches.drop(1 << 62)
        self._shown = None if self._filter.empty else []
        self._widest = 0
        self.dropped = 0
        self.evidence = evidence or {}
        self.cursor_row = 0
        self._reshape()
        self.append(lines)

    def append(self, lines: Iterable[Line], kinds: bytes | None = None) -> None:
        """Add lines at the end; a partial line is replaced by its completed form.  `kinds`: of each, where known."""
        added = list(lines)
        if not added:
            return
        newest = self._lines[-1].number if self._lines else 0
        below = self.cursor_row - self.scroll_offset.y
        if self._lines and self._lines[-1].partial and self._lines[-1].number == added[0].number:
            self._matches.drop_from(self._lines.pop().number)
            self._folds.pop()
            if not self._filter.empty and isinstance(self._shown, list) and self._shown[-1:] == [len(self._lines)]:
                self._shown.pop()
        first = len(self._lines)
        self._lines += added
        self._folds.add(map(kind_of, added) if kinds is None else kinds)
        self._folds.keep_open(newest, self._number_at)
        self._matches.add(added)
        self._widest = _widest(self._widest, added)
        if isinstance(self._shown, list) and not self._filter.empty:
            self._shown += [first + i for i, line in enumerate(added) if self._filter.passes(line)]
        kept = self.current
        if self.max_lines is not None and len(self._lines) > self.max_lines:
            # down to the limit each time: while the number of rows stays, nothing is laid out and no scrollbar drawn
            self._drop(len(self._lines) - self.max_lines)
        if self._filter.empty:
            self._fold()
            if kept is not None and not self.follow:
                self.cursor_row = max(0, self._position(self.index_of(kept.number)))
        self._reshape()
        if self.follow:
            self.cursor_row = max(0, self.row_count - 1)
            self.scroll_to(y=self.row_count, x=0, animate=False, force=True)
        elif self.cursor_row - self.scroll_offset.y != below:  # what one reads stays where it is
            self.scroll_to(y=max(0, self.cursor_row - below), animate=False, force=True)

    def _drop(self, surplus: int) -> None:
        """The oldest lines go."""
        del self._lines[:surplus]
        self.dropped += surplus
        self._folds.drop(surplus)
        self._matches.drop(self._lines[0].number)
        if self._shown is not None and not self._filter.empty:
            gone = bisect_left(self._shown, surplus)
            self._shown = [index - surplus for index in self._shown[gone:]]
            self.cursor_row = max(0, self.cursor_row - gone)

    def _number_at(self, index: int) -> int:
        return self._lines[index].number

    def _fold(self) -> None:
        """Which lines stand as rows, where no filter says so."""
        self._shown = self._folds.rows(self._number_at)

    @property
    def total(self) -> int:
        """Lines there are, whatever the filter."""
        return len(self._lines)

    @property
    def settled(self) -> bool:
        """False while lines that pass the filter are still looked for."""
        return True

    @property
    def hidden(self) -> int:
        """Lines that the filter hides."""
        return 0 if self._filter.empty else self.total - self.row_count

    @property
    def row_count(self) -> int:
        """Lines that pass the filter."""
        return self.total if self._shown is None else len(self._shown)

    @property
    def current(self) -> Line | None:
        """The line under the cursor."""
        return self._at(self.cursor_row) if 0 <= self.cursor_row < self.row_count else None

    @property
    def lines(self) -> Sequence[Line]:
        """All lines held, whatever the filter."""
        return self._lines

    def index_of(self, number: int) -> int:
        """Where the line of this number stands, or else the first one after it."""
        return bisect_left(self._lines, number, key=lambda line: line.number)

    def _line(self, index: int) -> Line:
        return self._lines[index]

    def goto(self, number: int) -> bool:
        """Put the cursor on a line by its number in the log, in the middle of the pane; False if it is not here."""
        index = self.index_of(number)
        if index >= self.total or self._line(index).number != number:
            return False
        self._unfold(index)
        position = self._position(index)
        if self._shown is not None and (position >= self.row_count or self._shown[position] != index):
            self.clear_filter()
            position = index
        self.follow = False
        self.cursor_row = position
        self.refresh()
        self._aimed = True
        self._center()
        return True

    def begin_at(self, number: int) -> None:
        """Put the cursor on a line that nobody asked for: where a filter hides it, on the next that is shown."""
        if self._filter.empty:
            self.goto(number)
        elif self.row_count:
            self.go(min(self._position(self.index_of(number)), self.row_count - 1))

    def on_resize(self) -> None:
        if self._aimed:  # the height was not known, or not yet what it is now
            self._center()
        elif self.row_count:  # the cursor does not go out of sight because something else got taller
            self.reveal()

    def _position(self, index: int) -> int:
        """The row of a line, or of the first shown one after it."""
        if self._shown is None:
            return index
        if self._filter.empty:  # in a folded dump: the row that stands for it
            return max(0, bisect_right(self._shown, index) - 1)
        return bisect_left(self._shown, index)

    def _unfold(self, index: int) -> None:
        """Open the dump that hides this line, if one does."""
        dump = self._folds.holding(index) if self._filter.empty else None
        if dump is not None and self._folds.folded_at(dump.start) is not None and index != dump.start:
            self._folds.turn(dump, self._number_at)
            self._fold()
            self._reshape()

    def _center(self) -> None:
        top = self.cursor_row - self.scrollable_content_region.height // 2
        self.scroll_to(y=max(0, top), x=0, animate=False, force=True)

    def apply_filter(self, text: str) -> str:
        """Show only lines that pass (see `analysis.watching.line_filter`); gives what is wrong with the text, or nothing."""
        kept = self.current
        self._filter = parse_filter(text)
        self._sift()
        self._settle(kept)
        return self._filter.problem

    def clear_filter(self) -> None:
        """Show all lines again."""
        self.apply_filter("")
        self.filter_dropped()

    def filter_dropped(self) -> None:
        """Called when a jump to a line that was hidden has dropped the filter."""

    def _sift(self) -> None:
        passes = self._filter.passes
        if self._filter.empty:
            self._fold()
        else:
            self._shown = [i for i, line in enumerate(self._lines) if passes(line)]

    def _settle(self, kept: Line | None) -> None:
        """After the shown lines changed: the cursor stays on its line, or goes to the next one."""
        self._reshape()
        row = self._position(self.index_of(kept.number)) if kept is not None else 0
        self.cursor_row = max(0, min(row, self.row_count - 1))
        self.reveal()
        self.refresh()

    def search(self, text: str) -> bool:
        """Mark matches and go to the first one from the cursor on; False when there is none."""
        self._search = text.casefold()
        self._matches = Matches(self._search)
        self._matches.add(self._lines)
        self._reshape()
        current = self.current
        if not self._search or (current is not None and self._search in current.text.casefold()):
            return True
        return self.next_match(1)

    def next_match(self, direction: int) -> bool:
        """Go to the next line that the search finds; False when there is none."""
        return self._seek(lambda line: self._search in line.text.casefold(), direction)

    def next_where(self, numbers: Iterable[int], direction: int = 1) -> bool:
        """Go to the next line of these numbers or of level E or F; False when there is none."""
        wanted = frozenset(numbers)
        return self._seek(lambda line: line.level in SEVERE or line.number in wanted, direction)

    def _seek(self, wanted: Callable[[Line], bool], direction: int) -> bool:
        """Go to the next line of those that pass the filter, folded ones too, from the cursor on and round."""
        if not self.row_count:
            return False
        if not self._filter.empty:
            for step in range(1, self.row_count + 1):
                position = (self.cursor_row + step * direction) % self.row_count
                if wanted(self._at(position)):
                    self.go(position)
                    return True
            return False
        here = self.cursor_row if self._shown is None else self._shown[self.cursor_row]
        for step in range(1, self.total + 1):
            index = (here + step * direction) % self.total
            if wanted(self._line(index)):
                self._unfold(index)
                self.go(self._position(index))
                return True
        return False

    def _at(self, position: int) -> Line:
        return self._line(position if self._shown is None else self._shown[position])

    def _reshape(self, in_sight: bool = True) -> None:
        """There are other rows than before, maybe `in_sight`."""
        self.stretch(Size(self.number_width + self._widest, self.row_count))
        self._entitle()
        if in_sight:
            self.refresh_rows()

    def _entitle(self) -> None:
        """Say in the frame what cannot be seen in the rows."""
        parts = [self._matches.told(self.current), self._trouble]
        parts += (
            [f"{format_count(self.hidden)} line{'' if self.hidden == 1 else 's'} hidden by the filter"]
            if self.hidden
            else []
        )
        told = ", ".join(part for part in parts if part)
        said = f"{self.heading}: {told}" if told else self.heading
        if self.border_title != said:
            self.border_title = said

    @property
    def _last_number(self) -> int:
        return self._lines[-1].number if self._lines else 1

    @property
    def number_width(self) -> int:
        return len(str(self._last_number)) + 2 + (TIME_WIDTH if self._times else 0)


def _widest(known: int, lines: Iterable[Line]) -> int:
    """Cells of the widest of these lines, if it is wider than what is known; no character has more than two."""
    for line in lines:
        text = line.text
        if 2 * len(text) > known and not (len(text) <= known and text.isascii()):
            known = max(known, cell_len(text[:WIDEST]))
    return known
