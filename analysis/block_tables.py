"""Tables that few runs have: one line per performance block of a server, and the NPU's counters per delegate."""

from __future__ import annotations

from .etdump.tables import operators_table
from .meaning.timed import MEDIAN
from .report import Run
from .tables import Cell, Column, Table
from .units import format_count, format_cycles

_SHOWN = 200


def rare_tables(run: Run) -> dict[str, Table]:
    """Those tables that the run has data for: its ETDump's "operators", "inferences" and their "spread", "delegates"."""
    tables = {"operators": operators_table(run)} if run.etdump is not None else {}
    if run.blocks:
        from .meaning.inferences import spread_table

        tables["inferences"] = inferences_table(run)
        tables["spread"] = spread_table(run)
    elif MEDIAN in run.derived or (run.pmu is not None and run.pmu.npu_cycles_min is not None):
        from .meaning.inferences import spread_table

        tables["spread"] = spread_table(run)
    if run.pmu is not None and run.pmu.delegates:
        tables["delegates"] = delegates_table(run)
    return tables


def inferences_table(run: Run) -> Table:
    """The performance blocks of a run that printed several, in the order of the log."""
    from .meaning.inferences import added_up

    names = [c.event or str(c.index) for c in run.pmu.counters] if run.pmu is not None else []
    columns = (
        Column("Block", "right"),
        Column("Inferences", "right"),
        Column("NPU cycles", "right"),
        Column("CPU cycles", "right"),
        *(Column(name.removeprefix("ETHOSU_PMU_"), "right") for name in names),
    )
    rows = []
    for number, block in enumerate(run.blocks[:_SHOWN], 1):
        counters = {c.event or str(c.index): c.value for c in block.pmu.counters} if block.pmu is not None else {}
        npu = block.pmu.npu_cycles if block.pmu is not None else None
        count, runtime = block.cycles.inferences, block.cycles.inference
        rows.append(
            (
                Cell(str(number), number, block.line),
                Cell("-" if count is None else format_count(count), count, block.line),
                Cell(format_cycles(npu), npu, block.line),
                Cell(format_cycles(runtime), runtime, block.line),
                *(_count(counters.get(name), block.line) for name in names),
            )
        )
    more = f"The first {_SHOWN} of {len(run.blocks)} blocks. " if len(run.blocks) > _SHOWN else ""
    sums = "The figures of the run are the sums over all its blocks." if added_up(run) else "They are not added up."
    return Table("Inferences", columns, tuple(rows), f"{more}{sums}")


def delegates_table(run: Run) -> Table:
    """The counters of each Ethos-U delegate."""
    delegates = run.pmu.delegates if run.pmu is not None else ()
    names = list(dict.fromkeys(c.event or str(c.index) for d in delegates for c in d.counters))
    columns = (
        Column("Delegate", "right"),
        Column("Invocations", "right"),
        Column("On the NPU", "right"),
        Column("NPU cycles", "right"),
        *(Column(name.removeprefix("ETHOSU_PMU_"), "right") for name in names),
    )
    rows = []
    for delegate in delegates:
        line = run.lines.get(f"pmu.delegates.{delegate.index}")
        counters = {c.event or str(c.index): c.value for c in delegate.counters}
        rows.append(
            (
                Cell(str(delegate.index), delegate.index, line),
                _count(delegate.backend_invocations, line),
                _count(delegate.npu_invocations, line),
                Cell(format_cycles(delegate.npu_cycles), delegate.npu_cycles, line),
                *(_count(counters.get(name), line) for name in names),
            )
        )
    return Table("Delegates", columns, tuple(rows))


def _count(value: int | None, line: int | None) -> Cell:
    return Cell("-" if value is None else format_count(value), value, line)
