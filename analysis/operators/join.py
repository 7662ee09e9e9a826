"""Joins Vela's operations of a partition with the TOSA graph and with where its operators come from in PyTorch.

The key is the operator's index in the graph, which Vela keeps; names would not do, since an operation is named after the
last tensor of what was fused into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..report import Layer
from .graph import Flow
from .locations import Locations
from .perf import PerfRow
from .report import MEMORIES, CompiledOperator, FusedOperator, Place

_NOWHERE = Place()


class PartitionFacts(NamedTuple):
    """What is known of one partition: either `rows`, or of an older Vela `layers`."""

    number: int
    rows: tuple[PerfRow, ...] = ()
    layers: tuple[Layer, ...] = ()
    flow: Flow | None = None
    locations: Locations | None = None
    macs_per_cycle: int | None = None


def compiled_operators(partitions: Sequence[PartitionFacts]) -> tuple[CompiledOperator, ...]:
    """All operations of all partitions in order; shares are of the cycles of all."""
    found: list[CompiledOperator] = []
    for facts in partitions:
        found += _joined(facts, len(found)) if facts.rows else _plain(facts, len(found))
    total = sum(operator.op_cycles for operator in found)
    if not total:
        return tuple(found)
    return tuple(o._replace(share_percent=round(100 * o.op_cycles / total, 3)) for o in found)


def _plain(facts: PartitionFacts, start: int) -> list[CompiledOperator]:
    return [
        CompiledOperator(
            index, layer.tosa, layer.name or None, None, None, layer.npu_cycles, layer.op_cycles, layer.macs,
            layer.sram_bytes, 0.0, facts.number,
        )
        for index, layer in enumerate(facts.layers, start)
    ]  # fmt: skip


def _joined(facts: PartitionFacts, start: int) -> list[CompiledOperator]:
    index_of = {row.id: index for index, row in enumerate(facts.rows, start)}
    scheduled = {row.ext_key for row in facts.rows if row.ext_key is not None}
    places = facts.locations.places if facts.locations is not None else {}
    claimed: dict[str, set[int]] = {}
    found = []
    for index, row in enumerate(facts.rows, start):
        place = places.get(row.ext_key, _NOWHERE) if row.ext_key is not None else _NOWHERE
        busy = {name: row.access_cycles.get(name) for name in MEMORIES}
        found.append(
            CompiledOperator(
                index=index,
                tosa=_tosa(row, facts),
                name=row.name or None,
                torch=place.torch,
                source=place.source,
                npu_cycles=row.npu_cycles,
                op_cycles=row.op_cycles,
                macs=row.macs,
                sram_bytes=row.staging_bytes,
                share_percent=0.0,
                partition=facts.number,
                vela=row.vela or None,
                tosa_index=row.ext_key,
                module=place.module,
                module_class=place.module_class,
                function=place.function,
                code=place.code,
                file=place.file,
                source_kind=place.source_kind,
                sram_access_cycles=busy["sram"],
                dram_access_cycles=busy["dram"],
                on_chip_flash_access_cycles=busy["on_chip_flash"],
                off_chip_flash_access_cycles=busy["off_chip_flash"],
                utilisation_percent=_utilisation(row, facts.macs_per_cycle),
                bound=_bound(row),
                chained_into=index_of.get(row.group) if row.group is not None else None,
                fused=_fused(row, facts, scheduled, places, claimed),
            )
        )
    return found


def _tosa(row: PerfRow, facts: PartitionFacts) -> str:
    names = facts.flow.operators if facts.flow is not None else ()
    if row.ext_key is not None and row.ext_key < len(names):
        return names[row.ext_key]
    return row.source_operator or row.vela


def _utilisation(row: PerfRow, macs_per_cycle: int | None) -> float | None:
    if not row.op_cycles or not macs_per_cycle:
        return None
    return round(100 * row.macs / (row.op_cycles * macs_per_cycle), 3)


def _bound(row: PerfRow) -> str | None:
    cycles = {"npu": row.npu_cycles, **row.access_cycles}
    most = max(cycles.values())
    return next(name for name, busy in cycles.items() if busy == most) if most else None


def _fused(
    row: PerfRow, facts: PartitionFacts, scheduled: set[int], places: dict[int, Place], claimed: dict[str, set[int]]
) -> tuple[FusedOperator, ...]:
    """Operators on the way from the row's own to its output; each counts for the first row that computes it."""
    if facts.flow is None or row.ext_key is None:
        return ()
    between = facts.flow.between(row.ext_key, row.name, scheduled - {row.ext_key})
    taken = claimed.setdefault(row.name, set())
    found = []
    for index in between:
        if index in taken:
            continue
        taken.add(index)
        place = places.get(index, _NOWHERE)
        found.append(FusedOperator(index, facts.flow.operators[index], place.torch, place.module, place.source))
    return tuple(found)
