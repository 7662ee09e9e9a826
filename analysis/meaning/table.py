"""Derived figures as a table: each with its unit and what it was made of, assumptions in words."""

from __future__ import annotations

from ..report import Run
from ..tables import Cell, Column, Table
from .events import path_of
from .memory_mode import timing_adapters
from .written import label_of, write_derived

_BESIDE_COUNTERS = ("port_use_percent", "bytes_per_inference", "bytes_per_second")
"""What stands beside the counter of its port."""
_ASSUMED = ("assumptions.", "boards.", "targets.", "compile.", "target.system_config")


def _told_beside(run: Run) -> set[str]:
    """What the table of the memory has, or that of the counters beside the port of each."""
    told = {"method_pool_use_percent"}
    if run.pmu is not None and run.pmu.npu_cycles:
        told.add("npu_cycles_per_inference")
        paths = {path_of(counter.event) for counter in run.pmu.counters}
        told |= {f"{path}_{ending}" for path in paths for ending in _BESIDE_COUNTERS}
    return told


def derived_table(run: Run) -> Table:
    """What was computed of a run; nothing in it was printed by the runner.

    Without what stands beside the figures that it was computed of, in the tables of the memory and of the counters.
    """
    told = _told_beside(run)
    columns = (Column("Derived", least=30), Column("Value", "right"), Column("From"))
    rows = tuple(
        (
            Cell(label_of(name), name),
            Cell(write_derived(entry), entry.value),
            Cell(", ".join(entry.sources), None, None, "dim"),
        )
        for name, entry in run.derived.items()
        if name not in told
    )
    used = dict.fromkeys(s for e in run.derived.values() for s in e.sources if s.startswith(_ASSUMED))
    notes = []
    if used:
        notes.append(f"Not measured, but assumed or taken from the compile: {', '.join(used)}.")
    adapters = timing_adapters(run.target.system_config, run.target.memory_mode, run.target.platform)
    if adapters is not None and run.pmu is not None and run.pmu.npu_cycles:
        notes.append(f"Timing adapters of the FVP: {adapters}.")
    return Table("Derived figures", columns, rows, " ".join(notes) if rows else "")
