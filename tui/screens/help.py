"""What a screen shows and which keys work on it, made from the screen's own bindings so that it cannot go stale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from ...analysis.tables import Cell, Column, Table
from ..full_screen import FullScreen
from ..keys_in_force import with_keys
from ..widgets.chrome import ordered_bindings
from ..widgets.data_table import DataTable
from ..widgets.said import Said

COLUMNS = (Column("Key"), Column("Does"))


_OBVIOUS = frozenset(("app.focus_previous", "screen.copy_text", "page_left", "page_right", "help_quit"))
"""What the widgets below ours bring along, and nobody asks for here."""
_LEAVE = "Leave; runs go on, compiles are stopped"
_OURS = {
    "Focus Next": "To the next table or field",
    "Quit": _LEAVE,
    "Quit the app and return to the command prompt.": _LEAVE,
}
"""What others say of their bindings, in our words."""


def _keys(names: Sequence[str]) -> str:
    """Keys that do the same; digits in a row as their first and last."""
    names = list(dict.fromkeys(names))
    if len(names) > 2 and names == [str(int(names[0]) + i) for i in range(len(names)) if names[0].isdigit()]:
        return f"{names[0]}-{names[-1]}"
    return " ".join(names)


class HelpScreen(ModalScreen[None]):
    """The help of one screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter", "close", "Close", priority=True)]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    HelpScreen > Vertical { width: 76; max-width: 95%; height: 90%; border: round $primary; background: $surface;
        padding: 0 1; border-title-color: $text-primary; border-title-style: bold; }
    HelpScreen.-wide > Vertical { width: 100; }
    HelpScreen.-huge > Vertical { width: 120; }
    HelpScreen.-flat > Vertical, HelpScreen.-tiny > Vertical { max-width: 100%; height: 100%; border: none; }
    HelpScreen #about { height: auto; margin-bottom: 1; color: $foreground-muted; }
    """

    def __init__(self, page: FullScreen) -> None:
        super().__init__()
        self._heading = page.HEADING
        self._about = with_keys(page, page.ABOUT)
        keys: dict[tuple[str, str], list[str]] = {}
        for _, active in ordered_bindings(page):
            binding = active.binding
            does = binding.tooltip or binding.description
            does = _OURS.get(does, does)
            if does and active.enabled and binding.action not in _OBVIOUS and not binding.key.startswith("super+"):
                action = binding.action.partition("(")[0] if binding.tooltip and not binding.show else binding.action
                keys.setdefault((action, does), []).append(page.app.get_key_display(binding))
        self._table = Table("", COLUMNS, tuple((Cell(_keys(names)), Cell(does)) for (_, does), names in keys.items()))

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(f"Help: {self._heading}")
            yield Said(self._about, id="about")
            yield DataTable(self._table, cells=False, sortable=False)

    def action_close(self) -> None:
        self.dismiss()
