"""Vela's debug database (`<name>_debug.xml`): which operator each command of the NPU belongs to, with Vela's estimate.

The file is XML around tables of CSV, and neither is quite that: cells hold quotes that are not escaped.  So it is read by
looking for the tables and nothing else; no XML parser sees it, and no entity is ever expanded.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import NamedTuple

from ..lines import clean

ROW_LIMIT = 1_000_000
_TABLES = ("queue", "group", "perf", "source", "optimised")
_NAME_LIMIT = 512


class VelaDebugError(ValueError):
    """It is no debug database, or one without commands; the message is one sentence."""


class Command(NamedTuple):
    """An operation that starts at this byte of the command stream."""

    offset_bytes: int
    stream: int
    operation: int
    """The operation that Vela scheduled: an id of `Operation`."""


class Operation(NamedTuple):
    """An operation as Vela scheduled it; cycles are Vela's estimate, None where the database has none."""

    id: int
    operator: str
    name: str
    op_cycles: int | None
    npu_cycles: int | None
    macs: int | None
    source: int | None
    source_operator: str | None
    ext_key: int | None
    """Index of the operator in the TOSA graph."""
    chained_to: int | None
    """The operation that this one is chained into (U85), None where it stands for itself."""


class DebugDatabase(NamedTuple):
    """What the database tells of one partition, in the order of its command stream."""

    commands: tuple[Command, ...]
    operations: dict[int, Operation]
    passed_over: int
    """Rows that could not be read."""


def parse_debug_database(text: str) -> DebugDatabase:
    """Read the database.

    Raises:
        VelaDebugError: no table of commands is in it.
    """
    tables = {name: body for name, body in _tables(text) if name in _TABLES}
    if "queue" not in tables:
        raise VelaDebugError("no table 'queue' is in it, so nothing says where an operator's commands begin")
    lost = _Lost()
    commands: list[Command] = []
    for row in _rows(tables["queue"], lost):
        offset = row.number("offset")
        operation = row.number("scheduled_id")
        operation = row.number("optimised_id") if operation is None else operation
        if offset is None or operation is None:
            lost.count += 1
        else:
            commands.append(Command(offset, row.number("cmdstream_id") or 0, operation))
    if not commands:
        raise VelaDebugError("its table 'queue' holds no command")
    return DebugDatabase(tuple(commands), _operations(tables, commands, lost), lost.count)


def _operations(tables: dict[str, str], commands: list[Command], lost: _Lost) -> dict[int, Operation]:
    sources = {row.number("id"): row for row in _rows(tables.get("source", ""), lost)}
    chained = {row.number("id"): row.number("group_id") for row in _rows(tables.get("group", ""), lost)}
    found: dict[int, Operation] = {}
    for table in ("perf", "optimised"):  # an older Vela has no estimates, only the optimised operators
        if found:
            break
        for row in _rows(tables.get(table, ""), lost):
            number, source_id = row.number("id"), row.number("source_id")
            if number is None:
                lost.count += 1
                continue
            source = sources.get(source_id)
            group = chained.get(number)
            found[number] = Operation(
                id=number,
                operator=row.text("operator"),
                name=row.text("name"),
                op_cycles=row.number("op_cycles"),
                npu_cycles=row.number("npu_cycles"),
                macs=row.number("mac_count"),
                source=source_id if source is not None else None,
                source_operator=source.text("operator") if source is not None else None,
                ext_key=source.number("ext_key") if source is not None else None,
                chained_to=group if group != number else None,
            )
    for command in commands:
        if command.operation not in found:
            group = chained.get(command.operation)
            other = group if group != command.operation else None
            found[command.operation] = Operation(
                command.operation, "?", "", None, None, None, None, None, None, other
            )  # fmt: skip
    return found


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


class _Lost:
    def __init__(self) -> None:
        self.count = 0


class _Row:
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


def _rows(table: str, lost: _Lost) -> Iterator[_Row]:
    lines = (line.rstrip("\r") for line in table.strip("\r\n").split("\n"))
    header = [name.strip().strip('"') for name in next(lines, "").split(",")]
    at = {name: index for index, name in enumerate(header)}
    if len(header) > 1024:
        return
    for number, line in enumerate(lines):
        if number >= ROW_LIMIT:
            lost.count += 1
            return
        cells = _cells(line, header, at.get("name"))
        if cells is None:
            lost.count += bool(line.strip())
        else:
            yield _Row(at, cells)


def _cells(line: str, header: list[str], free: int | None) -> list[str] | None:
    """The cells of a line; a name with quotes or commas in it is what is left between the cells on both sides of it."""
    if line.count('"') <= 2 * len(header) and '""' not in line:
        try:
            cells = next(csv.reader((line,)), [])
        except csv.Error:
            cells = []
        if len(cells) == len(header) and not any('"' in cell for cell in cells):
            return cells
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
    for _ in range(len(header) - free - 1):
        start = line.rfind(',"') if line.endswith('"') else line.rfind(",")
        if start < 0:
            return None
        right.append(line[start + 1 :].strip('"'))
        line = line[:start]
    name = line[1:-1] if len(line) > 1 and line[0] == line[-1] == '"' else line
    return [*left, name, *reversed(right)]
