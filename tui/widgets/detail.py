"""A few lines of text about the row under a cursor, which repaint only where they differ from what stood there.

Redrawn whole, such a pane costs more than the row that moved: every arrow key would pay for it.
"""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from .said import safe


class Detail(Widget):
    """Text of a fixed number of lines; what does not fit is cut."""

    def __init__(self, *, id: str | None = None, shared: bool = False) -> None:
        """With `shared`, a long first line of the text leaves one line of the pane to each further one."""
        super().__init__(id=id)
        self.content = Content("")
        self._shared = shared
        self._drawn: list[Strip] = []

    def say(self, content: str | Content) -> None:
        """Show this instead."""
        self.content = safe(content)
        before = self._drawn
        self._draw()
        if not self.size:
            return
        blank = Strip([])
        for y in range(max(len(before), len(self._drawn))):
            old = before[y] if y < len(before) else blank
            new = self._drawn[y] if y < len(self._drawn) else blank
            if old != new:  # what is blank behind both need not be sent
                self.refresh(Region(0, y, max(_said_cells(old), _said_cells(new)), 1))

    def _draw(self) -> None:
        width, height = self.size
        shown = width > 0 and height > 0
        content = self._divided(width, height) if shown and self._shared else self.content
        self._drawn = Visual.to_strips(self, content, width, height, self.visual_style) if shown else []

    def _divided(self, width: int, height: int) -> Content:
        first, *others = self.content.split("\n")
        lines = first.wrap(width)
        room = max(1, height - len(others))
        if len(lines) <= room:
            return self.content
        cut = Content(" ").join([lines[room - 1], lines[room]]).truncate(width, ellipsis=True)
        return Content("\n").join([*lines[: room - 1], cut, *others])

    def on_resize(self) -> None:
        self._draw()
        self.refresh()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self.is_mounted:
            self._draw()
            self.refresh()

    def render_line(self, y: int) -> Strip:
        if y < len(self._drawn):
            return self._drawn[y]
        return Strip.blank(self.size.width, self.rich_style)


def _said_cells(strip: Strip) -> int:
    """Cells up to the last that is not blank."""
    return cell_len(strip.text.rstrip())
