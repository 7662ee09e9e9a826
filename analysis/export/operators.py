"""Operators with their cost, from any source, as a timeline (Perfetto) or as figures on a graph (Model Explorer).

Cycles are not time. No clock is assumed, and both files say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..etdump.reader import Etdump, ProfileEvent
from ..npu_trace.operators import NpuTrace
from ..npu_trace.tables import before_note
from ..npu_trace.vela_debug import DebugDatabase
from ..report import Layer
from ..units import number_of

ESTIMATE = "Vela's estimate, not a measurement"
_ONE_AFTER_THE_OTHER = "Operators stand one after the other in Vela's order; where they begin is not measured."


class Cost(NamedTuple):
    """One operator, or one call of it.

    `start` is None if it is not known; the operators then stand one after the other. `place` is the operator's index in
    the TOSA graph of its `partition`.
    """

    name: str
    duration: float
    start: int | None = None
    track: str = "operators"
    place: int | None = None
    partition: int = 1
    detail: Mapping[str, float | str] = {}


class Profile(NamedTuple):
    """The costs of one program; `unit` says what they count ("cycles", "ticks", "ns"), `evidence` where they come from."""

    title: str
    unit: str
    evidence: str
    costs: tuple[Cost, ...]
    notes: tuple[str, ...] = ()
    memory: str | None = None
    """The detail that is drawn as a curve beside the timeline."""

    @property
    def memory_name(self) -> str:
        """The name of the memory curve without the unit, which Perfetto adds itself."""
        return (self.memory or "").removesuffix("_bytes").upper()

    @property
    def partitions(self) -> tuple[int, ...]:
        """The partitions that have operators with a place in a TOSA graph."""
        return tuple(sorted({cost.partition for cost in self.costs if cost.place is not None}))


def profile_of_compile(title: str, operators: Sequence[Mapping[str, Any]]) -> Profile | None:
    """The profile of a compile result; None if it has no operators with cycles."""
    costs = []
    chained = 0
    several = len({operator.get("partition") for operator in operators}) > 1
    for operator in operators:
        cycles, partition = number_of(operator.get("op_cycles")), number_of(operator.get("partition")) or 1
        if cycles is None or (operator.get("chained_into") is not None and not cycles):
            chained += 1
            continue
        names = ("torch", "module", "source", "vela", "bound", "name")
        figures = (
            "npu_cycles", "sram_access_cycles", "dram_access_cycles", "on_chip_flash_access_cycles",
            "off_chip_flash_access_cycles", "macs", "sram_bytes", "utilisation_percent", "share_percent",
        )  # fmt: skip
        detail: dict[str, float | str] = {key: str(operator[key]) for key in names if operator.get(key)}
        detail |= {key: value for key in figures if (value := number_of(operator.get(key))) is not None}
        place = number_of(operator.get("tosa_index"))
        track = f"partition {int(partition)}" if several else "operators"
        name = str(operator.get("tosa") or operator.get("vela") or "?")
        costs.append(
            Cost(name, cycles, None, track, None if place is None else int(place), int(partition), detail)
        )  # fmt: skip
    if not costs:
        return None
    notes = [_ONE_AFTER_THE_OTHER]
    if chained:
        notes.append(f"{chained} chained operators are left out: their cycles are in those that they run in.")
    return Profile(title, "cycles", ESTIMATE, tuple(costs), tuple(notes), "sram_bytes")


def profile_of_layers(title: str, layers: Sequence[Layer]) -> Profile | None:
    """The profile of Vela's table of layers, which does not say where an operator stands in its graph."""
    costs = tuple(
        Cost(layer.tosa, layer.op_cycles, detail=_known(name=layer.name, npu_cycles=layer.npu_cycles, macs=layer.macs,
             sram_bytes=layer.sram_bytes))
        for layer in layers
    )  # fmt: skip
    return Profile(title, "cycles", ESTIMATE, costs, (_ONE_AFTER_THE_OTHER,), "sram_bytes") if costs else None


def profile_of_database(title: str, database: DebugDatabase) -> Profile | None:
    """The profile of Vela's debug database: one partition, in the order of its command stream."""
    costs = []
    for number in dict.fromkeys(command.operation for command in database.commands):
        o = database.operations[number]
        if o.op_cycles is not None and o.chained_to is None:
            detail = _known(name=o.name, npu_cycles=o.npu_cycles, macs=o.macs)
            costs.append(Cost(o.operator, o.op_cycles, place=o.ext_key, detail=detail))
    return Profile(title, "cycles", ESTIMATE, tuple(costs), (_ONE_AFTER_THE_OTHER,)) if costs else None


def profile_of_trace(title: str, trace: NpuTrace, notes: Sequence[str] = ()) -> Profile | None:
    """The profile of an FVP's PMU trace, with the measured NPU cycles of each operator."""
    costs = tuple(
        Cost(row.operation.operator, row.cycles, place=row.operation.ext_key,
             detail=_known(name=row.operation.name, estimated_op_cycles=row.operation.op_cycles, macs=row.operation.macs))
        for row in trace.operators
        if row.cycles is not None
    )  # fmt: skip
    before = before_note(trace)
    told = ("Mean cycles of a pass, one operator after the other.", *((before,) if before else ()), *notes)
    return Profile(title, "cycles", "NPU cycles of an FVP's PMU trace", costs, told) if costs else None


def profile_of_etdump(title: str, dump: Etdump, unit: str = "ticks") -> Profile | None:
    """The profile of an ETDump: each call from its first tick to its last; what a delegate reports has its own track."""
    costs = []
    wrapped = 0
    for run in dump.runs if dump.timed else ():
        for event in run.events:
            if not isinstance(event, ProfileEvent) or event.ticks is None:
                continue
            wrapped += event.wrapped
            track = "inside of delegates" if event.delegate_id is not None else "runtime"
            detail = _known(block=run.name, instruction=event.instruction)
            costs.append(Cost(event.name, event.ticks, event.start_ticks, track, detail=detail))
    if not costs:
        return None
    notes = ["CPU cycles of a simulated core are not time."] if unit != "ns" else []
    if unit == "ticks":
        notes = ["A tick is a CPU cycle on bare metal and a nanosecond on a host; the dump does not say which."]
    if wrapped:
        notes.append("The timer went round while this was recorded, so what came later may stand before.")
    return Profile(title, unit, "an ETDump", tuple(costs), tuple(notes))


def _known(**figures: float | str | None) -> dict[str, float | str]:
    return {name: value for name, value in figures.items() if value is not None and value != ""}
