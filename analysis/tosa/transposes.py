"""TRANSPOSE operators of a TOSA graph: what the NPU pays for layouts, and how much of it only for those of its border."""

from __future__ import annotations

from .reader import TosaBlock, TosaGraph

_PASSED = frozenset(("RESCALE", "CAST", "RESHAPE", "IDENTITY"))
"""Operators that a transpose at the edge may have between itself and the graph's input or output."""


def transposes(graph: TosaGraph) -> tuple[int, int]:
    """TRANSPOSE operators of a TOSA graph: those at its edges, which change the layout of its inputs or outputs, and the others."""
    edges = inside = 0
    for block in graph.blocks:
        at_edge = _edge_operators(block)
        for op in block.operators:
            if op.op == "TRANSPOSE":
                edges += op.index in at_edge
                inside += op.index not in at_edge
    return edges, inside


def _edge_operators(block: TosaBlock) -> set[int]:
    """Operators that read an input of the graph or write an output, directly or through what moves no data."""
    reached_in, reached_out = set(block.inputs), set(block.outputs)
    found: set[int] = set()
    for op in block.operators:
        if op.inputs and op.inputs[0] in reached_in:
            found.add(op.index)
            if op.op in _PASSED:
                reached_in.update(op.outputs)
    for op in reversed(block.operators):
        if reached_out.intersection(op.outputs):
            found.add(op.index)
            if op.op in _PASSED and op.inputs:
                reached_out.add(op.inputs[0])
    return found
