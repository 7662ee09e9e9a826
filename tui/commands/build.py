"""`ethosu-tui build`: a runner ELF for a target, with the user's ExecuTorch checkout, once for each configuration."""

from __future__ import annotations

import argparse
import os
import sys

from ...analysis.host.build_progress import BuildProgress
from ...analysis.lines import Line
from ...analysis.report import to_dict
from ...runners.job import Started
from ...runners.runner_build import RunnerOptions, plan_build
from ...runners.runner_build_job import BuildEnded, RunnerBuildJob
from ...runners.runs.folder import runs_root
from ...runners.shell_words import command_line
from .interruption import interruptible
from .output import print_findings, print_json
from .saying import say

SCHEMA = "ethosu-tui/build/1"
BUILDS = ".builds"
"""Folder of the workspace; a leading dot keeps it out of the list of runs."""
OK, FAILED, INTERRUPTED = 0, 1, 130


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `build`."""
    parser.add_argument("program", nargs="?", metavar="PTE", help="the program to put into the ELF")
    parser.add_argument("--target", required=True, help="e.g. ethos-u55-128 or cortex-m55")
    parser.add_argument("--executorch", metavar="DIR", help="the checkout (default: searched for, see `doctor`)")
    parser.add_argument("--address", help="the runner looks for the program there, e.g. 0x70000000")
    parser.add_argument("--semihosting", action="store_true", help="the runner reads program and inputs as files")
    parser.add_argument("--memory-mode", help="sets the timing adapters (default: the target's)")
    parser.add_argument("--system-config", help="sets the timing adapters (default: the target's)")
    parser.add_argument(
        "--bundleio", action="store_true", help="accept bundled programs (.bpte) and check their outputs"
    )
    parser.add_argument("--etdump", action="store_true", help="profile operators; the log contains the ETDump")
    parser.add_argument("--build-type", default="Release", choices=("Release", "Debug", "RelWithDebInfo"))
    parser.add_argument(
        "--ops-of", metavar="PTE", help="link only the portable kernels of this program (--address, --semihosting)"
    )
    parser.add_argument("--flag", action="append", default=[], metavar="-DNAME=VALUE", help="for CMake (--flag=-DA=1)")
    parser.add_argument("--rebuild", action="store_true", help="build again even if nothing has changed")
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not show the log while it builds")


def execute(options: argparse.Namespace) -> int:
    """Build, and print the path of the ELF."""
    root = runs_root()
    asked = RunnerOptions(
        target=options.target,
        memory_mode=options.memory_mode,
        system_config=options.system_config,
        pte=None if options.program is None else os.path.expanduser(options.program),
        address=options.address,
        semihosting=options.semihosting,
        bundleio=options.bundleio,
        etdump=options.etdump,
        build_type=options.build_type,
        operators=_operators(options.ops_of) if options.ops_of is not None else (),
        flags=tuple(options.flag),
    )
    with interruptible() as interruption:
        job = RunnerBuildJob(plan_build(asked, root / BUILDS, options.executorch), root, again=options.rebuild)
        interruption.stops(job.stop)
        ended = _watch(job, options.quiet)
    if options.json:
        print_json(_document(job, ended))
    elif ended.elf is not None:
        print(ended.elf)
    elif ended.capture is not None:
        print_findings(ended.capture.findings)
    sys.stdout.flush()
    return _verdict(job, ended)


def _operators(path: str) -> tuple[str, ...]:
    from ...runners.artefacts import identify
    from ...runners.reading.blocks import read_whole
    from ..program_file import PROGRAM_LIMIT_BYTES, parsed

    path = os.path.expanduser(path)
    artefact = identify(path)
    _, program = parsed(artefact, read_whole(path, PROGRAM_LIMIT_BYTES, "a program"))
    return tuple(dict.fromkeys(name for method in program.methods for name in method.operators))


def _watch(job: RunnerBuildJob, quiet: bool) -> BuildEnded:
    ended = BuildEnded(None, None, False, None, None)
    told = -1
    for event in job.events():
        if isinstance(event, Line):
            if not quiet:
                print(event.text, file=sys.stderr)
        elif isinstance(event, BuildProgress):
            percent = 100 * event.done // event.total
            if quiet and percent // 10 > told:
                told = percent // 10
                say(f"ethosu-tui: built {percent} %")
        elif isinstance(event, Started):
            say(f"ethosu-tui: {command_line(event.argv)}", whole=True)
        else:
            ended = event
    return ended


def _document(job: RunnerBuildJob, ended: BuildEnded) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "target": job.build.options.target,
        "status": "ok" if ended.elf is not None else "failed",
        "elf": None if ended.elf is None else str(ended.elf),
        "sha256": ended.sha256,
        "cached": ended.cached,
        "checkout": str(job.build.checkout),
        "argv": list(job.build.argv),
        "log": None if job.folder is None else str(job.folder.console_path),
        "seconds": None if ended.end is None else round(ended.end.seconds, 3),
        "findings": [] if ended.capture is None else [to_dict(finding) for finding in ended.capture.findings],
    }


def _verdict(job: RunnerBuildJob, ended: BuildEnded) -> int:
    if ended.cached:
        say("ethosu-tui: nothing has changed since this runner was built; --rebuild builds it again")
        return OK
    assert ended.end is not None and job.folder is not None
    log = f"; its log is run {job.folder.id}"
    if ended.elf is not None:
        say(f"ethosu-tui: built in {ended.end.seconds:.1f} s{log}")
        return OK
    if ended.end.reason == "stopped":
        say(f"ethosu-tui: stopped{log}")
        return INTERRUPTED
    why = ended.end.text or "it produced no arm_executor_runner"
    say(f"ethosu-tui: the build failed ({why}){log}")
    return FAILED
