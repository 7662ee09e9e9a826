"""The tabs of the Report screen: each shows its part of a `View` and knows nothing of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget

from ...analysis.tables import Table
from ..figures import compile_memory_bars, cycle_bars, memory_bars, ratio_is_time
from ..views import View
from ..widgets.bars import Bar, Bars
from ..widgets.chart import Chart
from ..widgets.data_table import DataTable
from ..widgets.said import Said, plain
from .findings_pane import STYLES, FindingsPane, describe, titled
from .log_tab import LogTab
from .pane import Pane


class TablePane(Pane):
    """A pane around one table of the view."""

    NAME = ""
    EMPTY = "this log holds no such figures"
    FIXED = 0
    """Columns that stay when the others are scrolled."""

    def compose(self) -> ComposeResult:
        yield from self.above()
        yield DataTable(classes="pane", empty=self.EMPTY, fixed=self.FIXED)
        yield Said(classes="note")
        yield from self.below()

    def above(self) -> Sequence[Widget]:
        return ()

    def below(self) -> Sequence[Widget]:
        return ()

    def fill(self) -> None:
        table = self.view.tables.get(self.NAME, Table("", (), ()))
        widget = self.query_one(DataTable)
        widget.table = table
        widget.border_title = Content(table.title)
        note = self.query("Said.note").last(Said)
        note.say(table.note)
        note.display = bool(table.note)


class SummaryPane(TablePane):
    """What happened, in words, then the figures, how full the memory is, and what else there is to say."""

    NAME = "summary"

    def compose(self) -> ComposeResult:
        yield Said(id="verdict")
        with Container(id="overview"):
            yield DataTable(classes="pane", empty=self.EMPTY)
            with Vertical(id="beside"):
                bars = Bars(id="bars")
                bars.border_title = "Memory"
                yield bars
                said = Said(id="said")
                said.border_title = "Findings"
                yield said
        yield Said(classes="note")

    def fill(self) -> None:
        super().fill()
        failed = self.view.failed
        verdict, said = self.query_one("#verdict", Said), self.query_one("#said", Said)
        cause = self.view.cause if failed else None
        verdict.display = cause is not None
        if cause is not None:
            verdict.say(describe(cause, short=True))
        bars = self.query_one(Bars)
        bars.bars = bars_of(self.view)
        bars.display = bool(bars.bars)
        others = [finding for finding in self.view.findings if finding is not cause]
        lines = [Content.styled(plain(titled(f)), STYLES[f.severity]) for f in others[:8]]
        run = self.view.run
        if run is not None:
            self.query_one(".note", Said).display = False  # the cause stands above, the evidence below
            if run.runner.version_evidence is not None:
                evidence = f"{run.runner.executorch_version or 'release not known'}: {run.runner.version_evidence}"
                lines.append(Content.styled(plain(f"ExecuTorch {evidence}"), "$foreground-disabled"))
        said.display = bool(lines)
        said.say(Content("\n").join(lines))


def bars_of(view: View) -> tuple[Bar, ...]:
    """The memory bars of a run or of a compile."""
    if view.run is not None:
        return memory_bars(view.run)
    return compile_memory_bars(view.summary) if view.summary is not None else ()


class MemoryPane(TablePane):
    """How full each pool is, and of what."""

    NAME = "memory"

    def above(self) -> Sequence[Widget]:
        return (Bars(id="bars"),)

    def fill(self) -> None:
        super().fill()
        bars = self.query_one(Bars)
        bars.bars = bars_of(self.view)
        bars.display = bool(bars.bars)


class CyclesPane(TablePane):
    """Where the time went, as far as the log can tell."""

    NAME = "cycles"

    def above(self) -> Sequence[Widget]:
        return (Bars(id="bars"), Said(id="why", classes="note"))

    def fill(self) -> None:
        super().fill()
        run = self.view.run
        bars = self.query_one(Bars)
        bars.bars = cycle_bars(run) if run is not None else ()
        bars.display = bool(bars.bars)
        why = self.query_one("#why", Said)
        why.display = bool(bars.bars) and run is not None and not ratio_is_time(run)
        why.say("Grey: on a simulator the share of CPU and NPU is not time.")


class PmuPane(TablePane):
    """The NPU's own counters, and below them what they mean."""

    NAME = "pmu"
    EMPTY = "this log holds no PMU report"

    def below(self) -> Sequence[Widget]:
        return (DataTable(classes="pane", id="derived"), Said(id="meaning"))

    def fill(self) -> None:
        super().fill()
        table = self.view.tables.get("derived")
        widget, said = self.query_one("#derived", DataTable), self.query_one("#meaning", Said)
        widget.display = table is not None
        if table is not None:
            widget.table = table
            widget.border_title = Content(table.title)
        notes = [f.title for f in self.view.findings if f.rule.startswith("bound-")]
        notes += [table.note] if table is not None and table.note else []
        said.say(". ".join(note.rstrip(".") for note in notes))
        said.display = bool(notes)


class OperatorsPane(TablePane):
    """Each operator: cycles from the ETDump of a run, or Vela's estimate of a compile."""

    NAME = "operators"
    FIXED = 1
    EMPTY = "no operator data: nothing was delegated, or the compile failed before Vela"

    def below(self) -> Sequence[Widget]:
        return (Said(id="origin"),)

    def fill(self) -> None:
        super().fill()
        self._say(0)

    @on(DataTable.Highlighted)
    def _moved(self, event: DataTable.Highlighted) -> None:
        self._say(event.row)

    def _say(self, row: int) -> None:
        """Where the operator under the cursor comes from."""
        lines = self.view.origins[row] if 0 <= row < len(self.view.origins) else ()
        said = self.query_one("#origin", Said)
        said.say(Content("\n").join(Content(plain(line)) for line in lines))
        said.display = bool(lines)


class InferencesPane(TablePane):
    """One row for each inference or block that a server printed figures of."""

    NAME = "inferences"
    FIXED = 1


class DelegatesPane(TablePane):
    """The NPU's counters by delegate."""

    NAME = "delegates"


class DelegationPane(TablePane):
    """What a compile left to the CPU, with the partitioner's reason and the line of the model; or its partitions."""

    NAME = "delegation"
    FIXED = 1


class OutputsPane(TablePane):
    """What the model gave, with a chart of the values that the log shows."""

    NAME = "outputs"
    EMPTY = "this log shows no outputs"

    def fill(self) -> None:
        super().fill()
        self.query(Chart).remove()
        values = [(o.index, o.first) for o in self.view.run.outputs if len(o.first) > 1] if self.view.run else []
        if values:
            index, first = values[0]
            self.mount(Chart(f"output {index}: the first {len(first)} values", first))


PANES: Mapping[str, Callable[[View], Pane]] = {
    "Summary": SummaryPane,
    "Memory": MemoryPane,
    "Cycles": CyclesPane,
    "PMU": PmuPane,
    "Operators": OperatorsPane,
    "Inferences": InferencesPane,
    "Delegates": DelegatesPane,
    "Delegation": DelegationPane,
    "Outputs": OutputsPane,
    "Findings": FindingsPane,
    "Log": LogTab,
}
