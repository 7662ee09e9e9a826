"""A page of several tables: tab and digits go from one to the next, and a narrow terminal shows one at a time.

The style sheet of the page says what is shown where; here is only which pane has the keys (class `-picked`).
"""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from ..widgets.data_table import DataTable
from ..widgets.tab_line import TabLine
from .page import Page


class PanedPage(Page):
    """Subclasses give `PANES`, put `pane_line()` on top, and a table with the id of each pane below."""

    PANES: ClassVar[dict[str, str]] = {}
    """Id and name of each, in the order of their digits."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "pane(1)", "Pane", tooltip="The next pane; shift+tab the one before, a digit each"),
        Binding("shift+tab", "pane(-1)", "Pane before", show=False),
        *(
            Binding(str(number), f"pick({number})", f"Pane {number}", show=False, tooltip="The pane of that place")
            for number in range(1, 8)
        ),
    ]

    def __init__(self, picked: str) -> None:
        super().__init__()
        self._picked = picked

    def pane_line(self) -> TabLine:
        """Names all panes, on a terminal that shows one of them."""
        return TabLine(tuple(self.PANES.values()), id="which")

    def table(self, name: str) -> DataTable:
        """One of the panes."""
        return self.query_one(f"#{name}", DataTable)

    def is_filled(self, name: str) -> bool:
        """Whether there is anything to go to."""
        return True

    def picked(self, name: str) -> None:
        """Another pane has the keys."""

    @property
    def _panes(self) -> list[str]:
        one = self.has_class("-slim")
        return [name for name in self.PANES if self.is_filled(name) and (one or self.table(name).display)]

    def name_panes(self) -> None:
        """Show in the line which pane is in sight."""
        self.query_one("#which", TabLine).active = list(self.PANES).index(self._picked)

    def action_pane(self, by: int) -> None:
        panes = self._panes
        here = panes.index(self._picked) if self._picked in panes else 0
        self.pick(panes[(here + by) % len(panes)])

    def action_pick(self, number: int) -> None:
        if number <= len(self.PANES) and (name := list(self.PANES)[number - 1]) in self._panes:
            self.pick(name)

    @on(TabLine.Picked)
    def _tab_clicked(self, event: TabLine.Picked) -> None:
        self.action_pick(event.index + 1)

    def pick(self, name: str) -> None:
        """This pane gets the keys."""
        self._go(name)
        self.table(name).focus()

    def _go(self, name: str) -> None:
        self._picked = name
        for other in self.PANES:
            self.table(other).set_class(other == name, "-picked")
        self.name_panes()
        self.picked(name)

    def on_descendant_focus(self) -> None:
        focused = self.focused
        if not isinstance(focused, DataTable) or focused.id not in self.PANES:
            return
        if focused.id != self._picked:
            self._go(focused.id)
        else:  # it was picked before the keys were there
            self.picked(focused.id)
