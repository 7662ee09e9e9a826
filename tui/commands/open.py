"""`ethosu-tui` and `ethosu-tui open`: the dashboard."""

from __future__ import annotations

import argparse
import gc
import os
import sys

from ...analysis.named_tuple import TYPE_CHECKING
from ...runners.job import InputError, UsageError
from ...runners.reading.paths import expand
from ..command_line import add_looks
from ..terminal.fitting import looks
from .output import say

if TYPE_CHECKING:
    from ...runners.reading.background import BackgroundReading


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `open`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="logs, run folders or artefacts")
    add_looks(parser)


def execute(options: argparse.Namespace) -> int:
    """Open the dashboard; it needs a terminal on both sides."""
    paths = expand(options.paths, _say) if options.paths else []
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the dashboard needs a terminal", "use `ethosu-tui analyze`, `compare` or `runs` in scripts")
    if os.environ.get("TERM", "").lower() == "dumb":
        raise UsageError(
            "the dashboard cannot be drawn on a terminal that says TERM=dumb",
            "set TERM to its real name, or use `ethosu-tui analyze`, `compare` or `runs`",
        )
    if sys.stderr is None or not sys.stderr.isatty():  # Textual draws there, and `2> errors` is no place for it
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    wanted = looks(options.theme, options.ascii)
    reading = _begun(paths)
    try:
        from ..opening import open_app

        gc.freeze()  # what was loaded stays to the end: no key waits while it is looked through
        return open_app(paths, reading=reading, wanted=wanted)
    finally:
        if reading is not None:
            reading.close()


def _begun(paths: list[str]) -> BackgroundReading | None:
    """A large capture is read while Textual is still loading, so that there is something to show with the first screen."""
    if len(paths) != 1:
        return None
    from ...runners.reading.background import begin

    return begin(paths[0])


def _say(error: InputError) -> None:
    say(f"ethosu-tui: {error.message}; {error.hint}")
