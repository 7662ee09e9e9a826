"""Derived figures as a table: each with its unit and what it was made of, assumptions in words."""

from __future__ import annotations

from collections.abc import Callable

from ..report import Derived, Run
from ..tables import Cell, Column, Table
from ..units import format_bytes, format_count, format_hz, format_percent, format_seconds
from .events import path_of
from .memory_mode import timing_adapters

_ABBREVIATIONS = {"npu": "NPU", "cpu": "CPU", "mac": "MAC", "macs": "MACs", "sram": "SRAM", "ops": "operations"}
_UNITS = ("_percent", "_bytes", "_beats")
_BESIDE_COUNTERS = ("port_use_percent", "bytes_per_inference", "bytes_per_second")
"""What stands beside the counter of its port."""
_ASSUMED = ("assumptions.", "boards.", "targets.", "compile.", "target.system_config")


def _rate(value: float) -> str:
    return f"{value / 1e9:,.3g} GB/s" if value >= 1e8 else f"{value / 1e6:,.3g} MB/s"


def _operations(value: float) -> str:
    return f"{value / 1e12:,.3g} TOPS" if value >= 1e12 else f"{value / 1e9:,.3g} GOPS"


_WRITERS: dict[str, Callable[[float], str]] = {
    "percent": format_percent,
    "bytes": format_bytes,
    "cycles": format_count,
    "count": lambda value: f"{value:g}",
    "seconds": format_seconds,
    "hertz": format_hz,
    "bytes/s": _rate,
    "ops/s": _operations,
    "1/s": lambda value: f"{value:,.4g} 1/s",
    "beats/cycle": lambda value: f"{value:.4f} beats/cycle",
    "bytes/cycle": lambda value: f"{value:,.4g} bytes/cycle",
    "MACs/cycle": lambda value: f"{value:,.4g} MACs/cycle",
    "MACs/byte": lambda value: f"{value:,.4g} MACs/byte",
}


def write_derived(entry: Derived) -> str:
    """The value with its unit, as the tables write it."""
    write = _WRITERS.get(entry.unit)
    return write(entry.value) if write is not None else f"{entry.value:g} {entry.unit}"


def label_of(name: str) -> str:
    """ "ext_read_bytes_per_inference" -> "EXT read per inference"."""
    for unit in _UNITS:
        if name.endswith((f"{unit}_per_inference", f"{unit}_per_second", f"{unit}_per_cycle", unit)):
            name = name.replace(unit, "", 1) if not name.startswith(unit[1:]) else name
            break
    name = name.replace("_seconds", "_time")
    words = [_ABBREVIATIONS.get(word, word) for word in name.split("_")]
    words = [
        word.upper() if word[:3] in ("axi", "ext") and not word.isalpha() or word == "ext" else word for word in words
    ]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


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
