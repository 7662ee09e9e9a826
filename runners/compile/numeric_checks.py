"""Puts the numeric check behind the compiles of a batch: a job is done when its check is.

Checks run one after the other in a thread of their own, so that the compiles of other jobs go on meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace

from ...analysis.numeric.judgement import numeric_findings
from ...analysis.numeric.report import NumericReport
from ...analysis.report import to_dict
from ..job import JobError, UsageError
from ..numeric.check import Checker, find_reference_model
from ..numeric.options import FOLDER
from ..runs.folder import RunFolder
from .events import BatchDone, CompileEvent, JobDone, JobStage
from .plan import CompileOptions
from .points import CompilePoint
from .result import PTE, RESULT, CompileResult

STAGE = "numeric check"


def checker_for(options: CompileOptions, points: Sequence[CompilePoint], interpreter: str) -> Checker | None:
    """What checks the programs of a batch, if that was asked for.

    Raises:
        UsageError: there will be no delegate to check, or a number makes no sense.
        MissingTool: the interpreter has no reference model.
    """
    if options.numeric is None:
        return None
    options.numeric.check()
    if not (options.delegate and any(point.is_npu for point in points)):
        raise UsageError(
            "--check-numerics needs an Ethos-U target with a delegate", "leave it out, or name such a target"
        )
    if not options.quantize:
        raise UsageError("--check-numerics compares quantised programs", "leave --no-quantize out")
    return Checker(options.numeric, interpreter, find_reference_model(interpreter))


def checked(events: Generator[CompileEvent, None, None], checker: Checker) -> Generator[CompileEvent, None, None]:
    """The events of a batch, with every job that has delegates checked before it is done.

    Raises:
        JobError: what ended the batch; checks that began are finished and told first.
    """
    began = time.monotonic()
    problem: JobError | None = None
    pool = ThreadPoolExecutor(1, "numeric check")
    waiting: list[tuple[int, Future[CompileResult]]] = []
    stages: dict[int, int] = {}
    try:
        try:
            with closing(events):
                for event in events:
                    if isinstance(event, JobDone) and _applies(event.result):
                        total = stages.get(event.index, 0)
                        yield JobStage(event.index, STAGE, total, total + 1)
                        waiting.append((event.index, pool.submit(_with_check, event.result, checker)))
                    elif not isinstance(event, BatchDone):
                        if isinstance(event, JobStage):
                            stages[event.index] = event.total
                        yield event
                    while waiting and waiting[0][1].done():
                        yield _done(waiting)
        except JobError as error:
            problem = error
        while waiting:
            yield _done(waiting)
    finally:
        if waiting:  # our caller stopped listening
            checker.stop()
        pool.shutdown(wait=True, cancel_futures=True)
    if problem is not None:
        raise problem
    yield BatchDone(round(time.monotonic() - began, 3))


def _done(waiting: list[tuple[int, Future[CompileResult]]]) -> JobDone:
    index, future = waiting[0]
    result = future.result()
    waiting.pop(0)
    return JobDone(index, result)


def _applies(result: CompileResult) -> bool:
    return result.status == "ok" and result.point.is_npu


def _with_check(result: CompileResult, checker: Checker) -> CompileResult:
    if result.route == "full" and not result.cached:
        checker.offer(result.folder)
    report = checker.check(result.folder, result.folder / PTE, result.point.label)
    made = with_report(result, report)
    with suppress(JobError, OSError):  # a full disk: the result still goes to whoever listens
        folder = RunFolder.open(result.folder)
        (folder.path / FOLDER).mkdir(exist_ok=True)
        folder.write_json(f"{FOLDER}/report.json", to_dict(report))
        if report.status != "passed":  # the cache knows the other ones as they are
            folder.write_text(RESULT, made.text())
    return made


def with_report(result: CompileResult, report: NumericReport) -> CompileResult:
    """The result with what the check found; a check that could not be done follows from an error that is there already."""
    failed = any(finding.severity == "error" for finding in result.findings)
    findings = [
        finding._replace(severity="info") if failed and finding.rule == "numeric-not-checked" else finding
        for finding in numeric_findings(report)
    ]
    seconds = round(result.seconds + (report.seconds or 0.0 if report.shared_with is None else 0.0), 3)
    return replace(result, numeric=report, findings=(*result.findings, *findings), seconds=seconds)
