"""Compiles a model for several targets with ExecuTorch's own ahead-of-time flow, a run folder for each job.

The flow runs in a worker process (`aot_worker.py`) that imports torch once; its jobs are forked, so that one that
crashes takes nothing else with it.  A job's output is in its run folder before anybody sees it.  This is the module that
commands and screens use; `compile_plan.py` says what to compile, `compile_result.py` what came out.
"""

from __future__ import annotations

import os
import secrets
import selectors
import shutil
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from . import compile_failures as failures
from . import script_console
from .aot_process import AotProcess, scratch_directory
from .compile_check import bundled_models, check_outputs, resolve_model, working_directory
from .compile_events import BatchDone, CompileEvent, JobDone, JobOutput, JobStage, JobStarted
from .compile_job import CompileJob
from .compile_plan import (
    CompileOptions,
    aot_arguments,
    check_extra,
    equivalent_command,
    model_label,
    output_paths,
    stages,
)
from .compile_points import DEFAULT_TARGET, CompilePoint, plan
from .compile_result import DELEGATION, PTE, RESULT, VELA, CompiledOperator, CompileResult, build_result, sha256
from .compile_sharing import Base, Sharing, signature
from .folder import RunFolder
from .interpreters import Interpreter, find_interpreter
from .job import JobError
from .script_process import ScriptProcess, check_script

__all__ = [
    "DEFAULT_TARGET",
    "BatchDone",
    "CompileBatch",
    "CompileEvent",
    "CompileOptions",
    "CompilePoint",
    "CompileResult",
    "CompiledOperator",
    "JobDone",
    "JobOutput",
    "JobStage",
    "JobStarted",
    "bundled_models",
    "equivalent_command",
    "model_label",
    "plan",
]


class CompileBatch:
    """One model for several points.  `run()` belongs to one thread, `stop()` to any."""

    def __init__(self, options: CompileOptions, points: Sequence[CompilePoint], root: Path, jobs: int = 0) -> None:
        self.options = options
        self.points = tuple(points)
        self._root = root
        self._parallel = jobs if jobs > 0 else min(len(self.points), _processors())
        self._id = secrets.token_hex(4)
        self._stopped = threading.Event()
        self._process: AotProcess | ScriptProcess | None = None
        self._lock = threading.Lock()
        self._running: dict[int, CompileJob] = {}
        self._waiting: list[int] = list(range(len(self.points)))
        self._sharing = Sharing(options, self.points)
        self._selector: selectors.BaseSelector | None = None
        self._refusal: JobError | None = None
        self._ready = False

    def stop(self) -> None:
        """End the batch; jobs that are done stay as they are.  Calling it twice, before or after is harmless."""
        self._stopped.set()
        with self._lock:
            if self._process is not None:
                self._process.end()

    def check(self) -> None:
        """Refuse what cannot work, before anything slow.

        Raises:
            UsageError, InputError, MissingTool, JobError: see `compile_check`.
        """
        check_extra(self.options.extra)
        self._cwd = working_directory()
        self._interpreter: Interpreter = find_interpreter(self.options.interpreter, self.options.executorch)
        check_script(self._interpreter, self.options.extra, self.points)
        if self._interpreter.why_script is not None:
            self._sharing.off()
        self._model, self._file = resolve_model(self.options.model, self._interpreter, self.options.extra)
        self._outputs = output_paths(self.options, self.points)
        keep = self.options.keep_intermediates
        check_outputs(self._root, self._outputs, keep if isinstance(keep, str) else None)

    def run(self) -> Generator[CompileEvent, None, None]:
        """Compile all points, some at a time, and yield what happens; `BatchDone` comes last."""
        began = time.monotonic()
        self.check()
        self._digest = sha256(Path(self._file)) if self._file else None
        try:
            with selectors.DefaultSelector() as self._selector:
                with self._lock:
                    if not self._stopped.is_set():
                        self._process = _started(self._interpreter)
                if self._process is not None:
                    self._selector.register(self._process, selectors.EVENT_READ)
                    yield from self._loop(self._process)
        finally:
            self._close()
        if self._refusal is not None:
            raise self._refusal
        yield BatchDone(round(time.monotonic() - began, 3))

    def _loop(self, process: AotProcess | ScriptProcess) -> Iterator[CompileEvent]:
        assert self._selector is not None
        while self._running or self._waiting:
            while len(self._running) < self._parallel and (index := self._sharing.pick(self._waiting)) is not None:
                yield from self._start(process, index)
            if not self._running:
                return
            idle = len(self._running) < self._parallel
            for key, _ in self._selector.select(self._sharing.patience(self._waiting) if idle else None):
                if key.data is not None:
                    yield from self._read(key.data, key.fd)
            messages, alive = process.messages()
            for message in messages:
                yield from self._hear(process, message)
            if not alive:
                yield from self._lose(process)
                return

    def _start(self, process: AotProcess | ScriptProcess, index: int) -> Iterator[CompileEvent]:
        try:
            job, spec = self._prepare(index)
        except JobError as error:
            self._refusal = error  # what runs already may end
            self._waiting.clear()
            return
        job.log_fd, job.event_fd = process.start(spec)
        assert self._selector is not None
        for descriptor in (job.log_fd, job.event_fd):
            self._selector.register(descriptor, selectors.EVENT_READ, job)
        job.began = time.monotonic()
        yield JobStarted(index, job.folder)
        yield JobStage(index, job.stages[0], 0, len(job.stages))

    def _prepare(self, index: int) -> tuple[CompileJob, dict[str, Any]]:
        point = self.points[index]
        facts = {
            "cwd": self._cwd,
            "model": self.options.model,
            "target": point.target,
            "system_config": point.system_config,
            "memory_mode": point.memory_mode,
            "versions": self._interpreter.record(),
            "hashes": {"model": self._digest},
            "batch": self._id,
            "command": equivalent_command(self.options, [point]),
        }
        scratch = scratch_directory()
        label = f"{model_label(self.options.model)} {point.label}"
        folder = RunFolder.create(self._root, "compile", label, **facts)
        dump, dumped = self._intermediates(point, folder, scratch)
        arguments = aot_arguments(self.options, point, self._model, folder.path / PTE, dump)
        passed = stages(self.options, point)
        inputs = signature(self.options, self._file)
        job = CompileJob(index, point, folder, folder.console(), scratch, tuple(arguments), passed, dumped, inputs)
        self._running[index] = job
        job.told.notes += self._interpreter.findings
        folder.update(argv=[*self._interpreter.command, *arguments], artefact=str(folder.path / PTE))
        spec = {
            "job": index,
            "argv": arguments,
            "model": self._file,
            "tmp": scratch,
            "token": job.told.lines.token,
            "vela": str(folder.path / VELA),
            "delegation": str(folder.path / DELEGATION),
            "pte": str(folder.path / PTE),
            "vela_flags": list(point.vela_flags) if self.options.delegate else [],
            "base": None,
        }
        base = self._sharing.base(index)
        if base is None:
            job.told.route_reason = self._sharing.why_not(index)
        elif base.inputs != inputs:
            job.told.route_reason = "the model's files were changed meanwhile"
        else:
            spec["base"] = base.spec()
            job.told.inherit(base.told)
            with suppress(OSError):
                shutil.copyfile(base.pte.with_name(DELEGATION), folder.path / DELEGATION)
        return job, spec

    def _intermediates(
        self, point: CompilePoint, folder: RunFolder, scratch: str
    ) -> tuple[Path | None, tuple[Path, Path] | None]:
        """Where the script shall dump to, and the move that follows where that place has blanks in its path."""
        keep = self.options.keep_intermediates
        if not keep:
            return None, None
        wanted = folder.path / "intermediates"
        if isinstance(keep, str):
            wanted = Path(keep).expanduser().absolute()
            if len(self.points) > 1:
                wanted = wanted / point.label.replace(" ", "-")
        if any(c.isspace() for c in str(wanted)):
            return Path(scratch) / "intermediates", (Path(scratch) / "intermediates", wanted)
        return wanted, None

    def _read(self, job: CompileJob, descriptor: int) -> Iterator[CompileEvent]:
        """Take what one pipe of a job has; at its end stop listening to it."""
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return
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
                if self._process is not None:
                    self._process.kill(job.index)
        yield JobOutput(job.index, data)

    def _events(self, job: CompileJob, data: bytes) -> Iterator[CompileEvent]:
        for stage in job.told.hear(data):
            if stage in job.stages:
                reached = job.stages.index(stage)
                if reached > job.stage:  # export comes twice, and a stage goes on after one inside it
                    job.stage = reached
                    yield JobStage(job.index, stage, reached, len(job.stages))

    def _hear(self, process: AotProcess | ScriptProcess, message: dict[str, Any]) -> Iterator[CompileEvent]:
        if message["event"] == "ready":
            self._ready = True
            self._sharing.ready()
            for job in self._running.values():
                job.began = time.monotonic()  # the imports are the batch's time, not that of its first jobs
        elif message["event"] == "unavailable":
            for job in list(self._running.values()):
                job.failed = failures.unavailable(str(message["error"]), self._interpreter.path)
                yield from self._output(job, process.said())
        elif message["event"] == "exit" and message["job"] in self._running:
            yield from self._finish(self._running[message["job"]], message["code"])

    def _lose(self, process: AotProcess | ScriptProcess) -> Iterator[CompileEvent]:
        """The worker is gone: every job that is not done has failed, or was stopped with the batch."""
        status = process.end()
        reason = f"killed by signal {-status}" if status < 0 else f"it ended with status {status}"
        for job in list(self._running.values()):
            if not self._stopped.is_set() and job.failed is None:
                job.failed = failures.lost(reason, job.stages[job.stage])
            yield from self._finish(job, None)
        while self._waiting and not self._stopped.is_set():
            index = self._waiting.pop(0)
            job, _ = self._prepare(index)
            job.began = time.monotonic()
            job.failed = failures.lost(reason, job.stages[0])
            yield JobStarted(index, job.folder)
            yield from self._finish(job, None)

    def _finish(self, job: CompileJob, code: int | None) -> Iterator[CompileEvent]:
        """Everything that follows the end of a job's process."""
        seconds = time.monotonic() - job.began
        for name in ("log_fd", "event_fd"):
            while (descriptor := getattr(job, name)) >= 0:  # what the pipes still hold; a grandchild may keep them open
                events = list(self._read(job, descriptor))
                yield from events
                if not events and getattr(job, name) >= 0 and not _has_data(descriptor):
                    self._release(job, descriptor)
        was_stopped = self._stopped.is_set() and code is None
        script_console.hear(job.told, job.folder.console_path, self._file, code != 0)
        failure = failures.stopped(job.stages[job.stage]) if was_stopped else job.failure(code, self._file)
        destination = self._outputs[job.index]
        try:
            if failure is None:
                job.deliver(destination, self._id)
        except OSError as error:
            reason = error.strerror or str(error)
            failure = failures.not_delivered(str(destination or error.filename), reason, str(job.folder.path / PTE))
        self._dispose(job)
        result = build_result(
            self.options,
            job.point,
            job.folder.path,
            job.folder.console_path,
            job.told,
            seconds,
            failure,
            destination,
        )
        with suppress(JobError):  # a full disk: the result still goes to whoever listens
            job.folder.write_json(RESULT, result.to_dict())
        with suppress(JobError):
            job.folder.finish(
                "stopped" if was_stopped else result.status,
                state="stopped" if was_stopped else "finished",
                artefact=str(job.folder.path / PTE) if result.pte else None,
                hashes={"model": self._digest, "pte": result.sha256},
                exit_code=code,
                reason=failure.title if failure else None,
                seconds=result.seconds,
                stages=result.stages,
            )
        path = job.folder.path
        base = Base(job.point.label, path / PTE, result.sha256, job.argv, path / VELA, job.told, job.inputs)
        self._sharing.ended(job.index, base if failure is None else None)
        yield JobDone(job.index, result)

    def _release(self, job: CompileJob, descriptor: int) -> None:
        assert self._selector is not None
        self._selector.unregister(descriptor)
        os.close(descriptor)
        if descriptor == job.log_fd:
            job.log_fd = -1
        else:
            job.event_fd = -1

    def _dispose(self, job: CompileJob) -> None:
        self._running.pop(job.index, None)
        job.console.close()
        shutil.rmtree(job.scratch, ignore_errors=True)

    def _close(self) -> None:
        """Leave nothing behind, also when our caller stopped listening half-way."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.close()
        for job in list(self._running.values()):
            for descriptor in (job.log_fd, job.event_fd):
                if descriptor >= 0:
                    os.close(descriptor)
            self._dispose(job)
            with suppress(JobError):  # a full disk must not hide why we end
                job.folder.finish("stopped", state="stopped", reason="interrupted")


def _started(interpreter: Interpreter) -> AotProcess | ScriptProcess:
    return AotProcess(interpreter.path) if interpreter.why_script is None else ScriptProcess(interpreter)


def _has_data(descriptor: int) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        return bool(selector.select(0))


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux has it
        return os.cpu_count() or 1
