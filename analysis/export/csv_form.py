"""A table as CSV (RFC 4180): raw values, an empty cell for what is absent."""

from __future__ import annotations

from collections.abc import Iterator

from ..tables import Table
from .document import raw
from .escaping import csv_cell, csv_text


def csv_lines(table: Table) -> Iterator[str]:
    """The lines of the file, names of columns first, with the unit of their raw values where one is known."""
    names = (f"{column.name} ({column.unit})" if column.unit else column.name for column in table.columns)
    yield ",".join(map(csv_text, names)) + "\r\n"
    for row in table.rows:
        if row and row[0].tone == "head":  # the heading of a group, which is no record
            continue
        yield ",".join(csv_cell(raw(cell)) for cell in row) + "\r\n"
