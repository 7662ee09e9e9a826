"""A list of names of which several can be chosen; those that do not fit are dimmed and say why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType

from ...analysis.tables import Cell, Column, Table
from .. import glyphs
from .data_table import DataTable
from .table_layout import GAP, natural_widths

Kept = Literal["start", "end"]


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
        notes: Sequence[Sequence[str]] = (),
        kept: Kept = "start",
    ) -> None:
        """`labels` are shown in place of the names, `notes` in columns behind them, those for which there is room; `kept` is
        the end of a name that stays where there is too little."""
        super().__init__(
            _table(names, labels, notes, kept),
            id=id,
            classes="pane",
            header=False,
            cells=False,
            markable=True,
            sortable=False,
            unmarked=glyphs.WAITING,
        )
        self.title = title
        self._kept = kept
        self.names = tuple(names)
        self.reasons: dict[str, str] = {}
        self.marks = {self.names.index(name) for name in chosen}

    def on_mount(self) -> None:
        if self.marks:
            self.select_row(min(self.marks))

    def offer(self, names: Sequence[str], labels: Sequence[str] = (), notes: Sequence[Sequence[str]] = ()) -> None:
        """Let these names be chosen from now on; a choice stays where the name does."""
        chosen = set(self.chosen)
        self.names = tuple(names)
        self.reasons, self.disabled_rows = {}, frozenset()
        self.table = _table(names, labels, notes, self._kept)
        self.marks = {i for i, name in enumerate(self.names) if name in chosen}
        self.refresh(layout=True)

    def without_hidden(self, table: Table) -> Table:
        """Without the notes that would be cut to nothing that says anything."""
        table = super().without_hidden(table)
        shown = len(table.columns)
        room = self.scrollable_content_region.width - 2  # the marks
        widths = natural_widths(table, header=False)
        while shown > 1 and 0 < room < sum(widths[:shown]) + GAP * (shown - 1):
            shown -= 1
        rows = tuple(row[:shown] for row in table.rows)
        return table._replace(columns=table.columns[:shown], rows=rows) if shown < len(table.columns) else table

    def on_resize(self) -> None:
        marks = self.marks
        self.take_up()
        self.marks = marks
        super().on_resize()

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


def _table(names: Sequence[str], labels: Sequence[str], notes: Sequence[Sequence[str]], kept: Kept) -> Table:
    shown = [str(label) for label in labels or names]
    width = max(map(len, notes), default=0)
    columns = (
        Column("name", kept=kept),
        *(Column(f"note {i}", "right" if i + 1 < width else "left") for i in range(width)),
    )
    told = notes or [()] * len(shown)
    rows = ((Cell(label), *(Cell(text, tone="dim") for text in note)) for label, note in zip(shown, told, strict=True))
    return Table("", columns, tuple(rows))
