"""Shows log lines, live or stored: drawn on demand, bounded in memory, with a cursor that other screens can aim.

Lines come from `analysis` and are safe to print; nothing here interprets markup.  Where a line is wider than the
terminal the row is cut, and the screen shows the cursor's whole line elsewhere (`Highlighted`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from ...analysis.lines import Line
from ...analysis.watching.dump_lines import Dump
from .. import glyphs
from ..keys_in_force import key_of
from .folds import Folds
from .log_lines import TIME_WIDTH, LogLines

WHOLE = 110
"""Columns from which on lines stand as they were printed: `[executorch:arm_executor_runner.cpp:1035 log_mem_status()]` takes 54."""


class LogPane(LogLines):
    """A log with line numbers, level colours, signs in the gutter, search and a filter."""

    STYLE_PREFIX = "log-pane"

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"log-pane--{part}"
        for part in ("number", "cursor", "error", "fatal", "debug", "evidence", "match", "partial", "mark", "fold")
    }
    DEFAULT_CSS = """
    LogPane { height: 1fr; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    .log-pane--number { color: $foreground-disabled; }
    .log-pane--cursor { background: $surface-lighten-1; text-style: bold; }
    .log-pane--error { color: $text-error; }
    .log-pane--fatal { color: $text-error; text-style: bold; }
    .log-pane--debug, .log-pane--partial { color: $foreground-disabled; }
    .log-pane--evidence { color: $text-warning; text-style: bold; }
    .log-pane--match { text-style: reverse; }
    .log-pane--mark { color: $accent; text-style: bold; }
    .log-pane--fold { color: $text-accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "sideways(-8)", "Left", show=False),
        Binding("right,l", "sideways(8)", "Right", show=False),
        Binding("n", "next_match(1)", "Next match", show=False, tooltip="Next line that matches the search"),
        Binding("N", "next_match(-1)", "Previous match", show=False),
        Binding("m", "mark", "Mark", show=False, tooltip="Mark the line, or unmark it"),
        Binding("u", "next_mark(1)", "Next mark", show=False, tooltip="Next marked line"),
        Binding("U", "next_mark(-1)", "Mark before", show=False, tooltip="Previous marked line"),
        Binding("t", "times", "Times", show=False, tooltip="Show or hide the seconds since the start of the run"),
        Binding(
            "P", "prefix", "Prefix", show=False, tooltip="Show whole lines, or hide `[executorch:file:line]` and times"
        ),
        Binding("enter", "fold", "Unfold", key_display="↵", tooltip="Open the folded lines, or fold them again"),
        Binding("z", "fold_all", "Fold", show=False, tooltip="Open all folded lines, or fold them again"),
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

    def filter_dropped(self) -> None:
        self.post_message(self.FilterDropped(self))

    # -- drawing ---------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        offset, width = self.sight
        position = y + offset.y
        if position >= self.row_count:
            base = self.base_style
            said = self.empty_said if not self.total else ""
            said = self._none_said if self._shown is not None and position == 0 else said if y == 0 else ""
            return Strip([Segment(said, base + self.part_style("number"))]).adjust_cell_length(width, base)
        return self.row_strip(position, width)

    def draw_row(self, position: int, width: int) -> Strip:
        base = self.base_style
        line = self._at(position)
        row = base + self.part_style("cursor") if position == self.cursor_row else base
        sign = self.evidence.get(line.number, " ")
        evidence = sign != " "
        marked = line.number in self.marks
        gutter = f"{self._time_of(line)}{line.number:>{len(str(self._last_number))}}{sign}"
        number = Segment(gutter, row + self.part_style("evidence" if evidence else "number"))
        mark = Segment(glyphs.MARKED if marked else " ", row + self.part_style("mark"))
        dump = self._folds.folded_at(self._shown[position]) if self._shown is not None and self._filter.empty else None
        if dump is not None:
            told = Segment(Folds.told(dump), row + self.part_style("fold"))
            return Strip([number, mark, told]).adjust_cell_length(width, row).simplify()
        part = {"E": "error", "F": "fatal", "D": "debug"}.get(line.level)
        named = evidence and sign != glyphs.FINDING_SIGNS["info"]
        style = row + self.part_style("evidence") if named else row + self.part_style(part) if part else row
        x = self.sight[0].x
        shown = self._words(line, width)
        room = width - self.number_width
        if (
            shown.isascii() and shown.isprintable() and room > 0 and not self._search and not line.partial
        ):  # a character is a cell
            seen = shown[x : x + room + 1]
            seen = (
                f"{seen[: room - 1]}{glyphs.ELLIPSIS}" if len(seen) > room else seen.ljust(room if style is row else 0)
            )
            rest = Segment(" " * (room - len(seen)), row)
            return Strip([number, mark, Segment(seen, style), *([rest] if rest.text else ())], width)
        seen = shown[: 4 * (x + width) + 64]  # cells to characters, with room for marks of no width
        text = Strip(self._segments(seen, line.partial, style)).crop(x, None)
        if text.cell_length > room > 0:
            text = Strip([*text.crop(0, room - 1), Segment(glyphs.ELLIPSIS, style)])
        return Strip([number, mark, *text]).adjust_cell_length(width, row).simplify()

    def _words(self, line: Line, width: int) -> str:
        """The line; its level and message alone where that is wanted, or little room is, but for a match in what would go."""
        bare = width < WHOLE if self._bare is None else self._bare
        if not bare or not line.file:
            return line.text
        shown = f"{line.level} {line.message}"
        sought = self._search
        return line.text if sought and sought in line.text.casefold() and sought not in shown.casefold() else shown

    def _time_of(self, line: Line) -> str:
        if not self._times:
            return ""
        seconds = self.seconds_of(line)
        return f"{seconds:>{TIME_WIDTH - 1}.3f} " if seconds is not None else " " * TIME_WIDTH

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

    def refocused(self) -> None:
        """The cursor looks the same."""

    # -- moving ----------------------------------------------------------------------------------------------------

    def watch_cursor_row(self, before: int, after: int) -> None:
        current = self.current
        if current is not None and self.is_mounted:
            if self._search:
                self._entitle()
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
        room = self.scrollable_content_region.width - self.number_width
        self.scroll_to(x=max(0, min(self.scroll_offset.x + by, self._widest - room)), animate=False, force=True)

    def action_next_match(self, direction: int) -> None:
        if self._search and not self.next_match(direction):
            self.notify("No line contains this text.", severity="warning", markup=False)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and offset.y + self.scroll_offset.y < self.row_count:
            self.go(offset.y + self.scroll_offset.y)

    # -- marks, times, folds -----------------------------------------------------------------------------------------

    def action_mark(self) -> None:
        current = self.current
        if current is not None:
            self.marks ^= {current.number}
            self.refresh_row(self.cursor_row)

    def action_next_mark(self, direction: int) -> None:
        """From mark to mark, and round; one that a filter hides drops it, as every jump does."""
        current = self.current
        marks = sorted(self.marks)
        if current is None or not marks:
            self.notify(f"No line is marked; {key_of(self, 'mark')} marks one.", markup=False)
            return
        place = bisect_right(marks, current.number) if direction > 0 else bisect_left(marks, current.number) - 1
        if not self.goto(marks[place % len(marks)]):
            self.notify("The marked line is no longer here.", severity="warning", markup=False)

    def action_times(self) -> None:
        """The seconds before each line, or not."""
        if self.times_wanted is not None:
            wanted, self.times_wanted = self.times_wanted, None
            wanted()
        self._times = not self._times
        self._reshape()

    def action_prefix(self) -> None:
        """Only the level before each message, or the whole line as it was printed."""
        bare = self.scrollable_content_region.width < WHOLE if self._bare is None else self._bare
        self._bare = not bare
        self.scroll_to(x=0, animate=False, force=True)
        self.refresh_rows()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter belongs to the screen, but on a dump."""
        if action != "fold":
            return True
        return self._dump_here() is not None

    def _dump_here(self) -> Dump | None:
        if not self._filter.empty or not 0 <= self.cursor_row < self.row_count:
            return None
        return self._folds.holding(self.cursor_row if self._shown is None else self._shown[self.cursor_row])

    def action_fold(self) -> None:
        """Open the dump under the cursor, or fold it."""
        dump = self._dump_here()
        if dump is not None:
            self._folds.turn(dump, self._number_at)
            self._show_folds(dump.start)

    def action_fold_all(self) -> None:
        """Open all, or fold all again."""
        if self._filter.empty and self.row_count:
            here = self.cursor_row if self._shown is None else self._shown[self.cursor_row]
            self._folds.turn_all()
            self._show_folds(here)

    def _show_folds(self, index: int) -> None:
        self._fold()
        self.cursor_row = self._position(index)
        self._reshape()
        self.reveal()
