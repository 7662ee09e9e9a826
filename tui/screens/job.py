"""Job: a run while it happens: the stage it reached, its log, and the figures as they come; then its report.

The session runs in a thread that only fills a bounded buffer; a timer takes from it ten times a second, and less often when
lines come faster than anybody reads, by the size of the terminal.  So a log of any rate costs the screen and the line to the
terminal a bounded number of updates a second, and what falls out of the buffer is on disk anyway.
"""

from __future__ import annotations

import gc
import threading
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widget import Widget

from ...analysis.lines import Line, clean
from ...analysis.report import STAGES, Capture
from ...analysis.rules.port import BOOT_LOOP
from ...analysis.units import format_count
from ...analysis.watching.dump_lines import kind_of
from ...runners.job import Exit, JobError, Progress, Started
from ...runners.keeping.beside import BesideViewer, Lines, read_beside
from ...runners.reading.inputs import Loaded
from ...runners.session import ENDED_WELL, Unfinished
from ...runners.signal_names import signal_name
from .. import glyphs, messages
from ..endings import needed
from ..figures import with_status
from ..keys_in_force import key_of
from ..state import shown_status
from ..widgets.data_table import DataTable
from ..widgets.log_pane import LogPane
from ..widgets.said import Said
from ..widgets.stage_bar import StageBar
from .dialogs import AskScreen, Choice
from .findings_pane import signs_of
from .page import Page

if TYPE_CHECKING:
    from ...runners.job import ExitReason
    from ...runners.keeping.viewer import Viewer
    from ...runners.session import Session, SessionEvent

MAX_LINES = 20_000
PERIOD = 0.1
FLOOD_CELLS_A_SECOND = 16_000
"""Where each look finds more lines than the log shows, so many cells of the terminal are drawn again a second."""
SLOWEST_SECONDS = 0.5
KEY_SECONDS = 0.1
"""So long after a key nothing is drawn but what it asks for, unless keys go on for `SLOWEST_SECONDS`."""
RUNNING = (f"{glyphs.ACTIVE} running", "$text-accent")
GOES_ON = "leave it running"
ENDS = "stop it"
ENDINGS = {
    "ended": "ended by itself",
    "marker": "the runner said it is complete",
    "stopped": "stopped by you",
    "timeout": "the time limit stopped it",
    "silence": "silent for too long",
    "lost": "the connection or process was lost",
    "not_started": "could not be started",
}


class JobScreen(Page):
    """Watch one session."""

    HEADING = "Job"
    ABOUT = (
        "A run in progress: the stage it reached, the figures read so far, and its log. The log follows the newest "
        "line until you move the cursor up; End follows again. {pause} holds the log still; the run continues. "
        "{filter} shows only lines that match all words: text, -text, level:E,F, -level:D, file:perf_monitor. A long "
        "dump is one row; Enter opens it. When the run is over, {report} opens its report."
    )
    CSS_PATH = "job.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "stop", "Stop", tooltip="Stop the run; what was captured is kept"),
        Binding("enter", "report", "Report", key_display="↵", tooltip="Open the report"),
        Binding("p", "pause", "Pause", tooltip="Hold the log still, or let it go on; the run does not notice"),
        Binding("f", "follow", "Follow", tooltip="Follow the newest line, or stop following"),
        Binding("tab", "app.focus_next", "Log/figures", tooltip="Between log and figures"),
        Binding(
            "escape,backspace", "back", "Back", key_display="esc", tooltip="Leave; a run that goes on is asked about"
        ),
    ]

    def __init__(self, session: Session | Viewer, command: str) -> None:
        super().__init__()
        self._session = read_beside(session)
        self._twin = command
        self._lock = threading.Lock()
        self._pending: deque[Line] = deque(maxlen=MAX_LINES)
        self._kinds: deque[int] = deque(maxlen=MAX_LINES)
        """What `kind_of` says of each."""
        self._snapshot: Capture | None = None
        self._said = ""
        self._exit: Exit | None = None
        self._ended = False
        self._failure = ""
        """What kept the run from being carried on or watched, where that was it."""
        self._stopped = False
        self._due = 0.0
        """When the log and the figures are drawn next, by the clock that only goes on."""
        self._drawn = 0.0
        self._paused = False
        self._counted = 0.0
        """When it is said again how much has come since the pause."""

    def body(self) -> Iterable[Widget]:
        yield StageBar(STAGES)
        yield Said("starting", id="state")
        with Container(id="split"):
            log = LogPane(id="log", follow=True, max_lines=MAX_LINES)
            log.add_class("pane")
            log.border_title = "Log"
            figures = DataTable(id="figures", classes="pane", cells=False, sortable=False, empty="no figure yet")
            figures.border_title = "Figures so far"
            yield figures
            yield log

    def on_mount(self) -> None:
        self.command = self._twin
        gc.freeze()  # of lines there are tens of thousands: each search for garbage among them and all else took 30 ms
        self._show_running()
        self.query_one(LogPane).focus()
        self._timer = self.set_interval(PERIOD, self._look)
        self._watch()

    def on_unmount(self) -> None:
        gc.unfreeze()
        self._session.leave()

    def log_place(self) -> tuple[str, int | None] | None:
        if self._session.folder is None:
            return None
        current = self.query_one(LogPane).current
        return str(self._session.folder.console_path), current.number if current is not None else None

    @work(thread=True, group="job", exclusive=True, exit_on_error=False)
    def _watch(self) -> None:
        try:
            with needed():
                session = self._session
                events = session.gathered() if isinstance(session, BesideViewer) else session.events()
                for event in events:
                    self._keep(event)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            reason: ExitReason = "lost" if self._session.capture.lines else "not_started"
            self._failure = clean(error.message)
            self._keep(Exit(None, reason, 0.0, error.message))

    def _keep(self, event: SessionEvent | Lines) -> None:
        with self._lock:
            if isinstance(event, Lines):
                self._pending.extend(event.lines)
                self._kinds.extend(event.kinds)
            elif isinstance(event, Line):
                self._pending.append(event)
                self._kinds.append(kind_of(event))
            elif isinstance(event, Progress):
                total = f" {event.done}/{event.total}" if event.total else ""
                self._said = f"{event.stage}{total}"
            elif isinstance(event, Started):
                self._said = f"started: {' '.join(event.argv)}" if event.argv else "started"
            elif isinstance(event, Exit):
                self._exit = event
            elif isinstance(event, Unfinished):
                self._said = event.text.strip() or self._said
            else:
                self._snapshot = event.capture

    def _look(self) -> None:
        """Keys go first: what somebody has just pressed is answered before new lines are drawn."""
        now = time.monotonic()
        pressed = now - self.navigation.newest_key
        if self._exit is not None or pressed >= KEY_SECONDS or now - self._drawn >= SLOWEST_SECONDS:
            self._drain()

    def _drain(self) -> None:
        now = time.monotonic()
        self._drawn = now
        with self._lock:
            said, ended = self._said, self._exit
            lines: list[Line] = []
            kinds = b""
            capture: Capture | None = None
            if now >= self._due or ended is not None:
                capture, self._snapshot = self._snapshot, None
                if not self._paused or ended is not None:
                    lines, kinds = list(self._pending), bytes(self._kinds)
                    self._pending.clear()
                    self._kinds.clear()
            waiting = len(self._pending)
        if lines:
            log = self.query_one(LogPane)
            log.append(lines, kinds)
            flood = len(lines) > log.size.height
            width, height = self.app.size
            self._due = now + min(SLOWEST_SECONDS, width * height / FLOOD_CELLS_A_SECOND) if flood else now
        if capture is not None:
            self._show_figures(capture)
        if ended is not None and not self._ended:
            self._show_end(ended)
        elif ended is None and self._paused:
            self._show_waiting(waiting, now)
        elif ended is None and said:
            self.query_one("#state", Said).say(said)

    def _show_waiting(self, waiting: int, now: float) -> None:
        """Once a second: how much has come since the log was paused."""
        if now < self._counted:
            return
        self._counted = now + 1.0
        more = " or more, the newest are kept here and all on disk" if waiting == MAX_LINES else ""
        said = f"paused: {format_count(waiting)} new lines{more}; {key_of(self, 'pause')} goes on"
        self.query_one("#state", Said).say(said, layout=False)

    def _show_figures(self, capture: Capture) -> None:
        from ...analysis.report_tables import summary_table

        if not capture.runs:
            return
        run = capture.runs[-1]
        self.query_one(StageBar).stage = run.stage
        table = self.query_one("#figures", DataTable)
        summary = summary_table(capture, run)
        word = shown_status(run.status, self._stopped) if self._ended else "running"
        table.table = summary if word == run.status else with_status(summary, word)

    def _show_end(self, ended: Exit) -> None:
        self._ended = True
        self._timer.stop()
        capture = self._session.capture
        run = capture.runs[-1] if capture is not None and capture.runs else None
        self._stopped = ended.reason == "stopped"
        told = self._session.status if ended.reason == "not_started" or self._session.status != "not_started" else None
        known = run.status if run is not None else told or "no run found"
        status = "lost" if self._is_lost else shown_status(known, self._stopped)
        good = status in ENDED_WELL
        if capture is not None:
            self._show_figures(capture)
            self.query_one(LogPane).evidence = signs_of(capture.findings)
        self.answer_leaving()
        self.query_one(StageBar).state = "done" if good else "broken"
        tone = "$text-success" if good else "$text-warning" if self._stopped else "$text-error"
        self.set_trail(f"Job {glyphs.JUMP} {self._session.label}", f"{glyphs.status_sign(status)} {status}", tone)
        why = self._failure or ENDINGS.get(ended.reason, ended.reason)
        code = "" if ended.code is None or (ended.code < 0 and good) else f", {_code(ended.code)}"
        findings = capture.findings if capture is not None else ()
        loop = next((f for f in findings if f.rule == BOOT_LOOP), None)
        first = loop or next((f for f in findings if f.severity == "error" or f.rule == "no-verdict"), None)
        after = f", after {ended.seconds:.1f} s" if not self._failure else ""
        said = [f"{status if status not in why else ''}: {why}".removeprefix(": ") + code + after]
        if first is not None and not self._stopped:
            said.append(f"{glyphs.FINDING_SIGNS[first.severity]} {first.title}")
        if ended.text and ended.text not in why and (first is None or ended.reason == "not_started"):
            said.append(clean(ended.text))
        self.query_one("#state", Said).say("\n".join([*said, f"{key_of(self, 'report')} opens the report"]))
        self.query_one(LogPane).refresh()
        self.refresh_bindings()

    def worker_died(self, group: str, error: BaseException | None) -> None:
        self.post_message(messages.Problem(f"the run can no longer be watched: {error}", "its raw log is kept"))
        self._keep(Exit(None, "lost", 0.0, str(error)))

    # -- keys ------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("stop", "pause"):
            return not self._ended
        return self._ended if action == "report" else super().check_action(action, parameters)

    def action_stop(self) -> None:
        try:
            self._session.stop()
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            return
        with self._lock:
            self._said = "stopping"

    @property
    def busy(self) -> bool:
        return not self._ended and not self._session.lasting

    @property
    def _is_lost(self) -> bool:
        folder = self._session.folder
        return folder is not None and folder.state == "lost"

    @property
    def goes_on(self) -> str | None:
        """The id of the run that is watched here and goes on when we leave."""
        folder = self._session.folder
        return folder.id if folder is not None and self._session.lasting and not self._ended else None

    def action_back(self) -> None:
        if self.goes_on is None or any(note.severity == "error" for note in self.app._notifications):
            super().action_back()
        elif not self.drop_filter():
            self._leave()

    @work
    async def _leave(self) -> None:
        """Ask whether the run shall go on; it does where the question is answered without a choice."""
        choices = (
            Choice(GOES_ON, "Home shows it, Enter there comes back to it"),
            Choice(ENDS, "what was captured is kept"),
        )
        answer = await self.app.push_screen_wait(AskScreen("This run is not over", choices=choices, free=False))
        if answer is None:
            return
        if answer == ENDS:
            self.action_stop()
        if self.is_current and len(self.app.screen_stack) > 1:
            self.app.pop_screen()

    def action_pause(self) -> None:
        """Hold the log; what comes is kept for later.  Without a pause, what came is shown and the newest followed."""
        self._paused = not self._paused
        self._counted = 0.0
        self._show_running()
        if not self._paused:
            self._due = 0.0
            self._drain()
            self.query_one(LogPane).action_edge(1)

    def _show_running(self) -> None:
        """What the title says of a run that is not over."""
        word, tone = (f"{glyphs.PAUSED} log paused", "$text-warning") if self._paused else RUNNING
        self.set_trail(f"Job {glyphs.JUMP} {self._session.label}", word, tone)

    def action_follow(self) -> None:
        log = self.query_one(LogPane)
        log.follow = not log.follow
        if log.follow:
            log.action_edge(1)

    @on(DataTable.Chosen)
    def _chosen(self, event: DataTable.Chosen) -> None:
        if event.line is not None and self.query_one(LogPane).goto(event.line):
            self.query_one(LogPane).focus()

    def action_report(self) -> None:
        folder, capture = self._session.folder, self._session.capture
        if folder is not None:
            self.post_message(messages.OpenReport(str(folder.path), replace=True))
        elif self._stopped or not Path(capture.source).exists():  # what was seen, not the whole log that was played
            loaded = Loaded(self._session.label, capture.source, capture)
            lines = tuple(self.query_one(LogPane).lines)
            self.post_message(messages.InputsLoaded((loaded,), replace=True, lines=lines, stopped=self._stopped))
        else:
            self.post_message(messages.OpenReport(capture.source, replace=True))


def _code(code: int) -> str:
    """What a child ended with."""
    return f"exit code {code}" if code >= 0 else f"ended by {signal_name(code)}"
