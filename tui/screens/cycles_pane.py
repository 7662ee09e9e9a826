"""The Cycles tab and the Inferences tab: where the time went, as far as the log can tell, and how it spreads."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from ...analysis.meaning.inferences import series_of
from ...analysis.tables import Table
from ..figures import cycle_bars, ratio_is_time
from ..widgets.bars import Bars
from ..widgets.data_table import DataTable
from ..widgets.said import Said
from ..widgets.sparkline import Sparkline
from .table_pane import TablePane

_NOT_TIME = {
    "fvp": "Grey: an FVP does not model how long the CPU takes, so its CPU cycles, and shares of them, are not time.",
    "qemu": "Grey: QEMU counts ticks of a timer, so its CPU cycles, and shares of them, are not time.",
    None: "Grey: the log does not say that it is from a board, and CPU cycles of a simulator are not time.",
}


class CyclesPane(TablePane):
    """The runner's split between CPU and NPU, what it is made of, and the spread over inferences."""

    NAME = "cycles"

    def above(self) -> Sequence[Widget]:
        return Bars(id="bars"), Said(id="why", classes="note")

    def below(self) -> Sequence[Widget]:
        return (
            Sparkline(id="spark"),
            DataTable(classes="pane", id="spread", sortable=False),
            Said(id="spread-note", classes="note"),
        )

    def fill(self) -> None:
        super().fill()
        run = self.view.run
        bars = self.query_one(Bars)
        bars.bars = cycle_bars(run) if run is not None else ()
        bars.display = bool(bars.bars)
        why = self.query_one("#why", Said)
        why.display = bool(bars.bars) and run is not None and not ratio_is_time(run)
        why.say(_NOT_TIME.get(run.target.platform if run is not None else None, _NOT_TIME[None]))
        self.query_one("#note", Said).display = bool(self.table.note and self.table.rows) and not why.display
        spread = self.view.tables.get("spread", Table("", (), ()))
        table, note = self.query_one("#spread", DataTable), self.query_one("#spread-note", Said)
        table.table, table.border_title = spread, Content(spread.title)
        table.display = bool(spread.rows)
        note.say(spread.note)
        note.display = bool(spread.rows and spread.note) and not why.display
        spark = self.query_one(Sparkline)
        spark.rows = tuple((series.title, series.values) for series in series_of(run)) if run is not None else ()
        spark.display = bool(spark.rows)


class InferencesPane(TablePane):
    """One row for each inference or block that a server printed figures of, and how they went on."""

    NAME = "inferences"
    FIXED = 1

    def above(self) -> Sequence[Widget]:
        return (Sparkline(id="spark"),)

    def fill(self) -> None:
        super().fill()
        spark = self.query_one(Sparkline)
        run = self.view.run
        spark.rows = tuple((series.title, series.values) for series in series_of(run)) if run is not None else ()
        spark.display = bool(spark.rows)
