"""The tables in Vela's debug database (`<name>_debug.xml`), each read only when it is asked for.

The file is XML around tables of CSV, and neither is quite that: cells hold quotes that are not escaped.  So it is read by
looking for the tables and nothing else; no XML parser sees it, and no entity is ever expanded.  One of the tables has some
150 columns that nobody here wants: it is stepped over, not taken apart.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from ..cleaning import clean

ROW_LIMIT = 1_000_000
_NAME_LIMIT = 512
_COLUMN_LIMIT = 1024


class DebugRow:
    """A row by the names of its columns."""

    __slots__ = ("_at", "_cells")

    def __init__(self, at: dict[str, int], cells: list[str]) -> None:
        self._at = at
        self._cells = cells

    def text(self, column: str) -> str:
        """A cell as clean text, "" where there is no such column."""
        index = self._at.get(column)
        return clean(self._cells[index][:_NAME_LIMIT]) if index is not None else ""

    def number(self, column: str) -> int | None:
        """A cell as a whole number, None where it is none."""
        index = self._at.get(column)
        text = self._cells[index] if index is not None else ""
        return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None

    def address(self, column: str) -> int | None:
        """A cell such as "0x3100" as a number, None where it is none."""
        index = self._at.get(column)
        text = self._cells[index] if index is not None else ""
        try:
            return int(text, 16) if text.startswith("0x") and len(text) <= 18 else None
        except ValueError:
            return None


class DebugTables:
    """The tables of a database by name; the last one of a name counts."""

    def __init__(self, text: str) -> None:
        self._bodies = dict(_tables(text))
        self.lost = 0
        """Rows that could not be read, of the tables that were."""

    def __contains__(self, table: str) -> bool:
        return table in self._bodies

    def columns(self, table: str) -> tuple[str, ...]:
        """Names of a table's columns; none where there is no such table."""
        return _header(self._bodies.get(table, "").lstrip("\r\n").partition("\n")[0])

    def rows(self, table: str) -> Iterator[DebugRow]:
        """The rows of a table; none where there is no such table."""
        lines = self._bodies.get(table, "").strip("\r\n").split("\n")
        header = _header(lines[0])
        if len(header) > _COLUMN_LIMIT:
            return
        at = {name: index for index, name in enumerate(header)}
        free = at.get("name")
        for number, line in enumerate(lines[1:]):
            if number >= ROW_LIMIT:
                self.lost += 1
                return
            cells = _cells(line.rstrip("\r"), len(header), free)
            if cells is None:
                self.lost += bool(line.strip())
            else:
                yield DebugRow(at, cells)


def _header(line: str) -> tuple[str, ...]:
    return tuple(name.strip().strip('"') for name in line.rstrip("\r").split(","))


def _tables(text: str) -> Iterator[tuple[str, str]]:
    """Names and CSV texts of the tables."""
    at = 0
    while (start := text.find("<table", at)) >= 0:
        end = text.find(">", start)
        opened = text.find("<![CDATA[", start)
        closed = text.find("]]>", opened)
        if end < 0 or opened < 0 or closed < 0:
            return
        head = text[start : min(end, start + 256)]
        _, _, name = head.partition("name=")
        yield name.strip(" '\"/"), text[opened + 9 : closed]
        at = closed


def _cells(line: str, columns: int, free: int | None) -> list[str] | None:
    """The cells of a line; a name with quotes or commas in it is what is left between the cells on both sides of it."""
    cells = [_unquoted(cell) for cell in line.split(",")]
    if len(cells) == columns and None not in cells:
        return cells  # type: ignore[return-value]
    if line.count('"') <= 2 * columns and '""' not in line:
        try:
            read = next(csv.reader((line,)), [])
        except csv.Error:
            read = []
        if len(read) == columns and not any('"' in cell for cell in read):
            return read
    if free is None:
        return None
    left: list[str] = []
    for _ in range(free):
        end = line.find('",', 1) + 1 if line.startswith('"') else line.find(",")
        if end <= 0:
            return None
        left.append(line[:end].strip('"'))
        line = line[end + 1 :]
    right: list[str] = []
    for _ in range(columns - free - 1):
        start = line.rfind(',"') if line.endswith('"') else line.rfind(",")
        if start < 0:
            return None
        right.append(line[start + 1 :].strip('"'))
        line = line[:start]
    name = line[1:-1] if len(line) > 1 and line[0] == line[-1] == '"' else line
    return [*left, name, *reversed(right)]


def _unquoted(cell: str) -> str | None:
    """A cell without a comma in it; None where its quotes are not those around it."""
    if '"' not in cell:
        return cell
    return cell[1:-1] if cell[0] == cell[-1] == '"' and cell.count('"') == 2 else None
