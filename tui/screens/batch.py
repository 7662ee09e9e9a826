"""Batch: compiles while they run: a queue with the stage of each job, the log of the selected one, then its report."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widget import Widget

from ...analysis.lines import Line, LineSplitter
from ...analysis.tables import Cell, Column, Table, Tone
from ...analysis.units import format_bytes, format_cycles, format_seconds
from ...runners.compile_fit import answers_so_far
from ...runners.compile_plan import model_label
from ...runners.compile_points import CompilePoint
from ...runners.compiler import BatchDone, CompileResult, JobDone, JobOutput, JobStage, JobStarted
from ...runners.job import JobError
from .. import glyphs, messages
from ..widgets.data_table import DataTable
from ..widgets.log_pane import LogPane
from ..widgets.pareto_pane import ParetoPane
from ..widgets.said import Said
from .page import Page

if TYPE_CHECKING:
    from ...runners.compile_batch import Batch
    from ...runners.compiler import CompileEvent

MAX_LINES = 5_000
PERIOD = 0.1
CELLS = 10
COLUMNS = (
    Column("Job"),
    Column("Progress"),
    Column("State"),
    Column("Time", "right"),
    Column("NPU cycles", "right"),
    Column("SRAM", "right"),
)


@dataclass
class Entry:
    """What is known of one job of the batch."""

    point: CompilePoint
    path: str | None = None
    began: float | None = None
    stage: str = ""
    done: int = 0
    total: int = 0
    result: CompileResult | None = None
    abandoned: bool = False
    """The batch ended without this job."""
    splitter: LineSplitter = field(default_factory=LineSplitter)
    lines: list[Line] = field(default_factory=list)

    @property
    def state(self) -> str:
        """`waiting`, `running`, or how it ended."""
        if self.result is not None:
            return self.result.status
        if self.abandoned:
            return "not run"
        return "running" if self.began is not None else "waiting"


class BatchScreen(Page):
    """Watch a compile batch."""

    HEADING = "Compile queue"
    ABOUT = (
        "The jobs of a compile, with the stage that each has reached and the log of the one under the cursor. When a job "
        "is done, Enter opens its report; v compares all that succeeded, p plots their time against their SRAM."
    )
    CSS_PATH = "batch.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "stop", "Stop", tooltip="Stop all jobs; what is done is kept"),
        Binding("enter", "report", "Report", key_display="↵", tooltip="Open the report of the job"),
        Binding("v", "compare", "Compare all", tooltip="Put the finished jobs side by side"),
        Binding("p", "plot", "Plot/log", tooltip="Show time against SRAM of the finished jobs, or the log"),
        Binding("tab", "app.focus_next", "Queue/log"),
        Binding(
            "escape,backspace", "back", "Back", key_display="esc", tooltip="Leave; jobs that are not over are stopped"
        ),
    ]

    def __init__(self, batch: Batch, points: Sequence[CompilePoint], model: str, command: str) -> None:
        super().__init__()
        self._batch = batch
        self._model = model
        self._twin = command
        self._entries = [Entry(point) for point in points]
        self._lock = threading.Lock()
        self._pending: list[CompileEvent] = []
        self._over = False
        self._shown: int | None = None

    def body(self) -> Iterable[Widget]:
        queue = DataTable(id="queue", classes="pane", cells=False, sortable=False)
        queue.border_title = "Jobs"
        yield queue
        yield Said(id="state")
        with Container(id="output"):
            log = LogPane(id="log", follow=True, max_lines=MAX_LINES)
            log.add_class("pane")
            yield log
            plot = ParetoPane(id="plot")
            plot.border_title = "Time against SRAM (Vela's estimates)"
            plot.add_class("pane")
            plot.display = False
            yield plot

    def on_mount(self) -> None:
        self.command = self._twin
        self._began = time.monotonic()
        self._fill()
        self._show_log(0)
        self.query_one("#queue").focus()
        self._timer = self.set_interval(PERIOD, self._drain)
        self._watch()

    def on_unmount(self) -> None:
        self._batch.stop()

    @work(thread=True, group="job", exclusive=True, exit_on_error=False)
    def _watch(self) -> None:
        try:
            for event in self._batch.run():
                with self._lock:
                    self._pending.append(event)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            with self._lock:
                self._pending.append(BatchDone(time.monotonic() - self._began))

    def worker_died(self, group: str, error: BaseException | None) -> None:
        self.post_message(messages.Problem(f"the batch ended unexpectedly: {error}"))
        with self._lock:
            self._pending.append(BatchDone(time.monotonic() - self._began))

    # -- events ----------------------------------------------------------------------------------------------------

    def _drain(self) -> None:
        with self._lock:
            events, self._pending = self._pending, []
        fresh: defaultdict[int, list[Line]] = defaultdict(list)
        for event in events:
            if isinstance(event, BatchDone):
                self._end()
            else:
                self._take(event, fresh)
        if self._shown is not None and fresh[self._shown]:
            self.query_one(LogPane).append(fresh[self._shown])
        self._fill()

    def _take(self, event: CompileEvent, fresh: defaultdict[int, list[Line]]) -> None:
        if isinstance(event, BatchDone):
            return
        entry = self._entries[event.index]
        if isinstance(event, JobStarted):
            entry.began = time.monotonic()
            entry.path = str(event.folder.path)
        elif isinstance(event, JobStage):
            entry.began = entry.began or time.monotonic()
            entry.stage, entry.done, entry.total = event.stage, event.done, event.total
        elif isinstance(event, JobOutput):
            lines = entry.splitter.feed(event.data)
            entry.lines = (entry.lines + lines)[-MAX_LINES:]
            fresh[event.index] += lines
        elif isinstance(event, JobDone):
            entry.result = event.result
            entry.path = str(event.result.folder)
            lines = entry.splitter.finish()
            entry.lines += lines
            fresh[event.index] += lines

    def _end(self) -> None:
        self._over = True
        for entry in self._entries:
            entry.abandoned = entry.result is None
        self._timer.stop()
        good = sum(entry.state == "ok" for entry in self._entries)
        bad = len(self._entries) - good
        tone = "$text-success" if not bad else "$text-error"
        sign = glyphs.PASSED if not bad else glyphs.BROKEN
        self._title(f"{sign} {good} of {len(self._entries)} ok", tone)
        self.refresh_bindings()
        if bad:
            self.app.bell()

    def _title(self, status: str, tone: str) -> None:
        self.set_trail(f"Compile {glyphs.JUMP} {model_label(self._model)}", status, tone)

    def _fill(self) -> None:
        entries = self._entries
        self.query_one("#queue", DataTable).table = Table("Jobs", COLUMNS, tuple(_row(entry) for entry in entries))
        done = sum(entry.result is not None for entry in entries)
        if not self._over:
            self._title(f"{glyphs.ACTIVE} {done} of {len(entries)} done", "$text-accent")
        self._say()
        if (done, self._over) != getattr(self, "_seen", None):
            self._seen = (done, self._over)
            self.refresh_bindings()
            self._draw_plot()

    def _say(self) -> None:
        row = self.query_one("#queue", DataTable).row or 0
        result = self._entries[row].result
        errors = [f for f in result.findings if f.severity == "error"] if result is not None else []
        text = f"{glyphs.BROKEN} {errors[0].title}\nDo: {errors[0].advice}" if errors else ""
        state = self.query_one("#state", Said)
        if str(state.content) != text:
            state.say(text)
        state.display = bool(text)

    def _draw_plot(self) -> None:
        plot = self.query_one(ParetoPane)
        if plot.display:
            entries = self._entries
            config = self._batch.options.vela_config
            points, results = [entry.point for entry in entries], [entry.result for entry in entries]
            answers = answers_so_far(points, results, config.ini if config is not None else None)
            plot.show(answers, self.query_one("#queue", DataTable).row)

    @on(DataTable.Highlighted, "#queue")
    def _moved(self, event: DataTable.Highlighted) -> None:
        self._show_log(event.row)
        self._draw_plot()
        self._say()
        self.refresh_bindings()

    def _show_log(self, index: int) -> None:
        if self._shown == index:
            return
        self._shown = index
        log = self.query_one(LogPane)
        log.follow = True
        log.heading = f"Log of {self._entries[index].point.label}"
        log.load(self._entries[index].lines)

    # -- keys ------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "stop":
            return not self._over
        if action in ("compare", "plot"):
            return len(self._good()) > 1
        if action == "report":
            row = self.query_one("#queue", DataTable).row if self.is_mounted else None
            return row is not None and self._entries[row].result is not None
        return super().check_action(action, parameters)

    def _good(self) -> list[str]:
        return [entry.path for entry in self._entries if entry.state == "ok" and entry.path is not None]

    @property
    def busy(self) -> bool:
        return not self._over

    def action_stop(self) -> None:
        self._batch.stop()

    @on(DataTable.Chosen, "#queue")
    def action_report(self) -> None:
        row = self.query_one("#queue", DataTable).row
        entry = self._entries[row] if row is not None else None
        if entry is None or entry.result is None or entry.path is None:
            said = "This job did not run." if self._over else "This job is not over yet."
            self.notify(said, severity="warning", markup=False)
        else:
            self.post_message(messages.OpenReport(entry.path))

    def action_plot(self) -> None:
        plot, log = self.query_one(ParetoPane), self.query_one(LogPane)
        plot.display, log.display = log.display, plot.display
        self._draw_plot()

    def action_compare(self) -> None:
        self.post_message(messages.OpenCompare(tuple(self._good())))


def _row(entry: Entry) -> tuple[Cell, ...]:
    result = entry.result
    state = entry.state
    tones: dict[str, Tone] = {"ok": "good", "failed": "bad", "waiting": "dim", "not run": "warn"}
    seconds: float | None
    if result is not None:
        shared = " (found)" if result.cached else " (shared)" if result.route == "shared" else ""
        filled, what, seconds = CELLS, f"{state}{shared}", result.seconds
    else:
        filled = round(CELLS * entry.done / entry.total) if entry.total else 0
        what = f"{entry.stage} {entry.done}/{entry.total}" if entry.stage else state
        seconds = time.monotonic() - entry.began if entry.began is not None else None
    summary = result.summary if result is not None else None
    cycles = summary.npu_cycles if summary else None
    sram = summary.sram_used_bytes if summary else None
    bar = glyphs.FILLS[0] * filled + glyphs.TRACK * (CELLS - filled)
    time_text = "-" if seconds is None else format_seconds(seconds) if result is not None else f"{seconds:.0f} s"
    return (
        Cell(entry.point.label),
        Cell(bar, float(filled)),
        Cell(f"{glyphs.status_sign(state)} {what}", state, tone=tones.get(state, "")),
        Cell(time_text, seconds),
        Cell(format_cycles(cycles), cycles),
        Cell(format_bytes(sram), sram),
    )
