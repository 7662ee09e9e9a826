"""Reading: what stands on the screen while a log given on the command line is read, in place of a Home nobody asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from .. import glyphs
from ..widgets.said import Said
from .page import Page


class ReadingScreen(Page):
    """Waits for what is being read; the screen that shows it takes this one's place."""

    HEADING = "Reading"
    ABOUT = "The input is being read. Escape gives it up and goes to Home."
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,backspace", "back", "Back", key_display="esc")]

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__()
        self._paths = tuple(paths)

    def body(self) -> Iterable[Widget]:
        more = f" and {len(self._paths) - 1} more" if len(self._paths) > 1 else ""
        yield Said(f"reading {self._paths[0]}{more} {glyphs.ELLIPSIS}", classes="note")

    def action_back(self) -> None:
        self.app.workers.cancel_group(self.app, "load")
        super().action_back()
