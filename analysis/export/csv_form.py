"""A table as CSV (RFC 4180): raw values, units in the names of columns, and an empty cell for an absent value.

Cells hold a text ("4.2 MiB") and a value in bytes. The unit of a column is found from its texts. If the rows have
different units, as in a list of facts, an extra column gives the unit of each row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..tables import Cell, Column, Table
from .document import raw
from .escaping import csv_cell, csv_text

_UNITS = {
    "B": "bytes", "KiB": "bytes", "MiB": "bytes", "GiB": "bytes", "%": "percent", "MHz": "hertz", "Hz": "hertz",
    "s": "seconds", "ms": "seconds", "us": "seconds", "ns": "seconds",
}  # fmt: skip
_WRITTEN = re.compile(r"~?[-+]?[\d,.]+(?: min [\d.]+)? (B|KiB|MiB|GiB|%|MHz|Hz|s|ms|us|ns)(?![\w/])")


def csv_lines(table: Table) -> Iterator[str]:
    """The lines of the file; the names of the columns come first."""
    rows = [row for row in table.rows if not (row and row[0].tone == "head")]  # a group's heading is no record
    units = [_units(rows, place) for place in range(len(table.columns))]
    names = []
    for column, found in zip(table.columns, units, strict=True):
        names.append(_named(column, found))
        if len(found) > 1:
            names.append(f"{column.name} unit")
    yield ",".join(map(csv_text, names)) + "\r\n"
    for row in rows:
        cells = []
        for cell, found in zip(row, units, strict=True):
            cells.append(csv_cell(_whole(raw(cell))))
            if len(found) > 1:
                cells.append(csv_cell(_unit(row, cell)))
        yield ",".join(cells) + "\r\n"


def _named(column: Column, units: frozenset[str]) -> str:
    """The name with the unit of all values in it."""
    unit = column.unit or (next(iter(units)) if len(units) == 1 else "")
    return f"{column.name} ({unit})" if unit and unit not in column.name.lower() else column.name


def _units(rows: list[tuple[Cell, ...]], place: int) -> frozenset[str]:
    """What the values of a column are counted in: a unit, or several with "" for figures without one."""
    found = {_unit(row, row[place]) or "" for row in rows if _is_figure(row[place])}
    return frozenset(found) if found != {""} else frozenset()


def _unit(row: tuple[Cell, ...], cell: Cell) -> str | None:
    """The unit of a value, as its text says it; None where the name of the row does so, too ("compile.sram_used_bytes")."""
    found = _WRITTEN.match(cell.text) if _is_figure(cell) else None
    if found is None:
        return None
    unit = _UNITS[found.group(1)]
    named = str(raw(row[0]))
    return None if named.endswith((f"_{unit}", "_hz")) else unit


def _is_figure(cell: Cell) -> bool:
    return isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool)


def _whole(value: float | str | None) -> float | str | None:
    """Counts without a ".0", texts without the room before them."""
    if isinstance(value, str):
        return value.strip()
    return int(value) if isinstance(value, float) and value.is_integer() else value
