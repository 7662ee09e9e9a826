"""Vela's debug database (`<name>_debug.xml`): which operator each command of the NPU belongs to, with Vela's estimate."""

from __future__ import annotations

from typing import NamedTuple

from .debug_tables import DebugTables


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
    tables = DebugTables(text)
    if "queue" not in tables:
        raise VelaDebugError("no table 'queue' is in it, so nothing says where an operator's commands begin")
    commands: list[Command] = []
    for row in tables.rows("queue"):
        offset = row.number("offset")
        operation = row.number("scheduled_id")
        operation = row.number("optimised_id") if operation is None else operation
        if offset is None or operation is None:
            tables.lost += 1
        else:
            commands.append(Command(offset, row.number("cmdstream_id") or 0, operation))
    if not commands:
        raise VelaDebugError("its table 'queue' holds no command")
    return DebugDatabase(tuple(commands), _operations(tables, commands), tables.lost)


def _operations(tables: DebugTables, commands: list[Command]) -> dict[int, Operation]:
    sources = {row.number("id"): row for row in tables.rows("source")}
    chained = {row.number("id"): row.number("group_id") for row in tables.rows("group")}
    found: dict[int, Operation] = {}
    for table in ("perf", "optimised"):  # an older Vela has no estimates, only the optimised operators
        if found:
            break
        for row in tables.rows(table):
            number, source_id = row.number("id"), row.number("source_id")
            if number is None:
                tables.lost += 1
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
