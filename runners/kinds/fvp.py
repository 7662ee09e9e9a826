"""`fvp`: a runner, or a program beside a runner, on a Corstone FVP."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..artefacts import Artefact, identify
from ..fvp_run import TIME_LIMIT_SECONDS, FvpJob, FvpRun, Semihosting
from ..host import require_file
from ..job import InputError, UsageError
from ..reading.programs import program_label
from ..run_request import RunRequest
from ..runs.folder import RunFolder
from ..simulator import FVP_TARGETS, find_fvp
from ..storage import storage_error
from . import Plan, parse_address, user_path

TRACE = "pmu_trace.gz"
SEMIHOSTING = "semihosting"
"""Folder of a run folder that the runner reads from and writes to."""


def plan(request: RunRequest, rest: str) -> Plan:
    """The plan for a run on an FVP."""
    if request.artefact is None:
        raise UsageError("nothing to run", "name a runner's ELF file, or a .pte with --elf and --address")
    artefact = identify(user_path(request.artefact))
    if artefact.kind not in ("elf", "pte", "bpte"):
        raise InputError(f"{artefact.path} cannot run on an FVP ({artefact.description})", "give an ELF or a .pte")
    elf = artefact.path if artefact.kind == "elf" else _runner(request, artefact)
    data = None
    if artefact.kind == "elf":
        _check_lone_runner(request, artefact.path)
    elif not request.semihosting:
        data = (artefact.path, _address(request, artefact))
    target = request.npu_target
    if target is None:
        raise UsageError("which NPU is to be simulated?", f"add --target, one of {', '.join(FVP_TARGETS)}")
    fvp = find_fvp(target, request.fvp or request.place.fvp)
    limit = request.time_limit_seconds or TIME_LIMIT_SECONDS
    trace = TRACE if request.trace else None
    asked = FvpRun(target, elf, data, limit, request.silence_limit_seconds, request.fast, trace, extra=request.extra)
    job = FvpJob(asked, fvp)
    if artefact.kind != "elf":
        job.label = (
            f"{program_label(artefact.path).removesuffix(f' {target}')} on {target}"  # one runner, many programs
        )
    facts: dict[str, Any] = {"target": target, "fvp": str(fvp.path)}
    files = (artefact.path, elf, *(user_path(path) for path in request.inputs))
    return Plan(job, facts, artefact, files, prepare=_preparation(request, artefact, job))


def _runner(request: RunRequest, artefact: Artefact) -> str:
    runner = request.elf or request.place.elf
    if runner is None:
        raise UsageError(
            f"{artefact.path} needs a runner that reads it",
            "add --elf RUNNER and --address, the address that the runner was built for (its --pte=ADDRESS), "
            "or --semihosting for a runner that was built for that",
        )
    return user_path(runner)


def _address(request: RunRequest, artefact: Artefact) -> int:
    address = request.address or request.place.address
    if address is None:
        raise UsageError(
            f"{artefact.path} needs a runner that reads it from memory",
            "add --elf RUNNER and --address, the address that the runner was built for (its --pte=ADDRESS)",
        )
    if request.inputs:
        raise UsageError(
            "inputs are files only for a runner with semihosting", "add --semihosting, or leave --input out"
        )
    return parse_address(address)


def _check_lone_runner(request: RunRequest, path: str) -> None:
    if request.elf is not None:
        raise UsageError("two ELF files to run", "give the program (.pte) as ARTEFACT, the runner with --elf")
    if request.address is not None:
        raise UsageError(
            f"--address {request.address} has no program to put there: {path} is the runner",
            f"give the .pte as ARTEFACT and add --elf {path}, or leave --address out",
        )
    if request.semihosting or request.inputs:
        raise UsageError(
            f"{path} is the runner, and no program was named for it to read",
            f"give the .pte as ARTEFACT and add --elf {path}",
        )


def _preparation(request: RunRequest, artefact: Artefact, job: FvpJob) -> Callable[[RunFolder], None] | None:
    if not request.semihosting:
        return (lambda folder: job.work_in(str(folder.path))) if request.trace else None
    if request.address is not None:
        raise UsageError("--semihosting reads the program from a file, --address from memory", "leave one of them out")
    inputs = [user_path(path) for path in request.inputs]
    for path in inputs:
        require_file(path)
    if artefact.kind == "pte" and not inputs:
        raise UsageError("a runner with semihosting wants a file for each input", "add --input FILE, or give a .bpte")
    program = f"program.{artefact.kind}"
    names = [f"i{place}.bin" for place in range(len(inputs) or 1)]
    line = " ".join(["executor_runner", "-m", program, *(word for name in names for word in ("-i", name)), "-o", "out"])
    job.work_in(".", Semihosting(".", line))  # so that what is wrong with the line is known before there is a folder

    def prepare(folder: RunFolder) -> None:
        place = folder.path / SEMIHOSTING
        try:
            place.mkdir()
            shutil.copyfile(artefact.path, place / program)
            for name, path in zip(names, inputs, strict=False):
                shutil.copyfile(path, place / name)
            if not inputs:  # the runner opens one although a bundled program has its own
                Path(place / names[0]).write_bytes(bytes(4))
        except OSError as error:
            raise storage_error(error, place) from error
        job.work_in(str(folder.path), Semihosting(str(place), line))

    return prepare
