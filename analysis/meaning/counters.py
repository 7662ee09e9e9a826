"""The NPU's counters with all that is known of each: share of the cycles, bytes, use of its port, bandwidth, and what it counts."""

from __future__ import annotations

from ..named_tuple import NamedTuple
from ..report import Counter, Derived, Run, counts_calls
from ..tables import Cell, Column, Table
from ..units import format_bytes, format_count, format_cycles, format_percent
from .events import meaning_of, path_of
from .written import write_derived


class Use(NamedTuple):
    """Something that is used by a share of what it could be; `percent` is of that, `limit` from where on it decides."""

    name: str
    percent: float
    text: str
    what: str
    """What the share is of."""


def counters_table(run: Run) -> Table:
    """One row for each counter; columns that no row has anything for are left out."""
    if run.pmu is None:
        return Table("PMU", (Column("Counter"), Column("Event")), (), "The log holds no PMU figures.")
    cycles = run.pmu.npu_cycles
    columns = [
        Column("#"), Column("Event", least=26), Column("Value", "right"), Column("Per cycle", "right"),
        Column("Per inference", "right"), Column("Port use", "right"), Column("Bandwidth", "right"),
        Column("Counts", least=18),
    ]  # fmt: skip
    line = run.lines.get("pmu.npu_cycles")
    each = run.derived.get("npu_cycles_per_inference")
    rows: list[tuple[Cell, ...]] = [
        (
            Cell("cycle", "cycle", line), Cell("NPU cycles", "NPU cycles", line), Cell(format_cycles(cycles), cycles, line),
            Cell("", None), _figure(each, line), Cell("", None), Cell("", None),
            Cell("cycles while the NPU had work"),
        )
    ]  # fmt: skip
    rows += (_row(run, counter, cycles) for counter in run.pmu.counters)
    keep = [i for i in range(len(columns)) if i < 3 or any(row[i].text not in ("", "-") for row in rows)]
    many = run.cycles.inferences is not None and run.cycles.inferences > 1
    over = "calls of the delegate in one inference" if counts_calls(run) else "inferences"
    notes = [f"Values are totals over {run.cycles.inferences} {over}."] if many else []
    notes += _missing(run)
    table_rows = tuple(tuple(row[i] for i in keep) for row in rows)
    return Table("PMU", tuple(columns[i] for i in keep), table_rows, " ".join(notes))


def _row(run: Run, counter: Counter, cycles: int | None) -> tuple[Cell, ...]:
    line = run.lines.get(f"pmu.counters.{counter.index}")
    name = counter.event.removeprefix("ETHOSU_PMU_") if counter.event else "(no event list in the log)"
    share = counter.value / cycles if cycles else None
    path = path_of(counter.event)
    size, use, rate = (
        run.derived.get(f"{path}_{ending}") if path is not None else None
        for ending in ("bytes_per_inference", "port_use_percent", "bytes_per_second")
    )
    words = meaning_of(counter.event)
    return (
        Cell(str(counter.index), counter.index, line),
        Cell(name, counter.event, line, "" if counter.event else "dim"),
        Cell(format_count(counter.value), counter.value, line),
        Cell(f"{share:.4f}" if share is not None else "-", share, line),
        _figure(size, line),
        _figure(use, line),
        _figure(rate, line),
        Cell(words or "-", words, line, "" if words else "dim"),
    )


def _figure(entry: Derived | None, line: int | None) -> Cell:
    if entry is None:
        return Cell("", None)
    if entry.unit == "bytes":
        return Cell(format_bytes(entry.value), entry.value, line)
    return Cell(write_derived(entry), entry.value, line)


def _missing(run: Run) -> list[str]:
    """Why a column that one would look for is not there."""
    derived = run.derived
    paths = [path for counter in (run.pmu.counters if run.pmu is not None else ()) if (path := path_of(counter.event))]
    if run.pmu is not None and run.pmu.npu_cycles == 0:
        return ["The NPU counted no cycles, so nothing follows from the others."]
    if not paths:
        return []
    notes = []
    if run.pmu is not None and run.pmu.npu_cycles is None:
        notes.append("No shares: the log does not say how many cycles the NPU took.")
    if not any(f"{path}_bytes_per_inference" in derived for path in paths):
        notes.append("No bytes: the NPU or the number of inferences is not known (--target).")
    if "npu_clock" not in derived:
        notes.append("No bandwidth: no clock is known (--npu-clock, --board).")
    elif "npu_clock" in derived:
        notes.append(
            f"Bandwidth at {write_derived(derived['npu_clock'])}, from {', '.join(derived['npu_clock'].sources)}."
        )
    return notes


_USES: tuple[tuple[str, str, str], ...] = (
    ("mac_utilisation_percent", "MACs used", "of all that the array could do"),
    ("mac_busy_percent", "MAC array busy", "of the cycles"),
    ("array_efficiency_percent", "array filled", "of its MACs while it worked"),
    ("weight_decode_busy_percent", "weight decoder", "of the cycles"),
    ("external_peak_use_percent", "external memory", "of its peak"),
    ("sram_peak_use_percent", "SRAM", "of its peak"),
    ("npu_idle_share_percent", "NPU idle", "of the cycles"),
)


def uses_of(run: Run) -> tuple[Use, ...]:
    """All shares that were derived, units first, then ports."""
    derived = run.derived
    found = [
        Use(name, derived[key].value, format_percent(derived[key].value), what)
        for key, name, what in _USES
        if key in derived
    ]
    for key, entry in derived.items():
        if key.endswith("_port_use_percent"):
            side, way = key.removesuffix("_port_use_percent").rsplit("_", 1)
            found.append(Use(f"{side.upper()} {way}", entry.value, format_percent(entry.value), "of its port"))
    return tuple(found)


def unknown_uses(run: Run) -> str:
    """Why the use of the MACs is not among them; empty where it is."""
    if run.pmu is None or not run.pmu.npu_cycles or "mac_utilisation_percent" in run.derived:
        return ""
    if "attained_macs_per_cycle" not in run.derived:
        return "MAC utilisation needs the MACs of the model (--macs, or Vela's summary in the same capture)."
    return "MAC utilisation needs the size of the NPU (--target)."
