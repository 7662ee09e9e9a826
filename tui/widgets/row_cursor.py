"""The part that the table and the log pane share: a cursor on one of many rows, of which only the visible are drawn."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.reactive import reactive
from textual.scroll_view import ScrollView

FILLED = ("cursor", "cell-cursor", "idle")
"""Styles that bring their own background; the others keep that of the row."""


class RowCursor(ScrollView, can_focus=True):
    """Rows with a cursor; moving it repaints the row that it left and the one that it reached."""

    STYLE_PREFIX: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home,g", "edge(-1)", "First", show=False),
        Binding("end,G", "edge(1)", "Last", show=False),
    ]

    cursor_row: reactive[int] = reactive(0, repaint=False)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._styles: dict[str, Style] = {}

    @property
    def row_count(self) -> int:
        """Rows that can have the cursor."""
        raise NotImplementedError

    @property
    def top(self) -> int:
        """Lines above the rows that do not scroll."""
        return 0

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()

    def part_style(self, part: str) -> Style:
        """The style of a part, as the stylesheet has it."""
        if part not in self._styles:
            style = self.get_component_rich_style(f"{self.STYLE_PREFIX}--{part}")
            if part not in FILLED:
                style = Style(color=style.color, bold=style.bold, reverse=style.reverse)
            self._styles[part] = style
        return self._styles[part]

    def refresh_row(self, position: int) -> None:
        """Repaint one row, if it is in sight."""
        y = position + self.top - self.scroll_offset.y
        if self.top <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def go(self, position: int) -> None:
        """Put the cursor on a row, as far as there are rows."""
        if not self.row_count:
            return
        before = self.cursor_row
        self.cursor_row = max(0, min(position, self.row_count - 1))
        self.refresh_row(before)
        self.refresh_row(self.cursor_row)
        self.reveal()

    def reveal(self) -> None:
        """Scroll as little as brings the cursor into sight."""
        visible = self.scrollable_content_region.height - self.top
        y = self.scroll_offset.y
        if visible > 0 and self.cursor_row < y:
            self.scroll_to(y=self.cursor_row, animate=False, force=True)
        elif visible > 0 and self.cursor_row >= y + visible:
            self.scroll_to(y=self.cursor_row - visible + 1, animate=False, force=True)

    def action_move(self, by: int) -> None:
        self.go(self.cursor_row + by)

    def action_page(self, by: int) -> None:
        self.go(self.cursor_row + by * max(1, self.scrollable_content_region.height - self.top - 1))

    def action_edge(self, side: int) -> None:
        self.go(0 if side < 0 else self.row_count - 1)
