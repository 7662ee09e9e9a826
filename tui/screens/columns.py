"""Columns: which columns of a table are shown; the table keeps it for the next time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from ..widgets.checklist import Checklist
from ..widgets.said import Said


class ColumnsScreen(ModalScreen[frozenset[str] | None]):
    """Ask for the columns to show; the answer are the names of those that are not."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", "Done", priority=True),
        Binding("escape", "give_up", "Cancel", priority=True),
    ]
    DEFAULT_CSS = """
    ColumnsScreen { align: center middle; background: $background 60%; }
    ColumnsScreen > Vertical { width: 54; max-width: 95%; height: auto; max-height: 90%; border: round $primary;
        border-title-color: $text-primary; border-title-style: bold; background: $surface; padding: 0 1; }
    ColumnsScreen Checklist { height: auto; max-height: 16; }
    ColumnsScreen #keys { height: 1; color: $foreground-disabled; }
    """

    def __init__(self, names: Sequence[str], hidden: frozenset[str]) -> None:
        super().__init__()
        self._names = tuple(name for name in names[1:] if name)
        self._hidden = hidden

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Columns"
            names = Checklist("", self._names, [n for n in self._names if n not in self._hidden], id="names")
            names.remove_class("pane")
            yield names
            yield Said("space on/off   a all   enter keeps   esc cancels", id="keys")

    def on_mount(self) -> None:
        self.query_one(Checklist).focus()

    def action_done(self) -> None:
        self.dismiss(frozenset(self._names) - frozenset(self.query_one(Checklist).chosen))

    def action_give_up(self) -> None:
        self.dismiss(None)
