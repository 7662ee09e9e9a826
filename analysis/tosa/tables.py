"""A TOSA graph as tables and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..report import to_dict
from ..tables import Cell, Column, Table
from ..units import format_bytes, format_count, shape_text
from .origin import origin_of
from .reader import TosaBlock, TosaGraph, TosaTensor

OPERATOR_ROWS = 2000
_SOURCE_CHARACTERS = 60


def tosa_tables(graph: TosaGraph) -> tuple[Table, ...]:
    """What the graph is, and each block's operators."""
    operators = sum(len(block.operators) for block in graph.blocks)
    facts = (
        ("Version", graph.version),
        ("Blocks", format_count(len(graph.blocks))),
        ("Operators", format_count(operators)),
        ("Constants", format_bytes(graph.constant_bytes)),
    )
    summary = Table("TOSA graph", (Column("What"), Column("Value")), tuple((Cell(a), Cell(b)) for a, b in facts))
    return summary, _counts(graph), *(_block(block) for block in graph.blocks[:64])


def operator_counts(graph: TosaGraph) -> dict[str, int]:
    """Operators by kind, most frequent first."""
    counts: dict[str, int] = {}
    for block in graph.blocks:
        for operator in block.operators:
            counts[operator.op] = counts.get(operator.op, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))


def _counts(graph: TosaGraph) -> Table:
    rows = tuple((Cell(op), Cell(format_count(count), count)) for op, count in operator_counts(graph).items())
    return Table("Operators by kind", (Column("Operator"), Column("Count", "right")), rows)


def _block(block: TosaBlock) -> Table:
    tensors = {tensor.name: tensor for tensor in block.tensors}
    columns = (
        Column("#", "right"), Column("Operator"), Column("Output"), Column("Type"), Column("Shape"), Column("Inputs"),
        Column("Module"), Column("Source"),
    )  # fmt: skip
    rows = []
    for operator in block.operators[:OPERATOR_ROWS]:
        if operator.op in ("CONST", "CONST_SHAPE"):
            continue
        output = operator.outputs[0] if operator.outputs else ""
        tensor = tensors.get(output)
        inputs = ", ".join(_input(tensors, name) for name in operator.inputs[:4])
        origin = origin_of(operator.location)
        source = (origin.source if origin is not None else operator.location) or ""
        rows.append(
            (
                Cell(str(operator.index), operator.index), Cell(operator.op), Cell(output),
                Cell("" if tensor is None else tensor.dtype), Cell("" if tensor is None else _shape(tensor)),
                Cell(inputs), Cell((origin.module if origin is not None else None) or ""), Cell(_end(source), source),
            )
        )  # fmt: skip
    name = f"{block.region}/{block.name}: {', '.join(block.inputs[:8])} -> {', '.join(block.outputs[:8])}"
    note = "Constants are left out." + (
        f" Only the first {OPERATOR_ROWS:,} operators are shown." if len(block.operators) > OPERATOR_ROWS else ""
    )
    return Table(name, columns, tuple(rows), note)


def _input(tensors: Mapping[str, TosaTensor], name: str) -> str:
    tensor = tensors.get(name)
    return name if tensor is None else f"{tensor.dtype} {_shape(tensor)}"


def _end(text: str) -> str:
    return text if len(text) <= _SOURCE_CHARACTERS else "\u2026" + text[1 - _SOURCE_CHARACTERS :]


def _shape(tensor: TosaTensor) -> str:
    if tensor.shape is None:
        return "any"
    return shape_text(tensor.shape)


def tosa_document(graph: TosaGraph) -> dict[str, Any]:
    """The JSON of a graph."""
    document: dict[str, Any] = to_dict(graph)
    for block, shown in zip(graph.blocks, document["blocks"], strict=True):
        for operator, entry in zip(block.operators, shown["operators"], strict=True):
            origin = origin_of(operator.location)
            entry["origin"] = None if origin is None else to_dict(origin)
    document["constant_bytes"] = graph.constant_bytes
    document["operators_by_kind"] = operator_counts(graph)
    return document
