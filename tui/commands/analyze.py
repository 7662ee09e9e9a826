"""`ethosu-tui analyze`: logs to tables, a post-mortem, JSON or a stream of runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.report import Capture, to_dict
from ...analysis.report_tables import run_tables
from ...runners.job import InputError, UsageError
from ...runners.reading.gather import gather
from ...runners.reading.harvest import Harvest, Outlets
from ...runners.reading.paths import expand, is_stream, place_of
from ...runners.reading.settings import ReadSettings
from .meaning import Derivation, add_options, meaning
from .output import (
    MANY_RUNS,
    ReportWriter,
    print_answers,
    print_findings,
    print_heading,
    print_tables,
)
from .remarks import Remarks, print_remarks, print_unread
from .saying import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from ...analysis.answers.of_capture import Answers
    from ...analysis.lines import Line
    from ...analysis.meaning.assumptions import Assumptions
    from ...analysis.report import CompileSummary, Run

LINES_AT_ONCE = 16
"""JSON lines that are written together: as much as stays in the processor's cache."""
FORMS = ("table", "csv", "markdown", "json", "jsonl")
_ENDINGS = {".csv": "csv", ".md": "markdown", ".json": "json", ".jsonl": "jsonl"}
_ANSWERED = 8
"""Compiles of one log that get their five answers; the table has them all."""
_OF_TEXT = ("", ".txt", ".text", ".log", ".out")
"""Endings of files in which nobody looks for another format than tables of text."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `analyze`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="logs (plain, .gz, .xz, .bz2, .zst), archives (.zip, .tar, compressed or not), run folders, folders, globs, "
        "or - for standard input",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON document (schema ethosu-tui/report/1)")
    form.add_argument("--jsonl", action="store_true", help="one run per line as JSON, as it is read")
    form.add_argument("--csv", action="store_const", dest="format", const="csv", help="one row per run")
    form.add_argument(
        "--markdown",
        action="store_const",
        dest="format",
        const="markdown",
        help="a report of all runs: how they ended, and why",
    )
    form.add_argument("--format", choices=FORMS, help="one of these by its name (default: table)")
    parser.add_argument(
        "--output", metavar="FILE", help="write to FILE; its extension chooses the format unless one is given"
    )
    parser.add_argument("--force", action="store_true", help="replace the file of --output if it exists")
    parser.add_argument(
        "--summary",
        action="store_true",
        help="only five lines per run: did it pass, how fast, does it fit, what limits it, what to do",
    )
    parser.add_argument(
        "--outputs", action="store_true", help="also the values of dumped outputs: figures, largest values, histogram"
    )
    parser.add_argument(
        "--roofline", action="store_true", help="also the roofline of each run, drawn as text, or why there is none"
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="print the tables of every run, also of more than 20, which are only summed up otherwise",
    )
    parser.add_argument(
        "--follow",
        action="store_true",
        help="keep reading files that grow, and print each run as it ends, until Ctrl-C",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="read N inputs at once (0: as many as cores; without it, one by one, a large one in up to 4 processes)",
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="read them on the workers of a Dask scheduler that see the same files"
    )
    add_options(parser)
    parser.epilog = (
        "Exit codes: 0 ok, 1 a run, build or compile failed, 2 usage, 3 an input cannot be read or nothing in it is recognised (the others "
        "are read), 4 the report cannot be written, 130 interrupted; of several inputs the highest."
    )


def execute(options: argparse.Namespace) -> int:
    """Read all inputs; the exit code is the highest that any of them asks for."""
    form = _form(options)
    if options.follow:
        from .analyze_follow import follow_command  # few watch a file

        return follow_command(options, form)
    with _destination(options):
        return _read_and_print(options, form)


def _form(options: argparse.Namespace) -> str:
    """The format asked for, by an option or by the ending of the output file."""
    if options.jobs is not None and options.jobs < 0:
        raise UsageError(f"--jobs {options.jobs} is not a number of processes", "give 1 or more, or 0 for one per core")
    if options.json or options.jsonl:
        return "json" if options.json else "jsonl"
    if options.format is not None:
        return str(options.format)
    _, dot, behind = (options.output or "").rpartition("/")[2].rpartition(".")
    ending = f".{behind}".lower() if dot else ""
    if ending not in _ENDINGS and ending not in _OF_TEXT:
        page = f"; --export {options.output} writes a page" if ending == ".html" else ""
        say(
            f"ethosu-tui: {options.output}: {ending} is not a format of --output, so it contains text tables (--format {'|'.join(FORMS)}){page}"
        )
    return _ENDINGS.get(ending, "table")


def _destination(options: argparse.Namespace) -> AbstractContextManager[Any]:
    if options.output in (None, "-", "/dev/stdout"):
        return nullcontext()
    from .output_file import output_file

    return output_file(options.output, options.paths, force=options.force)


def _check(options: argparse.Namespace, form: str) -> None:
    """Refuse what is for people alone in a form for programs."""
    if options.summary and form != "table":
        raise UsageError(f"--summary prints lines for people, not {form}", "leave it out: --json has the answers too")
    for name in ("outputs", "roofline"):
        if getattr(options, name) and (form != "table" or options.summary):
            said = "prints tables for people" if name == "outputs" else "draws for people: the figures are in `derived`"
            raise UsageError(f"--{name} {said}", "leave --summary, --json, --jsonl and --format out")


def _read_and_print(options: argparse.Namespace, form: str) -> int:
    _check(options, form)
    if "-" in options.paths and sys.stdin is not None and sys.stdin.isatty():
        say("ethosu-tui: reading what you type or paste here; Ctrl-D on a line of its own ends it")
    whole = form == "json" or options.all
    full_runs = sys.maxsize if whole else MANY_RUNS if form == "table" else 0
    derive = meaning(options)
    writer = ReportWriter(lambda capture: _answers(derive, capture)) if form == "json" else None
    stream = form == "jsonl"
    rows = not stream or derive.given is not None  # of options that contradict runs is told at the end
    settings = ReadSettings(
        full_runs,
        stream,
        derive.of_run if stream else None,
        derive.of_capture,
        rows,
        derive.stored,
        options.jobs != 1 and options.scheduler is None,
    )
    remarks = Remarks("" if form == "markdown" else "`--markdown` names them")
    outlets = Outlets(remarks, writer.add if writer is not None else None, _print_lines)
    harvest = Harvest(settings, full_runs, outlets)
    try:
        with _printing_on_the_way(options) if form in ("json", "jsonl") else nullcontext():
            try:
                _read(options, harvest, settings)
            finally:
                remarks.close()
            if writer is not None:
                writer.close()
        if form == "table":
            _tables(harvest, derive, options)
            print_unread(remarks, harvest.store.captures - harvest.problems)
            if harvest.store.count:
                print_remarks(remarks.texts)
        elif form in ("csv", "markdown"):
            _rows(harvest, derive, form, remarks.texts)
        sys.stdout.flush()
        if form != "json" and (form != "table" or harvest.store.count > MANY_RUNS and not options.all):
            for text in derive.unused(harvest.store):
                say(f"ethosu-tui: {text}")
    except BrokenPipeError:
        from .patience import drop

        drop(sys.stdout)
    return harvest.code


def _rows(harvest: Harvest, derive: Derivation, form: str, remarks: list[str]) -> None:
    """A row a run, as CSV or Markdown."""
    from ...analysis.post_mortem.export import csv_lines, markdown_lines

    sys.stdout.writelines(csv_lines(harvest.store) if form == "csv" else markdown_lines(harvest.store, remarks))
    if form == "csv" and harvest.store.outside:
        count = len(harvest.store.outside)
        failed = f"{count:,} failed builds, compiles or set-ups" if count > 1 else "1 failed build, compile or set-up"
        said = f"{failed} {'are no runs' if count > 1 else 'is no run'} and not in it; --markdown has all"
        say(f"ethosu-tui: csv has one row per run: {said}")
    if derive.given is not None:
        said = "has only what the runs printed; what follows from the options given is in the tables and --json"
        say(f"ethosu-tui: {form} {said}")


def _printing_on_the_way(options: argparse.Namespace) -> AbstractContextManager[Any]:
    """Whoever reads the output may leave early, and what the inputs ask for is still to be found out."""
    from .patience import patient_stdout

    return patient_stdout(endless=any(is_stream(path) for path in options.paths))


def _read(options: argparse.Namespace, harvest: Harvest, settings: ReadSettings) -> None:
    if options.jobs in (None, 1) and options.scheduler is None:
        for path in _inputs(options.paths, harvest):
            gather(path, harvest)
    else:
        from .analyze_jobs import read_in_processes  # most calls are about one log

        read_in_processes(options, harvest, _inputs(options.paths, harvest), settings)


def _print_lines(lines: list[str]) -> None:
    for begin in range(0, len(lines), LINES_AT_ONCE):
        sys.stdout.write("\n".join((*lines[begin : begin + LINES_AT_ONCE], "")))
    sys.stdout.flush()


def _inputs(arguments: list[str], harvest: Harvest) -> Iterator[str]:
    """What to read, in the order named, each input once; what names nothing becomes a remark."""
    seen: set[object] = set()
    for argument in arguments:
        try:
            found = expand([argument], harvest.fail)
        except InputError as error:
            harvest.fail(error)
            continue
        for path in found:
            place = place_of(path)
            if place not in seen:
                seen.add(place)
                yield path


def _answers(derive: Derivation, capture: Capture) -> dict[str, Any]:
    """The field that stands beside the runs of a capture; null where there are too many to be read."""
    if len(capture.runs) > MANY_RUNS:
        return {"answers": None}
    from ...analysis.answers.of_capture import answers_document

    return {"answers": answers_document(capture, derive.assumed(capture.source))}


def _tables(harvest: Harvest, derive: Derivation, options: argparse.Namespace) -> None:
    store, captures = harvest.store, [capture for capture in harvest.captures if capture.runs or capture.compile]
    captures += [c for c in harvest.captures if not (c.runs or c.compile) and c.findings]
    if store.count > MANY_RUNS and not options.all:
        from .summary import print_next, print_post_mortem

        print_post_mortem(store)
        print_next(options.paths)
        return
    brief = options.summary
    if (store.captures > 1 or store.count > 1) and not brief:
        from .summary import print_overview

        print_overview(store)
    alone = len(captures) == 1 and len(captures[0].runs) <= 1
    for capture in captures:
        # An archive is not opened for each of many.
        log = capture.source if len(captures) <= MANY_RUNS or os.path.exists(capture.source) else None
        if brief:
            _answers_of(capture, derive, log, alone=alone)
        else:
            _tables_of(capture, derive, log, alone=alone, outputs=options.outputs, roofline=options.roofline)
    if store.count > 1 and not brief:
        from .summary import print_closing

        print_closing(store, options.paths)


def _answers_of(capture: Capture, derive: Derivation, log: str | None, *, alone: bool) -> None:
    from ...analysis.answers.of_capture import answers_in

    if not (capture.runs or capture.compile):  # of a build, say: nobody asks how fast it is
        if not alone:
            print_heading(capture.source)
        print_findings(capture.findings, log)
        return
    told = list(answers_in(capture, derive.assumed(capture.source)))
    several = not capture.runs and len(told) > 1
    for found in told:
        if not alone or several:
            print_heading(f"{capture.source}, {found.what}")
        print_answers(found.answers)


def _tables_of(
    capture: Capture, derive: Derivation, log: str | None, *, alone: bool, outputs: bool, roofline: bool
) -> None:
    from ...analysis.answers.of_capture import answers_in
    from ...analysis.beyond_notes import beyond_notes

    assumed = derive.assumed(capture.source)
    told = list(answers_in(capture, assumed))
    answers = {found.run: found.answers for found in told}
    place = "" if alone else capture.source
    if place and (capture.runs or len(capture.compile) < 2) and (capture.compile or not capture.runs):
        print_heading(place)
    if capture.compile:
        from ...analysis.compiles.tables import compile_table, jobs_of  # few logs hold a compile

        compiles = [found for found in told if found.run is None][:_ANSWERED]
        for found in compiles:
            if len(capture.compile) > 1:
                heading = _heading(found, capture)
                print_heading(f"{place}, {heading[0].lower()}{heading[1:]}" if place else heading)
            print_answers(found.answers)
        print_tables([compile_table(jobs_of(capture))])
        for summary in capture.compile:
            if summary.operators:
                _operators_of(summary)
    lines = _lines_of(capture) if outputs else ()
    for run in capture.runs:
        if not alone:
            print_heading(f"{capture.source}, run {run.index}")
        print_answers(answers[run.index])
        print_tables(run_tables(capture, run).values())
        if assumed is not None and assumed.board is not None:
            _board_of(capture, run, assumed)
        if outputs:
            from ...analysis.outputs.read import read_outputs
            from ...analysis.outputs.shown import output_tables

            print_tables(output_tables(read_outputs(lines, run), run))
        if roofline:
            from .roofline import print_roofline  # few ask for a drawing

            print_roofline(run)
    print_findings(beyond_notes(capture, capture.findings), log)


def _heading(found: Answers, capture: Capture) -> str:
    """Which of the networks that were compiled one after the other these answers are of."""
    last, all_of_them = found.compile or 1, len(capture.compile)
    name = capture.compile[last - 1].accelerator or "ethos-u"
    if found.parts == 1:
        return f"Compile {last} of {all_of_them}: {name}"
    whole = f"one network in {found.parts} delegates for {name}"
    return (
        f"Compile of {whole}" if found.parts == all_of_them else f"{found.what.capitalize()} of {all_of_them}: {whole}"
    )


def _operators_of(summary: CompileSummary) -> None:
    """The costliest of Vela's table; the report's Operators tab has them all."""
    from ...analysis.operators.tables import costliest_table

    layers = [to_dict(layer) for layer in summary.operators]
    title = f"Operators, as Vela estimates them ({len(layers)})"
    print_tables([costliest_table(layers, 10, title, summary.total_cycles)])


def _board_of(capture: Capture, run: Run, assumed: Assumptions) -> None:
    from ...analysis.answers.of_capture import board_of, compile_of, named_run
    from ...analysis.fit.of_run import needs_of_run
    from ...analysis.fit.tables import board_table

    board = board_of(assumed)
    if board is not None:
        summary = compile_of(capture, run, assumed)
        run = named_run(run, summary, assumed)
        print_tables([board_table(run, needs_of_run(run, summary), board)])


def _lines_of(capture: Capture) -> Sequence[Line]:
    """The lines of a capture again; none of a pipe, which can be read once only."""
    from ...runners.reading.inputs import load

    if is_stream(capture.source):
        say("ethosu-tui: --outputs reads the log twice, which a pipe does not allow: save it to a file first")
        return ()
    return load(capture.source).lines()
