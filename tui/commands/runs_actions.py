"""What `ethosu-tui runs` does with single runs: show, watch, stop and remove them.

A run is named by its id, by any beginning of it that fits only one, or by `latest`.  Names are only ever compared with
the ids that exist, so no name can reach outside the workspace.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ...analysis.compiles.tables import compile_table
from ...analysis.meaning.assumptions import of_place
from ...analysis.meaning.derive import derive
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_status
from ...runners.job import InputError, JobError, UsageError
from ...runners.reading.inputs import load
from ...runners.runs.folder import RunFolder, list_runs, runs_root
from ...runners.runs.index import listed
from ...runners.storage import open_file
from ...runners.targets.recorded import recorded_place
from .captured import print_capture
from .output import print_tables
from .runs_document import print_document
from .saying import say

_AGES = {"h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}
_REPORT_BYTES = 256 << 20
STOP_SECONDS = 30.0
"""How long `stop` waits for the end that it asked for."""


class Named(Protocol):
    """A stored run, whole or as a row of the index."""

    @property
    def id(self) -> str:
        """The name of its folder."""
        ...


R = TypeVar("R", bound=Named)


def chosen(names: Sequence[str], folders: Sequence[R]) -> list[R]:
    """The runs that these names mean, each once; `folders` are newest first."""
    return list({folder.id: folder for folder in (find(name, folders) for name in names)}.values())


def find(name: str, folders: Sequence[R]) -> R:
    """The one run that a name means; `folders` are newest first."""
    if name == "latest" and folders:
        return folders[0]
    exact = [folder for folder in folders if folder.id == name]
    fitting = exact or [folder for folder in folders if name and folder.id.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        first = ", ".join(folder.id for folder in fitting[:3])
        raise UsageError(f"{name} matches {len(fitting)} runs ({first} ...)", "give more of the id")
    raise InputError(f"no stored run has the id {name}", "see `ethosu-tui runs`")


def act(options: argparse.Namespace) -> int:
    """Do something with the runs that were named; without any, list them or remove those that nobody keeps."""
    if options.action == "rm" and not options.ids:
        return _remove(_outdated(options.older_than, options.keep), options.json)
    if options.action == "list":
        folders = list_runs(runs_root())
        print_runs(chosen(options.ids, folders) if options.ids else folders)
        return 0
    named = [RunFolder.read(Path(run.path)) for run in chosen(options.ids, listed(runs_root()))]
    if options.action == "attach":
        return _attach(named, options)
    if options.action == "bundle":
        return _bundle(named, options)
    if options.timestamps:
        return _show_stamped(named)
    action = {"show": _show, "stop": _stop, "rm": _remove}[options.action]
    return action(named, options.json)


def _outdated(older_than: str | None, keep: int | None) -> list[RunFolder]:
    """What is over, older than that, and not among the newest `keep`."""
    if keep is not None and keep < 0:
        raise UsageError(f"--keep {keep} is not a number of runs", "give 0 or more")
    oldest = time.time() - _age_seconds(older_than) if older_than is not None else None
    over = [run for run in listed(runs_root()) if run.state not in ("queued", "running")]
    return [RunFolder.read(Path(run.path)) for run in over[keep or 0 :] if oldest is None or run.created < oldest]


def _age_seconds(text: str) -> float:
    try:
        seconds = float(text[:-1]) * _AGES[text[-1:]]
    except (ValueError, KeyError):
        seconds = -1.0
    if not 0 <= seconds < 1e11:
        raise UsageError(f"--older-than {text} is not an age", "write it like 30d, 12h or 2w")
    return seconds


def print_runs(folders: Sequence[RunFolder]) -> None:
    """These runs as one document."""
    figures = _figures()
    runs = [{**facts_of(folder), **figures.get(folder.id, {})} for folder in folders]
    print_document(runs=runs)


def _figures() -> dict[str, dict[str, Any]]:
    """What Home shows of each run: cycles (measured, or Vela's of a compile), the NPU's share, and its trend, oldest first."""
    from ...analysis.comparing.trend import trends

    rows = listed(runs_root())
    found = trends((row.series, row.key_cycles) for row in rows)
    return {
        row.id: {
            "npu_cycles": row.npu_cycles,
            "total_cycles": row.total_cycles,
            "npu_share_percent": row.npu_share_percent,
            "trend": list(trend.values) if trend is not None else None,
        }
        for row, trend in zip(rows, found, strict=True)
    }


def facts_of(folder: RunFolder) -> dict[str, Any]:
    """A run as `--json` shows it."""
    known = {"path": str(folder.path), "state": folder.state, "problem": folder.problem}
    return {**folder.manifest, "id": folder.id, **known}


def _show(folders: Sequence[RunFolder], as_json: bool) -> int:
    if as_json:
        shown = [{**facts_of(folder), "report": _report(folder)} for folder in folders]
        print_document(runs=shown)
        return 0
    for folder in folders:
        facts = facts_of(folder)
        rows = tuple((Cell(key), Cell(_text(value))) for key, value in facts.items() if value not in (None, {}, []))
        print_tables([Table(folder.id, (Column("What"), Column("Value")), rows)])
        if folder.problem is None:
            _print_contents(folder)
    return 0


def _show_stamped(folders: Sequence[RunFolder]) -> int:
    from ...runners.runs.stamped import stamped_lines

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
        print_capture(capture, str(folder.path))


def _report(folder: RunFolder) -> Any:
    try:
        with open_file(folder.report_path) as stream:
            data = stream.read(_REPORT_BYTES + 1)
        return json.loads(data, parse_constant=lambda name: None) if len(data) <= _REPORT_BYTES else None
    except (OSError, ValueError, RecursionError):
        return None


def _attach(folders: Sequence[RunFolder], options: argparse.Namespace) -> int:
    from ...runners.keeping.viewer import Viewer
    from ...runners.runs.series import place_of
    from .interruption import interruptible
    from .repeating import repeated
    from .watching import conclude, watch

    if len(folders) != 1:
        raise UsageError("runs attach takes one ID", "open one terminal for each")
    (folder,) = folders
    if folder.kind != "run":
        raise UsageError(
            f"{folder.id} is a {folder.kind}, which ended with its command", f"`ethosu-tui runs show {folder.id}`"
        )
    with interruptible() as interruption:
        viewer = Viewer(folder.path)
        if place_of(folder) is not None:
            return repeated(viewer, interruption, quiet=options.quiet, as_json=options.json, stopping=False)
        interruption.stops(viewer.leave)
        end = watch(viewer, quiet=options.quiet)
    return conclude(viewer, end, as_json=options.json)


def _bundle(folders: Sequence[RunFolder], options: argparse.Namespace) -> int:
    from ...runners.run_bundle import bundle

    if len(folders) != 1:
        raise UsageError("runs bundle takes one ID", "write one file for each")
    done = bundle(folders[0], options.output or f"{folders[0].id}.zip", force=options.force)
    say("ethosu-tui: user and machine names, home folders and serial numbers were redacted; check it before sharing")
    if done.left_out:
        say(f"ethosu-tui: left out, as they are not text that can be searched for names: {', '.join(done.left_out)}")
    if options.json:
        print_document(bundle=str(done.path), left_out=done.left_out)
    else:
        print(done.path)
    return 0


def _stop(folders: Sequence[RunFolder], as_json: bool) -> int:
    from ...runners.keeping.stopping import ask_all_to_stop, goes_on, going_member, wait_until_over

    now = [going_member(folder) if folder.problem is None else folder for folder in folders]
    going = list({member.id: member for member in now if goes_on(member)}.values())
    for folder, member in zip(folders, now, strict=True):
        if not goes_on(member):
            ended = "lost: its process is gone" if folder.state == "lost" else "over already"
            say(f"ethosu-tui: {folder.id} is {ended}; nothing was stopped")
    if problems := ask_all_to_stop([folder.path for folder in going]):
        raise problems[0]
    stopped = []
    for folder in going:
        over = wait_until_over(folder.path, STOP_SECONDS)
        if over is None:
            raise JobError(
                f"{folder.id} was asked to stop and has not ended within {STOP_SECONDS:g} s",
                f"wait, or kill its process {folder.manifest.get('pid')} on {folder.manifest.get('host')}",
            )
        stopped.append(over)
        say(
            f"ethosu-tui: {over.id} is {over.state}"
            + (f" ({format_status(str(over.status))})" if over.state == "finished" else "")
        )
    if as_json:
        print_document(runs=[facts_of(folder) for folder in stopped])
    return 0


def _remove(folders: Sequence[RunFolder], as_json: bool) -> int:
    for folder in folders:
        if folder.state in ("queued", "running"):
            raise UsageError(f"{folder.id} is {folder.state}", "stop it first; nothing was removed")
    for folder in folders:
        folder.remove()
        say(f"ethosu-tui: removed {folder.id}")
    if as_json:
        print_document(removed=[folder.id for folder in folders])
    return 0
