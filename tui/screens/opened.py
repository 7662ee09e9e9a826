"""Which screen shows what was opened: a report for logs, runs and compiles, tables for everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

from ..looked_into import LookedInto

if TYPE_CHECKING:
    from ...analysis.lines import Line
    from ...runners.reading.inputs import Loaded


def screen_of(
    loaded: Loaded | LookedInto, lines: tuple[Line, ...] | None, stopped: bool | None, run: int | None = None
) -> Screen[None]:
    """A new screen; `lines` and `stopped` are what is known of a log already, `run` is the index of the one to show."""
    if isinstance(loaded, LookedInto):
        from .artefact import ArtefactScreen

        return ArtefactScreen(loaded)
    from .report import ReportScreen

    runs = loaded.capture.runs if loaded.capture is not None else ()
    first = next((number for number, one in enumerate(runs) if one.index == run), 0)
    return ReportScreen(loaded, lines=lines, stopped=stopped, run=first)
