"""Tables of columns beside each other: a column is in sight whole or not at all, and headings of groups stand out.

A figure that is cut at the edge of the screen reads like another figure.
"""

from __future__ import annotations

from typing import ClassVar

from textual.geometry import Size

from ...analysis.tables import Table
from .data_table import DataTable
from .table_layout import GAP, fitted_widths, natural_widths


def fits_beside(table: Table, room: int) -> bool:
    """Whether all columns of a side table with one fixed column have room."""
    first, *others = natural_widths(table, header=True)
    return first + len(others) * (max(others, default=0) + GAP) <= room


class SideTable(DataTable):
    """A data table with fixed columns; where the others do not all fit, each is as wide, and as many as fit fill the room."""

    def _fitted(self, room: int) -> list[int]:
        return fitted_widths(self._table, self._natural, room, self._fixed)

    def _fit(self) -> None:
        super()._fit()
        held, others = self._widths[: self._fixed], self._natural[self._fixed :]
        room = self._room() - sum(held) - GAP * (len(held) - 1)
        if not others or room <= 0 or sum(self._widths[self._fixed :]) + GAP * len(others) <= room:
            return
        columns = zip(others, self._table.columns[self._fixed :], strict=True)
        figures = [width for width, column in columns if column.align == "right"]
        widest = max(figures or others) + GAP
        number = max(1, room // widest)
        more = max(0, min(self._natural[0] - held[0], room - number * widest))
        held[0] += more  # names get what is left, before the columns do
        room -= more
        each = max(1, room // number - GAP)
        held[0] += max(0, room - number * (each + GAP))
        self._widths = [*held, *(each for _ in others)]
        self.virtual_size = Size(sum(self._widths) + GAP * (len(self._widths) - 1), len(self._order) + self.top)

    @property
    def columns_in_sight(self) -> range:
        """Which of the columns behind the fixed ones are whole in sight, from 0 on."""
        (scroll_x, _), width = self.sight
        low, high, left = scroll_x + self._held, scroll_x + width, self._held
        seen = []
        for place, wide in enumerate(self._widths[self._fixed :]):
            if left >= low and left + wide <= high:
                seen.append(place)
            left += wide + GAP
        return range(seen[0], seen[-1] + 1) if seen else range(0)


class GroupedTable(SideTable):
    """A table whose rows with the tone "head" in their first cell are headings."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"data-table--head"}
    DEFAULT_CSS = """
    .data-table--head { color: $text-accent; text-style: bold; }
    """

    def is_heading(self, position: int) -> bool:
        """Whether the row shown at this place is a heading."""
        return self.table.rows[self._order[position]][0].tone == "head"

    def go(self, position: int, ahead: int = 0) -> None:
        if not self.row_count:
            return
        position = max(0, min(position, self.row_count - 1))
        step = -1 if position < self.cursor_row else 1
        wanted = self._beyond_headings(position, step)
        if wanted is None:  # nothing but headings that way
            wanted = self._beyond_headings(position, -step)
        super().go(position if wanted is None else wanted, ahead)

    def _beyond_headings(self, position: int, step: int) -> int | None:
        while 0 <= position < self.row_count:
            if not self.is_heading(position):
                return position
            position += step
        return None

    def reveal(self, ahead: int = 0) -> None:
        """Headings right above the cursor come into sight with it."""
        super().reveal(ahead)
        first = self.cursor_row
        while 0 < first <= self.row_count and self.is_heading(first - 1):
            first -= 1
        if first < self.scroll_offset.y and first < self.cursor_row:
            self.scroll_to(y=first, animate=False, force=True)
