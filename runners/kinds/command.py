"""`command`: any argv on this machine, with placeholders for what is run."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from ..artefacts import NotKnown, identify
from ..command import TIME_LIMIT_SECONDS, CommandJob
from ..host import require_file
from ..job import InputError, UsageError
from ..process import Limits
from ..run_request import RunRequest
from ..runs.folder import RunFolder
from . import Plan, user_path

EXAMPLE = "write it behind --, e.g. --on command -- qemu-system-arm -M mps3-an547 -nographic -kernel {elf}"


def plan(request: RunRequest, rest: str) -> Plan:
    """The plan for a command."""
    if rest:
        raise UsageError(f"--on command takes no place ({rest})", EXAMPLE)
    if not request.command:
        raise UsageError("--on command needs the command", EXAMPLE)
    artefact, elf = program_files(request)
    files = tuple(dict.fromkeys(path for path in (artefact, elf) if path is not None))
    place = request.place
    values = {
        "artefact": artefact,
        "elf": elf,
        "address": request.address or place.address,
        "target": request.npu_target,
        "port": place.url,
        "host": place.host,
    }
    cwd = request.cwd or place.cwd
    if cwd is not None:
        cwd = os.path.abspath(user_path(cwd))
        if not os.path.isdir(cwd):
            raise InputError(f"{cwd} is no folder to run in", "check --cwd")
    name = os.path.basename(request.command[0])
    label = f"{os.path.basename(files[0])} by {name}" if files else name
    limits = Limits(request.time_limit_seconds or TIME_LIMIT_SECONDS, request.silence_limit_seconds)
    if request.grace_seconds is not None:
        limits = replace(limits, term_grace_seconds=request.grace_seconds)
    job = CommandJob(request.command, values, label=label, cwd=cwd, limits=limits, pty=request.pty or place.pty)

    def prepare(folder: RunFolder) -> None:
        job.use_folder(str(folder.path))

    facts: dict[str, Any] = {"target": request.npu_target or place.name or "command"}
    return Plan(job, facts, None, files, prepare=prepare)


def program_files(request: RunRequest) -> tuple[str | None, str | None]:
    """The artefact and the runner's ELF as absolute paths, each None where the run has none.

    An artefact may be of any kind here; one that is an ELF is the runner too.
    """
    elf = request.elf or request.place.elf
    paths = [None if path is None else os.path.abspath(user_path(path)) for path in (request.artefact, elf)]
    for path in paths:
        if path is not None:
            require_file(path)
    artefact, runner = paths
    if artefact is not None and runner is None:
        try:
            if identify(artefact).kind == "elf":
                runner = artefact
        except NotKnown:
            pass
    return artefact, runner
