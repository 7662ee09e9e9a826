"""`analyze --follow`: runs of growing files, each printed as soon as it is over; ends with Ctrl-C, or with the last pipe."""

from __future__ import annotations

import argparse
import os
import sys

from ...analysis.lines import clean
from ...analysis.post_mortem.export import csv_header, csv_line
from ...analysis.post_mortem.followed import FollowedCapture, FollowedRun
from ...analysis.post_mortem.summary import statuses_table
from ...analysis.rows import RunRow
from ...analysis.rows.store import RunStore
from ...analysis.units import format_bytes, format_count, format_stamp
from ...runners.job import InputError, UsageError
from ...runners.reading.follow import Absent, Ended, Grown, Restarted, Silent, follow
from ...runners.reading.paths import expand, place_of
from .meaning import Derivation, meaning
from .output import print_tables
from .saying import say
from .summary import print_causes

INTERRUPTED = 130
QUIET_SECONDS = 1.0
"""A run that is over is printed after such a silence: the last words of a simulator come right behind it."""
HUNG_SECONDS = 60.0
FORMS = ("table", "jsonl", "csv")
_NOT_OURS = ("all", "scheduler", "output", "summary", "outputs", "roofline", "partition", "force")


def follow_command(options: argparse.Namespace, form: str) -> int:
    """Follow the files; 130 after Ctrl-C, else what the runs ask for."""
    if form not in FORMS:
        raise UsageError(f"--follow never ends, and {form} is one document", "use --jsonl or --csv")
    not_ours = [
        name for name in _NOT_OURS if getattr(options, name) is not None and getattr(options, name) is not False
    ]
    if options.jobs not in (None, 1):
        not_ours.append("jobs")
    if not_ours:
        named = ", ".join(f"--{name}" for name in not_ours)
        raise UsageError("--follow can only be combined with --jsonl, --format and assumptions", f"leave out {named}")
    derive = meaning(options)
    if derive.given is not None and form != "jsonl":
        say("ethosu-tui: only what the runs printed is shown; what follows from the options given is in --jsonl")
    watch = _Watch(form, derive)
    if form == "csv":
        _print(csv_header())
    paths = _paths(options.paths)
    if sys.stderr is not None and sys.stderr.isatty():  # nothing may come for long, and nobody knows whether it works
        only = "standard input" if paths[0] == "-" else paths[0]
        many, grow = (f"{len(paths):,} files", "they grow") if len(paths) > 1 else (only, "it grows")
        say(f"ethosu-tui: {many}: read as {grow}; each run is printed when it is over; Ctrl-C ends and sums up")
    try:
        for event in follow(paths):
            watch.take(event)
    except KeyboardInterrupt:
        watch.interrupted()
        return INTERRUPTED
    except BrokenPipeError:
        from .patience import drop

        drop(sys.stdout)
    return watch.code


def _paths(arguments: list[str]) -> list[str]:
    """Files that may not be there yet; a pattern stands for those that are."""
    found: dict[object, str] = {}
    for argument in arguments:
        path = os.path.expanduser(argument)
        for one in [path] if os.path.lexists(path) else _matches(path):
            found.setdefault(place_of(one), one)
    return list(found.values())


def _matches(path: str) -> list[str]:
    try:
        return expand([path])
    except InputError:
        if any(mark in path for mark in "*?"):
            raise
        return [path]  # brackets are also what a name may have


class _Watch:
    """The captures that are followed, and what was printed of them."""

    def __init__(self, form: str, derive: Derivation) -> None:
        self.code = 0
        self._form = form
        self._derive = derive
        self._contradicted: set[str] = set()
        """What was said of options that contradict a run."""
        self._captures: dict[str, FollowedCapture] = {}
        self._told: dict[str, float] = {}
        self._store = RunStore()

    def take(self, event: Absent | Ended | Grown | Restarted | Silent) -> None:
        path = event.path
        if isinstance(event, Grown):
            self._told.pop(path, None)
            self._print(self._capture(path).feed(event.data))
        elif isinstance(event, Silent):
            self._silent(path, event.seconds)
        elif isinstance(event, Absent):
            say(f"ethosu-tui: {path}: waiting for this file")
        else:
            if path in self._captures:
                self._end(path)
            if isinstance(event, Restarted):
                say(f"ethosu-tui: {path}: was {event.how}; reading it from its start")

    def interrupted(self) -> None:
        """Say what was still going on, and sum up."""
        for path, capture in self._captures.items():
            if capture.stage is not None:
                say(f"ethosu-tui: {path}: the last run had not ended; it had reached stage {capture.stage}")
        self._store.captures = max(self._store.captures, len(self._captures))
        if self._form == "table" and self._store.count > 1:
            print()
            print_tables((statuses_table(self._store),))
            print_causes(self._store, advice=True)
        sys.stdout.flush()
        say("ethosu-tui: interrupted")

    def _capture(self, path: str) -> FollowedCapture:
        if path not in self._captures:
            jsonl = self._form == "jsonl"
            self._captures[path] = FollowedCapture(path, jsonl=jsonl, complete=self._derive.of_run if jsonl else None)
        return self._captures[path]

    def _silent(self, path: str, seconds: float) -> None:
        capture = self._captures.get(path)
        if capture is None or seconds < QUIET_SECONDS:
            return
        self._print(capture.quiet())
        if seconds >= HUNG_SECONDS and path not in self._told and capture.stage is not None:
            self._told[path] = seconds
            say(f"ethosu-tui: {path}: nothing new for {seconds:.0f} s; the last run is at stage {capture.stage}")

    def _end(self, path: str) -> None:
        capture = self._captures.pop(path)
        self._print(capture.finish())
        self._store.captures += 1

    def _print(self, runs: list[FollowedRun]) -> None:
        self._store.add([run.row for run in runs])
        for run in runs:
            if run.row.cause is not None or run.row.status == "failed":
                self.code = 1
            if self._form == "jsonl":
                _print(f"{run.json}\n")
            elif self._form == "csv":
                _print(csv_line(run.row))
            else:
                _print_row(run)
            if self._derive.given is not None:
                self._say_unused(run.row)

    def _say_unused(self, row: RunRow) -> None:
        """Say of options that contradict this run why they are not used: there is no end at which to say it of all."""
        alone = RunStore()
        alone.add([row])
        for text in self._derive.unused(alone):
            if text not in self._contradicted:
                self._contradicted.add(text)
                say(f"ethosu-tui: {row.source}, run {row.index}: {text}")


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _print_row(run: FollowedRun) -> None:
    row = run.row
    facts = [f"{row.source}, run {row.index}, line {row.first_line}: {row.status}"]
    if row.status != "passed":
        facts[0] += f" at stage {row.stage}"
    if row.at is not None:
        facts.insert(0, format_stamp(row.at))
    if row.target is not None:
        facts.append(row.target)
    if row.npu_cycles is not None:
        facts.append(f"{format_count(row.npu_cycles)} NPU cycles")
    if row.method_used_bytes is not None:
        facts.append(f"method pool {format_bytes(row.method_used_bytes)}")
    lines = ["  ".join(facts)]
    if row.cause is not None:
        where = f" (line {row.cause_line})" if row.cause_line is not None else ""
        lines.append(f"    {row.cause_title}{where} [{row.cause}]")
        lines.append(f"    -> {row.cause_advice}")
    _print("".join(f"{clean(line)}\n" for line in lines))
