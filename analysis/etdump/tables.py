"""What an ETDump looks like in rows: the Inspector's table, and a run's operators on CPU and NPU side by side.

`inspector_rows()` gives the figures of ExecuTorch's Inspector: blocks with the same events are put together, one row for
each event, percentiles between samples as numpy computes them.  In two points we differ on purpose: an instruction that
ran several times in one block (a loop) keeps all its samples, where the Inspector keeps the last; and a 32-bit timer that
went round counts 2^32, not one less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..report import EtdumpEvent, Run
from ..tables import Cell, Column, Table, Tone
from ..units import format_count, format_cycles, format_percent
from .reader import DebugEvent, Etdump, ProfileEvent
from .report import DELEGATE, OVERHEAD, operator_of

EXECUTE = "Method::execute"
_PEERS = frozenset((DELEGATE, "MOVE_CALL", "FREE_CALL", "JF_CALL"))
"""Events of the runtime that stand beside kernels; other events of a delegate's instruction are inside its call."""
_NOT_TIME = "CPU cycles of a simulated core are not time."


class EventRow(NamedTuple):
    """One event over all blocks that have the same events; figures in ticks, None where nothing was timed."""

    block: str
    name: str
    operator: str | None
    instruction: int | None
    delegated: bool
    ticks: tuple[int, ...]
    """One for each call, in the order of the dump."""
    start_ticks: tuple[int, ...]

    def percentile(self, percent: float) -> float | None:
        """The value below which this share of the calls lies, between two samples where it falls between them."""
        if not self.ticks:
            return None
        samples = sorted(self.ticks)
        place = (len(samples) - 1) * percent / 100
        low = int(place)
        high = min(low + 1, len(samples) - 1)
        return samples[low] + (samples[high] - samples[low]) * (place - low)

    @property
    def average(self) -> float | None:
        """The mean of all calls."""
        return sum(self.ticks) / len(self.ticks) if self.ticks else None


class _Sample:
    __slots__ = ("event", "starts", "ticks")

    def __init__(self, event: ProfileEvent | DebugEvent) -> None:
        self.event = event
        self.ticks: list[int] = []
        self.starts: list[int] = []


def inspector_rows(dump: Etdump, *, overhead: bool = False) -> tuple[EventRow, ...]:
    """The rows of the Inspector's table, in its order; `overhead` adds those that it hides (OPERATOR_CALL)."""
    groups: dict[object, dict[object, _Sample]] = {}
    names: list[str] = []
    for run in dump.runs:
        keys: dict[object, list[tuple[object, ProfileEvent | DebugEvent]]] = {}
        for event in run.events:
            if isinstance(event, ProfileEvent) or (isinstance(event, DebugEvent) and not event.output):
                place = (event.instruction, event.chain, event.delegate_id)
                timed = isinstance(event, ProfileEvent)
                keys.setdefault(place, []).append(((place, event.name, timed), event))
        found: list[tuple[object, ProfileEvent | DebugEvent]] = []
        for events in keys.values():
            timed_events = [pair for pair in events if isinstance(pair[1], ProfileEvent)]
            found += timed_events or events[:1]
        signature = (run.name, run.bundled_input, tuple(dict.fromkeys(key for key, _ in found)))
        if signature not in groups:
            groups[signature] = {}
            names.append(run.name)
        group = groups[signature]
        for key, event in found:
            sample = group.get(key)
            if sample is None:
                sample = group[key] = _Sample(event)
            if isinstance(event, ProfileEvent) and dump.timed and event.ticks is not None:
                sample.ticks.append(event.ticks)
                sample.starts.append(event.start_ticks)
    rows: list[EventRow] = []
    for block, group in zip(names, groups.values(), strict=True):
        for sample in group.values():
            event = sample.event
            if overhead or OVERHEAD not in event.name:
                operator, delegated = operator_of(event.name), event.delegate_id is not None
                ticks, starts = tuple(sample.ticks), tuple(sample.starts)
                rows.append(EventRow(block, event.name, operator, event.instruction, delegated, ticks, starts))
    return tuple(rows)


def inspector_table(dump: Etdump, unit: str = "ticks") -> Table:
    """The Inspector's table; `unit` is what a tick is ("cycles" for bare metal, "ns" for hosts), where it is known."""
    rows = inspector_rows(dump)
    many = any(len(row.ticks) > 1 for row in rows)
    figures = ("p10", "p50", "p90", "avg", "min", "max") if many else ("avg",)
    heads = [f"{name} ({unit})" for name in figures] if many else ["ns" if unit == "ns" else unit.capitalize()]
    columns = (
        Column("Block"), Column("Event"), Column("Instr.", "right"), Column("Calls", "right"),
        *(Column(head, "right") for head in (*heads, "Start")),
    )  # fmt: skip
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        values = summary_of(row)
        start = row.start_ticks[0] if row.start_ticks else None
        instruction = row.instruction
        cells.append(
            (
                Cell(row.block, row.block),
                Cell(row.name, row.name),
                Cell("" if instruction is None else str(instruction), instruction),
                Cell(str(len(row.ticks)), len(row.ticks)),
                *(Cell(_figure(values[name]), values[name]) for name in figures),
                Cell("-" if start is None else str(start), start),
            )
        )
    note = "" if dump.timed else "All ticks are 0: the target had no timer that the runner could read."
    if unit == "ticks" and dump.timed:
        note = "A tick is a CPU cycle on bare metal and a nanosecond on a host; the dump does not say which."
    return Table("ETDump", columns, tuple(cells), note if rows else "The dump holds no events that can be read.")


def summary_of(row: EventRow) -> dict[str, float | None]:
    """The Inspector's figures of a row: p10, p50, p90, avg, min, max."""
    return {
        "p10": row.percentile(10),
        "p50": row.percentile(50),
        "p90": row.percentile(90),
        "avg": row.average,
        "min": min(row.ticks, default=None),
        "max": max(row.ticks, default=None),
    }


def _figure(value: float | None) -> str:
    return format_count(value if value is None else round(value, 2))


class OperatorCost(NamedTuple):
    """One operator of a run, all its calls together."""

    name: str
    operator: str | None
    instruction: int | None
    calls: int
    cycles: int | None
    inside: bool
    """True for a part of a delegate call, whose cycles are already in the call's."""


def operator_costs(events: Sequence[EtdumpEvent]) -> tuple[OperatorCost, ...]:
    """The events of inference, calls of the same instruction put together, each part of a delegate call after it."""
    execute = [e for e in events if e.block != "Default" and e.instruction is not None]
    delegates = {e.instruction for e in execute if e.name == DELEGATE}
    costs: dict[tuple[int, bool, str], OperatorCost] = {}
    for event in execute:
        assert event.instruction is not None
        inside = event.instruction in delegates and event.name not in _PEERS and operator_of(event.name) is None
        key = (event.instruction, inside, event.name)
        known = costs.get(key)
        calls, cycles = (known.calls, known.cycles) if known is not None else (0, 0)
        cycles = None if cycles is None or event.cycles is None else cycles + event.cycles
        costs[key] = OperatorCost(event.name, event.operator, event.instruction, calls + 1, cycles, inside)
    return tuple(costs[key] for key in sorted(costs, key=lambda key: key[:2]))


def operators_table(run: Run) -> Table:
    """CPU cycles of each operator from the run's ETDump, and beside the delegate's call the NPU's own cycles."""
    columns = (
        Column("Operator"), Column("Instr.", "right"), Column("Calls", "right"), Column("CPU cycles", "right"),
        Column("Per call", "right"), Column("Of execute", "right"), Column("NPU cycles", "right"),
    )  # fmt: skip
    if run.etdump is None:
        return Table("Operators", columns, (), "The log holds no ETDump.")
    costs = operator_costs(run.etdump.events)
    executes = [e.cycles for e in run.etdump.events if e.name == EXECUTE]
    total = sum(c for c in executes if c is not None) if executes and None not in executes else None
    simulated = run.target.platform not in ("board", "host")
    npu = run.pmu.npu_cycles if run.pmu is not None else None
    several = sum(cost.name == DELEGATE for cost in costs) > 1
    rows: list[_Row] = []
    for cost in costs:
        name = f"  {cost.name}" if cost.inside else cost.operator or cost.name
        if cost.name == DELEGATE:
            name = f"{DELEGATE} ({cost.operator})" if cost.operator else DELEGATE
        joined = npu if cost.name == DELEGATE and not several else None
        rows.append(_Row(name, cost.instruction, cost.calls, cost.cycles, joined))
    counted = [cost.cycles for cost in costs if not cost.inside]
    if total is not None and counted and None not in counted and run.etdump.complete:
        rest = total - sum(c for c in counted if c is not None)
        if rest >= 0:
            rows.append(_Row("(between operators)", None, None, rest))
    if executes:
        rows.append(_Row(EXECUTE, None, len(executes), total, npu if several else None))
    if not rows:
        return Table("Operators", columns, (), "Nothing of the ETDump can be read.")
    notes = [_NOT_TIME] if simulated else []
    if several and npu is not None:
        notes.append("The NPU counts all its calls together.")
    if any(e.cycles is None for e in run.etdump.events):
        notes.append("The dump holds no times.")
    if not run.etdump.complete:
        notes.append("Not every event of the dump can be read: the figures are those of the calls that can.")
    tone: Tone = "dim" if simulated else ""
    return Table("Operators", columns, tuple(_cells(row, total, tone, run.lines) for row in rows), " ".join(notes))


class _Row(NamedTuple):
    """One row of the operators."""

    name: str
    instruction: int | None
    calls: int | None
    cycles: int | None
    npu_cycles: int | None = None


def _cells(row: _Row, total: int | None, tone: Tone, lines: Mapping[str, int]) -> tuple[Cell, ...]:
    """A row as it is shown; `total` are the cycles of all calls of `execute`."""
    name, instruction, calls, cycles, npu_cycles = row
    line = lines.get("etdump")
    share = 100 * cycles / total if total and cycles is not None else None
    per = cycles / calls if calls and cycles is not None else None
    return (
        Cell(name, name.strip(), line),
        Cell("" if instruction is None else str(instruction), instruction, line),
        Cell("" if calls is None else format_count(calls), calls, line),
        Cell(format_cycles(cycles), cycles, line, tone),
        Cell("" if calls is None else format_cycles(None if per is None else round(per)), per, line, tone),
        Cell(format_percent(share), share, line, tone),
        Cell("" if npu_cycles is None else format_cycles(npu_cycles), npu_cycles, lines.get("pmu.npu_cycles")),
    )
