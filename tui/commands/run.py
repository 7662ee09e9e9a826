"""`ethosu-tui run`: run an artefact on a target, show its console live, and end with its figures."""

from __future__ import annotations

import argparse

from ...runners.job import JobError, UsageError
from ...runners.keeping.viewer import Viewer
from ...runners.launch import launch
from ...runners.run_request import RunRequest
from ...runners.runs.folder import runs_root
from ...runners.targets.resolve import resolve
from .interruption import interruptible
from .saying import say
from .watching import conclude, watch


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `run`."""
    parser.add_argument(
        "artefacts",
        nargs="*",
        metavar="ARTEFACT",
        help="a runner's .elf/.axf, or a .pte; with several, or a folder of programs, each runs on each RUNNER that suits it",
    )
    parser.add_argument(
        "--on",
        required=True,
        action="append",
        metavar="RUNNER",
        help="fvp, serial:URL, ssh:HOST, command, host, replay:LOG, or a target's name (see `targets`); may be repeated",
    )
    parser.add_argument(
        "--target",
        action="append",
        help="NPU that the FVP models, e.g. ethos-u55-128 (default: the program's); may be repeated",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would run, what is left out and why, and how long it took before; start nothing",
    )
    parser.add_argument("--elf", help="runner that reads the .pte from memory")
    parser.add_argument("--address", help="memory address for the .pte, e.g. 0x70000000")
    parser.add_argument("--data", metavar="FILE@ADDRESS", help="the same in run_fvp.sh's notation: ARTEFACT is the ELF")
    parser.add_argument("--timeout", type=float, metavar="S", help="time limit in seconds (default: 600)")
    parser.add_argument("--silence", type=float, metavar="S", help="end the run after S seconds without output")
    parser.add_argument("--fvp", metavar="EXE", help="the FVP's executable (default: searched for)")
    parser.add_argument("--fast", action="store_true", help="fast Ethos-U model: cycle figures mean nothing")
    parser.add_argument(
        "--pmu-trace", action="store_true", help="FVP: keep the NPU's trace as pmu_trace.gz in the run folder"
    )
    parser.add_argument(
        "--semihosting",
        action="store_true",
        help="FVP: the runner (--elf) reads the program and each --input as files on this machine",
    )
    parser.add_argument(
        "--fvp-arg", action="append", default=[], metavar="ARG", help="one more argument for the FVP (--fvp-arg=--stat)"
    )
    parser.add_argument("--port", metavar="URL", help="serial: the port, whatever the target says")
    parser.add_argument("--baud", type=int, metavar="N", help="serial: bits per second (default: 115200)")
    parser.add_argument(
        "--until",
        action="append",
        default=[],
        metavar="TEXT",
        help="serial, ssh, command: a line with this text also ends the run",
    )
    parser.add_argument("--flash", metavar="COMMAND", help='serial: run this first, e.g. "pyocd load {elf}"')
    parser.add_argument("--reset", metavar="HOW", help="serial: dtr, rts, or a command that resets the board")
    parser.add_argument("--appear", type=float, metavar="S", help="serial: wait S seconds for the port (default: 10)")
    parser.add_argument("--pace", default="original", help="replay: original, instant, or lines per second")
    parser.add_argument(
        "--no-store", action="store_true", help="replay: keep no run folder, since the log is already stored"
    )
    parser.add_argument(
        "--input", action="append", default=[], metavar="FILE", help="an input: host raw or .npy, semihosting raw"
    )
    parser.add_argument("--iterations", type=int, default=1, metavar="N", help="host: how many times to execute it")
    parser.add_argument("--python", metavar="EXE", help="host: the Python with ExecuTorch")
    parser.add_argument("--wait", action="store_true", help="wait in line for a port or board that is in use")
    parser.add_argument(
        "--slots", type=int, metavar="N", help="how many runs may be in progress at once (default: one per core)"
    )
    parser.add_argument("--pty", action="store_true", help="command: a terminal of 80x24 instead of a pipe")
    parser.add_argument("--cwd", metavar="DIR", help="command, ssh: the folder it runs in")
    parser.add_argument("--remote-folder", metavar="DIR", help="ssh: where to create its folder there (default: /tmp)")
    parser.add_argument(
        "--grace", type=float, metavar="S", help="ssh, command: seconds between SIGTERM and SIGKILL (default: 2)"
    )
    parser.add_argument(
        "--max-log-bytes",
        type=int,
        metavar="N",
        help="end the run when its console reaches N bytes, to spare the disk",
    )
    parser.add_argument("--send", action="append", default=[], metavar="FILE", help="ssh: a file to copy there first")
    parser.add_argument(
        "--fetch", action="append", default=[], metavar="GLOB", help="ssh: files to bring back after it"
    )
    parser.add_argument(
        "--repeat", type=int, default=1, metavar="N", help="run it N times, and show the spread of the figures"
    )
    parser.add_argument("--warm-up", type=int, default=0, metavar="K", help="K warm-up runs first, which do not count")
    parser.add_argument("--ignore-failure", action="store_true", help="repeat: continue after a run that did not pass")
    parser.add_argument("--detach", action="store_true", help="start it, print its id, and return at once")
    parser.add_argument("--json", action="store_true", help="one JSON document of schema ethosu-tui/report/1")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not show the console while it runs")
    parser.usage = f"{parser.format_usage().removeprefix('usage: ').rstrip()} [-- COMMAND ...]"
    parser.epilog = (
        "What follows -- is the command of --on command, or the remote command of --on ssh; {artefact}, {elf}, {address}, "
        "{target} and {folder} in it are replaced by the run's values, {{ and }} by braces. " + (parser.epilog or "")
    )


def execute(options: argparse.Namespace) -> int:
    """Run, show, report; the exit code says how the run ended.  Only a hang-up leaves a run going on."""
    from .several import asked_for, run_several

    requests = asked_for(options, _request(options))
    if len(requests) > 1 or options.dry_run:
        return run_several(options, requests)
    (request,) = requests
    if options.detach:
        return _detach(request, options.json)
    with interruptible() as interruption:
        session = launch(request, runs_root())
        if request.series_length and isinstance(session, Viewer):
            from .repeating import repeated

            return repeated(session, interruption, quiet=options.quiet, as_json=options.json)
        interruption.stops(session.stop, session.leave)
        try:
            end = watch(session, quiet=options.quiet, to_the_end=True)
        except JobError:
            if session.folder is not None and session.folder.console_path.exists():
                say(f"ethosu-tui: what was captured is kept as run {session.folder.id}")
            raise
    return conclude(session, end, as_json=options.json)


def _detach(request: RunRequest, as_json: bool) -> int:
    request = resolve(request)
    if request.kind == "replay":
        raise UsageError("a replay runs in this terminal", "leave --detach out")
    folder = launch(request, runs_root()).folder
    assert folder is not None
    if as_json:
        from .runs_actions import print_runs

        print_runs([folder])
    else:
        print(folder.id)
        say(f"ethosu-tui: started; `ethosu-tui runs attach {folder.id}` shows it")
    return 0


def _request(options: argparse.Namespace) -> RunRequest:
    artefact = options.artefacts[0] if options.artefacts else None
    elf, address = options.elf, options.address
    if options.data is not None:
        program, _, where = options.data.rpartition("@")
        if not program or elf is not None or address is not None or artefact is None:
            raise UsageError("--data takes FILE@ADDRESS, with the ELF as ARTEFACT", "leave out --elf and --address")
        artefact, elf, address = program, artefact, where
    from ...runners.hooks import words

    return RunRequest(
        on=options.on[0],
        artefact=artefact,
        target=options.target[0] if options.target else None,
        elf=elf,
        address=address,
        timeout=options.timeout,
        silence=options.silence,
        fvp=options.fvp,
        fast=options.fast,
        trace=options.pmu_trace,
        semihosting=options.semihosting,
        pace=options.pace,
        inputs=tuple(options.input),
        iterations=options.iterations,
        repeat=options.repeat,
        warm_up=options.warm_up,
        ignore_failure=options.ignore_failure,
        python=options.python,
        extra=tuple(options.fvp_arg),
        wait=options.wait,
        slots=options.slots,
        port=options.port,
        baud=options.baud,
        until=tuple(options.until),
        flash=words(options.flash, "--flash") if options.flash is not None else (),
        reset=words(options.reset, "--reset") if options.reset is not None else (),
        appear=options.appear,
        store=not options.no_store,
        argv=tuple(options.command_argv),
        pty=options.pty,
        cwd=options.cwd,
        remote_folder=options.remote_folder,
        grace=options.grace,
        max_log_bytes=options.max_log_bytes,
        send=tuple(options.send),
        fetch=tuple(options.fetch),
    )
