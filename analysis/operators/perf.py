"""Vela's table of operations out of its debug database, with the TOSA operator that each was made of."""

from __future__ import annotations

from typing import NamedTuple

from ..npu_trace.debug_tables import DebugRow, DebugTables

_ACCESS = {
    "sram_ac": "sram",
    "dram_ac": "dram",
    "onchipflash_ac": "on_chip_flash",
    "offchipflash_ac": "off_chip_flash",
}
"""Columns of the table by the memory; it has only those of memories that the configuration has."""


class PerfRow(NamedTuple):
    """An operation as Vela scheduled it."""

    id: int
    vela: str
    source_operator: str | None
    ext_key: int | None
    """Index in the TOSA graph of the operator that it was made of."""
    name: str
    staging_bytes: int | None
    op_cycles: int
    npu_cycles: int
    macs: int
    access_cycles: dict[str, int]
    """By memory."""
    group: int | None
    """The operation that it is chained into, None where it stands for itself."""


def perf_rows(tables: DebugTables) -> tuple[PerfRow, ...]:
    """The operations in the order in which they run.

    Raises:
        ValueError: the database has no such table, or some of its rows cannot be read: a part of them is no total.
    """
    if "perf" not in tables:
        raise ValueError("the debug database has no table 'perf'")
    lost = tables.lost
    sources = {row.number("id"): row for row in tables.rows("source")}
    groups = {row.number("id"): row.number("group_id") for row in tables.rows("group")}
    access = {column: _ACCESS[key] for column in tables.columns("perf") if (key := column.lower()) in _ACCESS}
    found = [_row(row, sources.get(row.number("source_id")), groups, access) for row in tables.rows("perf")]
    rows = tuple(row for row in found if row is not None)
    if tables.lost > lost or len(rows) < len(found):
        raise ValueError("rows of the debug database cannot be read")
    return rows


def _row(
    row: DebugRow, source: DebugRow | None, groups: dict[int | None, int | None], access: dict[str, str]
) -> PerfRow | None:
    number = row.number("id")
    op, npu, macs = (row.number(name) for name in ("op_cycles", "npu_cycles", "mac_count"))
    if number is None or op is None or npu is None or macs is None:
        return None
    group = groups.get(number)
    return PerfRow(
        id=number,
        vela=row.text("operator"),
        source_operator=source.text("operator") if source is not None else None,
        ext_key=source.number("ext_key") if source is not None else None,
        name=row.text("name"),
        staging_bytes=row.number("staging_usage"),
        op_cycles=op,
        npu_cycles=npu,
        macs=macs,
        access_cycles={name: cycles for column, name in access.items() if (cycles := row.number(column)) is not None},
        group=group if group != number else None,
    )
