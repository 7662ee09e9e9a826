"""`ethosu-tui` and `ethosu-tui open`: the dashboard."""

from __future__ import annotations

import os
import sys

from ...analysis.named_tuple import TYPE_CHECKING
from ...runners.job import InputError, UsageError
from ..terminal.fitting import looks
from ..terminal.garbage import leave_garbage, look_for_garbage

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ...runners.reading.background import BackgroundReading


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `open`."""
    from .parsers import add_looks

    parser.add_argument("paths", nargs="*", metavar="PATH", help="logs, run folders or artefacts")
    add_looks(parser)


def execute(options: argparse.Namespace) -> int:
    """Open the dashboard as the options say."""
    return show(options.paths, options.theme, options.ascii)


def show(words: Sequence[str], theme: str | None = None, ascii_only: bool = False) -> int:
    """Open the dashboard on these paths; it needs a terminal on both sides."""
    paths: list[str] = []
    if words:
        from ...runners.reading.paths import expand

        paths = expand(list(words), _say)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the dashboard needs a terminal", "use `ethosu-tui analyze`, `compare` or `runs` in scripts")
    if "-" in words:  # its reader would take every second key
        raise UsageError(
            "the dashboard cannot read a log from `-`, which is the keyboard here",
            "save the log to a file, or use `ethosu-tui analyze -`",
        )
    if os.environ.get("TERM", "").lower() == "dumb":
        raise UsageError(
            "the dashboard cannot be drawn on a terminal with TERM=dumb",
            "set TERM to its real name, or use `ethosu-tui analyze`, `compare` or `runs`",
        )
    if sys.stderr is None or not sys.stderr.isatty():  # Textual draws there, and `2> errors` is no place for it
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    wanted = looks(theme, ascii_only)
    reading = _begun(paths)
    leave_garbage()
    try:
        from ..opening import open_app

        return open_app(paths, reading=reading, wanted=wanted, asked=words)
    finally:
        look_for_garbage()
        if reading is not None:
            reading.close()


def _begun(paths: list[str]) -> BackgroundReading | None:
    """A large capture is read while Textual is still loading, so that there is something to show with the first screen."""
    if len(paths) != 1:
        return None
    from ...runners.reading.background import begin

    return begin(paths[0])


def _say(error: InputError) -> None:
    from .saying import say

    say(f"ethosu-tui: {error.message}; {error.hint}")
