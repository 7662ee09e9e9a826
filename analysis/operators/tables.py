"""Operators of a compile result and Vela's memory map as tables, and the map as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..report import to_dict
from ..tables import Cell, Column, Table
from ..units import format_bytes, format_count, format_cycles, format_percent, number_of, whole_of
from .memory_map import MemoryMap

TENSOR_ROWS = 2000
_BRIEF = 7
_OPTIONAL = frozenset(("Module", "Source", "Bound by", "Use", "ATen"))
_BOUND = {"npu": "NPU", "sram": "SRAM", "dram": "DRAM", "on_chip_flash": "on-chip flash", "off_chip_flash": "flash"}
_MARKS = {"inferred": "~", "library": "*"}
_NOTES = (
    ("inferred", "~ the graph does not say where it comes from, but all it is next to comes from this line."),
    ("library", "* a library's line: none of the model's own is known."),
)


_OP_CYCLES = "Op cycles: the largest of NPU and memory cycles"
_ADD_UP = f"{_OP_CYCLES}; they add up to the total."


def operators_table(operators: Sequence[Mapping[str, Any]], total_cycles: int | None = None) -> Table:
    """Operators as in the JSON of a compile result, in their order; columns that nothing is known for are left out.

    `total_cycles` is Vela's own total: where it counts fused operators by themselves too, they are more than that together.
    """
    table = _beside(_table(operators, list(operators), "Operators, as Vela estimates them"), operators, total_cycles)
    empty = [
        place
        for place, column in enumerate(table.columns)
        if column.name in _OPTIONAL and all(row[place].text == "-" for row in table.rows)
    ]
    if not empty or not table.rows:
        return table
    kept = [place for place in range(len(table.columns)) if place not in empty]
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return table._replace(columns=tuple(table.columns[place] for place in kept), rows=rows)


def costliest_table(
    operators: Sequence[Mapping[str, Any]], most: int, title: str, total_cycles: int | None = None
) -> Table:
    """The operators with most cycles, and of their columns the ones that fit a narrow terminal; `total_cycles` as above."""
    rows = sorted(operators, key=lambda entry: -(number_of(entry.get("op_cycles")) or 0))[:most]
    whole = _beside(_table(operators, rows, title), operators, total_cycles)
    return whole._replace(columns=whole.columns[:_BRIEF], rows=tuple(row[:_BRIEF] for row in whole.rows))


def _beside(table: Table, operators: Sequence[Mapping[str, Any]], total_cycles: int | None) -> Table:
    """The table with a note that holds beside this total."""
    together = sum(whole_of(entry.get("op_cycles")) or 0 for entry in operators)
    if total_cycles is None or together <= total_cycles + len(operators):
        return table
    overlap = f"All {len(operators)} together are {format_cycles(together)}, Vela's total is {format_cycles(total_cycles)}: what is fused overlaps."
    return table._replace(note=table.note.replace(_ADD_UP, f"{_OP_CYCLES}. {overlap}"))


def _table(operators: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], title: str) -> Table:
    several = any((number_of(entry.get("partition")) or 1) > 1 for entry in operators)
    columns = (
        Column("#", "right"), Column("TOSA", least=11), Column("Module", least=13, kept="end"),
        Column("Source", least=13, kept="end"), Column("Op cycles", "right"), Column("Share", "right"),
        Column("Bound by", least=13), Column("NPU cycles", "right"), Column("MACs", "right"), Column("Use", "right"),
        Column("SRAM", "right"), *((Column("Part", "right"),) if several else ()), Column("ATen", least=24),
        Column("Output", least=24),
    )  # fmt: skip
    cells = tuple(_row(entry, several) for entry in rows)
    return Table(title, columns, cells, _note(operators, rows))


def _row(entry: Mapping[str, Any], several: bool) -> tuple[Cell, ...]:
    index, op, npu, macs, sram, part = (
        whole_of(entry.get(key)) for key in ("index", "op_cycles", "npu_cycles", "macs", "sram_bytes", "partition")
    )
    share, use, into = (number_of(entry.get(key)) for key in ("share_percent", "utilisation_percent", "chained_into"))
    inside = into is not None and not op
    fused = [other for other in entry.get("fused") or () if isinstance(other, Mapping)]
    names = [str(entry.get("tosa") or "-"), *(str(other.get("tosa") or "?") for other in fused)]
    shown = names[0] + (f" +{len(names) - 1}" if fused else "")
    source = str(entry.get("source") or "")
    where = _MARKS.get(str(entry.get("source_kind")), "") + source
    bound = _BOUND.get(str(entry.get("bound")), "-")
    absent = Cell(f"in {into:.0f}" if inside else "-", None, None, "dim")
    return (
        Cell(str(index), index),
        Cell(shown, " + ".join(names)),
        Cell(str(entry.get("module") or "-"), str(entry.get("module") or "")),
        Cell(where or "-", source),
        absent if inside else Cell(format_cycles(op), op),
        Cell(format_percent(share), share) if not inside else Cell("-", None, None, "dim"),
        Cell(bound, bound) if bound != "-" else Cell("-", None, None, "dim"),
        Cell(format_cycles(npu), npu) if not inside else Cell("-", None, None, "dim"),
        Cell(format_count(macs), macs),
        Cell(format_percent(use), use),
        Cell(format_bytes(sram), sram),
        *((Cell(str(part), part),) if several else ()),
        Cell(str(entry.get("torch") or "-")),
        Cell(str(entry.get("name") or "-")),
    )


def origin_lines(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Where one operator comes from and what it is made of, in words; nothing where neither is known."""
    lines = []
    source, code = entry.get("source"), entry.get("code")
    if source:
        function = f" in {entry['function']}" if entry.get("function") else ""
        lines.append(f"{source}{function}: {code}" if code else f"{source}{function}")
    module = " ".join(str(entry[key]) for key in ("module", "module_class") if entry.get(key))
    made = [str(entry[key]) for key in ("torch", "tosa", "vela") if entry.get(key)]
    if source or module:
        lines.append(" > ".join(([module] if module else []) + made))
    fused = [other for other in entry.get("fused") or () if isinstance(other, Mapping)]
    if fused:
        names = (
            f"{other.get('tosa')}" + (f" of {other.get('source')}" if other.get("source") != source else "")
            for other in fused
        )
        lines.append(f"with {', '.join(names)}, up to {entry.get('name')}")
    busy = [
        f"{_BOUND[name]} {format_cycles(cycles)}"
        for name in _BOUND
        if (cycles := whole_of(entry.get(f"{name}_cycles" if name == "npu" else f"{name}_access_cycles"))) is not None
    ]
    into = whole_of(entry.get("chained_into"))
    if lines and into is not None:
        lines.append(f"chained: its cycles are in row {into}")
    elif lines and len(busy) > 1:
        lines.append(f"cycles: {', '.join(busy)}")
    return tuple(lines)


def _note(operators: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> str:
    notes = []
    if len(rows) < len(operators):
        share = sum(number_of(entry.get("share_percent")) or 0 for entry in rows)
        notes.append(f"The {len(rows)} of {len(operators)} with most cycles, {share:.1f} % of them.")
    notes.append(_ADD_UP)
    if any(number_of(entry.get("chained_into")) is not None for entry in rows):
        notes.append("in N: chained, its cycles are in row N.")
    if any(entry.get("fused") for entry in rows):
        notes.append("+N: with N more TOSA operators.")
    kinds = {entry.get("source_kind") for entry in rows}
    notes += [text for kind, text in _NOTES if kind in kinds]
    missing = sum(1 for entry in rows if not entry.get("source"))
    placed = sum(1 for entry in rows if entry.get("tosa_index") is not None)
    if rows:
        count = len(rows)
        notes.append(
            f"Mapped to a line of PyTorch: {count - missing} of {count}; to the TOSA graph: {placed} of {count}."
        )
    if missing:
        notes.append(f"{missing} without a line: none is known.")
    return " ".join(notes)


def memory_tables(found: MemoryMap) -> tuple[Table, ...]:
    """Peaks by memory, then each tensor with its place and lifetime."""
    columns = (
        Column("Memory"), Column("Peak", "right"), Column("Bytes", "right"), Column("Alive at once", "right"),
        Column("At step", "right"), Column("Tensors", "right"),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(m.memory, m.memory), Cell(format_bytes(m.peak_bytes), m.peak_bytes),
            Cell(format_count(m.peak_bytes), m.peak_bytes), Cell(format_count(m.live_bytes), m.live_bytes),
            Cell(str(m.live_time), m.live_time), Cell(format_count(m.tensors), m.tensors),
        )
        for m in found.memories
    )  # fmt: skip
    lost = f" {found.passed_over:,} tensors could not be read." if found.passed_over else ""
    note = "Peak: the highest address in use. Constants are not in Vela's table." + lost
    return Table("Memory map", columns, rows, note), _tensors(found)


def _tensors(found: MemoryMap) -> Table:
    columns = (
        Column("Memory"), Column("Tensor"), Column("Usage"), Column("Type"), Column("Bytes", "right"),
        Column("From", "right"), Column("To", "right"), Column("Alive", "right"),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(t.memory, t.memory), Cell(t.name, t.name), Cell(t.usage, t.usage), Cell(t.data_type, t.data_type),
            Cell(format_count(t.bytes), t.bytes), Cell(f"{t.start_address:#x}", t.start_address),
            Cell(f"{t.end_address:#x}", t.end_address), Cell(f"{t.start_time}-{t.end_time}", t.start_time),
        )
        for t in found.tensors[:TENSOR_ROWS]
    )  # fmt: skip
    more = f" Only the first {TENSOR_ROWS:,} are shown." if len(found.tensors) > TENSOR_ROWS else ""
    return Table("Tensors", columns, rows, "Alive: steps of Vela's schedule; an operation takes two." + more)


def memory_document(found: MemoryMap | None) -> dict[str, Any] | None:
    """The map as JSON types."""
    return None if found is None else to_dict(found)
