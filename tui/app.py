"""The Textual application: its life, its keys, and what screens ask of it by message (`messages.py`).

Reading files happens in a thread; `ways.py` has the screens that show what was read.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker, WorkerState, get_current_worker

from ..analysis.cleaning import clean
from ..runners.job import JobError
from . import messages
from .beside import all_in, is_folder_of_logs
from .binding_ids import named
from .endings import end_on_signals, end_soon, release_signals
from .full_screen import FullScreen
from .key_order import KeysInOrder
from .palette import Palette, commands_of
from .remembering import Remembering
from .state import NOTHING, FirstScreen, Start, Surroundings, twin
from .terminal.changes import SendsChanges
from .terminal.driver import lasting
from .terminal.fitting import fit
from .terminal.garbage import look_for_garbage
from .terminal.known_styles import KnowsStyles
from .terminal.late_timers import ring_late_timers
from .terminal.needed_pieces import DrawsNeeded
from .ways import Ways

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..analysis.comparing.sides import Side
    from ..runners.doctor import Tool
    from ..runners.reading.inputs import Loaded
    from .looked_into import LookedInto

KEY_WORDS = {"↵": "enter", "←": "left", "→": "right", "↑": "up", "↓": "down"}


class EthosuApp(KeysInOrder, SendsChanges, DrawsNeeded, KnowsStyles, Remembering, Ways):
    """The dashboard."""

    TITLE = "ethosu-tui"
    CSS_PATH = ["app.tcss", "screens/home.tcss"]  # the default screen's own CSS_PATH would not be read
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-slim"), (76, "-narrow"), (100, "-wide"), (160, "-huge")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (16, "-short"), (34, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = named("app", [
        Binding("q", "quit", "Quit", tooltip="Leave; runs go on, compiles are stopped"),
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+p", "command_palette", "Commands", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, tooltip="Back to the shell; `fg` there continues"),
        Binding(
            "colon", "command_palette", "Commands", show=False, tooltip="All commands, found by typing; also Ctrl-P"
        ),
    ])  # fmt: skip

    _mishap: str | None = None
    _ended: threading.Event | None = None

    def __init__(self, start: Start, surroundings: Surroundings) -> None:
        super().__init__()
        ring_late_timers()
        self.memory = self.recall(surroundings.root)
        fit(self, start.looks)
        self.driver_class = lasting(self.driver_class, start.looks.terminal if start.looks else None)
        if "TEXTUAL_ANIMATIONS" not in os.environ:
            self.animation_level = "none"
        self.start = start
        self.surroundings = surroundings
        if start.looks is None or start.looks.takes_chosen_theme:
            self.memory.use_theme()

    def on_mount(self) -> None:
        end_on_signals(self)
        self.call_after_refresh(look_for_garbage)
        self.begin_memory()
        if self.start.looks and self.start.looks.complaint:
            self.notify(clean(self.start.looks.complaint), title="Settings", severity="warning", markup=False)
        if self.start.screen != "compare" and self._open_beside(self.start.paths, False, self.start):
            return
        if self.start.paths:
            self.show_reading(self.start.paths)
        if len(self.start.paths) == 1 and self.start.screen != "compare":
            self.post_message(messages.OpenReport(self.start.paths[0]))
        elif self.start.paths:
            self.post_message(messages.OpenCompare(self.start.paths))
        elif self.start.screen in ("compile", "doctor", "run", "targets"):
            self.push_screen(self.page(self.start.screen))
        elif self.start.screen == "home":
            self.return_to_last()

    async def run_async(self, *arguments: Any, **options: Any) -> Any:
        try:
            return await super().run_async(*arguments, **options)
        finally:
            if not self.is_headless:
                self._ended = end_soon(lambda: self.return_code or 0)

    def run(self, *arguments: Any, **options: Any) -> Any:
        result = super().run(*arguments, **options)
        if self._ended is not None:
            self._ended.set()
        return result

    def on_unmount(self) -> None:
        self.memory.end()
        if self.start.looks is None:  # with a terminal, the loop gives them back when that has been restored
            release_signals()

    def get_key_display(self, binding: Binding) -> str:
        """As Textual shows it, and as a word where the terminal has no sign for it."""
        shown = super().get_key_display(binding)
        wanted = self.start.looks
        return shown if wanted is None or wanted.terminal.glyphs == "unicode" else KEY_WORDS.get(shown, shown)

    def _fatal_error(self) -> None:
        """A mistake of ours: one sentence for the user, and a file for its author."""
        from .terminal.mishap import keep_mishap

        if self._mishap is None and self._exception is not None:
            self._mishap = keep_mishap(
                self._exception, type(self.screen).__name__ if self.screen_stack else "its start"
            )
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:
        """As above, for what fails in a thread of Textual."""
        if self._exception is None:
            from .terminal.mishap import of_a_thread

            self._exception, self._return_code = of_a_thread(renderables), 1
        self._fatal_error()

    def _print_error_renderables(self) -> None:
        if self._mishap is not None:
            print(self._mishap, file=sys.__stderr__)
        super()._print_error_renderables()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: what the keys of this screen do, the ways into the main screens, and the theme."""
        yield from commands_of(self, screen)
        yield from (one for one in super().get_system_commands(screen) if one.title in ("Theme", "Quit"))
        yield SystemCommand("Compile", "Compile a model for one or more targets", partial(self.action_page, "compile"))
        yield SystemCommand("Run", "Run a program on a simulator or on this machine", partial(self.action_page, "run"))
        yield SystemCommand("Console", "The console of a board, with the keyboard passed through", self.action_console)
        yield SystemCommand(
            "Targets", "Where programs can run, and who runs there", partial(self.action_page, "targets")
        )
        if self.memory.keymaps:
            yield SystemCommand("Keymap", "Choose which keys do what", self.action_keymap)
        yield SystemCommand("Doctor", "What is installed and what is missing", partial(self.action_page, "doctor"))

    def action_command_palette(self) -> None:
        """The palette, under no name: one that is going still has its own while the next one comes."""
        if not Palette.is_shown(self):
            self.push_screen(Palette())

    def action_page(self, name: FirstScreen) -> None:
        self.push_screen(self.page(name))

    @work
    async def action_console(self) -> None:
        """A board's raw console in place of the dashboard."""
        from .serial_console import open_console

        await open_console(self)

    async def action_quit(self) -> None:
        """Leave; where a job runs, only when asked twice."""
        pages = [page for page in (*self.parked, *self.screen_stack) if isinstance(page, FullScreen)]
        busy = next((page for page in pages if page.busy), None)
        if busy is None or busy.may_leave("The same key"):
            self.exit(message="\n".join(_going_on(page.goes_on) for page in pages if page.goes_on) or None)

    # -- reading inputs --------------------------------------------------------------------------------------------

    @on(messages.OpenReport)
    def _open_report(self, event: messages.OpenReport) -> None:
        if is_folder_of_logs(event.path):
            self._look_into(event.path)
        elif not self._open_beside((event.path,), event.replace):
            self._load((event.path,), compare=False, replace=event.replace, run=event.run)

    @work(thread=True, group="load", exclusive=True, exit_on_error=False)
    def _look_into(self, folder: str) -> None:
        self.post_message(all_in(folder))

    def _open_beside(self, paths: Sequence[str], replace: bool, start: Start = NOTHING) -> bool:
        """What takes long is read beside the screen that shows it; False for anything else."""
        left = self.left_before(paths) if paths and start.reading is None else None
        try:
            screen = left or (self.overview(paths, start.reading, start.asked) if paths else None)
        except OSError as error:  # no process, no temporary file
            said = f"{paths[0]} cannot be read beside the screen"
            self.post_message(messages.Problem(said, str(error.strerror or error)))
            return True
        if screen is not None:
            self.show_screen(screen, replace)
        return screen is not None

    @on(messages.OpenCompare)
    def _open_compare(self, event: messages.OpenCompare) -> None:
        if not (event.asked and self._open_beside(event.paths, False, Start(asked=event.asked))):
            self._load(event.paths, compare=True, replace=False)

    @work(thread=True, group="load", exclusive=True, exit_on_error=False)
    def _load(self, paths: Sequence[str], compare: bool, replace: bool, run: int | None = None) -> None:
        from .comparisons import columns_of
        from .looked_into import load

        worker = get_current_worker()
        loaded: list[Loaded | LookedInto] = []
        sides: list[Side] = []
        problems: list[messages.Problem] = []
        columns = columns_of(paths) if compare else None
        for path in paths:
            try:
                if columns is not None:
                    sides += columns.of(path)
                else:
                    loaded.append(load(path))
            except JobError as error:
                problems.append(messages.Problem(error.message, error.hint))
            except Exception as error:  # an input that nobody thought of must not end the app, nor go unsaid
                problems.append(_cannot_be_shown(path, error))
        if worker.is_cancelled:
            return
        for problem in problems:
            self.post_message(problem)
        self.post_message(messages.InputsLoaded(tuple(loaded), tuple(sides), replace, compare, run=run))

    @on(messages.InputsLoaded)
    def _show_loaded(self, event: messages.InputsLoaded) -> None:
        waiting = self.shows_reading
        if not (len(event.sides) > 1 if event.compare else event.loaded):
            if waiting:
                self.pop_screen()
            return
        try:
            screen = self.screen_of(event)
        except Exception as error:  # as above
            self.post_message(
                _cannot_be_shown(
                    ", ".join([*(one.path for one in event.loaded), *(side.source for side in event.sides)]), error
                )
            )
            if waiting:
                self.pop_screen()
            return
        self.show_screen(screen, event.replace or waiting)

    @on(Worker.StateChanged)
    def _worker_changed(self, event: Worker.StateChanged) -> None:
        if event.state == WorkerState.ERROR:
            self.post_message(messages.Problem(f"{event.worker.name.strip('_')} failed", str(event.worker.error)))

    # -- jobs ------------------------------------------------------------------------------------------------------

    @on(messages.ReplayLog)
    def _replay(self, event: messages.ReplayLog) -> None:
        from ..runners.replay import ReplayJob
        from ..runners.session import Session

        try:
            job = ReplayJob(Path(event.path), pace="original")
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            return
        session = Session(job, None, event.path)
        self.post_message(messages.StartSession(session, twin("run", "--on", f"replay:{event.path}", "--no-store")))

    @on(messages.AttachRun)
    def _attach_run(self, event: messages.AttachRun) -> None:
        from ..runners.keeping.viewer import Viewer

        try:
            viewer = Viewer(Path(event.path))
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            return
        self.post_message(messages.StartSession(viewer, twin("runs", "attach", viewer.folder.id)))

    @on(messages.StartCompile)
    @work(thread=True, group="compile", exclusive=True, exit_on_error=False)
    def _check_compile(self, event: messages.StartCompile) -> None:
        """What cannot work is said on the form, where it can be put right."""
        from ..runners.compile.batch import batch_of

        batch = batch_of(event.options, event.points, self.surroundings.root)
        try:
            batch.check()
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
        else:
            self.post_message(messages.CompileChecked(batch, event))

    @on(messages.Problem)
    def _tell(self, event: messages.Problem) -> None:
        self.notify(clean(event.hint) or " ", title=clean(event.message), severity="error", timeout=12, markup=False)


def _going_on(name: str) -> str:
    return f"ethosu-tui: {name} goes on; `ethosu-tui runs attach {name}` shows it"


def _cannot_be_shown(path: str, error: Exception) -> messages.Problem:
    return messages.Problem(f"{path} cannot be shown", f"{type(error).__name__}: {error}; please report it as a bug")


def build_app(
    start: Start | None = None,
    *,
    root: Path,
    now: Callable[[], float] | None = None,
    samples: Path | None = None,
    tools: Callable[[], Iterable[Tool]] | None = None,
) -> EthosuApp:
    """The app on a workspace; the command line and the tests both come through here."""
    return EthosuApp(start or Start(), Surroundings(root, now or time.time, samples, tools))
