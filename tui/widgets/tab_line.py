"""Tabs on one line, each with the digit that opens it; a count beside a name says how much is behind it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

SHORTEST = 3
"""Letters that are left of a name, at least."""


class TabLine(Widget):
    """The tabs of a screen; posts `Picked` on a click."""

    DEFAULT_CSS = """
    TabLine { height: 1; width: 1fr; background: $surface; }
    """

    active: reactive[int] = reactive(0)
    names: reactive[tuple[str, ...]] = reactive(())
    alerts: reactive[frozenset[int]] = reactive(frozenset())
    """Tabs with bad news behind them."""

    class Picked(Message):
        """A tab was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, names: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(TabLine.names, tuple(names))

    def _labels(self) -> list[str]:
        """The names, those of closed tabs cut short where the line is too narrow for all."""
        room = self.size.width - sum(len(str(i + 1)) + 3 for i in range(len(self.names)))
        for length in range(max(map(len, self.names), default=0), SHORTEST - 1, -1):
            labels = [name if i == self.active else name[:length] for i, name in enumerate(self.names)]
            if sum(map(len, labels)) <= room:
                break
        return labels if self.names else []

    def render(self) -> Content:
        pieces: list[Content] = []
        for i, name in enumerate(self._labels()):
            current = i == self.active
            digit = "$text-accent bold" if not current else "bold"
            piece = Content.assemble((f" {i + 1}", digit), f" {name} ")
            if i in self.alerts:
                piece = piece.stylize("$text-error bold")
            pieces.append(piece.stylize("reverse") if current else piece)
        return Content("").join(pieces)

    def on_click(self, event: events.Click) -> None:
        left = 0
        for i, name in enumerate(self._labels()):
            left += len(name) + len(str(i + 1)) + 3
            if event.x < left:
                self.post_message(self.Picked(i))
                return
