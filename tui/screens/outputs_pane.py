"""The Outputs tab: what the model gave; all its values that the log has, how they spread, and the largest ones."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from ...analysis.lines import Line
from ...analysis.outputs.read import OutputValues, read_outputs
from ...analysis.outputs.shown import BINS, histogram, missing, stats_table, top_table, values_table
from ...analysis.tables import Table
from ...analysis.units import format_count, format_percent
from ..views import View
from ..widgets.bars import Bar, Bars, Part, in_cells
from ..widgets.data_table import DataTable
from ..widgets.said import Said, plain
from .table_pane import TablePane

TALL = 34
"""Rows from which there is room for all bins."""
_TOO_LONG = "The capture is too long to keep in memory, so only the first values are shown. `analyze --outputs` prints them all."


class OutputsPane(TablePane):
    """One row for each tensor; below, the values of the output under the cursor."""

    NAME = "outputs"
    EMPTY = "this log shows no outputs"

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._lines: Sequence[Line] | None = None
        self._huge = False
        self._outputs: tuple[OutputValues, ...] = ()

    def compose(self) -> ComposeResult:
        yield from super().compose()
        with Container(id="values"):
            bars = Bars(id="histogram")
            bars.border_title = "Histogram"
            yield bars
            yield DataTable(classes="pane", id="top", sortable=False)
            yield DataTable(classes="pane", id="elements")

    def show_lines(self, lines: Sequence[Line], huge: bool = False) -> None:
        """The lines of the log, from which the values are read; `huge` where they are not held."""
        self._lines, self._huge = lines, huge
        if self.is_mounted:
            self._fill_or_say()

    def fill(self) -> None:
        run = self.view.run
        self._outputs = read_outputs(self._lines, run) if self._lines and run is not None else ()
        super().fill()
        widget = self.main
        row = widget.row
        self._show(row if row is not None else 0)

    @property
    def table(self) -> Table:
        run = self.view.run
        if not self._outputs or run is None:
            table = super().table
            return table._replace(note=f"{table.note} {_TOO_LONG}".strip()) if self._huge and table.rows else table
        stats = stats_table(self._outputs, run)
        others = [row for row in super().table.rows if not str(row[0].text).startswith("output ")]
        if others:
            said = ", ".join(f"{row[0].text}: {row[1].text} {row[2].text} {row[3].text}".strip() for row in others[:4])
            stats = stats._replace(note=f"{stats.note} {said}.".strip())
        return stats

    @on(DataTable.Highlighted)
    def _moved(self, event: DataTable.Highlighted) -> None:
        if event.table is self.main:
            self._show(event.row)

    def _show(self, row: int) -> None:
        output = self._outputs[row] if row < len(self._outputs) else None
        box = self.query_one("#values")
        box.display = output is not None and len(output.values) > 1
        if output is None or self.view.run is None:
            return
        bins = histogram(output.values, 6 if self.app.size.height < TALL else BINS)
        total, most = sum(one.count for one in bins), max((one.count for one in bins), default=0)
        bars = self.query_one("#histogram", Bars)
        bars.border_title = f"Histogram of output {output.index}"
        bars.bars = tuple(
            Bar(
                one.label,
                (Part("", one.count),),
                most,
                **in_cells(format_count(one.count), format_percent(100 * one.count / total)),
            )
            for one in bins
        )
        for place, table in (
            ("#top", top_table(output, self.view.run.predictions)),
            ("#elements", values_table(output)),
        ):
            widget = self.query_one(place, DataTable)
            widget.table, widget.border_title = table, Content(plain(table.title))
        note = self.query_one("#note", Said)
        told = missing(output, self.view.run) or note.content
        note.say(told if isinstance(told, (str, Content)) else str(told))
