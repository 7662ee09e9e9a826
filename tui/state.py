"""With what the app starts, as one frozen value, so that the command line and the tests build the same app."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from ..runners.doctor import Tool
    from ..runners.reading.background import BackgroundReading
    from .terminal.fitting import Looks

FirstScreen = Literal["home", "compile", "doctor", "run", "targets", "report", "compare"]


class Start(NamedTuple):
    """What to show first."""

    paths: tuple[str, ...] = ()
    """Logs, run folders or artefacts to open: one gives a report, several a comparison, many logs a post-mortem."""
    screen: FirstScreen = "home"
    reading: BackgroundReading | None = None
    """The one path is being read already."""
    looks: Looks | None = None
    """For the terminal at hand; tests have none."""
    asked: tuple[str, ...] = ()
    """The words that the paths were asked for with, as a folder."""


NOTHING = Start()


class Surroundings(NamedTuple):
    """What the screens may know of the world; tests replace it."""

    root: Path
    """Where run folders are kept."""
    now: Callable[[], float] = time.time
    samples: Path | None = None
    """A folder of sample logs to use instead of the bundled ones."""
    tools: Callable[[], Iterable[Tool]] | None = None
    """What looks for tools, instead of `runners.doctor`."""

    def look_for_tools(self) -> Iterable[Tool]:
        """The tools of this machine, one after the other; may take a second or two, so call it in a thread."""
        if self.tools is not None:
            return self.tools()
        from ..runners.doctor import check_tools

        return check_tools()


def twin(*words: str | Sequence[str]) -> str:
    """The command line `ethosu-tui ...`, quoted for a shell."""
    flat = [word for part in words for word in ([part] if isinstance(part, str) else part)]
    from ..runners.shell_words import command_line

    return command_line(["ethosu-tui", *flat])


def shown_status(status: str, stopped: bool) -> str:
    """What a status is called everywhere: a run that was stopped before it was decided says so."""
    return "stopped" if stopped and status not in ("passed", "failed", "ok") else status
