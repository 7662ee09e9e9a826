"""`ethosu-tui runs`: list, show, watch, stop and remove what was run and compiled.

A run is named by its id, by any beginning of it that fits only one, or by `latest`.  Names are only ever compared with
the ids that exist, so no name can reach outside the workspace.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from ...analysis.meaning.assumptions import of_place
from ...analysis.meaning.derive import derive
from ...analysis.run_tables import compile_table, run_tables
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_seconds
from ...runners.folder import RunFolder, list_runs, runs_root
from ...runners.inputs import load
from ...runners.job import InputError, JobError, UsageError
from ...runners.targets.recorded import recorded_place
from .output import print_findings, print_json, print_tables, say

SCHEMA = "ethosu-tui/runs/1"
ACTIONS = ("list", "show", "attach", "stop", "rm")
STOP_SECONDS = 30.0
"""How long `stop` waits for the end that it asked for."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `runs`."""
    parser.add_argument("action", nargs="?", default="list", choices=ACTIONS, help="default: list")
    parser.add_argument("ids", nargs="*", metavar="ID", help="a run's id, the beginning of one, or latest")
    parser.add_argument("-q", "--quiet", action="store_true", help="attach: do not show the console")
    parser.add_argument("--timestamps", action="store_true", help="show: the console, each line with its time")
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")


def execute(options: argparse.Namespace) -> int:
    """Do the action."""
    folders = list_runs(runs_root())
    if options.action == "list":
        return _list(_chosen(options.ids, folders) if options.ids else folders, options.json)
    if not options.ids:
        raise UsageError(f"runs {options.action} needs an ID", "see `ethosu-tui runs`")
    chosen = _chosen(options.ids, folders)
    if options.action == "attach":
        return _attach(chosen, options)
    if options.timestamps:
        if options.json or options.action != "show":
            raise UsageError("--timestamps is for `runs show`, without --json", "leave it out")
        return _show_stamped(chosen)
    action = {"show": _show, "stop": _stop, "rm": _remove}[options.action]
    return action(chosen, options.json)


def _chosen(names: Sequence[str], folders: Sequence[RunFolder]) -> list[RunFolder]:
    return list({folder.id: folder for folder in (find(name, folders) for name in names)}.values())


def find(name: str, folders: Sequence[RunFolder]) -> RunFolder:
    """The one run that a name means; `folders` are newest first."""
    if name == "latest" and folders:
        return folders[0]
    exact = [folder for folder in folders if folder.id == name]
    fitting = exact or [folder for folder in folders if name and folder.id.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        first = ", ".join(folder.id for folder in fitting[:3])
        raise UsageError(f"{name} fits {len(fitting)} runs ({first} ...)", "give more of the id")
    raise InputError(f"no run is called {name}", "see `ethosu-tui runs`")


def _list(folders: Sequence[RunFolder], as_json: bool) -> int:
    if as_json:
        print_json({"schema": SCHEMA, "root": str(runs_root()), "runs": [facts_of(folder) for folder in folders]})
        return 0
    if not folders:
        say(f"ethosu-tui: no runs in {runs_root()} yet; `ethosu-tui run` and `ethosu-tui compile` make some")
        return 0
    columns = (
        Column("ID"),
        Column("Kind"),
        Column("State"),
        Column("Status"),
        Column("Seconds", "right"),
        Column("Age"),
    )
    now = datetime.now(timezone.utc)
    rows = tuple(
        (
            Cell(folder.id),
            Cell(folder.kind),
            Cell(folder.state, tone="bad" if folder.state in ("lost", "broken") else ""),
            Cell(folder.problem or folder.status or "-"),
            _seconds(folder),
            Cell(_age((now - folder.created).total_seconds())),
        )
        for folder in folders
    )
    print_tables([Table(f"Runs in {runs_root()}", columns, rows)])
    return 0


def facts_of(folder: RunFolder) -> dict[str, Any]:
    """A run as `--json` shows it."""
    known = {"path": str(folder.path), "state": folder.state, "problem": folder.problem}
    return {**folder.manifest, "id": folder.id, **known}


def _seconds(folder: RunFolder) -> Cell:
    seconds = folder.manifest.get("seconds")
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return Cell(format_seconds(seconds) if number else "-", seconds if number else None)


def _age(seconds: float) -> str:
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit} ago"
    return "now"


def _show(folders: Sequence[RunFolder], as_json: bool) -> int:
    if as_json:
        shown = [{**facts_of(folder), "report": _report(folder)} for folder in folders]
        print_json({"schema": SCHEMA, "root": str(runs_root()), "runs": shown})
        return 0
    for folder in folders:
        facts = facts_of(folder)
        rows = tuple((Cell(key), Cell(_text(value))) for key, value in facts.items() if value not in (None, {}, []))
        print_tables([Table(folder.id, (Column("What"), Column("Value")), rows)])
        if folder.problem is None:
            _print_contents(folder)
    return 0


def _show_stamped(folders: Sequence[RunFolder]) -> int:
    from ...runners.stamped import stamped_lines

    for folder in folders:
        for stamped in stamped_lines(folder):
            at, since = stamped.at, stamped.seconds
            moment = at.astimezone().isoformat(" ", "milliseconds") if at else "-" if since is None else f"{since:.3f}"
            delta = f"+{stamped.delta_seconds:.3f}" if stamped.delta_seconds is not None else "-"
            print(f"[{moment} {delta}] {stamped.line.text}")
    return 0


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _print_contents(folder: RunFolder) -> None:
    try:
        loaded = load(str(folder.path))
    except JobError as error:
        say(f"ethosu-tui: {error}")
        return
    if loaded.result is not None:
        print_tables([compile_table([loaded.result])])
    elif loaded.capture is not None:
        capture = derive(loaded.capture, of_place(recorded_place(str(folder.path))))
        for run in capture.runs:
            print_tables(run_tables(capture, run).values())
        print_findings(capture.findings)


def _report(folder: RunFolder) -> Any:
    try:
        return json.loads(folder.report_path.read_bytes(), parse_constant=lambda name: None)
    except (OSError, ValueError, RecursionError):
        return None


def _attach(folders: Sequence[RunFolder], options: argparse.Namespace) -> int:
    from ...runners.keeping.viewer import Viewer
    from .interruption import interruptible
    from .watching import conclude, watch

    if len(folders) != 1:
        raise UsageError("runs attach takes one ID", "open one terminal for each")
    (folder,) = folders
    if folder.kind == "compile":
        raise UsageError(
            f"{folder.id} is a compile, which is over with its command", f"`ethosu-tui runs show {folder.id}`"
        )
    with interruptible() as interruption:
        viewer = Viewer(folder.path)
        interruption.stops(viewer.leave)
        end = watch(viewer, quiet=options.quiet)
    return conclude(viewer, end, as_json=options.json)


def _stop(folders: Sequence[RunFolder], as_json: bool) -> int:
    from ...runners.keeping.stopping import GOING_ON, ask_to_stop, wait_until_over

    going = [folder for folder in folders if folder.state in GOING_ON]
    for folder in folders:
        if folder not in going:
            ended = "lost: the process that carried it out has gone" if folder.state == "lost" else "over already"
            say(f"ethosu-tui: {folder.id} is {ended}; nothing was stopped")
    for folder in going:
        ask_to_stop(folder)
    stopped = []
    for folder in going:
        over = wait_until_over(folder.path, STOP_SECONDS)
        if over is None:
            raise JobError(
                f"{folder.id} was asked to stop and has not ended within {STOP_SECONDS:g} s",
                f"wait, or kill its process {folder.manifest.get('pid')} on {folder.manifest.get('host')}",
            )
        stopped.append(over)
        say(f"ethosu-tui: {over.id} is {over.state}" + (f" ({over.status})" if over.state == "finished" else ""))
    if as_json:
        print_json({"schema": SCHEMA, "root": str(runs_root()), "runs": [facts_of(folder) for folder in stopped]})
    return 0


def _remove(folders: Sequence[RunFolder], as_json: bool) -> int:
    for folder in folders:
        if folder.state in ("queued", "running"):
            raise UsageError(f"{folder.id} is {folder.state}", "stop it first; nothing was removed")
    for folder in folders:
        folder.remove()
        say(f"ethosu-tui: removed {folder.id}")
    if as_json:
        print_json({"schema": SCHEMA, "root": str(runs_root()), "removed": [folder.id for folder in folders]})
    return 0
