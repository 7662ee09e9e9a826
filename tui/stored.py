"""What Home knows of stored runs and sample logs: neutral tables with one row each, and the path behind each row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..analysis.tables import Cell, Column, Table, Tone
from ..analysis.units import format_cycles
from ..runners.folder import RunFolder, read_json
from ..runners.job import InputError
from . import glyphs
from .state import age, shown_status

RUN_COLUMNS = (
    Column("Age", "right"),
    Column("What"),
    Column("Run"),
    Column("Target"),
    Column("Status"),
    Column("NPU cycles", "right"),
)
_REPORT_LIMIT_BYTES = 16 << 20
_LABEL = 200
_LARGEST = float(1 << 63)
_TONES: dict[str, Tone] = {
    "passed": "good",
    "ok": "good",
    "failed": "bad",
    "timeout": "bad",
    "hung": "bad",
    "broken": "bad",
    "not_started": "warn",
    "truncated": "warn",
    "stopped": "warn",
    "lost": "warn",
}


class Stored(NamedTuple):
    """The stored runs, newest first: what to show, and the folder of each row."""

    table: Table
    paths: tuple[str, ...]
    going: dict[str, str] = {}
    """The states of those that a keeper carries out now."""


def stored_runs(folders: Iterable[RunFolder], now: float) -> Stored:
    """One row for each run folder, a broken one included."""
    rows: list[tuple[Cell, ...]] = []
    paths: list[str] = []
    going: dict[str, str] = {}
    for folder in folders:
        facts = folder.manifest
        state = folder.state
        status = (folder.status or state)[:_LABEL] if state in ("finished", "stopped") else state
        status = shown_status(status, state == "stopped")
        seconds = now - folder.created.timestamp()
        cycles = key_figure(folder) if state not in ("queued", "running") else None
        if state in ("queued", "running") and facts.get("keeper"):
            going[str(folder.path)] = state
        rows.append(
            (
                Cell(age(seconds), seconds),
                Cell(folder.kind),
                Cell(folder.label[:_LABEL]),
                Cell(str(facts.get("target") or "-")[:_LABEL]),
                Cell(f"{glyphs.status_sign(status)} {status}", status, tone=_TONES.get(status, "")),
                Cell(format_cycles(cycles) if cycles is not None else "-", cycles),
            )
        )
        paths.append(str(folder.path))
    return Stored(Table("Stored runs", RUN_COLUMNS, tuple(rows)), tuple(paths), going)


def state_of(path: str) -> str | None:
    """What is true of this run now; None where there is none any more."""
    try:
        return RunFolder.open(Path(path)).state
    except InputError:
        return None


def key_figure(folder: RunFolder) -> float | None:
    """NPU cycles: measured ones of a run, Vela's estimate of a compile; None where there are none.

    A run folder is untrusted input: whatever lies in it, the row is shown, at worst without a figure.
    """
    path = folder.path / "result.json" if folder.kind == "compile" else folder.report_path
    try:
        value = read_json(path, _REPORT_LIMIT_BYTES)
    except (OSError, ValueError):
        return None
    if folder.kind == "compile":
        return _number(value, "summary", "npu_cycles")
    captures = _list(value, "captures") or [value]
    runs = [run for capture in captures for run in _list(capture, "runs")]
    return _number(runs[-1], "pmu", "npu_cycles") if runs else None


def _list(value: Any, name: str) -> list[Any]:
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, list) else []


def _number(value: Any, *path: str) -> float | None:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -_LARGEST < value < _LARGEST:
        return None
    return float(value)


def sample_logs(folder: Path | None) -> Stored:
    """The logs that come with the program."""
    if folder is None:
        from importlib.resources import files

        folder = Path(str(files("ethosu_tui.sample_logs")))
    logs = sorted(folder.glob("*.log"))
    rows = tuple((Cell(log.stem), Cell(f"{log.stat().st_size / 1024:.1f} KiB", log.stat().st_size)) for log in logs)
    return Stored(Table("Sample logs", (Column("Log"), Column("Size", "right")), rows), tuple(str(log) for log in logs))
