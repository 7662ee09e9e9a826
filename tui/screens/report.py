"""Report: one capture or compile result, tab by tab; every figure leads to the log line that it was read from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from ...analysis.lines import Line, clean
from ...runners.job import JobError
from ...runners.runs.stored import was_stopped
from .. import glyphs, messages
from ..keys_in_force import with_keys
from ..state import twin
from ..views import TRACE, View, view_of, with_trace
from ..widgets.chrome import FilterBar
from ..widgets.data_table import DataTable
from ..widgets.log_pane import LogPane
from ..widgets.tab_line import TabLine
from .findings_pane import FindingsPane
from .log_tab import LogTab
from .outputs_pane import OutputsPane
from .pane import Pane
from .report_panes import PANES
from .rereading import RereadingPage
from .table_pane import TablePane

if TYPE_CHECKING:
    from ...runners.reading.inputs import Loaded
    from ...runners.reading.pmu_trace import RunTrace
    from ...runners.reading.window import LogWindow

TONES = {
    "passed": "$text-success",
    "ok": "$text-success",
    "finished": "$text-success",
    "truncated": "$text-warning",
    "not_started": "$text-warning",
    "stopped": "$text-warning",
}


class ReportScreen(RereadingPage):
    """The report of one input."""

    HEADING = "Report"
    KEPT_KEYS = frozenset(("filter",))
    ABOUT = (
        "What one log or compile result says. {jump} on a figure goes to its log line, and {back} comes back. "
        "{cause(1)} goes to the line that shows the root cause. In the log {filter} searches, and {only} shows only "
        'lines that match all words: text, -text (without it), "two words", level:E,F (D I E F none), -level:D, '
        "file:perf_monitor, -file:main. A long dump is one row; {jump} opens it."
    )
    CSS_PATH = "report.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(i + 1), f"tab({i})", f"Tab {i + 1}", show=False, tooltip="Open that tab") for i in range(9)),
        Binding("tab", "turn(1)", "Next tab", show=False),
        Binding("shift+tab", "turn(-1)", "Previous tab", show=False),
        Binding("enter", "jump", "To the line", key_display="↵", tooltip="Go to the log line behind the figure"),
        Binding("e", "cause(1)", "Cause", tooltip="The line that shows the root cause; in the log, the next error"),
        Binding("E", "cause(-1)", "Previous", show=False, tooltip="In the log: the previous error or finding"),
        Binding(
            "slash",
            "filter",
            "Find",
            key_display="/",
            tooltip="Search in the log; in a table, only rows with a text",
            priority=True,
        ),
        Binding(
            "ampersand",
            "only",
            "Only",
            key_display="&",
            priority=True,
            tooltip="In the log: show only lines that match all words",
        ),
        Binding("b", "assume('board')", "Board", tooltip="Choose a board: does it fit, and how fast is it there"),
        Binding("c", "assume('npu_clock_hz')", "Clock", tooltip="Give the NPU's clock, for times and bandwidth"),
        Binding(
            "a", "assume_any", "Assume", tooltip="Give what the log does not say: target, MACs, system config, ..."
        ),
        Binding("left_square_bracket", "run(-1)", "Run before", key_display="[", show=False),
        Binding("right_square_bracket", "run(1)", "Next run", key_display="]"),
        Binding("R", "replay", "Replay", tooltip="Play this log as if it ran now"),
        Binding(
            "escape,backspace",
            "back",
            "Back",
            key_display="esc",
            tooltip="Back to the figure, or to where you came from",
        ),
    ]

    @dataclass
    class TraceRead(Message):
        """The trace of the NPU, read in a thread; or why there is none."""

        trace: RunTrace | str

    @dataclass
    class LinesRead(Message):
        """The log's lines, read in a thread."""

        lines: tuple[Line, ...]

    def __init__(
        self,
        loaded: Loaded,
        *,
        lines: tuple[Line, ...] | None = None,
        stopped: bool | None = None,
        window: LogWindow | None = None,
        close: Callable[[], None] | None = None,
        run: int = 0,
    ) -> None:
        """`lines` where they are known; `window` where the log is too long for that; `close` is called last; `run` is shown."""
        super().__init__()
        self._window = window
        self._close = close
        self._loaded = loaded
        self._stopped = was_stopped(loaded.path) if stopped is None else stopped
        self._run = run
        self._trace: RunTrace | str | None = None
        self._view: View = view_of(loaded, run, self._stopped)
        self._panes: dict[str, Pane] = {}
        self._origin: int | None = None
        self._target: int | None = None
        self._lines: tuple[Line, ...] | None = () if window is not None else lines

    @property
    def place(self) -> tuple[str, ...]:
        return ("report", os.path.abspath(self._loaded.path)) if self._loaded.path != "-" else ()

    def body(self) -> Iterable[Widget]:
        yield TabLine(self._view.tabs)
        yield Container(id="tab")

    async def on_mount(self) -> None:
        if self.recall_assumed():
            self._view = view_of(self._loaded, self._run, self._stopped, self._given)
        self.describe()
        await self._open(self._first_tab())
        if TRACE in self._view.tabs:
            self._read_trace()
        if self._lines is None:
            self._read_lines()

    def on_unmount(self) -> None:
        if self._close is not None:
            self._close()

    def _first_tab(self) -> int:
        """A failed log opens on its findings, so that the reason is in sight at once."""
        return self._view.tabs.index("Findings") if self._view.failed and self._view.findings else 0

    def describe(self) -> None:
        view = self._view
        self.command = twin("analyze", self._loaded.path, self.options)
        runs = f"  run {self._run + 1} of {view.run_count}" if view.run_count > 1 else ""
        said = f"{self.assumed}  " if self.assumed else ""
        sign = (
            f"{'the file has changed, f5 reads it  ' * self.grown}{said}{glyphs.status_sign(view.status)} {view.status}"
        )
        self.set_trail(f"Report {glyphs.JUMP} {view.label}{runs}", sign, TONES.get(view.status, "$text-error"))
        tabs = self.query_one(TabLine)
        count = len(view.findings)
        tabs.names = tuple(f"{n} ({count})" if n == "Findings" and count else n for n in view.tabs)
        tabs.alerts = frozenset({view.tabs.index("Findings")} if view.failed and count else ())

    # -- tabs ------------------------------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        """What is shown."""
        return self._view

    @property
    def tab(self) -> str:
        """Name of the open tab."""
        return self._view.tabs[self.query_one(TabLine).active]

    async def _open(self, index: int) -> None:
        tabs = self.query_one(TabLine)
        if not 0 <= index < len(self._view.tabs):
            return
        tabs.active = index
        name = self._view.tabs[index]
        pane = self._panes.get(name)
        if pane is None:
            log = self._window is not None and name == "Log"
            pane = self._panes[name] = LogTab(self._view, self._window) if log else PANES[name](self._view)
            if isinstance(pane, LogTab):
                pane.path = self._loaded.path
            await self.query_one("#tab").mount(pane)
            self._give_lines(pane)
        for other, widget in self._panes.items():
            widget.display = other == name
        pane.take_focus()
        self.refresh_bindings()

    def _give_lines(self, pane: Pane | None) -> None:
        """Panes that read in the log get its lines as soon as they are there."""
        if self._lines is None:
            return
        if isinstance(pane, FindingsPane) or isinstance(pane, LogTab) and self._window is None:
            pane.show_lines(self._lines)
        elif isinstance(pane, OutputsPane):
            pane.show_lines(self._lines, self._window is not None)

    async def action_tab(self, index: int) -> None:
        self._origin = None
        await self._open(index)

    async def action_turn(self, by: int) -> None:
        await self.action_tab((self.query_one(TabLine).active + by) % len(self._view.tabs))

    @on(TabLine.Picked)
    async def _picked(self, event: TabLine.Picked) -> None:
        await self.action_tab(event.index)

    async def action_run(self, by: int) -> None:
        run = self._run + by
        if not 0 <= run < self._view.run_count:
            return
        self._run = run
        await self.show_again()

    async def show_loaded(self, loaded: Loaded) -> None:
        log = self._panes.get("Log")
        current = log.log_pane.current if isinstance(log, LogTab) else None
        self._target = current.number if current is not None else None
        self._loaded, self._lines = loaded, None
        self._run = min(self._run, max(0, len(loaded.capture.runs if loaded.capture is not None else ()) - 1))
        await self.show_again()
        self._read_lines()

    async def show_again(self) -> None:
        """The view has become another one: another run, or another assumption."""
        name = self.tab
        self._view = view_of(self._loaded, self._run, self._stopped, self._given)
        if self._trace is not None:
            self._view = with_trace(self._view, self._trace)
        self.describe()
        for pane in self._panes.values():
            pane.show_view(self._view)
        self._give_lines(self._panes.get("Findings"))  # of another run
        if name not in self._view.tabs or self._view.tabs[self.query_one(TabLine).active] != name:
            await self._open(self._view.tabs.index(name) if name in self._view.tabs else 0)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "run":
            return self._view.run_count > 1
        if action == "cause":
            return bool(self._view.evidence) or (self.is_mounted and self.tab == "Log")
        if action == "only":
            return isinstance(self.focused, LogPane)
        if action == "jump":
            return self.is_mounted and self._line_to_follow() is not None
        if action == "replay":
            return self._loaded.log is not None and self._view.run is not None
        if action in ("assume", "assume_any"):
            return self.can_assume(str(parameters[0]) if parameters else "")
        return super().check_action(action, parameters)

    # -- the log ---------------------------------------------------------------------------------------------------

    @work(thread=True, group="lines", exclusive=True, exit_on_error=False)
    def _read_lines(self) -> None:
        try:
            self.post_message(self.LinesRead(tuple(self._loaded.lines())))
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            self.post_message(self.LinesRead(()))

    @work(thread=True, group="trace", exclusive=True, exit_on_error=False)
    def _read_trace(self) -> None:
        from ...runners.reading.pmu_trace import trace_of_run

        try:
            self.post_message(self.TraceRead(trace_of_run(self._loaded.path)))
        except JobError as error:
            self.post_message(self.TraceRead(f"{error.message}; {error.hint}"))

    @on(TraceRead)
    async def _show_trace(self, event: TraceRead) -> None:
        self._trace = event.trace
        await self.show_again()

    def worker_died(self, group: str, error: BaseException | None) -> None:
        super().worker_died(group, error)
        if group == "lines":
            self.post_message(self.LinesRead(()))

    @on(LinesRead)
    def _show_lines(self, event: LinesRead) -> None:
        self._lines = event.lines
        for reader in self._panes.values():
            self._give_lines(reader)
        pane = self._panes.get("Log")
        if isinstance(pane, LogTab) and self._target is not None:
            pane.goto(self._target)
        self._target = None

    async def jump(self, line: int) -> None:
        """Show the log with the cursor on this line, and remember where from."""
        here = self.query_one(TabLine).active
        log = self._view.tabs.index("Log")
        if here != log:
            self._origin = here
        await self._open(log)
        pane = self._panes["Log"]
        assert isinstance(pane, LogTab)
        if self._lines is None:
            self._target = line
        else:
            pane.goto(line)

    def _line_to_follow(self) -> int | None:
        """The log line that Enter would go to."""
        table, pane = self.focused, self._panes.get(self.tab)
        if not isinstance(table, DataTable) or table.row is None:
            return None
        return pane.line_of(table.row) if isinstance(pane, FindingsPane) else table.line_at_cursor()

    @on(DataTable.Highlighted)
    def _moved(self) -> None:
        self.refresh_bindings()

    @on(DataTable.Chosen)
    async def _chosen(self) -> None:
        line = self._line_to_follow()
        pane = self._panes.get(self.tab)
        if line is None and self.tab in ("Operators", TRACE) and isinstance(pane, TablePane):
            pane.action_details()
        elif line is None:
            self.notify("No single log line has this figure.", markup=False)
        else:
            await self.jump(line)

    async def action_jump(self) -> None:
        """Enter where no table has the focus: nothing to follow."""

    async def action_cause(self, direction: int) -> None:
        pane = self._panes.get("Log")
        if self.tab == "Log" and isinstance(pane, LogTab):
            if not pane.log_pane.next_where(self._view.evidence, direction):
                self.notify("This log has no error lines, and no finding points to a line.", markup=False)
        elif self._view.evidence:
            await self.jump(self._view.cause_line or self._view.evidence[0])

    async def action_back(self) -> None:  # type: ignore[override]
        if self.drop_filter():
            return
        if self._origin is not None and self.tab == "Log":
            origin, self._origin = self._origin, None
            await self._open(origin)
        else:
            super().action_back()

    @property
    def shown_report(self) -> tuple[Loaded, View, int]:
        return self._loaded, self._view, self._run

    def action_replay(self) -> None:
        self.post_message(messages.ReplayLog(self._loaded.path))

    # -- `/` searches in the log, with all lines in sight, and filters tables; `&` filters the log ---------------------

    def action_only(self) -> None:
        """The filter line, ready for what a line must hold to be shown."""
        self.action_filter()
        bar = self.query_one(FilterBar)
        if not bar.value.startswith("&"):
            bar.value = "&"
        bar.cursor_position = len(bar.value)

    def filter_hint(self, target: DataTable | LogPane) -> str:
        if isinstance(target, LogPane):
            said = "search, {next_match(1)} and {next_match(-1)} go on; or & and a filter: & text -text level:E,F"
            return with_keys(target, said)
        return super().filter_hint(target)

    def filter_changed(self, target: DataTable | LogPane, text: str) -> str:
        if not isinstance(target, LogPane):
            return super().filter_changed(target, text)
        only, here = text.startswith("&"), self._panes.get("Log")
        problem = super().filter_changed(target, text[1:] if only else "")
        found = target.search("" if only else text)
        if isinstance(here, LogTab):
            here.describe(target.current)
        return problem or ("" if found else f"Nothing contains {clean(text)}")
