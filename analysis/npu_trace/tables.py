"""A measured trace of the NPU in rows, and as JSON: cycles of each operator beside Vela's estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..tables import Cell, Column, Table
from ..units import format_count, format_cycles, format_percent, format_ratio
from .operators import NpuTrace
from .vela_debug import DebugDatabase

COLUMN_LIMIT = 6
"""Counters that the table shows: those that were active longest."""


def trace_table(trace: NpuTrace, notes: tuple[str, ...] = ()) -> Table:
    """Operators in the order of the command stream; `notes` are sentences about the trace itself."""
    total = trace.total_cycles
    active: dict[str, float] = {}
    for row in trace.operators:
        for name, busy in row.counters.items():
            active[name] = active.get(name, 0) + busy
    names = sorted(active, key=lambda name: -active[name])[:COLUMN_LIMIT]
    columns = (
        Column("#", "right"), Column("Operator"), Column("Name"), Column("TOSA", "right"), Column("NPU cycles", "right"),
        Column("Share", "right"), Column("Vela estimate", "right"), Column("Of estimate", "right"),
        *(Column(name, "right") for name in names),
    )  # fmt: skip
    rows = []
    for index, row in enumerate(trace.operators):
        operation, cycles = row.operation, row.cycles
        share = 100 * cycles / total if cycles is not None and total else None
        estimate = operation.op_cycles
        ratio = cycles / estimate if cycles is not None and estimate else None
        rows.append(
            (
                Cell(str(index), index),
                Cell(operation.operator, operation.operator),
                Cell(operation.name, operation.name),
                Cell("" if operation.ext_key is None else str(operation.ext_key), operation.ext_key),
                Cell(
                    format_cycles(None if cycles is None else round(cycles)),
                    cycles,
                    None,
                    "" if cycles is not None else "dim",
                ),
                Cell(format_percent(share), share),
                Cell(format_cycles(estimate), estimate, None, "dim"),
                Cell(format_ratio(ratio), ratio),
                *(Cell(_counted(row.counters.get(name), cycles), row.counters.get(name)) for name in names),
            )
        )
    return Table("NPU cycles by operator (FVP trace)", columns, tuple(rows), " ".join((*trace_notes(trace), *notes)))


def located_trace_table(
    trace: NpuTrace, notes: tuple[str, ...], compiled: Sequence[Mapping[str, Any]]
) -> tuple[Table, tuple[Mapping[str, Any] | None, ...]]:
    """The table with the lines of PyTorch, and for each row the operator of the compile that it is of.

    `compiled` are the operators of the compile result, which know where they come from; the key of both is the operator's
    index in the TOSA graph.
    """
    known = {row.get("tosa_index"): row for row in reversed(compiled) if row.get("tosa_index") is not None}
    found = tuple(
        known.get(row.operation.ext_key) if row.operation.ext_key is not None else None for row in trace.operators
    )
    table = trace_table(trace, notes)
    if not any(found):
        return table, found
    columns = (*table.columns[:2], Column("Source", least=14, kept="end"), *table.columns[2:])
    rows = []
    for row, entry in zip(table.rows, found, strict=True):
        source = str((entry or {}).get("source") or "")
        rows.append((*row[:2], Cell(source or "-", source or None, None, "" if source else "dim"), *row[2:]))
    placed = sum(1 for entry in found if entry is not None and entry.get("source"))
    note = f"Mapped to a line of PyTorch: {placed} of {len(found)}. {table.note}"
    return table._replace(columns=columns, rows=tuple(rows), note=note), found


def database_table(database: DebugDatabase) -> Table:
    """The operations of a debug database in the order of the command stream, with Vela's estimates."""
    columns = (
        Column("#", "right"), Column("Operator"), Column("Name"), Column("TOSA", "right"), Column("Commands at", "right"),
        Column("Op cycles", "right"), Column("NPU cycles", "right"), Column("MACs", "right"),
    )  # fmt: skip
    first: dict[int, int] = {}
    for command in database.commands:
        first.setdefault(command.operation, command.offset_bytes)
    rows = []
    for index, (number, offset) in enumerate(first.items()):
        o = database.operations[number]
        rows.append(
            (
                Cell(str(index), index),
                Cell(f"  {o.operator} (chained)" if o.chained_to is not None else o.operator, o.operator),
                Cell(o.name, o.name),
                Cell("" if o.ext_key is None else str(o.ext_key), o.ext_key),
                Cell(format_count(offset), offset),
                Cell(format_cycles(o.op_cycles), o.op_cycles),
                Cell(format_cycles(o.npu_cycles), o.npu_cycles),
                Cell(format_count(o.macs), o.macs),
            )
        )
    return Table("Operators (Vela's estimate)", columns, tuple(rows), "Cycles are Vela's estimates, not measurements.")


def _counted(value: float | None, cycles: float | None) -> str:
    if value is None or not cycles:
        return "-"
    return f"{format_count(round(value))} ({100 * value / cycles:.0f} %)"


def trace_notes(trace: NpuTrace) -> tuple[str, ...]:
    """What the reader of the figures has to know, as sentences."""
    notes = [f"Mapped {trace.mapped} of {len(trace.operators)} operators."]
    if trace.passes > 1:
        notes.append(f"Averages over {trace.passes:,} passes.")
    elif not trace.passes:
        notes.append("No pass over the command stream is complete in this trace.")
    if trace.other_passes and trace.passes:
        passes = "pass was" if trace.other_passes == 1 else "passes were"
        notes.append(f"{trace.other_passes:,} more {passes} cut off or of another command stream, and left out.")
    if (before := before_note(trace)) is not None:
        notes.append(before)
    if trace.mapped:
        notes.append("Time is split where commands are read: what is fetched early counts for the operator before.")
    if trace.chained:
        names = ", ".join(o.operator for o in trace.chained[:4])
        more = ", ..." if len(trace.chained) > 4 else ""
        notes.append(f"{len(trace.chained)} chained operations ({names}{more}) are in those that they are chained to.")
    for names_together, cycles in trace.together[:4]:
        notes.append(f"{' + '.join(names_together[:6])} could not be told apart: {cycles:,} cycles together.")
    return tuple(notes)


def before_note(trace: NpuTrace) -> str | None:
    """What became of the time before the first command; None where there was none."""
    if not trace.before_cycles:
        return None
    return f"The {trace.before_cycles:,} cycles before the NPU read its first command are no operator's and in no figure here."


def trace_to_dict(trace: NpuTrace) -> dict[str, Any]:
    """The trace as JSON types; figures are NPU cycles per pass."""
    return {
        "passes": trace.passes,
        "other_passes": trace.other_passes,
        "mapped": trace.mapped,
        "total_cycles": trace.total_cycles,
        "before_cycles": trace.before_cycles,
        "operators": [
            {
                "operation": row.operation.id,
                "operator": row.operation.operator,
                "name": row.operation.name or None,
                "source_operator": row.operation.source_operator,
                "ext_key": row.operation.ext_key,
                "commands": row.commands,
                "npu_cycles": row.cycles,
                "least_npu_cycles": row.least_cycles,
                "most_npu_cycles": row.most_cycles,
                "estimated_op_cycles": row.operation.op_cycles,
                "estimated_npu_cycles": row.operation.npu_cycles,
                "macs": row.operation.macs,
                "active_cycles": row.counters,
            }
            for row in trace.operators
        ],
        "chained": [{"operation": o.id, "operator": o.operator, "into": o.chained_to} for o in trace.chained],
        "together": [{"names": list(names), "npu_cycles": cycles} for names, cycles in trace.together],
        "notes": list(trace_notes(trace)),
    }
