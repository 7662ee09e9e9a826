"""What Home knows of stored runs and sample logs: neutral tables with one row each, and the path behind each row."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..analysis.tables import Cell, Column, Table, Tone
from ..analysis.units import format_cycles
from ..runners.job import InputError
from ..runners.runs.folder import RunFolder
from ..runners.runs.index import Listed, key_figure
from . import glyphs
from .state import age, shown_status

__all__ = ["Stored", "key_figure", "sample_logs", "state_of", "stored_runs"]

RUN_COLUMNS = (
    Column("Age", "right"),
    Column("What"),
    Column("Run"),
    Column("Target"),
    Column("Status"),
    Column("NPU cycles", "right"),
)
_LABEL = 200
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


def stored_runs(runs: Iterable[Listed], now: float) -> Stored:
    """One row for each run folder, a broken one included."""
    rows: list[tuple[Cell, ...]] = []
    paths: list[str] = []
    going: dict[str, str] = {}
    for run in runs:
        status = (run.status or run.state)[:_LABEL] if run.state in ("finished", "stopped") else run.state
        status = shown_status(status, run.state == "stopped")
        if run.state in ("queued", "running") and run.keeper:
            going[run.path] = run.state
        seconds = now - run.created
        rows.append(
            (
                Cell(age(seconds), seconds),
                Cell(run.kind),
                Cell(run.label[:_LABEL]),
                Cell((run.target or "-")[:_LABEL]),
                Cell(f"{glyphs.status_sign(status)} {status}", status, tone=_TONES.get(status, "")),
                Cell(format_cycles(run.npu_cycles) if run.npu_cycles is not None else "-", run.npu_cycles),
            )
        )
        paths.append(run.path)
    return Stored(Table("Stored runs", RUN_COLUMNS, tuple(rows)), tuple(paths), going)


def state_of(path: str) -> str | None:
    """What is true of this run now; None where there is none any more."""
    try:
        return RunFolder.open(Path(path)).state
    except InputError:
        return None


def sample_logs(folder: Path | None) -> Stored:
    """The logs that come with the program."""
    if folder is None:
        from importlib.resources import files

        folder = Path(str(files("ethosu_tui.sample_logs")))
    logs = sorted(folder.glob("*.log"))
    rows = tuple((Cell(log.stem), Cell(f"{log.stat().st_size / 1024:.1f} KiB", log.stat().st_size)) for log in logs)
    return Stored(Table("Sample logs", (Column("Log"), Column("Size", "right")), rows), tuple(str(log) for log in logs))
