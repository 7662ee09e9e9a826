"""`fvp`: a runner, or a program beside a runner, on a Corstone FVP."""

from __future__ import annotations

from typing import Any

from ..artefacts import identify
from ..job import InputError, UsageError
from ..run_request import RunRequest
from ..simulator import FVP_TARGETS, TIME_LIMIT_SECONDS, FvpJob, FvpRun, find_fvp
from . import Plan, parse_address, user_path


def plan(request: RunRequest, rest: str) -> Plan:
    """The plan for a run on an FVP."""
    if request.artefact is None:
        raise UsageError("nothing to run", "name a runner's ELF file, or a .pte with --elf and --address")
    artefact = identify(user_path(request.artefact))
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
        runner, address = request.elf or request.place.elf, request.address or request.place.address
        if runner is None or address is None:
            raise UsageError(
                f"{artefact.path} needs a runner that reads it from memory",
                "add --elf RUNNER and --address, the address that the runner was built for (its --pte=ADDRESS)",
            )
        elf = user_path(runner)
        data = (artefact.path, parse_address(address))
    else:
        raise InputError(f"{artefact.path} cannot run on an FVP ({artefact.description})", "give an ELF or a .pte")
    target = request.npu_target
    if target is None:
        raise UsageError("which NPU is to be simulated?", f"add --target, one of {', '.join(FVP_TARGETS)}")
    fvp = find_fvp(target, request.fvp or request.place.fvp)
    limit = request.time_limit_seconds or TIME_LIMIT_SECONDS
    asked = FvpRun(target, elf, data, limit, request.silence_limit_seconds, request.fast, request.extra)
    facts: dict[str, Any] = {"target": target, "fvp": str(fvp.path)}
    return Plan(FvpJob(asked, fvp), facts, artefact, (artefact.path, elf))
