"""What the app may ask of any full screen: what it is about, what runs on it, and what becomes of it when it is left.

The app, the ways between screens and what is done with a screen (help, export, Home's list of what goes on) know this much;
`screens/page.py` makes of it what is seen.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

from textual.screen import Screen

from .widgets.chrome import CommandLine

LEAVE_SECONDS = 4.0
STILL = "Still running"


class FullScreen(Screen[None]):
    """A screen that takes the whole terminal; subclasses say what of this holds for them."""

    HEADING: ClassVar[str] = ""
    ORIGIN: ClassVar[str] = ""
    """The command that prints what the screen shows, where `command` is about the row under the cursor."""
    PLACE: ClassVar[str] = ""
    """The name by which the app comes back to this screen the next time; empty where it does not."""
    ABOUT: ClassVar[str] = ""
    """What the help screen says about this screen, in a sentence or three."""

    _asked = float("-inf")

    @property
    def place(self) -> tuple[str, ...]:
        """Where to come back to the next time: a name of the app's screens, and a path where it shows one."""
        return (self.PLACE,) if self.PLACE else ()

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
    def marked_paths(self) -> Sequence[str]:
        """The run folders and logs that are marked here."""
        return ()

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
