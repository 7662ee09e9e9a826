"""`ethosu-tui runs`: what was run and compiled.  The list comes from the index; all else is in `runs_actions`, loaded on demand."""

from __future__ import annotations

import argparse
import time

from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_age, format_seconds
from ...runners.job import UsageError
from ...runners.runs.index import Listed, listed
from ...runners.storage import runs_root
from .output import print_tables, say

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA = "ethosu-tui/runs/1"
ACTIONS = ("list", "show", "attach", "stop", "bundle", "rm")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `runs`."""
    parser.add_argument("action", nargs="?", default="list", choices=ACTIONS, help="default: list")
    parser.add_argument("ids", nargs="*", metavar="ID", help="a run's id, the beginning of one, or latest")
    parser.add_argument("-q", "--quiet", action="store_true", help="attach: do not show the console")
    parser.add_argument("--older-than", metavar="AGE", help="rm: what is older, as 30d, 12h or 2w")
    parser.add_argument("--keep", type=int, metavar="N", help="rm: all but the newest N")
    parser.add_argument("-o", "--output", metavar="FILE", help="bundle: the zip to write (default: ID.zip)")
    parser.add_argument("--force", action="store_true", help="bundle, --export: replace a file that is there")
    parser.add_argument("--timestamps", action="store_true", help="show: the console, each line with its time")
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")


def execute(options: argparse.Namespace) -> int:
    """Do the action."""
    if options.timestamps and (options.json or options.action != "show"):
        raise UsageError("--timestamps is for `runs show`, without --json", "leave it out")
    retention = options.older_than is not None or options.keep is not None
    if retention and (options.action != "rm" or options.ids):
        raise UsageError("--older-than and --keep choose what rm removes", "leave them out, or the IDs")
    if options.action == "list" and not options.json:
        return _list(options.ids)
    if options.action != "list" and not options.ids and not retention:
        raise UsageError(f"runs {options.action} needs an ID", "see `ethosu-tui runs`")
    from .runs_actions import act

    return act(options)


def _list(names: Sequence[str]) -> int:
    root = runs_root()
    runs: Sequence[Listed] = listed(root)
    if names:
        from .runs_actions import chosen

        runs = chosen(names, runs)
    if not runs:
        say(f"ethosu-tui: no runs in {root} yet; `ethosu-tui run` and `ethosu-tui compile` make some")
        return 0
    print_tables([runs_table(f"Runs in {root}", runs)])
    return 0


def runs_table(title: str, runs: Sequence[Listed]) -> Table:
    """Stored runs in rows."""
    columns = (
        Column("ID"),
        Column("Kind"),
        Column("State"),
        Column("Status"),
        Column("Seconds", "right"),
        Column("Age"),
    )
    now = time.time()
    rows = tuple(
        (
            Cell(run.id),
            Cell(run.kind),
            Cell(run.state, tone="bad" if run.state in ("lost", "broken") else ""),
            Cell(run.problem or run.status or "-"),
            Cell(format_seconds(run.seconds), run.seconds),
            Cell(format_age(now - run.created)),
        )
        for run in runs
    )
    return Table(title, columns, rows)
