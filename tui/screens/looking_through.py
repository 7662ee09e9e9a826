"""What no single run tells: kinds, outliers and trends of the runs of an overview, found beside the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from ...analysis.rows import RunRow
from ...analysis.tables import Table
from ...analysis.units import format_count
from ...runners.reading.background import ReadBeside
from .read_again import ReadAgain
from .run_details import position_of

MANY = 50_000
"""Runs that take a second to look through."""


class LooksThrough(ReadAgain):
    """An overview of runs that are read beside it, with the way to their trends."""

    @dataclass
    class LookedThrough(Message):
        """What stands out among the runs is known."""

        tables: Sequence[Table]
        so_far: int | None
        """Of how many runs, where reading goes on."""

    def __init__(self, reading: ReadBeside, label: str) -> None:
        super().__init__()
        self._beside = reading
        self._label = label

    def open_run(self, row: RunRow) -> None:
        """Show the report of this run."""
        raise NotImplementedError

    def action_trends(self) -> None:
        """What no single run tells."""
        if any(one.node is self and one.group == "trends" and not one.is_finished for one in self.workers):
            return  # another process would only make both slower
        count = self._beside.rows.count
        if count >= MANY:
            self.notify(f"Looking through {format_count(count)} runs", timeout=2, markup=False)
        self._look_through()

    @work(thread=True, group="trends", exclusive=True, exit_on_error=False)
    def _look_through(self) -> None:
        from ...runners.reading.looking_through import look_through

        worker = get_current_worker()
        reading, rows = self._beside.done is None, self._beside.rows.so_far()
        tables = look_through(rows)
        if not worker.is_cancelled:
            self.post_message(self.LookedThrough(tables, rows.count if reading else None))

    @on(LookedThrough)
    def _show_trends(self, event: LookedThrough) -> None:
        if self.is_current:
            self.navigation.open_trends(event.tables, self._label, self.command, self._open_of, event.so_far)

    def _open_of(self, source: str, index: int) -> None:
        position = position_of(self._beside.rows, source, index)
        if position is not None:
            self.open_run(self._beside.rows.row(position))
