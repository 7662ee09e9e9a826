"""`replay:LOG`: a stored log once more, at its own pace or another."""

from __future__ import annotations

import os
from pathlib import Path

from ..job import InputError, UsageError
from ..replay import Pace, ReplayJob
from ..run_request import RunRequest
from . import Plan


def plan(request: RunRequest, log: str) -> Plan:
    """The plan for a replay."""
    log = log or request.place.log or ""
    if not log:
        raise UsageError("--on replay needs a log", "write --on replay:LOG")
    path = Path(os.path.expanduser(log))
    if log != "-" and not path.exists():
        raise InputError(f"{log}: no such file", "check the path")
    return Plan(ReplayJob(path, parse_pace(request.pace)), {"replayed": log}, source=str(path))


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
