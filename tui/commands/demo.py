"""`ethosu-tui demo`: the whole job on a bundled model, so that a fresh machine shows real figures within a minute."""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files

from ...analysis import Capture, read_capture
from ...analysis.answers.of_capture import answers_in
from ...analysis.comparing.comparison import compare
from ...analysis.comparing.sides import Side
from ...analysis.meaning.derive import derive
from ...analysis.report_tables import captures_table
from ...runners.compile.compiler import CompileOptions, CompileResult, plan
from ...runners.job import InputError
from .captured import print_capture
from .compare import print_comparison
from .compile import compile_all, exit_code, print_results
from .narrow import fitting
from .output import print_answers, print_tables
from .saying import say
from .summary import LESS_NEEDED

MODEL = "bundled:mnist"
TARGETS = ("ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u85-256")
SHOWN = "mobilenet_v2_corstone320.log"
"""The sample log whose tables are printed: a run on an Ethos-U85 of the FVP."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `demo`."""
    parser.add_argument("--python", metavar="EXE", help="interpreter or virtual environment with executorch")
    parser.add_argument("-j", "--jobs", type=int, default=0, metavar="N", help="jobs at a time (default: processors)")
    parser.add_argument("--no-tui", action="store_true", help="only print, even on a terminal")


def execute(options: argparse.Namespace) -> int:
    """Compile, read the sample logs, print, and open the dashboard on the compiles when there is a terminal."""
    say(f"ethosu-tui: compiling {MODEL} for {', '.join(TARGETS)} with ExecuTorch and Vela")
    points, _ = plan(TARGETS)
    results, problem = compile_all(CompileOptions(MODEL, interpreter=options.python), points, options.jobs)
    print_results(results)
    if problem is not None:
        raise problem
    sides = [_side(result) for result in results if result.status == "ok"]
    if len(sides) > 1:
        print_comparison(compare(sides))
    captures = sample_captures()
    print("\n=== the sample logs ===")
    print_tables([fitting(captures_table(captures), LESS_NEEDED)])
    for capture in captures:
        if capture.source == SHOWN:
            shown = derive(capture)
            print(f"=== {SHOWN} ===")
            for found in answers_in(shown):
                print_answers(found.answers)
            print_capture(shown, None)
    if sys.stdin.isatty() and sys.stdout.isatty() and not options.no_tui:
        from ..opening import open_app

        return open_app([str(result.folder) for result in results])
    return exit_code(results)


def sample_captures() -> list[Capture]:
    """The logs that come with the program, read."""
    logs = sorted(
        (entry for entry in files("ethosu_tui.sample_logs").iterdir() if entry.name.endswith(".log")),
        key=lambda entry: entry.name,
    )
    if not logs:
        raise InputError("the sample logs are not installed", "install ethosu-tui again")
    return [read_capture(log.name, log.read_bytes()) for log in logs]


def _side(result: CompileResult) -> Side:
    return Side(result.point.label, str(result.folder), "compile", None, result.summary, result.pte_bytes)
