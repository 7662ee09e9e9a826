"""A table of figures that fills while it is looked at, with a filter that knows columns: `u85 sram<512KiB`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...analysis.tables import Table
from ...analysis.watching.row_filter import RowFilter, parse_row_filter
from .data_table import DataTable

if TYPE_CHECKING:
    from ...analysis.watching.row_filter import Kind


class SweepTable(DataTable):
    """Rows can be marked; the cursor stays on its row while others change places around it."""

    STYLE_PREFIX = "data-table"

    def __init__(self, kinds: Mapping[str, Kind], *, id: str | None = None, classes: str | None = None) -> None:
        self._kinds = kinds
        self._wanted = RowFilter()
        super().__init__(id=id, classes=classes, markable=True, fixed=1, empty="no job")

    @property
    def shown(self) -> tuple[int, ...]:
        """The rows that pass the filter, in the order shown, as indices into the table."""
        return tuple(self._order)

    def fill(self, table: Table) -> None:
        """Show this, which has the same rows with newer cells."""
        kept = self.row
        self.table = table
        if kept is not None and self.row != kept:
            self.select_row(kept)

    def apply_filter(self, text: str) -> str:
        """Show only rows with these words, texts and limits (`analysis.watching.row_filter`); what cannot be understood is said."""
        self._wanted = parse_row_filter(text, self._kinds)
        super().apply_filter(text)
        return self._wanted.problem

    def _arrange(self) -> list[int]:
        rows = self._table.rows
        return [row for row in self._row_order.arranged("", self._sort) if self._wanted.passes(rows[row])]
