"""The operators of compared columns side by side; those that changed most come first.

Operators can come from four kinds of tables: Vela's estimate of a compile, the trace of a run on an FVP (measured NPU
cycles), the ETDump of a run (CPU cycles), and the NPU's own counters for each delegate. Figures of different kinds are
never compared. A difference is given only for operators that both columns have; the others are shown with their own
cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..order_statistics import median
from ..report import executions
from ..units import is_number
from .figures import INFERENCES, not_time
from .match import Item, match
from .operator import Operator as Operator

if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from ..report import Run
    from .match import By
    from .sides import Side

    Origin: TypeAlias = Literal["vela", "trace", "etdump", "delegates"]

UNITS = {"vela": "cycles", "trace": "cycles", "etdump": "cycles", "delegates": "cycles"}
TITLES = {
    "vela": "Operators, cycles as Vela estimates them",
    "trace": "Operators as the FVP traced them, measured NPU cycles an inference",
    "etdump": "Operators of the ETDump, CPU cycles an inference",
    "delegates": "Delegates, NPU cycles an inference",
}
NO_PASS = "a trace without a complete inference tells only a part of it"
_HOST_TICKS = "an ETDump of a host counts nanoseconds, one of a board CPU cycles"


class OperatorRow(NamedTuple):
    """One operator in all columns; None for a column that has no such operator."""

    operators: tuple[Operator | None, ...]
    by: tuple[By | None, ...]
    """By what each was found to be the same as the first of the row; None for that one, and where there is none."""

    @property
    def first(self) -> Operator:
        """The operator of the first column that has one."""
        return next(one for one in self.operators if one is not None)

    @property
    def values(self) -> tuple[float | None, ...]:
        """Cycles by column."""
        return tuple(one.cycles if one is not None else None for one in self.operators)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns that have it."""
        return tuple(i for i, one in enumerate(self.operators) if one is not None)


class OperatorDiff(NamedTuple):
    """The operators of one kind of table; those that changed most come first."""

    origin: Origin
    baseline: int
    columns: tuple[bool, ...]
    """Which columns have such a table."""
    rows: tuple[OperatorRow, ...]
    comparable: tuple[bool, ...]
    reason: str | None
    repeated: bool = False
    """Whether cycles of a column are the median of its repeats."""

    def ratio(self, row: OperatorRow, column: int) -> float | None:
        """The ratio to the baseline; None if one of them has no such figure, or if they cannot be compared."""
        ours, base = row.values[column], row.values[self.baseline]
        return ours / base if ours is not None and base and self.comparable[column] else None

    def delta(self, row: OperatorRow, column: int) -> float | None:
        """How many cycles more than the baseline; None as for `ratio`."""
        ours, base = row.values[column], row.values[self.baseline]
        return ours - base if ours is not None and base is not None and self.comparable[column] else None

    def only(self, row: OperatorRow) -> bool:
        """Whether a column has such a table but not this operator."""
        return len(row.columns) < sum(self.columns)

    def differing(self) -> tuple[int, ...]:
        """Places of the rows whose cycles are not equal in all columns that have such a table."""
        having = [i for i, has in enumerate(self.columns) if has]
        return tuple(p for p, row in enumerate(self.rows) if self.only(row) or len({row.values[i] for i in having}) > 1)

    def to_dict(self) -> dict[str, Any]:
        """An object of the list `operators` of ``ethosu-tui/comparison/1``."""
        several = range(len(self.columns))
        return {
            "origin": self.origin,
            "unit": UNITS[self.origin],
            "estimate": self.origin == "vela",
            "columns": list(self.columns),
            "comparable": list(self.comparable),
            "reason": self.reason,
            "rows": [
                {
                    "operator": row.first.item.kind,
                    "module": row.first.module,
                    "source": row.first.source,
                    "torch": row.first.torch,
                    "order": [one.order if one is not None else None for one in row.operators],
                    "values": list(row.values),
                    "ratios": [self.ratio(row, i) for i in several],
                    "deltas": [self.delta(row, i) for i in several],
                    "matched_by": list(row.by),
                    "present": [one is not None for one in row.operators],
                }
                for row in self.rows
            ],
        }


def operator_diffs(sides: Sequence[Side], baseline: int = 0) -> tuple[OperatorDiff, ...]:
    """One result for each kind of table that the baseline and at least one other column have."""
    found = []
    for origin, get in _ORIGINS:
        tables = [get(side) for side in sides]
        if tables[baseline] and sum(bool(table) for table in tables) > 1:
            found.append(_diff(origin, tables, sides, baseline))
    return tuple(found)


def why_none(sides: Sequence[Side], baseline: int = 0) -> str:
    """Why there are no operators to compare."""
    having = [side.label for side in sides if any(get(side) for _, get in _ORIGINS)]
    need = "a compile result has operators, and a run with a trace of its FVP, an ETDump or counters by delegate"
    unread = next((f"; the trace of {side.label} was not read: {side.untraced}" for side in sides if side.untraced), "")
    need += unread
    if not having:
        return f"none of them tells of operators: {need}"
    if len(having) == 1:
        return f"only {having[0]} tells of operators: {need}"
    if not any(get(sides[baseline]) for _, get in _ORIGINS):
        return f"the baseline tells of no operators: {need}"
    return "they tell of operators in different ways: an estimate of Vela is not set beside cycles of a run"


def _diff(origin: Origin, tables: Sequence[Sequence[Operator]], sides: Sequence[Side], baseline: int) -> OperatorDiff:
    reasons = [_obstacle(origin, side, sides[baseline]) for side in sides]
    comparable = tuple(bool(table) and why is None for table, why in zip(tables, reasons, strict=True))
    rows = _rows(tables, baseline)
    reason = next((why for table, why in zip(tables, reasons, strict=True) if table and why is not None), None)
    repeated = any(len(side.runs) > 1 for side in sides)
    diff = OperatorDiff(origin, baseline, tuple(map(bool, tables)), (), comparable, reason, repeated)
    order = sorted(rows, key=lambda row: (-_change(row, baseline), row.first.order))
    return diff._replace(rows=tuple(order))


def _change(row: OperatorRow, baseline: int) -> float:
    """By how much a column differs most from the baseline; what one of the two lacks counts with all its cycles."""
    base = row.values[baseline] or 0
    return max(abs((value or 0) - base) for i, value in enumerate(row.values) if i != baseline)


def _rows(tables: Sequence[Sequence[Operator]], baseline: int) -> list[OperatorRow]:
    """Each column is matched with the rows so far, the baseline's first."""
    width = len(tables)
    rows: list[list[Operator | None]] = []
    found: list[list[By | None]] = []
    for column in (baseline, *(i for i in range(width) if i != baseline)):
        firsts = [(row[baseline] or next(one for one in row if one is not None)).item for row in rows]
        pairs = match(firsts, [one.item for one in tables[column]])
        for pair in pairs:
            rows[pair.one][column] = tables[column][pair.other]
            found[pair.one][column] = pair.by
        known = {pair.other for pair in pairs}
        for place, operator in enumerate(tables[column]):
            if place not in known:
                rows.append([operator if i == column else None for i in range(width)])
                found.append([None] * width)
    return [OperatorRow(tuple(row), tuple(by)) for row, by in zip(rows, found, strict=True)]


def _vela(side: Side) -> tuple[Operator, ...]:
    if side.operators:
        return tuple(_compiled(place, entry) for place, entry in enumerate(side.operators))
    layers = side.summary.operators if side.summary is not None else ()
    return tuple(
        Operator(Item(layer.tosa, layer.name or None, None), place, layer.op_cycles)
        for place, layer in enumerate(layers)
    )


def _compiled(place: int, entry: Mapping[str, Any]) -> Operator:
    def word(name: str) -> str | None:
        value = entry.get(name)
        return value if isinstance(value, str) and value else None

    kind, module, torch, name = word("tosa") or "?", word("module"), word("torch"), word("name")
    if name is not None and name.startswith("#"):  # Vela's own number, another one in each compile
        name = None
    cycles, into, part = entry.get("op_cycles"), entry.get("chained_into"), entry.get("partition")
    inside = into is not None and not cycles
    where = (module, torch) if module or torch else None
    return Operator(
        Item(kind, (part, module, name) if name is not None else None, where),
        place,
        float(cycles) if is_number(cycles) and not inside else None,
        f"chained, its cycles are in row {into}" if inside else "",
        module,
        word("source"),
        torch,
    )


def _etdump(side: Side) -> tuple[Operator, ...]:
    return _over_repeats([_of_run(run) for run in side.runs])


def _traced(side: Side) -> tuple[Operator, ...]:
    return _over_repeats([trace.operators for trace in side.traces])


def _of_run(run: Run) -> tuple[Operator, ...]:
    if run.etdump is None:
        return ()
    from ..etdump.tables import EXECUTE, operator_costs  # few logs hold one

    if not run.etdump.complete:  # a call that is missing would count as one that took no time
        missing = "not every event of the dump can be read"
        costs = [cost for cost in operator_costs(run.etdump.events) if not cost.inside]
        return tuple(
            Operator(Item(c.operator or c.name, c.instruction, None), i, None, missing) for i, c in enumerate(costs)
        )
    inferences = sum(event.name == EXECUTE for event in run.etdump.events) or 1
    costs = [cost for cost in operator_costs(run.etdump.events) if not cost.inside]
    return tuple(
        Operator(
            Item(cost.operator or cost.name, cost.instruction, None),
            place,
            cost.cycles / inferences if cost.cycles is not None else None,
            "" if cost.cycles is not None else "the target had no timer",
        )
        for place, cost in enumerate(costs)
    )


def _delegates(side: Side) -> tuple[Operator, ...]:
    return _over_repeats([_delegates_of_run(run) for run in side.runs])


def _delegates_of_run(run: Run) -> tuple[Operator, ...]:
    found = run.pmu.delegates if run.pmu is not None else ()
    inferences = executions(run) or 1
    return tuple(
        Operator(
            Item("delegate", one.index, None),
            place,
            one.npu_cycles / inferences if one.npu_cycles is not None else None,
            "" if one.npu_cycles is not None else "not printed",
            f"delegate {one.index}",
        )
        for place, one in enumerate(found)
    )


def _over_repeats(tables: Sequence[tuple[Operator, ...]]) -> tuple[Operator, ...]:
    """The operators of the runs of a column, each with the median of its cycles; of the first where they are not the same."""
    first = tables[0] if tables else ()
    if len(tables) < 2:
        return first
    if any([one.item for one in table] != [one.item for one in first] for table in tables):
        return tuple(
            one._replace(note=one.note or "of the first repeat: the others list other operators") for one in first
        )
    found = []
    for place, operator in enumerate(first):
        cycles = [table[place].cycles for table in tables]
        known = [value for value in cycles if value is not None]
        found.append(operator._replace(cycles=median(known) if len(known) == len(cycles) else None))
    return tuple(found)


def _obstacle(origin: Origin, side: Side, base: Side) -> str | None:
    if origin == "vela" or side.run is None or base.run is None:
        return None
    if origin == "trace":
        return NO_PASS if not all(trace.passes for trace in (*side.traces, *base.traces)) else None
    if origin == "etdump":
        why = not_time(*side.runs, *base.runs)
        hosts = {run.target.platform == "host" for run in (*side.runs, *base.runs)}
        return why or (_HOST_TICKS if len(hosts) > 1 else None)
    counts = {executions(run) for run in (*side.runs, *base.runs)}
    return INFERENCES if None in counts and len(counts) > 1 else None


_ORIGINS: tuple[tuple[Origin, Callable[[Side], tuple[Operator, ...]]], ...] = (
    ("vela", _vela),
    ("trace", _traced),
    ("etdump", _etdump),
    ("delegates", _delegates),
)
