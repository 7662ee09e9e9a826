"""Overview: a capture of many runs while it is read beside the screen: how far, which runs, and why they did not pass."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ...analysis.report import Capture
from ...analysis.rows import RunRow
from ...analysis.tables import Cell, Column
from ...analysis.units import format_bytes, format_count
from ...runners.reading.background import BackgroundReading, Done
from ..state import twin
from ..widgets.runs_table import RunsTable
from .runs_overview import RunsOverviewScreen

if TYPE_CHECKING:
    from ...runners.reading.window import LogWindow


class OverviewScreen(RunsOverviewScreen):
    """A large capture."""

    HEADING = "Capture"
    KIND: ClassVar[str] = "Capture"
    WHERE: ClassVar[Column] = Column("First run", "right")
    ABOUT = (
        "A large capture. A separate process reads it, so keys work meanwhile. {report} on a run opens its report; "
        "{report} on a reason shows only the runs with it ({report} again or {back}: all runs). {filter} filters by "
        "words in status, reason, target and time; -word leaves runs out, a number finds a run."
    )

    def __init__(self, path: str, reading: BackgroundReading | None = None) -> None:
        """`reading`: of this path, where it was begun before there was a screen.

        Raises:
            OSError: there is no process or no temporary file to be had.
        """
        self._reading = reading or BackgroundReading(path)
        super().__init__(self._reading, os.path.basename(path.rstrip("/")) or path)

    def on_mount(self) -> None:
        self.command = twin("analyze", self._reading.path)

    def log_place(self) -> tuple[str, int | None] | None:
        row = self.query_one(RunsTable).row
        return self._reading.path, self._reading.rows.row(row).first_line if row is not None else None

    @property
    def opened(self) -> Sequence[str]:
        return (self._reading.path,)

    @property
    def reading(self) -> BackgroundReading:
        """What reads the capture."""
        return self._reading

    def far(self, seconds: float) -> str:
        reading = self._reading
        far = f"{format_bytes(reading.bytes_done)}, {format_count(reading.lines_done)} lines"
        if reading.size_bytes and reading.done is None:
            share = min(1.0, reading.bytes_done / reading.size_bytes)
            left = seconds / share - seconds if share > 0.01 else None
            far = f"{share:.0%} of {format_bytes(reading.size_bytes)}, {format_count(reading.lines_done)} lines"
            far += f", about {left:.0f} s to go" if left is not None and seconds > 2 else ""
        return far

    def where(self, position: int) -> Cell:
        index = self._reading.rows.numbers("index")[position]
        return Cell(format_count(index), index)

    def whole(self, done: Done) -> bool:
        return done.capture is not None

    def ended(self, done: Done) -> None:
        if done.capture is not None and self._counted <= 1 and self.app.screen is self:
            self._give_away(done.capture)

    def _give_away(self, capture: Capture) -> None:
        """One run, or compiles only: there is nothing to overlook, so the report takes this screen's place."""
        from ...runners.reading.inputs import Loaded

        self._given_away = True
        loaded = Loaded(self._label, self._reading.path, capture)
        self.navigation.open_report(loaded, window=self._reading.window, close=self._reading.close, replace=True)

    @property
    def window(self) -> LogWindow | None:
        return self._reading.window

    def path_of(self, row: RunRow) -> str:
        return self._reading.path

    def open_run(self, row: RunRow) -> None:
        self.read_again(row, f"{self._label} run {row.index}", self._reading.lines_done)
