"""The part that the table and the log pane share: a cursor on one of many rows, of which only the visible are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from ..binding_ids import name_bindings, named
from ..terminal import internals
from .row_styles import RowStyles

if TYPE_CHECKING:
    from typing_extensions import Self

MOST_DRAWN = 500
"""Drawn rows that are kept."""

FILLED = ("cursor", "cell-cursor", "idle")
"""Styles that bring their own background; the others keep that of the row."""


class RowCursor(ScrollView, can_focus=True):
    """Rows with a cursor; moving it repaints the row that it left and the one that it reached."""

    STYLE_PREFIX: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = named("rows", [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home,g", "edge(-1)", "First", show=False),
        Binding("end,G", "edge(1)", "Last", show=False),
    ])  # fmt: skip

    cursor_row: reactive[int] = reactive(0, repaint=False)

    def __init_subclass__(cls, *arguments: Any, **options: Any) -> None:
        name_bindings(cls)
        super().__init_subclass__(*arguments, **options)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._styles: dict[str, Style] = {}
        self._base: Style | None = None
        self._drawn: dict[int, Strip] = {}
        self._drawn_for: tuple[int, int] = (0, 0)
        self._only_frame = False
        self._laid_out: tuple[object, ...] = ()
        self._sight: tuple[Offset, int] | None = None
        if internals.ARE_KNOWN:
            self._styles_cache = RowStyles()

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
        if not self._only_frame:
            self._styles.clear()
            self._forget()

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Repaint; without regions because something changed, with regions because something moved."""
        if not regions and self._only_frame and not layout and not recompose:
            regions = self._frame()
            if not regions:
                return self
        elif not regions:
            self._forget()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
        """Textual draws the scrollbar again at each layout of the screen, whatever that was about."""
        about = (size, self.virtual_size, self.styles.gutter, self.scrollbars_enabled, self.scroll_offset)
        if about == self._laid_out:
            return False
        resized = super()._size_updated(size, virtual_size, container_size, layout)
        self._laid_out = (size, self.virtual_size, self.styles.gutter, self.scrollbars_enabled, self.scroll_offset)
        return resized

    def stretch(self, size: Size) -> None:
        """The rows take so much room; where only the scrollbar tells, the screen is not laid out anew."""
        width, height = self.container_size
        wide = size.width > width - self.scrollbar_size_vertical
        known = self.is_mounted and self.show_vertical_scrollbar and self.show_horizontal_scrollbar == wide
        if not known or size.height <= height:
            self.virtual_size = size
        elif size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = size.height
            self.scroll_y = self.validate_scroll_y(self.scroll_y)

    @contextmanager
    def only_frame(self) -> Iterator[None]:
        """Meanwhile what is repainted without regions is the frame: the focus comes or goes, and the rows stay."""
        before, self._only_frame = self._only_frame, True
        self.__dict__["_get_component_classes"] = frozenset  # Textual would find the styles of all parts each time
        try:
            yield
        finally:
            self._only_frame = before
            if not before:
                self.__dict__.pop("_get_component_classes", None)

    def _frame(self) -> tuple[Region, ...]:
        """The lines above and below the content, counted from it."""
        (left, up), (width, height), gutter = self.content_offset, self.outer_size, self.gutter
        lines = ((-up, gutter.top), (height - up - gutter.bottom, gutter.bottom))
        return tuple(Region(-left, y, width, count) for y, count in lines if width and count)

    def refocused(self) -> None:
        """Repaint what shows whether the keys come here: the cursor's row, unless subclasses show more or nothing."""
        self.refresh_row(self.cursor_row)

    def _on_focus(self, event: events.Focus) -> None:
        event.prevent_default()
        with self.only_frame():
            super()._on_focus(event)
        self.refocused()

    def _on_blur(self, event: events.Blur) -> None:
        event.prevent_default()
        with self.only_frame():
            super()._on_blur(event)
        self.refocused()

    def _forget(self) -> None:
        self._base = None
        self._drawn.clear()

    @property
    def base_style(self) -> Style:
        """The widget's own style, which is dear to find."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    @property
    def sight(self) -> tuple[Offset, int]:
        """How far the rows are scrolled, and how wide they are shown; while a frame is drawn, found once."""
        return self._sight or (self.scroll_offset, self.scrollable_content_region.width)

    def render_lines(self, crop: Region) -> list[Strip]:
        self._sight = self.sight
        try:
            return super().render_lines(crop)
        finally:
            self._sight = None

    def row_strip(self, position: int, width: int) -> Strip:
        """A row as last drawn, where it has not changed since: scrolling draws one row and moves the others."""
        drawn_for = (self.sight[0].x, width)
        if drawn_for != self._drawn_for or len(self._drawn) > MOST_DRAWN:
            self._drawn_for = drawn_for
            self._drawn.clear()
        strip = self._drawn.get(position)
        if strip is None:
            strip = self._drawn[position] = self.draw_row(position, width)
        return strip

    def draw_row(self, position: int, width: int) -> Strip:
        """One row, as wide as the widget, with neighbours of one style in one piece: each costs forty bytes at the terminal."""
        raise NotImplementedError

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
        self._drawn.pop(position, None)
        y = position + self.top - self.scroll_offset.y
        if self.top <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def refresh_rows(self) -> None:
        """Repaint the rows, but neither the frame nor the scrollbar, which know by themselves when they change."""
        self._drawn.clear()
        width, height = self.scrollable_content_region.size
        if width and height:
            self.refresh(Region(0, 0, width, height))

    def go(self, position: int, ahead: int = 0) -> None:
        """Put the cursor on a row, as far as there are rows; `ahead` is how far to look beyond it, if that scrolls."""
        if not self.row_count:
            return
        before = self.cursor_row
        self.cursor_row = max(0, min(position, self.row_count - 1))
        self.refresh_row(before)
        self.refresh_row(self.cursor_row)
        self.reveal(ahead)

    def reveal(self, ahead: int = 0) -> None:
        """Scroll as little as brings the cursor into sight, and so many rows beyond it."""
        visible = self.scrollable_content_region.height - self.top
        y = self.scroll_offset.y
        if visible > 0 and self.cursor_row < y:
            self.scroll_to(y=max(0, self.cursor_row - ahead), animate=False, force=True)
        elif visible > 0 and self.cursor_row >= y + visible:
            last = max(0, self.row_count - visible)
            y = min(self.cursor_row - visible + 1 + ahead, max(last, self.cursor_row - visible + 1))
            self.scroll_to(y=y, animate=False, force=True)

    def action_move(self, by: int) -> None:
        """One row on; at the edge the rows move by two thirds of the pane, since to move them by one costs as much."""
        self.go(self.cursor_row + by, ahead=max(0, self.scrollable_content_region.height - self.top) * 2 // 3)

    def action_page(self, by: int) -> None:
        self.go(self.cursor_row + by * max(1, self.scrollable_content_region.height - self.top - 1))

    def action_edge(self, side: int) -> None:
        self.go(0 if side < 0 else self.row_count - 1)
