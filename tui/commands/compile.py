"""`ethosu-tui compile`: a model ahead of time for one or more targets, side by side."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import closing

from ...analysis.lines import clean
from ...analysis.report import to_dict
from ...analysis.run_tables import compile_table
from ...analysis.targets import MEMORY_MODES, SYSTEM_CONFIGS, TARGETS
from ...analysis.units import format_seconds, parse_bytes
from ...runners.compiler import (
    DEFAULT_TARGET,
    BatchNote,
    CompileBatch,
    CompileOptions,
    CompilePoint,
    CompileResult,
    JobDone,
    JobStage,
    bundled_models,
    plan,
)
from ...runners.folder import runs_root
from ...runners.job import JobError, UsageError
from .interruption import interruptible
from .output import print_findings, print_json, print_tables, say

SCHEMA = "ethosu-tui/compile/1"
MISSING = 4
COSTLIEST = 10
"""Operators of a single job that are shown without being asked for."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `compile`."""
    bundled = ", ".join(f"bundled:{name}" for name in bundled_models())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = (
        f"Targets: {', '.join(TARGETS)}\n"
        f"System configs: {', '.join(SYSTEM_CONFIGS)}\n"
        f"Memory modes: {', '.join(MEMORY_MODES)}\n\n"
        "Without --system-config or --memory-mode each target has ExecuTorch's default for it. 'none' is the plain\n"
        "portable program, neither delegated nor quantised; cortex-m55 is quantised and never delegated."
    )
    parser.add_argument(
        "model",
        metavar="MODEL",
        help=f"a .py file that defines ModelUnderTest and ModelInputs, a registered model (add, softmax, ...), or {bundled}",
    )
    axes = parser.add_argument_group("what to compile for (each may be repeated, or 'all')")
    axes.add_argument(
        "-t", "--target", action="append", default=[], metavar="T", help=f"target (default: {DEFAULT_TARGET})"
    )
    axes.add_argument("-s", "--system-config", action="append", default=[], metavar="S", help="Vela system config")
    axes.add_argument("-M", "--memory-mode", action="append", default=[], metavar="M", help="Vela memory mode")
    axes.add_argument(
        "--arena-cache-size",
        action="append",
        default=[],
        metavar="SIZE",
        help="Vela's soft limit for the arena, like 512KiB; `default` is that of the memory mode",
    )
    axes.add_argument(
        "--optimise", action="append", default=[], metavar="FOR", help="Performance (Vela's default) or Size"
    )
    parser.add_argument("--no-delegate", action="store_true", help="leave everything to the CPU")
    parser.add_argument("--no-quantize", action="store_true", help="keep the model in float (an NPU cannot run it)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="also write the program here: a .pte file, a directory, or a name with {target}, {system_config}, "
        "{memory_mode}, {arena_cache_size}, {optimise}, {model}",
    )
    parser.add_argument("--debug", action="store_true", help="let ExecuTorch and Vela log all they know")
    parser.add_argument(
        "--keep-intermediates",
        nargs="?",
        const=True,
        default=False,
        metavar="DIR",
        help="keep what ExecuTorch dumps on the way, in the run folder or in DIR (its path then stands in the .pte)",
    )
    parser.add_argument("--python", metavar="EXE", help="interpreter or virtual environment that has executorch")
    parser.add_argument("-j", "--jobs", type=int, default=0, metavar="N", help="jobs at a time (default: processors)")
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="compile on the workers of a Dask scheduler, which need the same versions",
    )
    parser.add_argument("--no-cache", action="store_true", help="compile again what was compiled before")
    parser.add_argument(
        "--bundleio",
        action="store_true",
        help="bundle the program with its inputs and the outputs they must give (.bpte)",
    )
    parser.add_argument(
        "--etrecord", action="store_true", help="also write an ETRecord (_etrecord.bin), for ExecuTorch's inspector"
    )
    parser.add_argument(
        "--aot-arg",
        action="append",
        default=[],
        metavar="ARG",
        help="pass this on to ExecuTorch's own script, as in --aot-arg=--calibration_data=DIR",
    )
    parser.add_argument(
        "--operators",
        action="store_true",
        help="print all operators of each job (default: the costliest of a single one)",
    )
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")


def execute(options: argparse.Namespace) -> int:
    """Compile; the exit code is 1 when a job failed or has a finding of severity error."""
    if options.jobs < 0:
        raise UsageError(f"--jobs {options.jobs} is not a number of jobs", "give 1 or more, or leave it out")
    points, refused = plan(
        _split(options.target),
        _split(options.system_config),
        _split(options.memory_mode),
        [_arena(size) for size in _split(options.arena_cache_size)],
        _split(options.optimise),
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
    )
    began = time.monotonic()
    results, problem = compile_all(request, points, options.jobs, not options.no_cache, options.scheduler)
    if options.json:
        document = {
            "schema": SCHEMA,
            "model": request.model,
            "seconds": round(time.monotonic() - began, 3),
            "jobs": [result.to_dict() for result in results],
        }
        print_json(document)
    else:
        print_results(results, options.operators)
    if problem is not None:
        raise problem
    return exit_code(results)


def artefacts_asked(options: argparse.Namespace) -> tuple[str, ...]:
    """The script's own options for what is to be made beside the program."""
    return tuple(f"--{name}" for name in ("bundleio", "etrecord") if getattr(options, name))


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
    batch = CompileBatch(options, points, runs_root(), jobs, cached, scheduler)
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
                        progress.clear()
                        say(f"ethosu-tui: {clean(event.text)}")
                    elif isinstance(event, JobStage):
                        progress.stage(event.index, event.stage)
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


class Progress:
    """Progress on stderr: one line that changes on a terminal, else a line for each step."""

    def __init__(self, points: Sequence[CompilePoint]) -> None:
        self._labels = [point.label for point in points]
        self._stages: dict[int, str] = {}
        self._finished = 0
        self._live = sys.stderr.isatty()

    def stage(self, index: int, stage: str) -> None:
        """A job entered a stage."""
        if self._stages.get(index) == stage:
            return
        self._stages[index] = stage
        if self._live:
            self._draw()
        else:
            say(f"{self._labels[index]}: {stage}")

    def done(self, index: int, result: CompileResult) -> None:
        """A job ended."""
        self._finished += 1
        self._stages.pop(index, None)
        self.clear()
        stopped = [finding for finding in result.findings if finding.rule == "stopped"]
        how = "found" if result.cached else "compiled" if result.status == "ok" else "stopped" if stopped else "failed"
        shared = " (shared graphs)" if result.route == "shared" and not result.cached else ""
        took = format_seconds(result.seconds)
        say(f"[{self._finished}/{len(self._labels)}] {self._labels[index]}: {how} in {took}{shared}")
        for finding in result.findings[:1] if how == "failed" else ():
            say(f"ethosu-tui: {self._labels[index]}: {finding.title}; {finding.advice} Log: {result.log}")
        if self._live:
            self._draw()

    def clear(self) -> None:
        """Take the changing line away."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _draw(self) -> None:
        running = " | ".join(f"{self._labels[index]}: {stage}" for index, stage in self._stages.items())
        room = shutil.get_terminal_size().columns - 1
        print(f"\r\x1b[K{running[:room]}", end="", file=sys.stderr, flush=True)


def print_results(results: Sequence[CompileResult], operators: bool = False) -> None:
    """Tables for people, then what there is to say about each job; with `operators`, all of each."""
    if not results:
        return
    print_tables([compile_table([result.to_dict() | {"target": result.point.label} for result in results])])
    for result in results:  # a path is of use only as a whole, however narrow the terminal
        print(f"{result.point.label}: {clean(result.pte or 'failed, log: ' + result.log)}")
        for path in (result.bundle, result.etrecord):
            if path is not None:
                print(f"{result.point.label}: {clean(path)}")
    print()
    if operators or len(results) == 1:
        from ...analysis.operators.tables import costliest_table, operators_table

        for result in results:
            rows, title = to_dict(result.operators), f"Operators of {result.point.label}"
            table = (
                operators_table(rows)._replace(title=title) if operators else costliest_table(rows, COSTLIEST, title)
            )
            print_tables([table])
    for result in results:
        if result.findings:
            print(f"{result.point.label}:")
            print_findings(result.findings)


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
