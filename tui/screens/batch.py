"""Batch: compiles while they run: a table of all jobs that fills live, the log of the selected one or the Pareto plot."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widget import Widget

from ...analysis.design.extremes import FASTEST, extremes
from ...analysis.lines import Line
from ...analysis.units import format_seconds
from ...runners.compile.compiler import BatchDone, BatchNote, JobDone, JobNoticed, JobOutput, JobStage, JobStarted
from ...runners.compile.fit import answers_so_far
from ...runners.compile.plan import CompileOptions, model_label
from ...runners.compile.points import CompilePoint
from ...runners.job import JobError
from .. import glyphs, messages
from ..endings import needed
from ..exports import Subject, with_front
from ..keys_in_force import with_keys
from ..widgets.data_table import DataTable
from ..widgets.log_pane import LogPane
from ..widgets.pareto_pane import ParetoPane
from ..widgets.said import Said
from ..widgets.sweep_table import SweepTable
from .page import Page
from .sweep_rows import Entry, SweepRows, as_document, seconds_left

if TYPE_CHECKING:
    from ...analysis.design.answers import Answers
    from ...runners.compile.batch import Batch
    from ...runners.compile.compiler import CompileEvent
    from ..exports import Subject

MAX_LINES = 5_000
PERIOD = 0.1


class BatchScreen(Page):
    """Watch a compile batch."""

    HEADING = "Compile queue"
    ABOUT = (
        "The jobs of a compile with Vela's estimates as they come; SRAM holds the weights too in Sram_Only, Flash is the "
        "whole program. {filter} filters: u85 -sram_only sram<512KiB time<5ms state:found. State says how a program was made: "
        "in full, of the graphs that another job shared, or found as it was made before."
    )
    CSS_PATH = "batch.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "report", "Report", key_display="↵", tooltip="Open the report of the job"),
        Binding("x", "stop", "Stop", tooltip="Stop all jobs; what is done is kept"),
        Binding("p", "plot", "Plot", tooltip="Show time against SRAM of the finished jobs, or the log"),
        Binding("v", "compare", "Compare", tooltip="Put the marked jobs, or all finished ones shown, side by side"),
        Binding("r", "run", "Run", tooltip="Run the programs of the marked jobs, or of all finished ones"),
        Binding("c", "compile", "Compile", tooltip="Open the form for this job alone, to deliver its .pte to a path"),
        Binding("tab", "app.focus_next", "Pane", tooltip="Between jobs and log"),
        Binding(
            "escape,backspace", "back", "Back", key_display="esc", tooltip="Leave; jobs that are not over are stopped"
        ),
    ]

    def __init__(
        self,
        batch: Batch,
        points: Sequence[CompilePoint],
        model: str,
        command: str,
        options: CompileOptions | None = None,
    ) -> None:
        super().__init__()
        self._batch = batch
        self._options = options or CompileOptions(model)
        self._model = model
        self._twin = command
        self._entries = [Entry(point) for point in points]
        self._rows = SweepRows(self._entries)
        self._lock = threading.Lock()
        self._pending: list[CompileEvent] = []
        self._over = False
        self._shown: int | None = None
        self._seen: tuple[int, bool] | None = None
        self._answers: Answers | None = None
        self._seconds: float | None = None

    def body(self) -> Iterable[Widget]:
        queue = SweepTable(self._rows.kinds, id="queue", classes="pane")
        yield queue
        yield Said(id="state")
        with Container(id="output"):
            log = LogPane(id="log", follow=True, max_lines=MAX_LINES)
            log.add_class("pane")
            yield log
            plot = ParetoPane(id="plot")
            plot.display = False
            yield plot

    def on_mount(self) -> None:
        self.command = self._twin
        self._began = time.monotonic()
        self._fill()
        self._show_log(0)
        queue = self.query_one("#queue")
        queue.border_title = with_keys(queue, "Jobs, Vela's estimates; {sort} sorts, {filter} filters, {mark} marks")
        queue.focus()
        self._timer = self.set_interval(PERIOD, self._drain)
        self._watch()

    def on_unmount(self) -> None:
        self._batch.stop()

    @work(thread=True, group="job", exclusive=True, exit_on_error=False)
    def _watch(self) -> None:
        try:
            with needed():
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
                self._seconds = event.seconds
                self._end()
            else:
                self._take(event, fresh)
        if self._shown is not None and fresh[self._shown]:
            self.query_one(LogPane).append(fresh[self._shown])
        self._say_empty()
        self._fill()

    def _take(self, event: CompileEvent, fresh: defaultdict[int, list[Line]]) -> None:
        if isinstance(event, (BatchDone, BatchNote)):
            return
        entry = self._entries[event.index]
        self._rows.touch(event.index)
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
        elif isinstance(event, JobNoticed):
            entry.notices.append(event.finding)
        elif isinstance(event, JobDone):
            entry.result, entry.ended = event.result, time.monotonic()
            entry.path = str(event.result.folder)
            lines = entry.splitter.finish()
            entry.lines += lines
            fresh[event.index] += lines

    def _end(self) -> None:
        self._over = True
        self.answer_leaving()
        for index, entry in enumerate(self._entries):
            entry.abandoned = entry.result is None
            self._rows.touch(index)
        self._timer.stop()
        good = sum(entry.state == "ok" and not entry.errors for entry in self._entries)
        bad = len(self._entries) - good
        tone = "$text-success" if not bad else "$text-error"
        sign = glyphs.PASSED if not bad else glyphs.BROKEN
        self._title(f"{sign} {good} of {len(self._entries)} ok", tone)
        self.refresh_bindings()
        if not self.is_current:
            self.notify(
                f"{good} of {len(self._entries)} ok; Home leads back to the table.",
                title=f"Compiled {model_label(self._model)}",
                severity="error" if bad else "information",
                markup=False,
            )
        if bad:
            self.app.bell()

    def _title(self, status: str, tone: str) -> None:
        self.set_trail(f"Compile {glyphs.JUMP} {model_label(self._model)}", status, tone)

    def _fill(self) -> None:
        entries = self._entries
        done = sum(entry.result is not None for entry in entries)
        changed = (done, self._over) != self._seen
        if changed:
            self._seen = (done, self._over)
            config = self._options.vela_config
            points, results = [entry.point for entry in entries], [entry.result for entry in entries]
            self._answers = answers_so_far(points, results, config.ini if config is not None else None)
            self._rows.judge(self._answers)
        table = self._rows.table(time.monotonic())
        if table is not None:
            self.query_one(SweepTable).fill(table)
        if not self._over:
            left = seconds_left(entries) if done else None
            about = f", about {format_seconds(max(1, round(left)))} left" if left is not None else ""
            self._title(f"{glyphs.ACTIVE} {done} of {len(entries)} done{about}", "$text-accent")
        self._say()
        if changed:
            self.refresh_bindings()
            self._draw_plot()

    def _say(self) -> None:
        """What is wrong with the job under the cursor; else what is known of the model on its NPU already."""
        row = self.query_one(SweepTable).row
        text = ""
        if row is not None and self._entries[row].errors:
            error = self._entries[row].errors[0]
            text = f"{glyphs.BROKEN} {error.title}\nDo: {error.advice}"
        elif row is not None:
            family = self._entries[row].family
            notices = [f for entry in self._entries if entry.family == family for f in entry.notices]
            notices = [finding for finding in dict.fromkeys(notices) if finding.severity != "info"]
            if notices:
                sign = glyphs.FINDING_SIGNS[notices[0].severity]
                more = f" (1 of {len(notices)} that the report lists)" if len(notices) > 1 else ""
                text = f"{sign} {notices[0].title}{more}\nDo: {notices[0].advice}"
        if self._over and self._answers is not None and not text.startswith(glyphs.BROKEN):
            text = "\n".join(filter(None, (extremes(self._answers, self._labels()), text)))
        state = self.query_one("#state", Said)
        if str(state.content) != text:
            state.say(text)
        state.set_class(not text.startswith(glyphs.BROKEN), "-advice")
        state.set_class(text.startswith(FASTEST), "-told")
        state.display = bool(text)

    def _labels(self) -> list[str]:
        """Each job as its row says it: the target, and more only where there are several jobs of one target."""
        points = [entry.point for entry in self._entries]
        names = [point.target.removeprefix("ethos-") for point in points]
        return [n if names.count(n) == 1 else point.label for n, point in zip(names, points, strict=True)]

    def _draw_plot(self) -> None:
        plot = self.query_one(ParetoPane)
        if plot.display and self._answers is not None:
            plot.show(self._answers, self.query_one(SweepTable).row)

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
        self._say_empty()

    def _say_empty(self) -> None:
        """Why the log shown has no line yet, or has none at all."""
        if self._shown is None:
            return
        result, said = self._entries[self._shown].result, "waiting for output"
        if result is not None:
            said = (
                "found, so nothing ran: enter opens its report and the log" if result.cached else "it printed nothing"
            )
        elif self._over:
            said = "not run"
        log = self.query_one(LogPane)
        if log.empty_said != said:
            log.empty_said = said
            log.refresh()

    # -- keys ------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "stop":
            return not self._over
        if action in ("compare", "run"):
            return len(self._compared()) > (action == "compare")
        if action == "plot":
            return sum(entry.state == "ok" for entry in self._entries) > 1
        if action in ("report", "compile"):
            row = self.query_one(SweepTable).row if self.is_mounted else None
            return row is not None and (action == "compile" or self._entries[row].result is not None)
        return super().check_action(action, parameters)

    def _compared(self) -> list[str]:
        """Folders of the marked jobs, or of all that are shown, as far as they are done and well."""
        if not self.is_mounted:
            return []
        table = self.query_one(SweepTable)
        chosen = [self._entries[row] for row in (sorted(table.marks) or table.shown)]
        return [entry.path for entry in chosen if entry.state == "ok" and entry.path is not None]

    @on(DataTable.Marked, "#queue")
    def _marked(self) -> None:
        self.refresh_bindings()

    def filter_hint(self, target: DataTable | LogPane) -> str:
        if isinstance(target, SweepTable):
            return "filter: text -text target:u85 state:found sram<512KiB time<5ms cycles<2M"
        return super().filter_hint(target)

    def filter_changed(self, target: DataTable | LogPane, text: str) -> str:
        said = super().filter_changed(target, text)
        self._say()
        self.refresh_bindings()
        return said if not said.startswith("Nothing contains") else "No job passes the filter"

    @property
    def busy(self) -> bool:
        return not self._over

    @property
    def progress(self) -> tuple[str, int, int, float | None]:
        done = sum(entry.result is not None for entry in self._entries)
        return model_label(self._model), done, len(self._entries), seconds_left(self._entries) if done else None

    @property
    def folders(self) -> tuple[str, ...]:
        return tuple(entry.path for entry in self._entries if entry.path is not None)

    def action_stop(self) -> None:
        self._batch.stop()

    @on(DataTable.Chosen, "#queue")
    def action_report(self) -> None:
        row = self.query_one(SweepTable).row
        entry = self._entries[row] if row is not None else None
        if entry is None or entry.result is None or entry.path is None:
            said = "This job did not run." if self._over else "This job is not over yet."
            self.notify(said, severity="warning", markup=False)
        else:
            self.post_message(messages.OpenReport(entry.path))

    def action_plot(self) -> None:
        plot, log = self.query_one(ParetoPane), self.query_one(LogPane)
        plot.display, log.display = log.display, plot.display
        self.set_class(plot.display, "-plots")
        self._draw_plot()

    def action_compare(self) -> None:
        self.post_message(messages.OpenCompare(tuple(self._compared())))

    def action_run(self) -> None:
        """The run form with these programs, each for the NPU that it was compiled for."""
        from .run_choices import programs_in

        self.navigation.open_run_form(programs=programs_in(self._compared()))

    def action_compile(self) -> None:
        row = self.query_one(SweepTable).row
        if row is not None:
            self.post_message(messages.OpenCompile(self._options, self._entries[row].point))

    def export_subject(self) -> Subject:
        """The rows that are shown with their Pareto front, and the results behind them as `compile --json` prints them."""
        rows = self.query_one(SweepTable).shown
        results = [result for row in rows if (result := self._entries[row].result) is not None]
        seconds = self._seconds if self._seconds is not None else time.monotonic() - self._began
        subject = with_front(super().export_subject(), self._answers)
        return subject._replace(
            name=f"compile-{model_label(self._model)}", more=as_document(self._model, seconds, results)
        )
