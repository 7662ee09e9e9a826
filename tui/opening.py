"""Opening the dashboard in the terminal at hand, for the commands that do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..runners.storage import runs_root
from .app import build_app
from .endings import end_at_once_when_interrupted
from .state import Start
from .terminal.fitting import looks

if TYPE_CHECKING:
    from ..runners.reading.background import BackgroundReading
    from .terminal.fitting import Looks


def open_app(
    paths: Sequence[str] = (),
    *,
    reading: BackgroundReading | None = None,
    wanted: Looks | None = None,
    asked: Sequence[str] = (),
) -> int:
    """Open the dashboard in this terminal and return the exit code.

    `reading` is that of the one path, where it was begun; `asked` are the words that the paths were asked for with.
    """
    app = build_app(Start(tuple(paths), "home", reading, wanted or looks(), tuple(asked)), root=runs_root())
    app.use_kept_styles("open" if paths else "home")
    app.run()
    end_at_once_when_interrupted()
    return app.return_code or 0
