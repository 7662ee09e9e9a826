"""One module a kind of place to run: each turns a request into a plan, or says what is wrong with it.

A module is imported when its kind is asked for.  `plan` raises before a run folder exists; a plan has a job that was not
started, and what the manifest shall say.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from ..artefacts import Artefact
from ..job import InputError, Job, UsageError
from ..run_request import RunRequest
from ..runs.folder import RunFolder
from ..target import KINDS
from ..targets.recorded import KEY, recorded
from ..targets.resolve import judged, resolve

SHOWN = ("fvp", "serial:URL", "ssh:HOST", "command", "host", "replay:LOG")
"""As `--on` takes them."""

_BOARDS, _PROGRAMS = ("serial",), ("fvp", "serial", "ssh", "command")
_OF_KINDS = {
    "elf": ("--elf", _PROGRAMS),
    "address": ("--address", _PROGRAMS),
    "fvp": ("--fvp", ("fvp",)),
    "fast": ("--fast", ("fvp",)),
    "trace": ("--pmu-trace", ("fvp",)),
    "semihosting": ("--semihosting", ("fvp",)),
    "extra": ("--fvp-arg", ("fvp",)),
    "inputs": ("--input", ("fvp", "host")),
    "iterations": ("--iterations", ("host",)),
    "python": ("--python", ("host",)),
    "pace": ("--pace", ("replay",)),
    "store": ("--no-store", ("replay",)),
    "port": ("--port", _BOARDS),
    "baud": ("--baud", _BOARDS),
    "flash": ("--flash", _BOARDS),
    "reset": ("--reset", _BOARDS),
    "appear": ("--appear", _BOARDS),
    "until": ("--until", ("serial", "ssh", "command")),
    "argv": ("a command behind --", ("ssh", "command")),
    "cwd": ("--cwd", ("ssh", "command")),
    "pty": ("--pty", ("command",)),
    "remote_folder": ("--remote-folder", ("ssh",)),
    "grace": ("--grace", ("ssh", "command")),
    "max_log_bytes": ("--max-log-bytes", ("fvp", "serial", "ssh", "command", "host")),
    "send": ("--send", ("ssh",)),
    "fetch": ("--fetch", ("ssh",)),
}
"""Fields of a request that not every kind looks at: the option as typed, and the kinds that do."""


@dataclass(frozen=True)
class Plan:
    """A job that is ready to be started, and what is known of it before."""

    job: Job
    facts: dict[str, Any] = field(default_factory=dict)
    """For the manifest; `target` is the NPU or the place."""
    artefact: Artefact | None = None
    files: tuple[str, ...] = ()
    """What takes part in the run; their digests go into the manifest."""
    source: str | None = None
    """What the report names as its source where there is no run folder."""
    prepare: Callable[[RunFolder], None] | None = None
    """Called with the run folder before the start."""
    request: RunRequest | None = None
    """The request with all settings of the target that it names; whoever carries it out needs no file of targets."""


def plan(request: RunRequest) -> Plan:
    """The plan for a request.

    Raises:
        JobError: the request makes no sense, or a file or a tool is missing.
    """
    request.check_limits()
    request = resolve(request)
    check_options(request)
    request, notes = judged(request)
    kind = request.kind
    if kind not in KINDS:
        raise UsageError(f"{request.on} is not a runner", f"--on takes {', '.join(SHOWN)}")
    if kind == "replay" and request.series_length:
        raise UsageError("a replay prints the same figures each time", "leave --repeat and --warm-up out")
    made: Plan = import_module(f".{kind}", __name__).plan(request, request.at)
    of_place = {KEY: recorded(request.place)} if request.place.name else {}
    return replace(made, request=request, facts={**made.facts, **of_place, **({"notes": list(notes)} if notes else {})})


def check_options(request: RunRequest) -> None:
    """UsageError where an option was given that this kind of place does not look at: no word may go unheard."""
    kind, empty = request.kind, RunRequest(request.on)
    for name, (option, kinds) in _OF_KINDS.items():
        unsaid = (getattr(empty, name), getattr(request.place, name, None))  # a target may hold what it does not need
        if getattr(request, name) in unsaid:
            continue
        if kind in KINDS and kind not in kinds:
            raise UsageError(f"{option} is for --on {' or '.join(kinds)}, not for --on {kind}", "leave it out")


def heard(request: RunRequest, others: Collection[str]) -> RunRequest:
    """The request without options that its kind of place does not look at and one of the `others` does."""
    kind, empty = request.kind, RunRequest(request.on)
    unheard = {
        name: getattr(empty, name)
        for name, (_, kinds) in _OF_KINDS.items()
        if kind not in kinds and any(other in kinds for other in others)
    }
    return replace(request, **unheard)


def parse_address(text: str) -> int:
    """An address as people write it."""
    try:
        return int(text, 0)
    except ValueError:
        raise UsageError(f"{text} is not an address", "write it like 0x70000000") from None


def program(request: RunRequest) -> Artefact:
    """The `.pte` of a request that needs one."""
    from ..artefacts import identify

    if request.artefact is None:
        raise UsageError("nothing to run", "name a .pte file")
    artefact = identify(user_path(request.artefact))
    if artefact.kind != "pte":
        raise InputError(f"{artefact.path} is no program to run here ({artefact.description})", "give a .pte file")
    return artefact


def user_path(path: str) -> str:
    """A path with `~` taken as the home."""
    return str(Path(os.path.expanduser(path)))
