"""Tabs on one line, each with the digit that opens it; a count beside a name says how much is behind it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


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

    def _labels(self) -> tuple[list[str], int]:
        """The names, and the blanks behind each tab: none where that makes all of them fit.

        Where the line is too narrow even so, some closed tabs are left with their digit, and no name is cut.
        """
        for blanks in (1, 0):
            if sum(_width(i, name, blanks) for i, name in enumerate(self.names)) <= self.size.width:
                return list(self.names), blanks
        labels = [""] * len(self.names)
        room = self.size.width - sum(_width(i, "", 0) for i in range(len(labels)))
        urgent = [i for i in sorted(self.alerts) if i < len(labels)]
        for i in dict.fromkeys((self.active, *urgent, *range(len(labels)))):
            more = len(self.names[i]) + 1 if i < len(labels) else room + 1
            if more <= room:
                labels[i] = self.names[i]
                room -= more
        return labels, 0

    def render(self) -> Content:
        pieces: list[Content] = []
        labels, blanks = self._labels()
        for i, name in enumerate(labels):
            current = i == self.active
            digit = "$text-accent bold" if not current else "bold"
            piece = Content.assemble((f" {i + 1}", digit), f" {name}" if name else "", " " * blanks)
            if i in self.alerts:
                piece = piece.stylize("$text-error bold")
            pieces.append(piece.stylize("reverse") if current else piece)
        return Content("").join(pieces)

    def on_click(self, event: events.Click) -> None:
        left = 0
        labels, blanks = self._labels()
        for i, name in enumerate(labels):
            left += _width(i, name, blanks)
            if event.x < left:
                self.post_message(self.Picked(i))
                return


def _width(index: int, name: str, blanks: int) -> int:
    """Columns of a tab."""
    return len(str(index + 1)) + (len(name) + 2 if name else 1) + blanks
