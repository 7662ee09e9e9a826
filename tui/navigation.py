"""How one screen leads to another: what screens ask the app to open, and jumps by `g` and a letter to the main places.

What runs on a screen that is left by a jump goes on. The letter is taken before any widget sees it, so that keys typed fast
cannot reach the wrong one.
"""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING

from textual import events, work
from textual.app import App

from ..runners.job import JobError
from ..runners.shell_words import command_line
from . import messages
from .full_screen import FullScreen
from .jumps import JUMPS
from .keys_in_force import key_of
from .widgets.chrome import KeyBar
from .widgets.row_cursor import RowCursor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.await_complete import AwaitComplete

    from ..analysis.tables import Table
    from ..runners.reading.inputs import Loaded
    from ..runners.reading.window import LogWindow
    from ..runners.run_request import RunRequest
    from ..runners.target import Target
    from .state import FirstScreen, Surroundings


LEFT = "left"
"""The name under which the app knows the screen that was left last."""
_NUMBERS = itertools.count(1)


class Navigation(App[None]):
    """The app as its screens know it: what they are given by name alone, they never import."""

    jumping = False
    """Whether the next key says where to go."""
    newest_key = 0.0
    """When somebody pressed a key, by the clock that only goes on."""
    surroundings: Surroundings
    export_folder = ""
    """Where the last export went; empty for the folder that we were started in."""

    def __init__(self) -> None:
        super().__init__()
        self._parked: dict[str, FullScreen] = {}
        self._left: FullScreen | None = None
        """The screen that was left last of those that took long to read."""

    # -- ways, which `ways.py` knows -------------------------------------------------------------------------------

    def page(self, name: FirstScreen) -> FullScreen:
        """One of the screens that need nothing to start with."""
        raise NotImplementedError

    def open_run_form(self, *, target: Target | None = None, programs: Sequence[str] = ()) -> None:
        """Show the run form, for this place or with these programs."""
        raise NotImplementedError

    def open_target(self, name: str) -> None:
        """Show the targets, with the cursor on this one."""
        raise NotImplementedError

    def open_report(
        self,
        loaded: Loaded,
        *,
        window: LogWindow | None = None,
        close: Callable[[], None] | None = None,
        replace: bool = False,
    ) -> None:
        """Show the report of what was read; `window` has the lines of a log that is too long to be read at once, and `close` is
        called when the report goes. It may take the place of the screen that asks."""
        raise NotImplementedError

    def open_trends(
        self,
        tables: Sequence[Table],
        label: str,
        command: str,
        open_run: Callable[[str, int], None],
        so_far: int | None,
    ) -> None:
        """Show what stands out among many runs (`so_far`: how many were read, where more come).

        `open_run` shows one of them, by its log and its index.
        """
        raise NotImplementedError

    def follow_runs(self, paths: Sequence[str], requests: Sequence[RunRequest], command: str) -> None:
        """Show these runs that were started together, in place of the form that they were started from."""
        raise NotImplementedError

    # -- keys and places -------------------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Keys behind a `g` are ours."""
        if isinstance(event, events.Key):
            self.newest_key = time.monotonic()
        if self.jumping and isinstance(event, events.Key) and not event.is_forwarded:
            event.stop()
            event.prevent_default()
            self.begin_jump(False)
            self.jump(event.key)
        else:
            await super().on_event(event)

    def begin_jump(self, begun: bool = True) -> None:
        """From now on the next key is a place; the key line says which there are."""
        self.jumping = begun
        for bar in self.screen.query(KeyBar):
            bar.refresh()

    def jump(self, key: str) -> None:
        """Go to the place of this letter; any other key does nothing."""
        place = JUMPS.get(key)
        if place is not None:
            self.go_to(place.name)

    def go_to(self, name: str) -> None:
        """Show one of the places of `JUMPS`, from wherever we are."""
        if not isinstance(self.screen, FullScreen):
            return
        if name == "first":
            if isinstance(self.focused, RowCursor):
                self.focused.go(0)
        elif name == "latest":
            self._find_latest()
        else:
            self._unwind()
            if name != "home":
                self.push_screen(self.page(name))  # type: ignore[arg-type]

    def _unwind(self) -> None:
        """Back to Home; a screen on which something runs is kept beside."""
        while len(self.screen_stack) > 1:
            screen = self.screen
            if isinstance(screen, FullScreen) and screen.busy:
                name = f"parked-{next(_NUMBERS)}"
                self.install_screen(screen, name)
                self._parked[name] = screen
            self.pop_screen()

    @property
    def parked(self) -> tuple[FullScreen, ...]:
        """Screens that were left while something ran on them."""
        return tuple(self._parked.values())

    def unpark(self, page: FullScreen) -> None:
        """Show such a screen again; from now on it is one like any other."""
        for name, parked in list(self._parked.items()):
            if parked is page:
                del self._parked[name]
                self.uninstall_screen(name)
                self.push_screen(page)

    def pop_screen(self) -> AwaitComplete:
        """Leave the screen in front; what took long to read is kept, one screen of it."""
        screen = self.screen
        if len(self.screen_stack) > 1 and isinstance(screen, FullScreen) and screen.is_kept:
            self._forget_left()
            self._left = screen
            self.install_screen(screen, LEFT)
        return super().pop_screen()

    def left_before(self, paths: Sequence[str]) -> FullScreen | None:
        """The screen that was left last, where it shows these paths and their files are as they were read."""
        left = self._left
        if left is None or not left.is_kept or not left.still_shows(paths):
            return None
        self._left = None
        self.uninstall_screen(LEFT)
        return left

    @property
    def words_left(self) -> str:
        """What opens the screen that was left last once more, where it is kept: its path, or its words as a shell has them."""
        words = self._left.words if self._left is not None else ()
        return words[0] if len(words) == 1 else command_line(words)

    def open_left(self) -> None:
        """Show that screen again; of several paths, or read them once more where one has changed."""
        left = self._left
        if left is not None and len(left.words) > 1:
            self.post_message(messages.OpenCompare(tuple(left.opened), tuple(left.words)))
        elif left is not None:
            self.post_message(messages.OpenReport(left.words[0]))

    def _forget_left(self) -> None:
        if self._left is not None:
            self.uninstall_screen(LEFT)
            self._left.remove()
            self._left = None

    async def _close_all(self) -> None:
        """What is parked ends as if it were in sight: its processes are stopped."""
        for name, page in self._parked.items():
            self.uninstall_screen(name)
            self._screen_stack.insert(0, page)
        self._parked.clear()
        if self._left is not None:
            self.uninstall_screen(LEFT)
            self._screen_stack.insert(0, self._left)
            self._left = None
        await super()._close_all()

    @work(thread=True, group="latest", exclusive=True, exit_on_error=False)
    def _find_latest(self) -> None:
        from ..runners.runs.index import listed

        try:
            rows = listed(self.surroundings.root)
        except JobError as error:
            self.post_message(messages.Problem(error.message, error.hint))
            return
        latest = next((row for row in rows if row.state in ("finished", "stopped")), None)
        if latest is None:
            go = key_of(self.screen, "begin_jump")
            self.post_message(messages.Problem("no run has a report yet", f"{go} c compiles a model, {go} r runs one"))
        else:
            self.post_message(messages.OpenReport(latest.path))
