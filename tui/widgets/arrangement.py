"""How a table is arranged by who looks at it: the column that sorts it and the columns that are hidden, kept for next time."""

from __future__ import annotations

from typing import Any

from textual.message import Message

from ...analysis.tables import Table
from ..memory import Memory, sorted_and_hidden
from .row_cursor import RowCursor

Sort = tuple[int, bool]


class ColumnsAsked(Message):
    """Somebody wants to choose the columns of a table; the screen has the window for that, and calls `hide` with the answer."""

    def __init__(self, table: Arranged) -> None:
        super().__init__()
        self.names = [column.name for column in table.given.columns]
        self.hidden = table.hidden
        self.hide = table.hide


class Arranged(RowCursor):
    """The part of a table that is remembered: by its screen and id, where it has one."""

    cursor_column: Any

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._given: Table | None = None
        self._sort: Sort | None = None
        self.hidden: frozenset[str] = frozenset()
        """Names of the columns that are not shown."""
        self._wanted_sort: tuple[str, bool] | None = None

    @property
    def table(self) -> Table:
        """What is shown; setting it keeps cursor, sort and filter where they still make sense."""
        raise NotImplementedError

    @table.setter
    def table(self, table: Table) -> None:
        raise NotImplementedError

    @property
    def row(self) -> int | None:
        """The cursor's row as an index into the table as given, None in an empty table."""
        raise NotImplementedError

    def select_row(self, row: int) -> None:
        """Put the cursor on a row given as an index into the table; does nothing while the filter hides it."""
        raise NotImplementedError

    def _rearrange(self) -> None:
        raise NotImplementedError

    @property
    def given(self) -> Table:
        """The table as it was set, with the columns that are hidden."""
        return self._given if self._given is not None else self.table

    def on_mount(self) -> None:
        self.recall()
        if self.hidden or self._wanted_sort is not None:
            self.take_up()

    def take_up(self) -> None:
        """Arrange the table as it was given anew, with other columns or another order."""
        kept = self.row
        self._sort = self.recalled_sort(self.table)
        self.table = self.given
        self._rearrange()
        if kept is not None:
            self.select_row(kept)

    def action_sort(self) -> None:
        """Ascending, descending, as given."""
        if self.check_action("sort", ()) and self.table.columns:
            self.sort_by(self.cursor_column)

    def sort_by(self, column: int) -> None:
        """Sort by a column; asking again for the same one turns the order round, then restores it.

        The cursor stays with its row, but on the first one, as in a table nobody has moved in, it stays on top.
        """
        kept = self.row if self.cursor_row > 0 else None
        if self._sort is None or self._sort[0] != column:
            self._sort = (column, False)
        else:
            self._sort = (column, True) if not self._sort[1] else None
        self._wanted_sort = None
        self._rearrange()
        if kept is not None:
            self.select_row(kept)
        elif self.table.rows:
            self.go(0)
        self.keep(self.table, self._sort)

    def action_columns(self) -> None:
        """Ask which columns are shown."""
        self.screen.post_message(ColumnsAsked(self))

    def hide(self, hidden: frozenset[str] | None) -> None:
        """Show all columns but these; None leaves it as it is."""
        if hidden is None or hidden == self.hidden:
            return
        if self._sort is not None:
            self._wanted_sort = (self.table.columns[self._sort[0]].name, self._sort[1])
        self.hidden = hidden
        self.take_up()
        self.keep(self.table, self._sort)

    @property
    def _memory(self) -> tuple[Memory, str] | None:
        memory = getattr(self.app, "memory", None)
        if self.id is None or not isinstance(memory, Memory):
            return None
        return memory, f"table {type(self.screen).__name__}#{self.id}"

    def recall(self) -> None:
        """Take up what is remembered, for the columns that are or will be there."""
        if (found := self._memory) is not None:
            self._wanted_sort, hidden = sorted_and_hidden(found[0].get(found[1]))
            self.hidden = frozenset(hidden)

    def keep(self, table: Table, sort: Sort | None) -> None:
        """Remember how it is arranged."""
        if (found := self._memory) is None:
            return
        value: dict[str, Any] = {}
        if sort is not None and sort[0] < len(table.columns):
            value |= {"sort": table.columns[sort[0]].name, "descending": sort[1]}
        if self.hidden:
            value["hidden"] = sorted(self.hidden)
        found[0].put(found[1], value or None)

    def without_hidden(self, table: Table) -> Table:
        """The table with the columns that are shown; the first is always, and one that nobody hid."""
        self._given = table
        shown = [i for i, column in enumerate(table.columns) if i == 0 or column.name not in self.hidden]
        if len(shown) == len(table.columns):
            return table
        rows = tuple(tuple(row[i] for i in shown if i < len(row)) for row in table.rows)
        return table._replace(columns=tuple(table.columns[i] for i in shown), rows=rows)

    def recalled_sort(self, table: Table) -> Sort | None:
        """The remembered sort, once its column is there."""
        if self._wanted_sort is None:
            return None
        name, descending = self._wanted_sort
        place = next((i for i, column in enumerate(table.columns) if column.name == name), None)
        return (place, descending) if place is not None else None
