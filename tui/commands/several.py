"""`ethosu-tui run` with several programs, places or NPUs: all of them queued, followed to their ends, and one table."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_count, format_seconds
from ...runners.job import JobError, UsageError
from ...runners.keeping.viewer import Viewer
from ...runners.run_request import RunRequest
from ...runners.runs.folder import RunFolder, runs_root
from ...runners.session import ENDED_WELL
from .interruption import interruptible
from .output import ReportWriter, print_findings, print_json, print_tables
from .saying import say
from .watching import INTERRUPTED, PASSED

if TYPE_CHECKING:
    from ...runners.runs.following import Followed

LOOK_SECONDS = 0.2
SCHEMA = "ethosu-tui/run-plan/1"
_COLUMNS = (
    Column("Program", least=12),
    Column("Place", least=12),
    Column("Status", least=6),
    Column("NPU cycles", "right"),
    Column("Seconds", "right"),
    Column("Run", least=20),
)


def asked_for(options: argparse.Namespace, request: RunRequest) -> tuple[RunRequest, ...]:
    """The one request, or one for each program, place and NPU that was named; a folder stands for the programs in it."""
    from ...runners.reading.programs import programs_of_all
    from ...runners.several import product

    named = list(options.artefacts)
    folders = [path for path in named if os.path.isdir(os.path.expanduser(path))]
    npus = options.target or ()
    if len(named) < 2 and len(options.on) < 2 and len(npus) < 2 and not folders:
        return (request,)
    if options.data is not None:
        raise UsageError(
            "--data names one program for one runner", "give the programs as ARTEFACT, with --elf and --address"
        )
    return product(request, programs_of_all(named), options.on, npus)


def run_several(options: argparse.Namespace, requests: Sequence[RunRequest]) -> int:
    """Start what can work, follow it to its end, and print what became of each; the exit code is that of the worst."""
    from ...runners.keeping.stopping import ask_all_to_stop
    from ...runners.several import count, launch_all, sorted_out

    asked = sorted_out(requests)
    for one in asked.left_out:
        say(f"ethosu-tui: left out: {one.reason}; {one.advice}")
    root = runs_root()
    if options.dry_run:
        return _say_plan(asked.requests, options.json)
    started: list[Viewer] = []
    problem: JobError | None = None
    with interruptible() as interruption:
        left = threading.Event()

        def stop() -> None:
            for error in ask_all_to_stop([viewer.folder.path for viewer in started]):
                say(f"ethosu-tui: {error.message}; {error.hint}")

        interruption.stops(stop, left.set)
        try:
            for viewer in launch_all(asked.requests, root):
                started.append(viewer)
                if interruption.asked:
                    break
        except JobError as error:
            problem = error
            if not started:
                raise
            say(f"ethosu-tui: {error.message}; {error.hint}; the {len(started)} runs started before it continue")
        if options.detach:
            return _detached([viewer.folder for viewer in started], options.json, problem)
        if interruption.asked and not left.is_set():
            stop()  # those that were started after the signal
        say(f"ethosu-tui: {count(asked.requests)} runs started, as many at once as there are free slots")
        paths = [viewer.folder.path for viewer in started]
        done = _follow(root, paths, asked.requests, left)
    if not done:
        say("ethosu-tui: the runs continue; `ethosu-tui runs` lists them")
        return INTERRUPTED
    code = _conclude(asked.requests, done, options.json)
    return max(code, problem.exit_code if problem is not None else PASSED)


def _detached(folders: Sequence[RunFolder], as_json: bool, problem: JobError | None) -> int:
    if as_json:
        from .runs_actions import print_runs

        print_runs(folders)
    else:
        print("\n".join(folder.id for folder in folders))
        say("ethosu-tui: started; `ethosu-tui runs attach ID` shows one of them")
    return problem.exit_code if problem is not None else PASSED


def _say_plan(requests: Sequence[RunRequest], as_json: bool) -> int:
    """What would run, and how long the same took before."""
    from ...runners.runs.index import listed
    from ...runners.several import count, expected, place_name, program_name

    rows = listed(runs_root())
    known = [expected((one,), rows) for one in requests]
    total, seconds = count(requests), sum(one.seconds for one in known)
    found = sum(one.known for one in known)
    if as_json:
        runs = [
            {
                "artefact": one.artefact,
                "on": one.on,
                "target": one.npu_target,
                "runs": count((one,)),
                "earlier_seconds": before.seconds if before.known else None,
            }
            for one, before in zip(requests, known, strict=True)
        ]
        print_json({"schema": SCHEMA, "runs": runs})
        return PASSED
    table = Table(
        f"What would run: {total} run{'s' if total != 1 else ''}",
        (
            Column("Program", least=12),
            Column("Place", least=12),
            Column("Runs", "right"),
            Column("Took before", "right"),
        ),
        tuple(
            (
                Cell(program_name(one)),
                Cell(place_name(one)),
                Cell(str(count((one,))), count((one,))),
                Cell(format_seconds(before.seconds), before.seconds) if before.known else Cell("-"),
            )
            for one, before in zip(requests, known, strict=True)
        ),
        f"{found} of {total} ran before, taking {format_seconds(seconds)} in total."
        if found
        else "None of them has run before.",
    )
    print_tables([table])
    return PASSED


def _follow(
    root: Path, paths: Sequence[Path], requests: Sequence[RunRequest], left: threading.Event
) -> tuple[Followed, ...]:
    """All runs, repeats among them, as soon as the last is over, each told when it ends; nothing where we `left`."""
    from ...runners.runs.following import Following
    from ...runners.several import place_name, program_name

    following = Following(root, paths)
    told: set[str] = set()
    while True:
        found = following.look()
        over = following.over
        for one in found:
            if one.over and one.path not in told:
                told.add(one.path)
                request = requests[one.asked]
                row = one.row
                status = "removed" if row is None else row.status if row.state == "finished" else row.state
                took = f" after {row.seconds:.1f} s" if row is not None and row.seconds is not None else ""
                name = program_name(request, one.repeat)
                more = f"{len(told)} of {max(len(found), len(paths))}"
                say(
                    f"ethosu-tui: [{more}] {(status or 'ended').replace('_', ' ')}: {name} on {place_name(request)}{took}"
                )
        if over:
            return found
        if left.wait(LOOK_SECONDS):
            return ()


def _conclude(requests: Sequence[RunRequest], done: Sequence[Followed], as_json: bool) -> int:
    from ...runners.several import place_name, program_name
    from .repeating import run_over

    writer = ReportWriter() if as_json else None
    rows, code, bad, passed, stopped = [], PASSED, [], 0, False
    for one in done:
        try:
            over = run_over(Path(one.path))
        except JobError as error:  # it was removed meanwhile
            say(f"ethosu-tui: {error.message}; {error.hint}")
            code = max(code, error.exit_code)
            continue
        code = max(code, over.code)
        stopped = stopped or over.folder.state == "stopped"
        good = over.status in ENDED_WELL
        passed += good
        if writer is not None:
            writer.add(over.capture)
            continue
        if not good and over.capture.findings:
            bad.append(over)
        pmu = over.capture.runs[-1].pmu if over.capture.runs else None
        cycles = pmu.npu_cycles if pmu is not None else None
        request, seconds = requests[one.asked], one.row.seconds if one.row is not None else over.seconds
        status = (over.status or "unknown").replace("_", " ")
        rows.append(
            (
                Cell(program_name(request, one.repeat)),
                Cell(place_name(request)),
                Cell(status, tone="good" if good else "bad"),
                Cell(format_count(cycles) if cycles is not None else "-", cycles),
                Cell(f"{seconds:.1f}" if seconds is not None else "-", seconds),
                Cell(over.folder.id),
            )
        )
    if writer is not None:
        writer.close()
    else:
        note = "Seconds are for the whole run on this machine, not for an inference."
        print_tables([Table(f"{passed} of {len(done)} runs ended well", _COLUMNS, tuple(rows), note)])
        for over in bad[:3]:
            print(f"=== {over.folder.id} ===")
            print_findings(over.capture.findings[:1])
    sys.stdout.flush()
    say(f"ethosu-tui: {passed} of {len(done)} runs ended well; `ethosu-tui compare` takes their folders")
    return max(code, INTERRUPTED) if stopped else code
