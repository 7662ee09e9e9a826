"""What a compile gave to the NPU and what it left to the CPU, as checked data.

The description is written beside the compiler, in a process that also runs the user's model. So its texts are cleaned
and its figures are bounded, like those of a log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..lines import clean
from ..tables import Cell, Column, Table
from ..units import format_count, is_number

MOST = 1000
"""Rows, partitions and operator names that are kept."""
LONGEST = 400
"""Characters of a text that are kept."""
BOUNDARY = ("quantize", "dequantize", "permutes")
NO_CYCLES = "neither ExecuTorch nor Vela estimates the CPU; the ETDump of a run has its cycles"


def delegation_entry(data: object) -> dict[str, Any] | None:
    """The `delegation` of a compile job with every key present; None where the data is something else.

    `cycles` of what was left is always None; `cycles_missing` says why.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("partitions"), list):
        return None
    boundary = data.get("boundary")
    return {
        "asked": data.get("asked") is True,
        "partitions": [_partition(item) for item in _mappings(data["partitions"])],
        "left": [_left(item) for item in _mappings(data.get("left"))],
        "left_off": _count(data.get("left_off")) or 0,
        "boundary": {kind: _count(boundary.get(kind)) for kind in BOUNDARY} if isinstance(boundary, Mapping) else None,
    }


def delegation_tables(entry: Mapping[str, Any], label: str = "") -> tuple[Table, ...]:
    """The tables of a checked entry; none if nobody asked for delegation, or if everything is in one partition."""
    if not entry.get("asked") or (len(entry["partitions"]) < 2 and not entry["left"]):
        return ()
    names = ("quantise", "dequantise", "permutes", "transposes at edges", "transposes inside")
    columns = (
        Column(_headed(label, "NPU partition")),
        Column("nodes", "right"),
        *(Column(name, "right") for name in names),
    )
    fields = ("nodes", *BOUNDARY, "transposes_at_edges", "transposes_inside")
    partitions = [
        (Cell(str(index), index), *(_number(part[field]) for field in fields))
        for index, part in enumerate(entry["partitions"], 1)
    ]
    note = "Quantise, dequantise and permutes run on the CPU beside the partition; transposes run on the NPU."
    left = [
        (
            Cell(f"{row['operator'] or '-'} x{row['count'] or '?'}", row["operator"]),
            Cell(_short_place(row["source"]), row["source"]),
            Cell(row["module"] or "-", row["module"]),
            _number(row["macs"]),
            Cell(row["reason"] or "-", row["reason"]),
        )
        for row in entry["left"]
    ]
    of_left = (_headed(label, "left to the CPU"), "source", "module", "MACs", "the partitioner's reason")
    aligned = tuple(Column(name, "right" if name == "MACs" else "left") for name in of_left)
    more = f"{entry['left_off']:,} more operators are not listed. " if entry["left_off"] else ""
    return (
        Table("Partitions", columns, tuple(partitions), note),
        Table("Not delegated", aligned, tuple(left), f"{more}No CPU cycles: {NO_CYCLES}."),
    )


def _partition(item: Mapping[str, Any]) -> dict[str, Any]:
    operators = item.get("operators")
    pairs = list(operators.items())[:MOST] if isinstance(operators, Mapping) else []
    numbers = ("partition", "nodes", "inputs", "outputs", *BOUNDARY, "transposes_at_edges", "transposes_inside")
    return {
        **{name: _count(item.get(name)) for name in numbers},
        "backend": _text(item.get("backend")),
        "operators": {
            clean(str(name)[:LONGEST]): count for name, value in pairs if (count := _count(value)) is not None
        },
    }


def _left(item: Mapping[str, Any]) -> dict[str, Any]:
    nodes = item.get("nodes")
    return {
        "operator": _text(item.get("operator")),
        **{name: _count(item.get(name)) for name in ("count", "macs", "output_bytes")},
        **{name: _text(item.get(name)) for name in ("reason", "source", "code", "module")},
        "cycles": None,
        "cycles_missing": NO_CYCLES,
        "nodes": [clean(node[:LONGEST]) for node in nodes[:8] if isinstance(node, str)]
        if isinstance(nodes, list)
        else [],
    }


def _mappings(value: object) -> list[Mapping[str, Any]]:
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        return []
    return [item for item in value[:MOST] if isinstance(item, Mapping)]


def _count(value: object) -> int | None:
    return int(value) if is_number(value) and value >= 0 else None


def _text(value: object) -> str | None:
    return clean(value[:LONGEST]) or None if isinstance(value, str) else None


def _number(value: int | None) -> Cell:
    return Cell(format_count(value), value)


def _headed(label: str, name: str) -> str:
    return f"{label}: {name}" if label else name


def _short_place(source: str | None) -> str:
    """File and line without the directories."""
    return source.replace("\\", "/").rpartition("/")[2] if source else "-"
