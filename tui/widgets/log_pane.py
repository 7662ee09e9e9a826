"""Shows log lines, live or stored: drawn on demand, bounded in memory, with a cursor that other screens can aim.

Lines come from `analysis` and are safe to print; nothing here interprets markup.  Where a line is wider than the
terminal the row is cut, and the screen shows the cursor's whole line elsewhere (`Highlighted`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from ...analysis.line_filter import SEVERE, LineFilter, parse_filter
from ...analysis.lines import Line
from ...analysis.units import format_count
from .. import glyphs
from .row_cursor import RowCursor


class LogPane(RowCursor):
    """A log with line numbers, level colours, signs in the gutter, search and a filter."""

    STYLE_PREFIX = "log-pane"

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"log-pane--{part}" for part in ("number", "cursor", "error", "fatal", "debug", "evidence", "match", "partial")
    }
    DEFAULT_CSS = """
    LogPane { height: 1fr; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    .log-pane--number { color: $foreground-disabled; }
    .log-pane--cursor { background: $surface-lighten-2; text-style: bold; }
    .log-pane--error { color: $text-error; }
    .log-pane--fatal { color: $text-error; text-style: bold; }
    .log-pane--debug, .log-pane--partial { color: $foreground-disabled; }
    .log-pane--evidence { color: $text-warning; text-style: bold; }
    .log-pane--match { text-style: reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "sideways(-8)", "Left", show=False),
        Binding("right,l", "sideways(8)", "Right", show=False),
        Binding("n", "next_match(1)", "Next match", show=False, tooltip="Next line that matches the search"),
        Binding("N", "next_match(-1)", "Previous match", show=False),
    ]

    class Highlighted(Message):
        """The cursor stands on another line."""

        def __init__(self, pane: LogPane, line: Line) -> None:
            super().__init__()
            self.pane = pane
            self.line = line

        @property
        def control(self) -> LogPane:
            return self.pane

    class FilterDropped(Message):
        """A jump to a line that was hidden dropped the filter."""

        def __init__(self, pane: LogPane) -> None:
            super().__init__()
            self.pane = pane

        @property
        def control(self) -> LogPane:
            return self.pane

    _none_said = "no line passes the filter"

    def __init__(
        self, *, id: str | None = None, classes: str | None = None, follow: bool = False, max_lines: int | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.follow = follow
        self.max_lines = max_lines
        self.heading = "Log"
        self.empty_said = "waiting for output"
        """What stands in a live log without a line."""
        self.moved: Callable[[Line], None] | None = None
        """Called with the cursor's new line, instead of a message, so that what it draws comes in the same frame."""
        self.evidence: Mapping[int, str] = {}
        """The sign in the gutter of each line that a finding names."""
        self.dropped = 0
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
        self._shown = None if self._filter.empty else []
        self._widest = 0
        self.dropped = 0
        self.evidence = evidence or {}
        self.cursor_row = 0
        self._reshape()
        self.append(lines)

    def append(self, lines: Iterable[Line]) -> None:
        """Add lines at the end; a partial line is replaced by its completed form."""
        added = list(lines)
        if not added:
            return
        if self._lines and self._lines[-1].partial and self._lines[-1].number == added[0].number:
            self._lines.pop()
            if isinstance(self._shown, list) and self._shown and self._shown[-1] == len(self._lines):
                self._shown.pop()
        first = len(self._lines)
        self._lines += added
        self._widest = max(self._widest, max(cell_len(line.text) for line in added))
        if isinstance(self._shown, list):
            self._shown += [first + i for i, line in enumerate(added) if self._filter.passes(line)]
        if self.max_lines is not None and len(self._lines) > self.max_lines:
            # down to the limit each time: while the number of rows stays, nothing is laid out and no scrollbar drawn
            surplus = len(self._lines) - self.max_lines
            del self._lines[:surplus]
            self.dropped += surplus
            gone = surplus
            if self._shown is not None:
                gone = bisect_left(self._shown, surplus)
                self._shown = [index - surplus for index in self._shown[gone:]]
            self.cursor_row = max(0, self.cursor_row - gone)
        self._reshape()
        if self.follow:
            self.cursor_row = max(0, self.row_count - 1)
            self.scroll_to(y=self.row_count, x=0, animate=False, force=True)

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
        return self.total - self.row_count

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

    def on_resize(self) -> None:
        if self._aimed:  # the height was not known, or not yet what it is now
            self._center()

    def _position(self, index: int) -> int:
        """The row of a line, or of the first shown one after it."""
        return index if self._shown is None else bisect_left(self._shown, index)

    def _center(self) -> None:
        top = self.cursor_row - self.scrollable_content_region.height // 2
        self.scroll_to(y=max(0, top), x=0, animate=False, force=True)

    def apply_filter(self, text: str) -> str:
        """Show only lines that pass (see `analysis.line_filter`); gives what is wrong with the text, or nothing."""
        kept = self.current
        self._filter = parse_filter(text)
        self._sift()
        self._settle(kept)
        return self._filter.problem

    def clear_filter(self) -> None:
        """Show all lines again."""
        self.apply_filter("")
        self.post_message(self.FilterDropped(self))

    def _sift(self) -> None:
        passes = self._filter.passes
        self._shown = None if self._filter.empty else [i for i, line in enumerate(self._lines) if passes(line)]

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
        self.refresh()
        current = self.current
        if not self._search or (current is not None and self._search in current.text.casefold()):
            return True
        return self.next_match(1)

    def next_where(self, numbers: Iterable[int], direction: int = 1) -> bool:
        """Go to the next line of these numbers or of level E or F; False when there is none."""
        wanted = frozenset(numbers)
        return self._seek(lambda line: line.level in SEVERE or line.number in wanted, direction)

    def _seek(self, wanted: Callable[[Line], bool], direction: int) -> bool:
        for step in range(1, self.row_count + 1):
            position = (self.cursor_row + step * direction) % self.row_count
            if wanted(self._at(position)):
                self.go(position)
                return True
        return False

    def _at(self, position: int) -> Line:
        return self._line(position if self._shown is None else self._shown[position])

    def _reshape(self) -> None:
        self.virtual_size = Size(self._number_width + self._widest, self.row_count)
        said = (
            f"{self.heading}: {format_count(self.hidden)} lines hidden by the filter" if self.hidden else self.heading
        )
        if self.border_title != said:
            self.border_title = said
        self.refresh_rows()

    @property
    def _last_number(self) -> int:
        return self._lines[-1].number if self._lines else 1

    @property
    def _number_width(self) -> int:
        return len(str(self._last_number)) + 2

    # -- drawing ---------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        position = y + self.scroll_offset.y
        if position >= self.row_count:
            base = self.base_style
            said = self.empty_said if not self.total and self.follow else ""
            said = self._none_said if self._shown is not None and position == 0 else said if y == 0 else ""
            return Strip([Segment(said, base + self.part_style("number"))]).adjust_cell_length(width, base)
        return self.row_strip(position, width)

    def draw_row(self, position: int, width: int) -> Strip:
        base = self.base_style
        line = self._at(position)
        row = base + self.part_style("cursor") if position == self.cursor_row else base
        sign = self.evidence.get(line.number, " ")
        evidence = sign != " "
        number = Segment(f"{line.number:>{self._number_width - 2}}{sign} ", row + self.part_style("number"))
        if evidence:
            number = Segment(number.text, row + self.part_style("evidence"))
        part = {"E": "error", "F": "fatal", "D": "debug"}.get(line.level)
        named = evidence and sign != glyphs.FINDING_SIGNS["info"]
        style = row + self.part_style("evidence") if named else row + self.part_style(part) if part else row
        seen = 4 * (self.scroll_offset.x + width) + 64  # cells to characters, with room for marks of no width
        text = Strip(self._segments(line.text[:seen], line.partial, style)).crop(self.scroll_offset.x, None)
        room = width - self._number_width
        if text.cell_length > room > 0:
            text = Strip([*text.crop(0, room - 1), Segment(glyphs.ELLIPSIS, style)])
        return Strip([number, *text]).adjust_cell_length(width, row)

    def _segments(self, text: str, partial: bool, style: Style) -> list[Segment]:
        text += f" {glyphs.ELLIPSIS}" if partial else ""
        found = text.casefold().find(self._search) if self._search else -1
        if found < 0 or len(text.casefold()) != len(text):
            return [Segment(text, style)]
        end = found + len(self._search)
        return [
            Segment(text[:found], style),
            Segment(text[found:end], style + self.part_style("match")),
            Segment(text[end:], style),
        ]

    # -- moving ----------------------------------------------------------------------------------------------------

    def watch_cursor_row(self, before: int, after: int) -> None:
        current = self.current
        if current is not None and self.is_mounted:
            if self.moved is not None:
                self.moved(current)
            else:
                self.post_message(self.Highlighted(self, current))

    def go(self, position: int, ahead: int = 0) -> None:
        self._aimed = False
        super().go(position, ahead)
        self.follow = self.follow and self.cursor_row == self.row_count - 1

    def action_edge(self, side: int) -> None:
        self.go(0 if side < 0 else self.row_count - 1)
        if side > 0 and self.max_lines is not None:
            self.follow = True

    def action_sideways(self, by: int) -> None:
        room = self.scrollable_content_region.width - self._number_width
        self.scroll_to(x=max(0, min(self.scroll_offset.x + by, self._widest - room)), animate=False, force=True)

    def action_next_match(self, direction: int) -> None:
        if self._search and not self.next_match(direction):
            self.notify("No line contains it.", severity="warning", markup=False)

    def next_match(self, direction: int) -> bool:
        """Go to the next line that the search finds; False when there is none."""
        return self._seek(lambda line: self._search in line.text.casefold(), direction)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and offset.y + self.scroll_offset.y < self.row_count:
            self.go(offset.y + self.scroll_offset.y)
