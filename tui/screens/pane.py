"""What the tabs of a report have in common: a view, and a failure that stays in its tab."""

from __future__ import annotations

from textual.containers import Vertical

from ..messages import Problem
from ..views import View


class Pane(Vertical):
    """The content of one tab."""

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

    def take_focus(self) -> None:
        """Give the keys to the pane's main widget."""
        for widget in self.query("DataTable, LogPane"):
            widget.focus()
            return
