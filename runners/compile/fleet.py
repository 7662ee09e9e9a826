"""A Dask cluster in the place of a batch's own processes (`compile/workers.py`): the same jobs, done somewhere else.

What a job gives comes back as bytes, is written into its run folder, and then goes the way of a local job: its console
and its events are read from a pair of files as from the pipes of a process here.  Stages are told while it runs.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from queue import Empty, SimpleQueue
from typing import Any

from ...analysis.report import Finding
from ..aot.inputs import described, listed
from ..fleet.cluster import Cluster, Ended, Noted
from ..fleet.work import compile_job, derive_job, facts
from ..job import JobError, UsageError
from ..storage import storage_error
from . import failures
from .cache import INPUTS
from .job import CompileJob
from .result import DELEGATION, PTE
from .setup import Setup

_STOP = Noted(-2, "")


class Fleet:
    """The processes of one batch, elsewhere.  `end()` may be called from any thread, all else belongs to the batch's own."""

    def __init__(self, address: str, setup: Setup) -> None:
        """Find workers that have what this machine has.

        Raises:
            UsageError, MissingTool: see `Cluster`; or the options ask for what only a process here can do.
        """
        _check(setup)
        self._setup = setup
        self._said: SimpleQueue[Noted | Ended] = SimpleQueue()
        self._cluster = Cluster(address, facts(setup.interpreter), setup.options.interpreter, self._said.put)
        self.compiler: RemoteCompiler | None = None
        """The jobs that go the whole way, once there was one."""
        self._velas: dict[int, RemoteVela] = {}
        self._ended = False

    @property
    def width(self) -> int:
        """So many jobs can run at a time, as things are."""
        return self._cluster.width

    def notes(self) -> list[str]:
        """What there is to say about workers since the last call."""
        notes, self._cluster.notes = self._cluster.notes, []
        return notes

    def start_compiler(self) -> RemoteCompiler | None:
        """Where jobs go that need torch; None after the end."""
        if self.compiler is None and not self._ended:
            self.compiler = RemoteCompiler(self._cluster, self._setup)
        return None if self._ended else self.compiler

    def drop_compiler(self) -> int:
        """Never asked for: what becomes of workers is told job by job."""
        return 0

    def take_vela(self, job: CompileJob) -> RemoteVela | None:
        """Where one job's Vela runs, which `wait` names with it; None after the end."""
        if self._ended:
            return None
        process = self._velas[job.index] = RemoteVela(self._cluster, job)
        return process

    def give_back(self, process: Any) -> None:
        """The job is done."""
        self._velas.pop(process.job.index, None)

    def drop(self, process: Any) -> int:
        """The job is over without an answer."""
        self.give_back(process)
        return 0

    def listen(self, descriptor: int, job: CompileJob) -> None:
        """A job has begun; its files are ready when we have written to them."""
        if self.compiler is not None:
            self.compiler.jobs[job.index] = job

    def release(self, descriptor: int) -> None:
        """Nothing waits for a file."""

    def wait(self, seconds: float | None) -> list[tuple[Any, CompileJob]]:
        """What is ready, with its job: files of events, and jobs of Vela."""
        ready: dict[Any, CompileJob] = {}
        said: Noted | Ended | None = None
        with suppress(Empty):
            said = self._said.get(timeout=seconds)
        while said is not None:
            ready |= self._take(said)
            said = None
            with suppress(Empty):
                said = self._said.get_nowait()
        return list(ready.items())

    def _take(self, said: Noted | Ended) -> dict[Any, CompileJob]:
        if said is _STOP:
            if self.compiler is not None:
                self.compiler.stop()
            for process in self._velas.values():
                process.ended = True
            return {process: process.job for process in self._velas.values()}
        derived = self._velas.get(said.job)
        if derived is not None:
            if isinstance(said, Noted):
                return {}
            derived.take(said)
            return {derived: derived.job}
        return self.compiler.take(said) if self.compiler is not None else {}

    def end(self) -> None:
        """Cancel all that waits and kill what runs; whoever waits is woken."""
        self._ended = True
        self._cluster.end()
        self._said.put(_STOP)

    def close(self) -> None:
        """End it and give everything back."""
        self._ended = True
        self._cluster.close()


def _check(setup: Setup) -> None:
    """Refuse what only a process of this machine can do.

    Raises:
        UsageError: something of that is asked for.
    """
    asked = (
        (setup.options.keep_intermediates, "--keep-intermediates writes to this machine's disk"),
        (setup.options.numeric, "--check-numerics needs what a process of this machine keeps"),
        (setup.interpreter.why_script, "ExecuTorch's own script runs by itself on this machine only"),
        (setup.written, "a function or an exported program is loaded through a file of this machine"),
    )
    for reason in (reason for wanted, reason in asked if wanted):
        raise UsageError(f"{reason}, and the jobs of a scheduler run elsewhere", "leave --scheduler out")


class RemoteCompiler:
    """Jobs that go the whole way on some worker, in the manner of `AotProcess`."""

    def __init__(self, cluster: Cluster, setup: Setup) -> None:
        self._cluster = cluster
        self._setup = setup
        self.jobs: dict[int, CompileJob] = {}
        """Those that are on their way."""
        self._messages: list[dict[str, Any]] = [{"event": "ready"}]

    def start(self, spec: Mapping[str, Any]) -> tuple[int, int]:
        """Hand over a job; gives descriptors from which its console and its events can be read."""
        model = spec["model"]
        given = {name: spec[name] for name in ("argv", "model", "token", "vela_flags")}
        given["vela_config"] = _vela_config(spec["vela_config"])
        given |= {"delegation": DELEGATION, "pte": PTE, "inputs": INPUTS, "cwd": os.getcwd(), "content": b""}
        with suppress(OSError):  # a file that went meanwhile is missed on the worker, as it would be here
            os.mkdir(spec["tmp"], 0o700)
            given["content"] = Path(model).read_bytes() if model else b""
        files = _file(), _file()
        self._cluster.submit(spec["job"], compile_job, given)
        return files

    def kill(self, job: int) -> None:
        """End one job; what it gave already stays."""
        if job in self.jobs:
            self._cluster.cancel(job)
            self._exit(job, None, None)

    def said(self) -> bytes:
        """Nothing was printed here."""
        return b""

    def messages(self) -> tuple[list[dict[str, Any]], bool]:
        """Which jobs ended since the last call; that others can be given out stays true."""
        messages, self._messages = self._messages, []
        return messages, True

    def stop(self) -> None:
        """All of them are over."""
        for job in list(self.jobs):
            self._exit(job, None, None)

    def take(self, said: Noted | Ended) -> dict[int, CompileJob]:
        """What a worker says of a job; where that is to be read at once, its file."""
        job = self.jobs.get(said.job)
        if job is None:
            return {}
        if isinstance(said, Noted):
            line = json.dumps({"event": "stage", "stage": said.stage})
            _append(job.event_fd, f"{job.told.lines.token} {line}\n".encode())
            return {job.event_fd: job}
        failed = failures.fleet_lost(said.reason) if said.result is None else None
        code = None
        if said.result is not None:
            code = said.result["code"]
            try:
                failed = self._keep(job, said.result)
            except OSError as error:
                error_here = storage_error(error, job.folder.path / PTE)
                failed = failures.no_space(error_here.message, error_here.hint)
        self._exit(said.job, code, failed)
        return {}

    def _exit(self, job: int, code: int | None, failed: Finding | None) -> None:
        del self.jobs[job]
        self._messages.append({"event": "exit", "job": job, "code": code, "failed": failed})

    def _keep(self, job: CompileJob, result: Mapping[str, Any]) -> Finding | None:
        """Write what a job gave into its run folder; why it counts for nothing, if so."""
        with suppress(JobError):
            job.folder.update(worker=result["worker"])
        _append(job.log_fd, result["console"])
        _append(job.event_fd, result.get("events", b""))
        if "unavailable" in result:
            return failures.unavailable(result["unavailable"], f"Dask worker {result['worker']}")
        if "lost" in result:
            return failures.lost(f"{result['lost']} on Dask worker {result['worker']}", job.stages[job.stage])
        if not result["scratch"]:
            with suppress(OSError):
                os.rmdir(job.scratch)
        write_files(job.folder.path, result["files"])
        if result["code"] != 0:
            return None
        differing = differing_files(job.folder.path / INPUTS, self._setup.file)
        if not differing:
            return None
        (job.folder.path / PTE).unlink(missing_ok=True)
        return failures.other_files(result["worker"], differing)


class RemoteVela:
    """One job's Vela on some worker, in the manner of `VelaProcess`."""

    def __init__(self, cluster: Cluster, job: CompileJob) -> None:
        self._cluster = cluster
        self.job = job
        self.ended = False
        self._outs: list[Path] = []
        self._answer: dict[str, Any] | None = None

    def start(self, request: Mapping[str, Any]) -> None:
        """Hand the job over."""
        self._outs = [Path(partition["out"]) for partition in request["partitions"]]
        try:
            graphs = [Path(partition["tosa"]).read_bytes() for partition in request["partitions"]]
        except OSError as error:  # whatever is amiss, the job goes the whole way
            graphs = [b"", repr(error).encode()]
        config = _vela_config(request.get("vela_config"))
        given = {"graphs": graphs, "flags": list(request["flags"]), "vela_config": config}
        self._cluster.submit(self.job.index, derive_job, given)

    def end(self) -> int:
        """Give it up; that is told as its answer."""
        self._cluster.give_up(self.job.index, "it was silent for too long")
        return 0

    def take(self, said: Ended) -> None:
        """It is done or will never be."""
        if said.result is None or "error" in said.result:
            self._answer = {"error": said.reason if said.result is None else said.result["error"]}
            return
        try:
            for out, files in zip(self._outs, said.result["files"], strict=True):
                write_files(out, files)
            with suppress(JobError):
                self.job.folder.update(worker=said.result["worker"])
            self._answer = {"partitions": said.result["partitions"]}
        except (OSError, ValueError) as error:
            self._answer = {"error": f"{type(error).__name__}: {error}"}

    def answer(self) -> dict[str, Any] | None:
        """What came of it.

        Raises:
            EOFError: the batch was stopped.
        """
        if self._answer is None and self.ended:
            raise EOFError
        return self._answer


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write what came from a worker below a folder; nothing goes anywhere else.

    Raises:
        OSError: it cannot be written.
    """
    for name, data in files.items():
        relative = PurePosixPath(name)
        if relative.is_absolute() or ".." in relative.parts:
            continue
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # it may be another run's file as well
        path.write_bytes(data)


def differing_files(inputs: Path, model: str | None) -> list[str]:
    """Files and folders that the worker read and that are not the same here; the model's content was sent.

    What this machine does not have at all counts only beside the model and in the current directory: elsewhere it is
    the worker's own, such as weights that a library keeps in its home.
    """
    try:
        read = json.loads(inputs.read_bytes())
        files, directories = dict(read["files"]), dict(read["directories"])
    except (OSError, ValueError, KeyError, TypeError):
        return [f"{inputs.name} is not readable"]
    if not files and str(read["why_not"]).startswith("it read "):  # more than are listed
        return [f"unknown, since {read['why_not']}"]
    near = tuple(
        {os.path.join(place, "") for place in (os.path.dirname(model) if model else None, os.getcwd()) if place}
    )
    differing = []
    for path, stamp in files.items():
        here = described(path) if path != model else None
        if stamp is None:  # looked for, and not there
            if here is not None:
                differing.append(path)
        elif here is not None and here[4] == stamp[4]:
            files[path] = here
        elif path != model and (here is not None or path.startswith(near)):
            differing.append(path)
    for path, digest in directories.items():
        if listed(path) != digest and (os.path.isdir(path) or path.startswith(near)):
            differing.append(path)
    if not differing:
        inputs.write_text(json.dumps({**read, "files": files}), encoding="utf-8")
    return differing


def _vela_config(config: Mapping[str, str] | None) -> dict[str, Any] | None:
    """The flag and the content of the user's vela.ini."""
    if config is None:
        return None
    content = b""
    with suppress(OSError):  # it went from the run folder meanwhile: Vela says so
        content = Path(config["file"]).read_bytes()
    return {"flag": config["flag"], "content": content}


def _file() -> int:
    """A file without a name, read from its beginning while it grows."""
    descriptor, path = tempfile.mkstemp(prefix="ethosu-tui-")
    os.unlink(path)
    return descriptor


def _append(descriptor: int, data: bytes) -> None:
    end = os.fstat(descriptor).st_size
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, end)
        view, end = view[written:], end + written
