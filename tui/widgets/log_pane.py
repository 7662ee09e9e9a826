"""Shows log lines, live or stored: drawn on demand, bounded in memory, with a cursor that other screens can aim.

Lines come from `analysis` and are safe to print; nothing here interprets markup.  Where a line is wider than the
terminal the row is cut, and the screen shows the cursor's whole line elsewhere (`Highlighted`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from ...analysis.lines import Line
from .. import glyphs
from .row_cursor import RowCursor

SEVERE = ("E", "F")
SLACK = 512
"""Lines above the limit before the oldest are dropped, so that dropping is not done for every line."""


class LogPane(RowCursor):
    """A log with line numbers, level colours, evidence marks, search and a filter."""

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

    def __init__(self, *, id: str | None = None, follow: bool = False, max_lines: int | None = None) -> None:
        super().__init__(id=id)
        self.follow = follow
        self.max_lines = max_lines
        self.evidence: frozenset[int] = frozenset()
        self.dropped = 0
        self._lines: list[Line] = []
        self._shown: list[int] | None = None
        self._filter = ""
        self._search = ""
        self._widest = 0

    # -- content ---------------------------------------------------------------------------------------------------

    def load(self, lines: Iterable[Line], evidence: Iterable[int] = ()) -> None:
        """Show these lines instead of what was there."""
        self._lines = []
        self._widest = 0
        self.dropped = 0
        self.evidence = frozenset(evidence)
        self.cursor_row = 0
        self.append(lines)

    def append(self, lines: Iterable[Line]) -> None:
        """Add lines at the end; a partial line is replaced by its completed form."""
        added = list(lines)
        if not added:
            return
        if self._lines and self._lines[-1].partial and self._lines[-1].number == added[0].number:
            self._lines.pop()
        self._lines += added
        self._widest = max(self._widest, max(cell_len(line.text) for line in added))
        if self.max_lines is not None and len(self._lines) > self.max_lines + SLACK:
            surplus = len(self._lines) - self.max_lines
            del self._lines[:surplus]
            self.dropped += surplus
            self.cursor_row = max(0, self.cursor_row - surplus)
        self._reshape()
        if self.follow:
            self.cursor_row = max(0, self.row_count - 1)
            self.scroll_to(y=self.row_count, x=0, animate=False, force=True)

    @property
    def row_count(self) -> int:
        """Lines that pass the filter."""
        return len(self._lines) if self._shown is None else len(self._shown)

    @property
    def current(self) -> Line | None:
        """The line under the cursor."""
        return self._at(self.cursor_row) if 0 <= self.cursor_row < self.row_count else None

    @property
    def lines(self) -> Sequence[Line]:
        """All lines held, whatever the filter."""
        return self._lines

    def goto(self, number: int) -> bool:
        """Put the cursor on a line by its number in the log, in the middle of the pane; False if it is not here."""
        index = bisect_left(self._lines, number, key=lambda line: line.number)
        if index >= len(self._lines) or self._lines[index].number != number:
            return False
        if self._shown is not None and index not in self._shown:
            self.apply_filter("")
        position = index if self._shown is None else self._shown.index(index)
        self.follow = False
        self.cursor_row = position
        self.refresh()
        height = self.scrollable_content_region.height
        if height == 0:
            self.call_after_refresh(self._center)
        else:
            self._center()
        return True

    def _center(self) -> None:
        top = self.cursor_row - self.scrollable_content_region.height // 2
        self.scroll_to(y=max(0, top), x=0, animate=False, force=True)

    def apply_filter(self, text: str) -> None:
        """Show only lines that contain the text; an empty text shows all again and keeps the cursor's line."""
        kept = self.current
        self._filter = text.casefold()
        self._reshape()
        self.cursor_row = 0
        if kept is not None:
            positions = [p for p in range(self.row_count) if self._at(p).number >= kept.number][:1]
            self.cursor_row = positions[0] if positions else max(0, self.row_count - 1)
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

    def next_where(self, numbers: Iterable[int] | None, direction: int = 1) -> bool:
        """Go to the next line of these numbers, or, without numbers, to the next error."""
        wanted = None if numbers is None else frozenset(numbers)
        for step in range(1, self.row_count + 1):
            position = (self.cursor_row + step * direction) % self.row_count
            line = self._at(position)
            if line.level in SEVERE if wanted is None else line.number in wanted:
                self.go(position)
                return True
        return False

    def _at(self, position: int) -> Line:
        return self._lines[position if self._shown is None else self._shown[position]]

    def _reshape(self) -> None:
        if self._filter:
            self._shown = [i for i, line in enumerate(self._lines) if self._filter in line.text.casefold()]
        else:
            self._shown = None
        self.virtual_size = Size(self._number_width + self._widest, self.row_count)
        self.refresh()

    @property
    def _number_width(self) -> int:
        return len(str(self._lines[-1].number if self._lines else 1)) + 2

    # -- drawing ---------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        width = self.scrollable_content_region.width
        position = y + self.scroll_offset.y
        if position >= self.row_count:
            said = "waiting for output" if not self._lines and self.follow else ""
            said = "no line matches the filter" if self._filter and position == 0 else said if y == 0 else ""
            return Strip([Segment(said, base + self.part_style("number"))]).adjust_cell_length(width, base)
        line = self._at(position)
        row = base + self.part_style("cursor") if position == self.cursor_row else base
        evidence = line.number in self.evidence
        sign = glyphs.JUMP if evidence else " "
        number = Segment(f"{line.number:>{self._number_width - 2}}{sign} ", row + self.part_style("number"))
        if evidence:
            number = Segment(number.text, row + self.part_style("evidence"))
        part = {"E": "error", "F": "fatal", "D": "debug"}.get(line.level)
        style = row + self.part_style("evidence") if evidence else row + self.part_style(part) if part else row
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
            self.post_message(self.Highlighted(self, current))

    def go(self, position: int) -> None:
        super().go(position)
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
        for step in range(1, self.row_count + 1):
            position = (self.cursor_row + step * direction) % self.row_count
            if self._search in self._at(position).text.casefold():
                self.go(position)
                return True
        return False

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and offset.y + self.scroll_offset.y < self.row_count:
            self.go(offset.y + self.scroll_offset.y)
