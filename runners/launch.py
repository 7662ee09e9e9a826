"""From a request to a session that is ready to run: one place for the command line and the screens.

Everything that can be wrong with a request is found here, before a run folder exists.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .artefacts import Artefact, identify, sha256
from .folder import RunFolder
from .host import TIME_LIMIT_SECONDS as HOST_TIME_LIMIT_SECONDS
from .host import HostJob, HostRun, host_interpreter
from .job import InputError, Job, JobError, UsageError
from .replay import Pace, ReplayJob
from .session import Session
from .simulator import FVP_TARGETS, FvpJob, FvpRun, find_fvp
from .simulator import TIME_LIMIT_SECONDS as FVP_TIME_LIMIT_SECONDS

KINDS = ("fvp", "host", "replay:LOG")
ETDUMP = "etdump.etdp"
LATER = ("serial", "ssh", "command")


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What is asked for, as typed; None means the runner's own default."""

    on: str
    artefact: str | None = None
    target: str | None = None
    elf: str | None = None
    address: str | None = None
    timeout: float | None = None
    silence: float | None = None
    fvp: str | None = None
    fast: bool = False
    pace: str = "original"
    inputs: tuple[str, ...] = ()
    iterations: int = 1
    python: str | None = None
    extra: tuple[str, ...] = ()
    store: bool = True
    """False leaves a replay of a stored log without a run folder of its own."""


def launch(request: RunRequest, root: Path) -> Session:
    """Check the request, make the run folder below `root`, and return the session.

    Raises:
        JobError: the request makes no sense, a file or a tool is missing, or the folder cannot be made.
    """
    kind, _, rest = request.on.partition(":")
    _check_limits(request)
    if kind in ("replay", "host") and (request.elf is not None or request.address is not None):
        raise UsageError(f"--elf and --address are for an FVP, not for --on {kind}", "leave them out")
    if kind == "replay":
        return _replay(request, rest, root)
    if kind == "host":
        return _host(request, root)
    if kind == "fvp":
        return _fvp(request, root)
    if kind in LATER:
        raise UsageError(f"--on {kind} is not in this version", f"it has {', '.join(KINDS)}")
    raise UsageError(f"{request.on} is not a runner", f"--on takes {', '.join(KINDS)}")


def parse_pace(text: str) -> Pace:
    """`original`, `instant`, or a number of lines a second."""
    if text == "instant":
        return "instant"
    if text == "original":
        return "original"
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < 1e9:
        raise UsageError(f"{text} is not a pace", "give original, instant, or lines per second")
    return rate


def parse_address(text: str) -> int:
    """An address as people write it."""
    try:
        return int(text, 0)
    except ValueError:
        raise UsageError(f"{text} is not an address", "write it like 0x70000000") from None


def _check_limits(request: RunRequest) -> None:
    for name, value in (("--timeout", request.timeout), ("--silence", request.silence)):
        if value is not None and not 0 < value < 1e9:
            raise UsageError(f"{name} {value:g} is no time", "give a number of seconds above 0")


def _replay(request: RunRequest, log: str, root: Path) -> Session:
    if not log:
        raise UsageError("--on replay needs a log", "write --on replay:LOG")
    path = Path(log).expanduser()
    if log != "-" and not path.exists():
        raise InputError(f"{log}: no such file", "check the path")
    job = ReplayJob(path, parse_pace(request.pace))
    if not request.store and log != "-":
        return Session(job, None, str(path))
    try:
        return _session(job, root, request, {"replayed": log})
    except JobError as error:
        if log == "-":  # what comes through a pipe is gone unless it is kept
            raise
        hint = f"{error.hint}, or add --no-store: the log is a file already"
        raise JobError(error.message, hint, error.exit_code) from error


def _host(request: RunRequest, root: Path) -> Session:
    program = _program(request)
    interpreter = host_interpreter(request.python)
    limit = request.timeout or HOST_TIME_LIMIT_SECONDS
    asked = HostRun(program.path, request.inputs, request.iterations, limit, request.silence)
    job = HostJob(asked, interpreter)
    session = _session(job, root, request, {"target": "host", "versions": dict(interpreter.versions)}, program)
    if session.folder is not None:
        job.keep_etdump(str(session.folder.path / ETDUMP))
    return session


def _program(request: RunRequest) -> Artefact:
    if request.artefact is None:
        raise UsageError("nothing to run", "name a .pte file")
    artefact = identify(_user(request.artefact))
    if artefact.kind != "pte":
        raise InputError(f"{artefact.path} is no program to run here ({artefact.description})", "give a .pte file")
    return artefact


def _fvp(request: RunRequest, root: Path) -> Session:
    if request.artefact is None:
        raise UsageError("nothing to run", "name a runner's ELF file, or a .pte with --elf and --address")
    artefact = identify(_user(request.artefact))
    data: tuple[str, int] | None = None
    if artefact.kind == "elf":
        if request.elf is not None:
            raise UsageError("two ELF files to run", "give the program (.pte) as ARTEFACT, the runner with --elf")
        if request.address is not None:
            raise UsageError(
                f"--address {request.address} has no program to put there: {artefact.path} is the runner",
                f"give the .pte as ARTEFACT and add --elf {artefact.path}, or leave --address out",
            )
        elf = artefact.path
    elif artefact.kind in ("pte", "bpte"):
        if request.elf is None or request.address is None:
            raise UsageError(
                f"{artefact.path} needs a runner that reads it from memory",
                "add --elf RUNNER and --address, the address that the runner was built for (its --pte=ADDRESS)",
            )
        elf = _user(request.elf)
        data = (artefact.path, parse_address(request.address))
    else:
        raise InputError(f"{artefact.path} cannot run on an FVP ({artefact.description})", "give an ELF or a .pte")
    if request.target is None:
        raise UsageError("which NPU is to be simulated?", f"add --target, one of {', '.join(FVP_TARGETS)}")
    fvp = find_fvp(request.target, request.fvp)
    limit = request.timeout or FVP_TIME_LIMIT_SECONDS
    asked = FvpRun(request.target, elf, data, limit, request.silence, request.fast, request.extra)
    facts: dict[str, Any] = {"target": request.target, "fvp": str(fvp.path)}
    return _session(FvpJob(asked, fvp), root, request, facts, artefact, elf)


def _session(
    job: Job,
    root: Path,
    request: RunRequest,
    facts: dict[str, Any],
    artefact: Artefact | None = None,
    elf: str | None = None,
) -> Session:
    hashes = {path: sha256(path) for path in dict.fromkeys((artefact.path if artefact else None, elf)) if path}
    versions = {"ethosu-tui": _own_version(), **facts.pop("versions", {})}
    name = artefact.path if artefact is not None else request.artefact
    folder = RunFolder.create(
        root,
        "run",
        job.label,
        on=request.on,
        artefact=name,
        model=Path(name).stem if name else None,
        versions=versions,
        hashes=hashes,
        **facts,
    )
    return Session(job, folder, str(folder.path))


def _own_version() -> str | None:
    try:
        return version("ethosu-tui")
    except PackageNotFoundError:  # a plain checkout
        return None


def _user(path: str) -> str:
    return str(Path(path).expanduser())
