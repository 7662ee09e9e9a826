"""Compiles a model for several targets with ExecuTorch's own ahead-of-time flow, a run folder for each job.

The flow runs in a worker process (`aot/worker.py`) that imports torch once; its jobs are forked, so that one that
crashes takes nothing else with it.  What is known to differ from a finished job in Vela's part only goes through Vela
alone (`compile/derive.py`), and what was done before is found again (`compile/cache.py`).  A job's output is in its run
folder before anybody sees it.  This is the module that commands and screens use; `compile/plan.py` and
`compile/points.py` say what to compile, `compile/result.py` what came out.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...analysis.operators.report import CompiledOperator
from ..job import JobError
from ..numeric.check import Checker
from ..vela import VELA
from . import failures
from .check import bundled_models
from .derive import Base, Unfit, take_back
from .ending import end_job
from .events import BatchDone, BatchNote, CompileEvent, JobDone, JobNoticed, JobOutput, JobStage, JobStarted
from .extra import with_whole_paths
from .job import CompileJob
from .known import Known
from .numeric_checks import checked, checker_for
from .operators import partition_directories
from .plan import CompileOptions, equivalent_command, model_label
from .points import DEFAULT_TARGET, CompilePoint, plan
from .result import PTE, CompileResult
from .setup import Setup
from .sharing import Sharing
from .silence import silent_jobs, soonest
from .workers import Compiler, Crew, Workers, has_data

__all__ = [
    "DEFAULT_TARGET",
    "BatchDone",
    "BatchNote",
    "CompileBatch",
    "CompileEvent",
    "CompileOptions",
    "CompilePoint",
    "CompileResult",
    "CompiledOperator",
    "JobDone",
    "JobNoticed",
    "JobOutput",
    "JobStage",
    "JobStarted",
    "bundled_models",
    "equivalent_command",
    "model_label",
    "plan",
]

WORKERS = 3
"""So many processes with torch a batch may lose before it gives up what waits for one."""


class CompileBatch:
    """One model for several points.  `run()` belongs to one thread, `stop()` to any."""

    def __init__(
        self,
        options: CompileOptions,
        points: Sequence[CompilePoint],
        root: Path,
        jobs: int = 0,
        cached: bool = True,
        scheduler: str | None = None,
    ) -> None:
        """`jobs` at a time, 0 for what there is room for; `scheduler` is the address of a Dask cluster to use."""
        self.options = replace(options, extra=with_whole_paths(options.extra))
        self.points = tuple(points)
        self._root, self._cached = root, cached
        self._jobs, self._scheduler = max(jobs, 0), scheduler
        self._stopped = threading.Event()
        self._workers: Crew | None = None
        self._lock = threading.Lock()
        self._running: dict[int, CompileJob] = {}
        self._waiting: list[int] = list(range(len(self.points)))
        self._sharing = Sharing(self.options, self.points)
        self._checked = self._ready = False
        self._losses = 0
        self._refusal: JobError | None = None
        self._checker: Checker | None = None

    def stop(self) -> None:
        """End the batch; jobs that are done stay as they are.  Calling it twice, before or after is harmless."""
        self._stopped.set()
        with self._lock:
            if self._workers is not None:
                self._workers.end()
            if self._checker is not None:
                self._checker.stop()

    def check(self) -> None:
        """Refuse what cannot work, before anything slow.

        Raises:
            UsageError, InputError, MissingTool, JobError: see `compile/check`.
        """
        self._setup, self._checked = Setup(self.options, self.points, self._root), True
        self._checker = checker_for(self.options, self.points, self._setup.interpreter.path)
        if self._setup.interpreter.why_script is not None:
            self._sharing.off()

    def run(self) -> Generator[CompileEvent, None, None]:
        """Compile all points, some at a time, and yield what happens; `BatchDone` comes last.

        A job that is found in the cache has a `JobDone` only.
        """
        if not self._checked:
            self.check()
        self._checked = False  # it holds for one run
        yield from self._run() if self._checker is None else checked(self._run(), self._checker)

    def _run(self) -> Generator[CompileEvent, None, None]:
        began = time.monotonic()
        self._known = Known(self._setup, self._sharing, self._cached)
        try:
            workers = self._hire()
            with self._lock:
                self._workers = workers
                if self._stopped.is_set():
                    workers.end()
            for folder in self._known.find_bases():
                if self._checker is not None:
                    self._checker.offer(folder)
            yield from self._loop(workers)
        finally:
            self._close()
        if self._refusal is not None:
            raise self._refusal
        yield BatchDone(round(time.monotonic() - began, 3))

    def _hire(self) -> Crew:
        """Who does the jobs: processes of this machine, or a cluster."""
        if self._scheduler is None:
            return Workers(self._setup.interpreter, self.options.warm)
        from .fleet import Fleet

        return Fleet(self._scheduler, self._setup)

    def _loop(self, workers: Crew) -> Iterator[CompileEvent]:
        while (self._running or self._waiting) and not (self._stopped.is_set() and not self._running):
            yield from map(BatchNote, workers.notes())
            room = self._jobs or workers.width
            while (
                not self._stopped.is_set()
                and len(self._running) < room
                and (index := self._sharing.pick(self._waiting)) is not None
            ):
                yield from self._start(workers, index)
            if not self._running:
                continue
            idle = len(self._running) < room
            for ready, job in workers.wait(
                soonest(self._running.values(), self._sharing.patience(self._waiting) if idle else None)
            ):
                if job is not None and ready is job.process:
                    yield from self._derived(workers, job)
                elif job is not None:
                    yield from self._read(job, ready)
            if workers.compiler is not None:
                messages, alive = workers.compiler.messages()
                for message in messages:
                    yield from self._hear(workers.compiler, message)
                if not alive:
                    yield from self._lose(workers)
            self._end_silent(workers)

    def _end_silent(self, workers: Crew) -> None:
        """Kill jobs that hang, so that they hold nobody up; their end is told like any other."""
        for job, silent in silent_jobs(self._running.values()):
            if job.process is not None:
                job.process.end()  # Vela alone: the job goes the whole way then
            elif workers.compiler is not None:
                job.failed = job.failed or failures.hung(silent, job.stages[job.stage])
                workers.compiler.kill(job.index)

    def _start(self, workers: Crew, index: int) -> Iterator[CompileEvent]:
        reason = self._sharing.why_not(index)
        derivation = None
        if self._sharing.base(index) is not None:
            try:
                derivation = self._sharing.derivation(index)
                found = self._known.result(index, derivation)
                if found is not None:
                    yield JobDone(index, found)
                    return
            except Unfit as unfit:
                derivation, reason = None, str(unfit)
        try:
            job = self._setup.job(index, durable=derivation is None)
        except JobError as error:
            self._refusal = error  # what runs already may end
            self._waiting.clear()
            return
        self._running[index] = job
        yield JobStarted(index, job.folder)
        if derivation is not None:
            try:
                derivation.share(job.folder.path, job.inputs)
            except Unfit as unfit:
                derivation, reason = None, str(unfit)
                take_back(job.folder.path, job.scratch)
            except OSError as error:
                job.cannot_write(error)
                yield from self._finish(job, None)
                return
        process = workers.take_vela(job) if derivation is not None else None
        if derivation is None or process is None:
            yield from self._compile(workers, job, reason)
            return
        job.derivation, job.process = derivation, process
        job.told.inherit(derivation.base.told)
        job.told.route, job.told.route_reason = "shared", f"TOSA graphs of {derivation.base.label}"
        job.stage = job.stages.index("Vela")
        request = derivation.request(job.point, job.folder.path, job.scratch)
        process.start({"job": index, **request, "vela_config": job.spec["vela_config"]})
        yield JobStage(index, "Vela", job.stage, len(job.stages))

    def _compile(self, workers: Crew, job: CompileJob, reason: str | None) -> Iterator[CompileEvent]:
        """The whole way, through ExecuTorch's script."""
        why_script = self._setup.interpreter.why_script
        job.told.route, job.told.route_reason = ("full", reason) if why_script is None else ("script", why_script)
        job.stage, job.heard = 0, time.monotonic()
        process = workers.start_compiler()
        if process is None:
            yield from self._finish(job, None)
            return
        job.log_fd, job.event_fd = process.start(job.spec)
        for descriptor in (job.log_fd, job.event_fd):
            workers.listen(descriptor, job)
        yield JobStage(job.index, job.stages[0], 0, len(job.stages))

    def _derived(self, workers: Crew, job: CompileJob) -> Iterator[CompileEvent]:
        """Vela is done with the graphs of a job, or it is gone."""
        assert job.process is not None and job.derivation is not None
        problem = None
        try:
            answer = job.process.answer()
            if answer is None:
                return
            workers.give_back(job.process)
            problem = answer.get("error")
        except EOFError:
            status = workers.drop(job.process)
            problem = f"Vela's process was killed by signal {-status}" if status < 0 else "Vela's process ended"
            answer = {}
        job.process = None
        if self._stopped.is_set():
            yield from self._finish(job, None)
            return
        try:
            if problem is not None:
                raise Unfit(str(problem))
            program = job.derivation.program(job.point, job.folder.path, answer["partitions"])
            for partition in partition_directories(job.folder.path / VELA):
                yield from self._output(job, (partition / "vela.log").read_bytes())
            (job.folder.path / PTE).write_bytes(program)
        except Unfit as unfit:
            take_back(job.folder.path, job.scratch)
            job.told.forget()
            yield from self._compile(workers, job, str(unfit))
            return
        except OSError as error:
            job.cannot_write(error)
        yield from self._finish(job, 0)

    def _read(self, job: CompileJob, descriptor: int) -> Iterator[CompileEvent]:
        """Take what one pipe of a job has; at its end stop listening to it."""
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return
        job.heard = time.monotonic()
        if not data:
            self._release(job, descriptor)
        elif descriptor == job.log_fd:
            yield from self._output(job, data)
        else:
            yield from self._events(job, data)

    def _output(self, job: CompileJob, data: bytes) -> Iterator[CompileEvent]:
        try:
            job.console.write(data, time.monotonic() - job.began)
        except JobError as error:
            if job.failed is None:
                job.failed = failures.no_space(error.message, error.hint)
                if self._workers is not None and self._workers.compiler is not None:
                    self._workers.compiler.kill(job.index)
        yield JobOutput(job.index, data)

    def _events(self, job: CompileJob, data: bytes) -> Iterator[CompileEvent]:
        heard = job.told.hear(data)
        for finding in job.told.noticed(job.point):
            yield JobNoticed(job.index, finding)
        for stage in heard:
            if stage in job.stages:
                reached = job.stages.index(stage)
                if reached > job.stage:  # export comes twice, and a stage goes on after one inside it
                    job.stage = reached
                    yield JobStage(job.index, stage, reached, len(job.stages))

    def _hear(self, process: Compiler, message: dict[str, Any]) -> Iterator[CompileEvent]:
        if message["event"] == "ready":
            self._ready = True
            self._sharing.ready()
            for job in self._compiling():
                job.began = job.heard = time.monotonic()  # the imports are the batch's time, not that of its first jobs
        elif message["event"] == "unavailable":
            for job in self._compiling():
                job.failed = failures.unavailable(str(message["error"]), self._setup.interpreter.path)
                yield from self._output(job, process.said())
        elif message["event"] == "exit" and message["job"] in self._running:
            job = self._running[message["job"]]
            job.failed = job.failed or message.get("failed")
            yield from self._finish(job, message["code"])

    def _compiling(self) -> list[CompileJob]:
        """The jobs that run in the compiler's process."""
        return [job for job in self._running.values() if job.process is None]

    def _lose(self, workers: Crew) -> Iterator[CompileEvent]:
        """The worker is gone: what it worked on has failed, or was stopped with the batch; another one may go on."""
        jobs = self._compiling()
        status = workers.drop_compiler()
        reason = f"killed by signal {-status}" if status < 0 else f"it ended with status {status}"
        for job in jobs:
            if not self._stopped.is_set() and job.failed is None:
                job.failed = failures.lost(reason, job.stages[job.stage])
            yield from self._finish(job, None)
        self._losses += 1
        if self._ready and self._losses < WORKERS:
            return
        while self._waiting and not self._stopped.is_set():
            job = self._setup.job(self._waiting.pop(0))
            self._running[job.index] = job
            job.failed = failures.lost(reason, job.stages[0])
            yield JobStarted(job.index, job.folder)
            yield from self._finish(job, None)

    def _finish(self, job: CompileJob, code: int | None) -> Iterator[CompileEvent]:
        """Everything that follows the end of a job's process."""
        seconds = time.monotonic() - job.began
        for name in ("log_fd", "event_fd"):
            while (descriptor := getattr(job, name)) >= 0:  # what the pipes still hold; a grandchild may keep them open
                events = list(self._read(job, descriptor))
                yield from events
                if not events and getattr(job, name) >= 0 and not has_data(descriptor):
                    self._release(job, descriptor)
        was_stopped = self._stopped.is_set() and code is None
        self._dispose(job)
        ending = end_job(self._setup, job, code, seconds, was_stopped)
        base = Base(job.point, job.folder.path, ending.result.sha256, job.told, job.inputs)
        self._sharing.ended(job.index, base if ending.failure is None else None)
        if ending.failure is None and ending.stored:
            self._known.keep(job, base, ending.result)
        yield JobDone(job.index, ending.result)

    def _release(self, job: CompileJob, descriptor: int) -> None:
        assert self._workers is not None
        self._workers.release(descriptor)
        os.close(descriptor)
        if descriptor == job.log_fd:
            job.log_fd = -1
        else:
            job.event_fd = -1

    def _dispose(self, job: CompileJob) -> None:
        self._running.pop(job.index, None)
        job.console.close()

    def _close(self) -> None:
        """Leave nothing behind, also when our caller stopped listening half-way."""
        with self._lock:
            workers, self._workers = self._workers, None
        if workers is not None:
            workers.close()
        for job in list(self._running.values()):
            for descriptor in (job.log_fd, job.event_fd):
                if descriptor >= 0:
                    os.close(descriptor)
            self._dispose(job)
            shutil.rmtree(job.scratch, ignore_errors=True)
            with suppress(JobError):  # a full disk must not hide why we end
                job.folder.finish("stopped", state="stopped", reason="interrupted")
