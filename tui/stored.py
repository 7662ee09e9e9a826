"""What Home knows of stored runs and sample logs: neutral tables with one row each, and the path behind each row."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..analysis.comparing.trend import CALM_PERCENT, Trend, change_text, levels, trends
from ..analysis.tables import Cell, Column, Table, Tone
from ..analysis.units import format_age, format_cycles
from ..runners.runs.going import GOING_ON
from ..runners.runs.index import Listed, key_figure
from . import glyphs
from .state import shown_status

__all__ = ["Stored", "key_figure", "sample_logs", "stored_runs"]

ESTIMATED = "~"
"""Before cycles that Vela estimates; those without it were measured."""
_LABEL = 200
_FEWEST, _MOST = 5, 10
_CHANGE = 7
"""Columns that a change takes, with the blank before it."""
_TONES: dict[str, Tone] = {
    "passed": "good",
    "ok": "good",
    "failed": "bad",
    "timeout": "bad",
    "hung": "bad",
    "broken": "bad",
    "cut": "bad",
    "not_started": "warn",
    "truncated": "warn",
    "stopped": "warn",
    "lost": "warn",
}


def ended_as(run: Listed) -> tuple[str, str]:
    """How a run ended in one word, and the same with what cut it or kept it from coming further."""
    if run.is_cut:
        return "cut", f"cut, {run.cause}"
    status = (run.status or run.state)[:_LABEL] if run.state in ("finished", "stopped") else run.state
    status = shown_status(status, run.state == "stopped")
    return status, f"{status}, {run.cause}" if run.cause else status


def tone_of(status: str) -> Tone:
    """How a status is coloured, beside its sign."""
    return _TONES.get(status, "")


class Stored(NamedTuple):
    """The stored runs, newest first: what to show, and the folder of each row."""

    table: Table
    paths: tuple[str, ...]
    going: dict[str, str] = {}
    """The states of those that go on, which have no row."""


def run_columns(wide: bool, caused: bool = False) -> tuple[Column, ...]:
    """The columns; a narrow list has what says most at its left.  `caused`: a status says what cut a run."""
    return (
        Column("Age", "right"),
        Column("Run", least=12),
        Column("Target", least=13 if wide else 8),
        Column("Status", least=16 if caused else 9),
        Column("Cycles", "right"),
        Column("NPU", "right"),
        Column("Trend", least=(_MOST if wide else _FEWEST) + _CHANGE),
        *((Column("What"),) if wide else ()),
    )


def stored_runs(runs: Iterable[Listed], now: float, wide: bool = False) -> Stored:
    """One row for each run folder that does not go on, a broken one included; `wide` shows targets and trends in full."""
    rows: list[tuple[Cell, ...]] = []
    paths: list[str] = []
    going: dict[str, str] = {}
    listed = list(runs)
    points = _MOST if wide else _FEWEST
    for run, trend in zip(listed, trends((run.series, run.key_cycles) for run in listed), strict=True):
        status, said = ended_as(run)
        if run.state in GOING_ON:
            going[run.path] = run.state
            continue
        share = run.npu_share_percent
        rows.append(
            (
                # its value stays: only a text that changes is drawn anew
                Cell(format_age(now - run.created), -run.created),
                Cell(shown_label(run)),
                Cell(_target(run.target, wide), run.target),
                Cell(f"{glyphs.status_sign(status)} {said}", said, tone=_TONES.get(status, "")),
                Cell(_cycles(run), run.key_cycles),
                Cell(f"{share:.0f} %" if share is not None else "-", share),
                trend_cell(trend, points),
                *((Cell(run.kind, tone="dim"),) if wide else ()),
            )
        )
        paths.append(run.path)
    return Stored(Table("Runs", run_columns(wide, any(run.cause for run in listed)), tuple(rows)), tuple(paths), going)


REPLAY = "replay of "


def shown_label(run: Listed) -> str:
    """What ran, without the target that has a column of its own; what is replayed comes first, since names are cut behind."""
    label = run.label
    if label.startswith(REPLAY):
        label = f"{label.removeprefix(REPLAY)}, replay"
    if run.target:
        for ending in (f" on {run.target}", f" {run.target}"):
            before, found, rest = label.partition(ending)
            if found and before and (not rest or rest[0] == " "):
                label = before + rest
                break
    return label[:_LABEL]


def trend_cell(trend: Trend | None, points: int) -> Cell:
    """The last figures as a line of small bars, and the change against the one before."""
    if trend is None:
        return Cell("-", None, None, "dim")
    change = trend.change_percent
    if len(trend.values) < 2:
        return Cell("first", None, None, "dim")
    heights = levels(trend.values[-points:], len(glyphs.SPARKS))
    tone: Tone = ""
    if change is not None and abs(change) >= CALM_PERCENT:
        tone = "warn" if change > 0 else "good"
    return Cell(f"{''.join(glyphs.SPARKS[h] for h in heights):>{points}} {change_text(change)}", change, None, tone)


def _target(target: str | None, wide: bool) -> str:
    if target is None:
        return "-"
    return (target if wide else target.removeprefix("ethos-"))[:_LABEL]


def _cycles(run: Listed) -> str:
    if run.key_cycles is None:
        return "-"
    return (ESTIMATED if run.kind == "compile" else "") + format_cycles(run.key_cycles)


def sample_logs(folder: Path | None) -> Stored:
    """The logs that come with the program."""
    if folder is None:
        from importlib.resources import files

        folder = Path(str(files("ethosu_tui.sample_logs")))
    logs = sorted(folder.glob("*.log"))
    rows = tuple((Cell(log.stem), Cell(f"{log.stat().st_size / 1024:.1f} KiB", log.stat().st_size)) for log in logs)
    return Stored(Table("Sample logs", (Column("Log"), Column("Size", "right")), rows), tuple(str(log) for log in logs))
