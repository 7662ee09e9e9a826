"""`host`: a program without an NPU on this machine."""

from __future__ import annotations

from ..host import TIME_LIMIT_SECONDS, HostJob, HostRun, host_interpreter
from ..run_request import RunRequest
from ..runs.folder import RunFolder
from . import Plan, program

ETDUMP = "etdump.etdp"


def plan(request: RunRequest, rest: str) -> Plan:
    """The plan for a run on this machine."""
    artefact = program(request)
    interpreter = host_interpreter(request.python)
    limit = request.time_limit_seconds or TIME_LIMIT_SECONDS
    asked = HostRun(artefact.path, request.inputs, request.iterations, limit, request.silence_limit_seconds)
    job = HostJob(asked, interpreter)

    def prepare(folder: RunFolder) -> None:
        job.keep_etdump(str(folder.path / ETDUMP))

    facts = {"target": "host", "versions": dict(interpreter.versions)}
    return Plan(job, facts, artefact, (artefact.path,), prepare=prepare)
