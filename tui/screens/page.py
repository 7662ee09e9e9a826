"""What every full screen has in common: title, body, filter line, command-line twin, keys, and the keys themselves."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Paste
from textual.reactive import Reactive
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import Worker, WorkerState

from ...analysis.cleaning import clean
from ..binding_ids import name_bindings, named
from ..messages import Problem
from ..navigation import Navigation
from ..terminal import internals
from ..terminal.needed_pieces import NeededPieces
from ..widgets.chrome import CommandLine, FilterLine, KeyBar, TitleBar, TooSmall
from ..widgets.row_cursor import RowCursor
from .filtering import Filtering

if TYPE_CHECKING:
    from ...runners.reading.inputs import Loaded
    from ..exports import Subject
    from ..views import View

LEAVE_SECONDS = 4.0
STILL = "Still running"


class Page(Filtering):
    """A full screen; subclasses give `body()`, `HEADING` and `ABOUT`, and set `command` for the twin."""

    AUTO_FOCUS = ""
    """Each screen says what gets the keys: the first that can take them may be the filter line, before it is hidden."""
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """Who gets the keys; those two that it goes between repaint, and not the whole screen."""
    HEADING: ClassVar[str] = ""
    ORIGIN: ClassVar[str] = ""
    """The command that prints what the screen shows, where `command` is about the row under the cursor."""
    PLACE: ClassVar[str] = ""
    """The name by which the app comes back to this screen the next time; empty where it does not."""
    KEPT_KEYS: ClassVar[frozenset[str]] = frozenset()
    """Actions of which the key line keeps the keys although it is short of room, besides those of every screen."""
    ABOUT: ClassVar[str] = ""
    """What the help screen says about this screen, in a sentence or three."""
    BINDINGS: ClassVar[list[BindingType]] = named("page", [
        Binding("escape,backspace", "back", "Back", show=False, tooltip="Back to where you came from"),
        Binding(
            "slash",
            "filter",
            "Filter",
            key_display="/",
            tooltip="Show only rows or lines that contain a text",
            priority=True,  # what is typed behind it belongs to the filter line
        ),
        Binding(
            "g",
            "begin_jump",
            "Go",
            tooltip="Go to: Home, Compile, Run, Targets, ...; g g is the first row",
            priority=True,
        ),
        Binding(
            "w",
            "export",
            "Export",
            tooltip="Write or copy the table or report as Markdown, CSV, JSON, HTML",
        ),
        Binding("f4", "edit_log", "Editor", show=False, tooltip="Open the log in $EDITOR, at this line"),
        Binding("V", "show_in_pager", "Pager", show=False, tooltip="Show the table or log as text in $PAGER"),
        Binding("Y", "copy_shown", "Copy", show=False, tooltip="Copy the line, or the table as it is shown"),
        Binding("y", "copy_command", "Copy command", show=False, tooltip="Copy the command that does the same"),
        Binding("question_mark", "help", "Help", key_display="?", tooltip="What this screen shows and which keys work"),
    ])  # fmt: skip

    _asked = float("-inf")

    def __init_subclass__(cls, *arguments: Any, **options: Any) -> None:
        name_bindings(cls)
        super().__init_subclass__(*arguments, **options)

    def __init__(self) -> None:
        super().__init__()
        if internals.ARE_KNOWN:
            self._compositor = NeededPieces()

    def compose(self) -> ComposeResult:
        bar = TitleBar()
        bar.set_reactive(TitleBar.trail, self.HEADING)
        yield bar
        with Vertical(id="body"):
            yield from self.body()
        yield FilterLine(self._filter_left)
        yield CommandLine()
        yield KeyBar()
        yield TooSmall()

    @property
    def place(self) -> tuple[str, ...]:
        """Where to come back to the next time: a name of the app's screens, and a path where it shows one."""
        return (self.PLACE,) if self.PLACE else ()

    def body(self) -> Iterable[Widget]:
        """The widgets between title and command line."""
        return ()

    def set_focus(self, widget: Widget | None, scroll_visible: bool = True, from_app_focus: bool = False) -> None:
        with ExitStack() as frames:
            for pane in (self.focused, widget):
                if isinstance(pane, RowCursor):
                    frames.enter_context(pane.only_frame())
            super().set_focus(widget, scroll_visible, from_app_focus)

    def set_trail(self, trail: str, status: str = "", tone: str = "") -> None:
        """What the title line says."""
        bar = self.query_one(TitleBar)
        bar.trail, bar.status, bar.tone = clean(trail), clean(status), tone

    @property
    def command(self) -> str:
        """The command line that does what this screen does."""
        return self.query_one(CommandLine).command

    @command.setter
    def command(self, command: str) -> None:
        self.query_one(CommandLine).command = command

    @property
    def busy(self) -> bool:
        """Whether something runs here that leaving would stop."""
        return False

    @property
    def is_kept(self) -> bool:
        """Whether this screen is there again as it was left when the same is opened once more."""
        return False

    @property
    def opened(self) -> Sequence[str]:
        """The paths that open a screen that is kept once more."""
        return ()

    @property
    def words(self) -> Sequence[str]:
        """The words that these paths were asked for with."""
        return self.opened

    def still_shows(self, paths: Sequence[str]) -> bool:
        """Whether a screen that is kept shows just these, as they are now."""
        return False

    @property
    def progress(self) -> tuple[str, int, int, float | None]:
        """What runs here: its name, how much is done of how much (0: not counted), and the seconds left where known."""
        return self.HEADING, 0, 0, None

    @property
    def folders(self) -> tuple[str, ...]:
        """The run folders of what runs here."""
        return ()

    @property
    def goes_on(self) -> str | None:
        """The id of a run that is shown here and goes on when we leave."""
        return None

    def action_back(self) -> None:
        """Errors in sight are closed first, then a filter is dropped; then back, if nothing runs or the user insists."""
        if any(note.severity == "error" for note in self.app._notifications):
            self.app.clear_notifications()
        elif not self.drop_filter() and len(self.app.screen_stack) > 1 and self.may_leave("Escape"):
            self.app.pop_screen()

    def may_leave(self, key: str) -> bool:
        """Whether to leave although a job runs, which stops it: said at the first key, done at the second."""
        if not self.busy or time.monotonic() - self._asked < LEAVE_SECONDS:
            return True
        self._asked = time.monotonic()
        said = f"{key} again leaves and stops it; what was captured is kept."
        self.notify(said, title=STILL, severity="warning", timeout=LEAVE_SECONDS, markup=False)
        return False

    def answer_leaving(self) -> None:
        """Nothing runs any more: what was said of leaving goes at once."""
        for note in [note for note in self.app._notifications if note.title == STILL]:
            self.app._unnotify(note)

    @on(Worker.StateChanged)
    def _worker_changed(self, event: Worker.StateChanged) -> None:
        if event.state == WorkerState.ERROR:
            event.stop()
            self.worker_died(event.worker.group, event.worker.error)

    def worker_died(self, group: str, error: BaseException | None) -> None:
        """Something that ran beside the screen failed in a way that nobody thought of."""
        said = f"{type(error).__name__}: {error}; please report it as a bug"
        self.post_message(Problem(f"{self.HEADING}: reading {group} failed", said))

    def action_help(self) -> None:
        from .help import HelpScreen

        self.app.push_screen(HelpScreen(self))

    def action_begin_jump(self) -> None:
        """The next key says where to go; the key line names the places."""
        if isinstance(self.app, Navigation):
            self.app.begin_jump()

    # -- out of here -------------------------------------------------------------------------------------------------

    @property
    def shown_report(self) -> tuple[Loaded, View, int] | None:
        """The report that is shown, with the position of its run; None on other pages."""
        return None

    def export_subject(self) -> Subject:
        """What can be exported from here."""
        from ..exports import subject_of_page, subject_of_report

        return subject_of_page(self) if self.shown_report is None else subject_of_report(self, *self.shown_report)

    @work
    async def action_export(self) -> None:
        """Ask for a form and a file, and write it."""
        from .export import export

        if isinstance(self.app, Navigation):
            await export(self.app, self.export_subject())

    def log_place(self) -> tuple[str, int | None] | None:
        """The log behind what is shown, and the line that is meant; None where there is none."""
        if self.shown_report is None or (log := self.shown_report[0].log) is None:
            return None
        from ..widgets.shown import line_meant

        return str(log), line_meant(self.focused) or self.shown_report[1].cause_line

    def action_edit_log(self) -> None:
        from ..outside import edit_log

        place = self.log_place()
        if isinstance(self.app, Navigation) and place is not None:
            edit_log(self.app, *place)

    def action_show_in_pager(self) -> None:
        from ..outside import page_text, text_of

        if isinstance(self.app, Navigation):
            page_text(self.app, text_of(self))

    def action_copy_shown(self) -> None:
        from ..copying import copy_shown

        if isinstance(self.app, Navigation):
            copy_shown(self.app, self)

    def action_copy_command(self) -> None:
        from ..copying import copy

        if self.command and isinstance(self.app, Navigation):
            copy(self.app, self.command, self.command)

    def on_paste(self, event: Paste) -> None:
        """A pasted path is opened, several are compared; other text would be keys, and is not taken for such."""
        from .pasted import open_pasted

        event.stop()
        open_pasted(self, event.text)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "begin_jump":
            return not isinstance(self.focused, Input)
        if action == "edit_log":
            return self.is_mounted and self.log_place() is not None
        return self.filter_target() is not None if action == "filter" and self.is_mounted else True
