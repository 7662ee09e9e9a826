"""`ethosu-tui` and `ethosu-tui open`: the dashboard."""

from __future__ import annotations

import argparse
import sys

from ...runners.job import InputError, UsageError
from ...runners.paths import expand
from .output import say


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `open`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="logs, run folders or artefacts")


def execute(options: argparse.Namespace) -> int:
    """Open the dashboard; it needs a terminal on both sides."""
    paths = expand(options.paths, _say) if options.paths else []
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the dashboard needs a terminal", "use `ethosu-tui analyze`, `compare` or `runs` in scripts")
    from ..app import open_app

    return open_app(paths)


def _say(error: InputError) -> None:
    say(f"ethosu-tui: {error.message}; {error.hint}")
