"""`ethosu-tui --plain`: what the dashboard shows, as sentences: what goes on, the latest runs, the targets, what is missing."""

from __future__ import annotations

import argparse

from ...runners.doctor import check_tools
from ...runners.runs.folder import printable
from ...runners.runs.index import listed
from ...runners.storage import runs_root
from . import targets
from .output import print_heading, print_line, print_tables, printing_into
from .presenting import PlainSink
from .runs import runs_table

LATEST = 20
_GOING = ("queued", "running")


def plain_dashboard() -> int:
    """Print it; the exit code is 0 whenever it could look."""
    with printing_into(PlainSink()):
        _runs()
        targets.execute(argparse.Namespace(action="list", what=None, json=False))
        _missing()
    return 0


def _runs() -> None:
    root = runs_root()
    runs = listed(root)
    going = [run for run in runs if run.state in _GOING]
    over = [run for run in runs if run.state not in _GOING]
    print_heading(f"Runs in {root}")
    if going:
        print_tables([runs_table("Going on", going)])
    else:
        print_line("Nothing is running.")
    if not over:
        print_line("No run is stored yet; `ethosu-tui run` and `ethosu-tui compile` create them.")
        return
    print_tables([runs_table("Latest runs", over[:LATEST])])
    if len(over) > LATEST:
        print_line(f"{len(over) - LATEST:,} older ones: `ethosu-tui runs --plain`.")


def _missing() -> None:
    missing = [tool for tool in check_tools() if not tool.found]
    print_heading("What is missing on this machine")
    for tool in missing:
        how = f" To get it: {printable(tool.install)}" if tool.install else ""
        print_line(f"{tool.name}, needed for {tool.needed_for}: {printable(tool.detail)}.{how}")
    if not missing:
        print_line("Nothing.")
