"""`ethosu-tui runs`: what was run and compiled.  The list comes from the index; all else is in `runs_actions`, loaded on demand."""

from __future__ import annotations

import argparse
import time

from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.tables import Cell, Column, Table
from ...analysis.tables.text import width
from ...analysis.units import format_age, format_seconds, format_status
from ...runners.job import UsageError
from ...runners.runs.index import Listed, listed
from ...runners.storage import runs_root
from .narrow import fitting
from .output import print_tables
from .runs_document import SCHEMA
from .saying import say

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROOM = 12
"""Columns that a text beside the ID is given at least."""
ACTIONS = ("list", "show", "attach", "stop", "bundle", "rm")


ABOUT = {
    "list": "The stored runs, newest first; with IDs only these.",
    "show": "Everything known about a run: its manifest, its figures, or with --timestamps its console.",
    "attach": "Watch a run in progress, or replay a stored one as it appeared; Ctrl-C only leaves.",
    "stop": "Stop runs that are in progress or waiting; what was captured is kept.",
    "bundle": "Write a run as one zip file to share, with user and machine names redacted.",
    "rm": "Remove runs: the ones named, all older ones, or all but the newest.",
}
"""What `runs ACTION --help` begins with."""
_IDS = {
    "list": "[ID ...]",
    "rm": "[ID ...]",
    "attach": "ID",
    "bundle": "ID",
}
"""How many runs an action takes, where it is not one or more."""


def _options() -> tuple[tuple[tuple[str, ...], tuple[str, ...], dict[str, object]], ...]:
    """Each option: what it is called, the actions that look at it, and the rest for argparse."""
    every = ACTIONS
    return (
        (("-q", "--quiet"), ("attach",), {"action": "store_true", "help": "do not show the console"}),
        (("--older-than",), ("rm",), {"metavar": "AGE", "help": "those older than, e.g. 30d, 12h or 2w"}),
        (("--keep",), ("rm",), {"type": int, "metavar": "N", "help": "all but the newest N"}),
        (("-o", "--output"), ("bundle",), {"metavar": "FILE", "help": "the zip to write (default: ID.zip)"}),
        (
            ("--force",),
            ("bundle", "list", "show"),
            {"action": "store_true", "help": "replace an existing file (bundle, --export, --html)"},
        ),
        (("--timestamps",), ("show",), {"action": "store_true", "help": "the console, each line with its timestamp"}),
        (("--json",), every, {"action": "store_true", "help": f"one JSON document of schema {SCHEMA}"}),
    )


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `runs`."""
    parser.add_argument("action", nargs="?", default="list", choices=ACTIONS, help="default: list")
    parser.add_argument("ids", nargs="*", metavar="ID", help="a run's id, the start of one, or latest")
    for names, actions, settings in _options():
        whose = "" if len(actions) > 1 else f"{actions[0]}: "
        parser.add_argument(*names, **{**settings, "help": f"{whose}{settings['help']}"})  # type: ignore[arg-type]
    parser.epilog = f"`ethosu-tui runs ACTION --help` explains one of them. {parser.epilog or ''}"


def configure_action(parser: argparse.ArgumentParser, action: str) -> None:
    """Add what one action looks at, for a help of its own."""
    parser.description = ABOUT[action]
    parser.add_argument("ids", nargs="*", metavar="ID", help="a run's id, the start of one, or latest")
    for names, actions, settings in _options():
        if action in actions:
            parser.add_argument(*names, **settings)  # type: ignore[arg-type]
    parser.usage = f"{parser.prog} [options] {_IDS.get(action, 'ID [ID ...]')}"


def execute(options: argparse.Namespace) -> int:
    """Do the action."""
    if options.timestamps and (options.json or options.action != "show"):
        raise UsageError("--timestamps is for `runs show`, without --json", "leave it out")
    retention = options.older_than is not None or options.keep is not None
    if retention and (options.action != "rm" or options.ids):
        raise UsageError("--older-than and --keep choose what rm removes", "leave them out, or the IDs")
    for names, actions, _ in _options():
        name = names[-1].lstrip("-").replace("-", "_")
        if options.action not in actions and getattr(options, name) not in (None, False):
            raise UsageError(f"{names[-1]} is for `runs {actions[0]}`, not for `runs {options.action}`", "leave it out")
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
        say(f"ethosu-tui: no runs in {root} yet; `ethosu-tui run` and `ethosu-tui compile` create them")
        return 0
    print_tables([with_whole_ids(runs_table(f"Runs in {root}", runs))])
    return 0


def with_whole_ids(table: Table) -> Table:
    """On a terminal without columns for which there is no room beside the IDs, which are what other commands are given."""
    ids, *others = table.columns
    ids = ids._replace(least=max(width(row[0].text) for row in table.rows))
    return fitting(table._replace(columns=(ids, *others)), ("Kind", "Age", "Seconds", "State"), readable=_ROOM)


def _status(run: Listed) -> Cell:
    if run.problem:
        return Cell(run.problem, run.problem)
    known = [part for part in (run.status, run.cause) if part]
    said = [format_status(part) if part is run.status else part for part in known]
    return Cell(", ".join(said) or "-", ", ".join(known) or None)


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
            Cell(run.kind, run.kind),
            Cell(run.state, run.state, tone="bad" if run.state in ("lost", "broken") else ""),
            _status(run),
            Cell(format_seconds(run.seconds), run.seconds),
            Cell(age := format_age(now - run.created), age),
        )
        for run in runs
    )
    return Table(title, columns, rows)
