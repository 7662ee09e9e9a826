"""A list of names of which several can be chosen; those that do not fit are dimmed and say why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from ...analysis.tables import Cell, Column, Table
from .. import glyphs
from .data_table import DataTable

NOTE = 8
"""Columns that a note keeps, however narrow the list is."""


class Checklist(DataTable):
    """Space or Enter turns a choice on or off; `a` all of them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "On/off", tooltip="Turn the choice under the cursor on or off"),
        Binding("a", "all", "All", tooltip="Turn all choices of this list on or off"),
    ]
    DEFAULT_CSS = """
    Checklist { height: auto; }
    """

    def __init__(
        self,
        title: str,
        names: Sequence[str],
        chosen: Iterable[str] = (),
        *,
        id: str,
        labels: Sequence[str] = (),
        notes: Sequence[str] = (),
    ) -> None:
        """`labels` are shown in place of the names, `notes` behind them, as far as there is room."""
        super().__init__(
            _table(names, labels, notes),
            id=id,
            classes="pane",
            header=False,
            cells=False,
            markable=True,
            sortable=False,
            unmarked=glyphs.WAITING,
        )
        self.title = title
        self.names = tuple(names)
        self.reasons: dict[str, str] = {}
        self.marks = {self.names.index(name) for name in chosen}

    def on_mount(self) -> None:
        if self.marks:
            self.select_row(min(self.marks))

    def offer(self, names: Sequence[str], labels: Sequence[str] = (), notes: Sequence[str] = ()) -> None:
        """Let these names be chosen from now on; a choice stays where the name does."""
        chosen = set(self.chosen)
        self.names = tuple(names)
        self.marks = {i for i, name in enumerate(self.names) if name in chosen}
        self.reasons, self.disabled_rows = {}, frozenset()
        self.table = _table(names, labels, notes)
        self.refresh(layout=True)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen names, in the list's order."""
        return tuple(name for i, name in enumerate(self.names) if i in self.marks)

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """These names do not fit; a choice of one is dropped."""
        self.reasons = dict(reasons)
        self.disabled_rows = frozenset(i for i, name in enumerate(self.names) if name in reasons)
        self.marks -= self.disabled_rows
        self.refresh()

    def reason(self) -> str:
        """Why the name under the cursor does not fit; empty where it does."""
        return self.reasons.get(self.names[self.row], "") if self.row is not None else ""

    def choose_names(self, names: Iterable[str]) -> None:
        """Choose these names and no others, as far as they fit."""
        wanted = set(names)
        self.marks = {i for i, name in enumerate(self.names) if name in wanted} - self.disabled_rows
        self.refresh()

    def choose(self) -> None:
        self.action_mark()

    def action_all(self) -> None:
        usable = set(range(len(self.names))) - self.disabled_rows
        self.marks = set() if self.marks >= usable else usable
        self.refresh()
        self.post_message(self.Marked(self))


def _table(names: Sequence[str], labels: Sequence[str], notes: Sequence[str]) -> Table:
    shown = [str(label) for label in labels or names]
    widest = max(map(len, shown), default=0)
    if not notes:
        return Table("", (Column("name"),), tuple((Cell(label),) for label in shown))
    columns = (Column("name", least=widest), Column("note", least=NOTE))
    return Table("", columns, tuple((Cell(a), Cell(b, tone="dim")) for a, b in zip(shown, notes, strict=True)))
