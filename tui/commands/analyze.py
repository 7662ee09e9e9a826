"""`ethosu-tui analyze`: logs to tables, JSON or a stream of runs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from ...analysis import Capture, Report
from ...analysis.lines import clean
from ...analysis.report import to_dict
from ...analysis.run_tables import captures_table, compile_table, run_tables
from ...runners.digest import Reading, readings
from ...runners.job import InputError, JobError
from ...runners.paths import expand
from .output import print_findings, print_json, print_tables, say

MANY_RUNS = 20
UNREADABLE = 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `analyze`."""
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="logs (plain, .gz, .xz, .bz2), run folders, folders, globs, or -"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON document of schema ethosu-tui/report/1")
    form.add_argument("--jsonl", action="store_true", help="one Run object a line, as they are read")
    parser.add_argument("--all", action="store_true", help="print the tables of every run, however many there are")


def execute(options: argparse.Namespace) -> int:
    """Read all inputs; the exit code is the highest that any of them asks for."""
    captures: list[Capture] = []
    code = 0
    for path in _inputs(options.paths):
        for reading in _readings(path):
            if isinstance(reading, JobError):
                say(f"ethosu-tui: {reading.message}; {reading.hint}")
                code = max(code, reading.exit_code)
                continue
            capture, problem = reading.capture, reading.problem
            if problem is not None:
                say(f"ethosu-tui: {problem.message}; {problem.hint}")
                code = UNREADABLE
            elif any(f.severity == "error" for f in capture.findings):
                code = max(code, 1)
            if options.jsonl:
                _stream(capture)
            else:
                captures.append(capture)
    if options.json:
        print_json(Report(tuple(captures)).to_dict())
    elif not options.jsonl:
        _tables([c for c in captures if c.runs or c.compile], everything=options.all)
    return code


def _readings(path: str | InputError) -> Iterator[Reading | JobError]:
    if isinstance(path, InputError):
        yield path
        return
    try:
        yield from readings(path)
    except InputError as error:
        yield error


def _inputs(arguments: list[str]) -> Iterator[str | InputError]:
    """What to read, and what cannot be read, in the order named; each input once."""
    seen: set[str] = set()
    for argument in arguments:
        try:
            found = expand([argument])
        except InputError as error:
            yield error
            continue
        yield from (path for path in found if path not in seen)
        seen.update(found)


def _stream(capture: Capture) -> None:
    for run in capture.runs:
        sys.stdout.write(json.dumps({"source": capture.source, **to_dict(run)}, allow_nan=False) + "\n")
    sys.stdout.flush()


def _tables(captures: list[Capture], *, everything: bool) -> None:
    runs = sum(len(capture.runs) for capture in captures)
    if runs > MANY_RUNS and not everything:
        from ...analysis.post_mortem import post_mortem  # only here: most calls are about one log

        print_tables(post_mortem(captures))
        return
    if len(captures) > 1 or runs > 1:
        print_tables([captures_table(captures)])
    for capture in captures:
        if capture.compile:
            jobs = [{"target": s.accelerator, "status": "ok", "summary": to_dict(s)} for s in capture.compile]
            print_tables([compile_table(jobs)])
        for run in capture.runs:
            if len(captures) > 1 or len(capture.runs) > 1:
                print(f"=== {clean(capture.source)}, run {run.index} ===")
            print_tables(run_tables(capture, run).values())
        print_findings(capture.findings)
