"""What follows the end of a job: why it has no program, the program where it is wanted, its result and its manifest."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from ...analysis.report import Finding
from ..job import JobError
from . import failures, script_console
from .job import CompileJob
from .result import PTE, RESULT, CompileResult, build_result
from .result_text import StoredOperators, operators_text
from .setup import Setup


class Ending(NamedTuple):
    """How a job ended."""

    result: CompileResult
    failure: Finding | None
    stored: bool
    """Whether the result is in the run folder: a full disk keeps it out."""


def end_job(setup: Setup, job: CompileJob, code: int | None, seconds: float, was_stopped: bool) -> Ending:
    """Deliver and describe what came of a job whose process ended with this status (None: with all others)."""
    script_console.hear(job.told, job.folder.console_path, setup.file, code != 0)
    failure = failures.stopped(job.stages[job.stage]) if was_stopped else job.failure(code, setup.file)
    destination = setup.outputs[job.index]
    pte = job.folder.path / PTE
    try:
        if failure is None:
            job.deliver(destination, setup.batch)
    except OSError as error:
        reason = error.strerror or str(error)
        failure = failures.not_delivered(str(destination or error.filename), reason, str(pte))
    shutil.rmtree(job.scratch, ignore_errors=True)
    result = build_result(
        setup.options, job.point, job.folder.path, job.folder.console_path, job.told, seconds, failure, destination
    )
    result = replace(result, operators=StoredOperators(operators_text(result.operators)))  # it is printed again
    stored = False
    with suppress(JobError):  # a full disk: the result still goes to whoever listens
        job.folder.write_text(RESULT, result.text())
        stored = True
    with suppress(JobError):
        job.folder.finish(
            "stopped" if was_stopped else result.status,
            state="stopped" if was_stopped else "finished",
            artefact=str(pte) if result.pte else None,
            hashes={"model": setup.digest, "pte": result.sha256},
            exit_code=code,
            reason=failure.title if failure else None,
            seconds=result.seconds,
            stages=result.stages,
        )
    return Ending(result, failure, stored)
