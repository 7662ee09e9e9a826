"""`serial:URL`: a board behind a serial port, flashed and reset first where that is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..artefacts import Artefact, identify
from ..job import UsageError
from ..placeholders import fill
from ..run_request import RunRequest
from ..runs.folder import RunFolder
from ..serial.job import LINES, TIME_LIMIT_SECONDS, SerialJob, SerialRun, uses_port
from ..serial.port import BAUD, pyserial
from . import Plan, user_path


def plan(request: RunRequest, rest: str) -> Plan:
    """The plan for a capture from a serial port; whether the port is there and free is found out by the run."""
    pyserial()
    artefact: Artefact | None = None
    if request.artefact is not None:
        artefact = identify(user_path(request.artefact))
    elf = _elf(request, artefact)
    asked = capture(request, rest, artefact, elf)
    job = SerialJob(asked)

    def prepare(folder: RunFolder) -> None:
        job.keep(folder.path)

    target = request.npu_target or request.place.name or asked.url
    facts: dict[str, Any] = {"target": target, "port": asked.url, "baud": asked.baud}
    files = tuple(dict.fromkeys(path for path in (artefact.path if artefact else None, elf) if path))
    return Plan(job, facts, artefact, files, prepare=prepare)


def capture(request: RunRequest, rest: str, artefact: Artefact | None, elf: str | None) -> SerialRun:
    """What a request means for a port, with the placeholders of its commands filled in."""
    place = request.place
    if rest and request.port is not None:
        raise UsageError("two ports to listen on", f"leave --port {request.port} out")
    url = rest or request.port or place.url or ""
    if not url and place.name:
        raise UsageError(f"{place.name} has no port", 'add --port, or give it as url = "..." in an entry of your own')
    values = {
        "artefact": artefact.path if artefact is not None else None,
        "elf": elf,
        "port": url,
        "address": request.address or place.address,
        "target": request.npu_target,
    }
    flash, reset = request.flash or place.flash, request.reset or place.reset
    filled: dict[str, Any] = {
        name: tuple(fill(argv, values, f"the {name} command"))
        for name, argv in (("before", place.before), ("flash", flash), ("reset", reset), ("after", place.after))
    }
    if reset and reset[0] in LINES and len(reset) > 1:
        raise UsageError(f"{reset[0]} is a line of the port and takes no arguments", f"write --reset {reset[0]}")
    what = Path(artefact.path).name if artefact is not None else "capture"
    return SerialRun(
        url,
        request.baud if request.baud is not None else place.baud if place.baud is not None else BAUD,
        f"{what} on {place.name or (url if '://' in url else Path(url).name)}",
        port_in_flash=uses_port(flash),
        port_in_reset=uses_port(reset),
        until=request.end_markers,
        time_limit_seconds=request.time_limit_seconds or TIME_LIMIT_SECONDS,
        silence_limit_seconds=request.silence_limit_seconds,
        appear_seconds=request.appear if request.appear is not None else place.appear_seconds,
        **filled,
    )


def _elf(request: RunRequest, artefact: Artefact | None) -> str | None:
    runner = request.elf or request.place.elf
    if runner is not None:
        return user_path(runner)
    return artefact.path if artefact is not None and artefact.kind == "elf" else None
