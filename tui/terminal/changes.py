"""What the terminal shows already is not sent to it again: of all that Textual draws anew, the cells that differ.

Textual repaints by regions: a pane that gets the focus, a log that goes on and a scrollbar beside it are drawn whole although
most of their cells stay.  Over a slow line those bytes are what one waits for.  A whole screen (the first, another one, after
a resize or a stop) is always sent as it is, so whatever else wrote to the terminal is drawn over then.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.control import Control
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.app import App
from textual.strip import Strip

from . import internals

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from textual.screen import Screen

WORTH_CELLS = 4
"""That fewer are sent is worth cutting a piece, which is known as text already where it stood there before."""
Cell = tuple[str, "Style | None"]


class OnTerminal:
    """The cells that a terminal was sent; None where that is not known by cells."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._rows: list[list[Cell | None]] = []

    def changes(self, update: CompositorUpdate, size: tuple[int, int], console: Console) -> str:
        """What is to be sent of an update of a terminal of this size, as text with escape sequences; maybe nothing."""
        whole = isinstance(update, LayoutUpdate)
        if whole or size != self._size:
            self._size = size
            self._rows = [[None] * size[0] for _ in range(size[1])]
        if isinstance(update, LayoutUpdate):
            for y, strips in enumerate(update.strips, update.region.y):
                x = update.region.x
                for strip in strips:
                    self._take(x, y, strip)
                    x += strip.cell_length
            return update.render_segments(console)
        if not isinstance(update, ChopsUpdate):
            return update.render_segments(console)
        parts: list[str] = []
        for x, y, strip in _pieces(update):
            changed = self._take(x, y, strip)
            if changed is not None:
                first, last = changed
                parts.append(Control.move_to(x + first, y).segment.text)
                parts.append((strip.crop(first, last) if last - first < strip.cell_length else strip).render(console))
        return "".join(parts)

    def _take(self, x: int, y: int, strip: Strip) -> tuple[int, int] | None:
        """Note what a strip puts there; gives from where to where in it something changes, None where nothing does."""
        width = strip.cell_length
        if not width or not 0 <= y < len(self._rows):
            return (0, width) if width else None
        row = self._rows[y]
        new: list[Cell] = []
        for text, style, _ in strip:
            new += zip(text, repeat(style))
        text = strip.text
        if len(new) != width or not text.isascii() and not all(map(_is_one_cell, set(text))):
            row[x : x + width] = [None] * len(row[x : x + width])  # terminals differ on how wide that is
            return 0, width
        old = row[x : x + width]
        if old == new:
            return None
        row[x : x + len(old)] = new[: len(old)]
        first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
        last = len(new)
        while last > first + 1 and last <= len(old) and old[last - 1] == new[last - 1]:
            last -= 1
        return (first, last) if last - first + WORTH_CELLS < width else (0, width)


@lru_cache(1024)
def _is_one_cell(char: str) -> bool:
    return cell_len(char) == 1


def _pieces(update: ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
    """Column, line and strip of each piece that an update draws."""
    for y, left, right in update.spans:
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if strip is not None and x < right and end > left:
                yield x, y, strip if end <= right else strip.crop(0, right - x)


class _Text(CompositorUpdate):
    """An update that was rendered before."""

    def __init__(self, text: str) -> None:
        self._text = text

    def render_segments(self, console: Console) -> str:
        return self._text


class SendsChanges(App[None]):
    """An app whose terminal gets what differs from what it shows."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._on_terminal = OnTerminal()

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        shown = internals.ARE_KNOWN and self._running and not self._closed
        shown = shown and not self.is_headless and self._driver is not None
        if shown and not self._batch_count and not self.is_inline and isinstance(renderable, CompositorUpdate):
            text = self._on_terminal.changes(renderable, tuple(self.size), self.console)
            size = self.screen.outer_size
            if not text and size.clamp_offset(self.cursor_position) == self._previous_cursor_position:
                return
            renderable = _Text(text)
        super()._display(screen, renderable)
