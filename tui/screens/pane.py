"""What the tabs of a report have in common: a view, and a failure that stays in its tab."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget

from ..binding_ids import name_bindings, named
from ..messages import Problem
from ..views import View


class Pane(Vertical):
    """The content of one tab."""

    BINDINGS: ClassVar[list[BindingType]] = named(
        "pane", [Binding("o", "other", "Other table", tooltip="To the next table of this tab")]
    )

    def __init_subclass__(cls, **options: Any) -> None:
        name_bindings(cls, "Pane")
        super().__init_subclass__(**options)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return len(self.tables()) > 1 if action == "other" and self.is_mounted else True

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view

    def show_view(self, view: View) -> None:
        """Show another run of the same capture."""
        self.view = view
        self._fill_or_say()

    def on_mount(self) -> None:
        self._fill_or_say()

    def _fill_or_say(self) -> None:
        """A tab that fails for a reason that nobody thought of leaves the others usable."""
        try:
            self.fill()
        except Exception as error:
            said = f"{self.view.label}: {type(error).__name__}: {error}; please report it as a bug"
            self.post_message(Problem("this tab cannot be shown", said))

    def fill(self) -> None:
        """Put the view into the widgets."""

    def tables(self) -> list[Widget]:
        """What can have the keys, in the order of the screen."""
        return [widget for widget in self.query("DataTable, LogPane") if widget.focusable and _shown(widget)]

    def action_other(self) -> None:
        """The next of them."""
        tables = self.tables()
        focused = self.screen.focused
        place = tables.index(focused) if focused in tables else -1
        if tables:
            tables[(place + 1) % len(tables)].focus()

    def take_focus(self) -> None:
        """Give the keys to the pane's main widget."""
        for widget in self.query("DataTable, LogPane"):
            widget.focus()
            return


def _shown(widget: Widget) -> bool:
    """Whether nothing around it hides it."""
    return all(node.display for node in widget.ancestors_with_self if isinstance(node, Widget))
