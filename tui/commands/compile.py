"""`ethosu-tui compile`: a model ahead of time for one or more targets, side by side."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import closing

from ...analysis.compiles.delegation import delegation_tables
from ...analysis.compiles.tables import compile_table
from ...analysis.design.answers import Answers
from ...analysis.design.tables import candidates_table
from ...analysis.lines import clean
from ...analysis.numeric.tables import numeric_tables
from ...analysis.report import to_dict
from ...analysis.units import parse_bytes
from ...runners.compile.batch import batch_of
from ...runners.compile.compiler import (
    BatchNote,
    CompileOptions,
    CompilePoint,
    CompileResult,
    JobDone,
    JobNoticed,
    JobStage,
    plan,
)
from ...runners.compile.document import compile_document
from ...runners.compile.starting_file import starting_file, write_starting_file
from ...runners.job import JobError, UsageError
from ...runners.runs.folder import runs_root
from ...runners.shell_words import command_line
from ...runners.vela.config import read_vela_config
from . import compile_fit, numeric_arguments
from .compile_options import configure
from .compile_progress import Progress
from .interruption import interruptible
from .output import columns, print_findings, print_side_by_side, print_tables
from .saying import say

__all__ = ["compile_all", "configure", "execute", "exit_code", "print_results"]

MISSING = 4
ROOMY = 120
"""Columns of a terminal in which names of system configs are not shortened."""
COSTLIEST = 10
"""Operators of a single job that are shown without being asked for."""


def execute(options: argparse.Namespace) -> int:
    """Compile; the exit code is 1 when a job failed or has a finding of severity error."""
    if options.template is not None:
        return _template(options)
    if options.model is None:
        raise UsageError("no MODEL was given", "give one, or see `ethosu-tui compile --help`")
    if options.jobs < 0:
        raise UsageError(f"--jobs {options.jobs} is not a number of jobs", "give 1 or more, or leave it out")
    config = read_vela_config(options.vela_config) if options.vela_config is not None else None
    for note in config.ini.notes if config else ():
        say(f"ethosu-tui: {options.vela_config}, {note}")
    points, refused = plan(
        _split(options.target),
        _split(options.system_config),
        _split(options.memory_mode),
        [_arena(size) for size in _split(options.arena_cache_size)],
        _split(options.optimise),
        config.ini if config else None,
    )
    for point, reason in refused:
        say(f"ethosu-tui: left out {point.target} with {point.system_config} and {point.memory_mode}: {reason}")
    request = CompileOptions(
        model=options.model,
        delegate=not options.no_delegate,
        quantize=not options.no_quantize,
        output=options.output,
        debug=options.debug,
        keep_intermediates=options.keep_intermediates,
        interpreter=options.python,
        extra=(*artefacts_asked(options), *options.aot_arg),
        numeric=numeric_arguments.asked(options),
        calibration=options.calibration and os.path.abspath(os.path.expanduser(options.calibration)),
        vela_config=config,
        executorch=options.executorch,
        warm=not options.no_warm,
    )
    began = time.monotonic()

    def compiled(asked: CompileOptions, some: Sequence[CompilePoint]) -> tuple[list[CompileResult], JobError | None]:
        return compile_all(asked, some, options.jobs, not options.no_cache, options.scheduler)

    search = compile_fit.Search(options)
    results, problem = search.run(request, points, compiled)
    answers = search.answers(results)
    if options.json:
        sys.stdout.writelines(compile_document(request.model, time.monotonic() - began, results, answers))
    elif search.wanted:
        compile_fit.print_answers(answers, results)
    else:
        print_results(results, options.operators, answers)
        compile_fit.print_answers(answers, results)
    if problem is not None:
        raise problem
    return max(exit_code(search.counted(answers, results)), search.missed(answers))


def artefacts_asked(options: argparse.Namespace) -> tuple[str, ...]:
    """The script's own options for what is to be made beside the program."""
    return tuple(f"--{name}" for name in ("bundleio", "etrecord") if getattr(options, name))


def _template(options: argparse.Namespace) -> int:
    """Write or print the starting file."""
    if options.model is not None:
        raise UsageError("--template compiles nothing", f"leave {clean(options.model)} out")
    if options.template == "-":
        print(starting_file(), end="")
        return 0
    path = write_starting_file(options.template, options.force)
    say(f"ethosu-tui: wrote {path}; put your model into it, then: ethosu-tui compile {command_line([str(path)])}")
    return 0


def compile_all(
    options: CompileOptions,
    points: Sequence[CompilePoint],
    jobs: int = 0,
    cached: bool = True,
    scheduler: str | None = None,
) -> tuple[list[CompileResult], JobError | None]:
    """Run a batch with its progress on stderr; results in the order of `points`, and what ended it early.

    Raises:
        KeyboardInterrupt: a signal asked us to end; everything is stopped and its folder says so.
    """
    batch = batch_of(options, points, runs_root(), jobs, cached, scheduler)
    done: dict[int, CompileResult] = {}
    progress = Progress(batch.points)
    problem: JobError | None = None
    with interruptible() as interruption:
        batch.check()
        interruption.stops(batch.stop)
        try:
            with closing(batch.run()) as events:
                for event in events:
                    if isinstance(event, BatchNote):
                        progress.say(event.text)
                    elif isinstance(event, JobStage):
                        progress.stage(event.index, event.stage)
                    elif isinstance(event, JobNoticed):
                        progress.notice(event.finding)
                    elif isinstance(event, JobDone):
                        done[event.index] = event.result
                        progress.done(event.index, event.result)
        except JobError as error:
            problem = error
        finally:
            progress.clear()
            if interruption.asked:
                for result in done.values():
                    say(f"ethosu-tui: kept {result.folder}")
    if interruption.asked:
        raise KeyboardInterrupt
    return [done[index] for index in sorted(done)], problem


def print_results(results: Sequence[CompileResult], operators: bool = False, answers: Answers | None = None) -> None:
    """Tables for people, then what there is to say about each job; with `operators`, all of each."""
    if not results:
        return
    if answers is not None and len(results) > compile_fit.SIDE_BY_SIDE:
        print_tables([candidates_table(answers)])
    else:
        table = compile_table([result.to_dict() | {"target": result.point.label} for result in results])
        if (columns() or ROOMY) < ROOMY:  # the column says which NPU it is
            rows = [tuple(cell._replace(text=cell.text.removeprefix("Ethos_")) for cell in row) for row in table.rows]
            table = table._replace(rows=tuple(rows))
        print_side_by_side(table)
    for result in _distinct(results):
        print_tables(delegation_tables(result.delegation or {}, result.point.label))
    for result in results:  # a path is of use only as a whole, however narrow the terminal
        print(f"{result.point.label}: {clean(result.pte or result.artefact or 'failed, log: ' + result.log)}")
        for path in (result.bundle, result.etrecord):
            if path is not None:
                print(f"{result.point.label}: {clean(path)}")
    print()
    if operators or len(results) == 1:
        from ...analysis.operators.tables import costliest_table, operators_table

        for result in results:
            rows, title = to_dict(tuple(result.operators)), f"Operators of {result.point.label}"
            table = (
                operators_table(rows)._replace(title=title) if operators else costliest_table(rows, COSTLIEST, title)
            )
            print_tables([table])
    for result in results:
        if result.numeric is not None and result.numeric.shared_with is None:
            print(f"{result.point.label}:")
            print_tables(numeric_tables(result.numeric))
        if result.findings:
            print(f"{result.point.label}:")
            print_findings(result.findings)


def _distinct(results: Sequence[CompileResult]) -> list[CompileResult]:
    """The first job of each with the same delegation: it is the same for all configurations of a family."""
    found: list[CompileResult] = []
    for result in results:
        if result.delegation and all(result.delegation != other.delegation for other in found):
            found.append(result)
    return found


def exit_code(results: Sequence[CompileResult]) -> int:
    """0 when all is well, 4 when ExecuTorch cannot be imported, else 1."""
    errors = [finding for result in results for finding in result.findings if finding.severity == "error"]
    if errors and all(finding.rule == "compiler-unavailable" for finding in errors):
        return MISSING
    return 1 if errors or any(result.status != "ok" for result in results) else 0


def _split(values: Sequence[str]) -> list[str]:
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def _arena(size: str) -> int | None:
    if size == "default":
        return None
    arena_bytes = parse_bytes(size)
    if arena_bytes is None:
        raise UsageError(f"--arena-cache-size {size} is not a size", "give bytes, or a size like 512KiB; or `default`")
    return arena_bytes
