"""Compiles `.tosa` and `.tflite` files: straight to Vela, a process and a run folder for each configuration, without torch.

What comes out is Vela's own: the raw command stream and weights (`.npz`) of a TOSA graph, the optimised file of a `.tflite`.
There is no `.pte`, because ExecuTorch makes one of a PyTorch model only.  A batch behaves as `CompileBatch` does.
"""

from __future__ import annotations

import os
import re
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...analysis.lines import clean
from ...analysis.report import CompileSummary, Finding
from ..digests import file_sha256
from ..interpreters import Interpreter, look_up
from ..job import JobError, MissingTool, UsageError
from ..processors import processors
from ..runs.folder import RunFolder
from ..vela import VELA
from ..vela.graph_file import check_graph
from . import failures
from .artefacts import BUNDLEIO, ETRECORD
from .check import check_outputs, working_directory
from .events import BatchDone, CompileEvent, JobDone, JobOutput, JobStage, JobStarted
from .job import copy_whole
from .known_graph import KnownGraph
from .plan import CompileOptions, equivalent_command, model_label, output_paths
from .points import CompilePoint
from .result import RESULT, CompileResult, Told, build_result

ENDINGS = (".tosa", ".tflite")
STAGES = ("Vela",)
_SUFFIXES = {".tosa": "_vela.npz", ".tflite": "_vela.tflite"}
"""What Vela puts behind the name of what it makes of each."""
_UNSUPPORTED = re.compile(
    r"^Warning \(supported operators\) operator: (\w+), ofm: '([^'\n]*)'\n(?:Reason: (.*)\n)?", re.M
)
_ERROR = re.compile(r"^(?:[\w.]*\.)?\w*(?:Error|Exception)\b.*$", re.M)


@dataclass
class _Job:
    index: int
    point: CompilePoint
    folder: RunFolder
    argv: tuple[str, ...]
    console: Any
    process: subprocess.Popen[bytes]
    began: float = field(default_factory=time.monotonic)
    failed: Finding | None = None

    @property
    def made(self) -> Path:
        """The directory that Vela writes to."""
        return self.folder.path / VELA / "partition-1"


class VelaBatch:
    """One compiled graph for several points.  `run()` belongs to one thread, `stop()` to any."""

    def __init__(
        self, options: CompileOptions, points: Sequence[CompilePoint], root: Path, jobs: int = 0, cached: bool = True
    ) -> None:
        self.options = options
        self.points = tuple(points)
        self._root = root
        self._cached, self._checked = cached, False
        self._parallel = jobs if jobs > 0 else min(len(self.points), processors())
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._running: dict[int, _Job] = {}

    def stop(self) -> None:
        """End the batch; jobs that are done stay as they are.  Calling it twice, before or after is harmless."""
        self._stopped.set()
        with self._lock:
            for job in self._running.values():
                _kill(job.process)

    def check(self) -> None:
        """Refuse what cannot work.

        Raises:
            UsageError, InputError, MissingTool, JobError: the file, an option, Vela or a place to write to is not right.
        """
        options = self.options
        self._kind = next(ending for ending in ENDINGS if options.model.endswith(ending))
        other = next((point.target for point in self.points if not point.is_npu), None)
        if other is not None:
            raise UsageError(f"a {self._kind} file is compiled for an NPU, and {other} has none", "choose an Ethos-U")
        for given, option in (
            (not options.delegate, "--no-delegate"),
            (not options.quantize, "--no-quantize"),
            (options.calibration is not None, "--calibration"),
            (bool(options.extra), next((name for name in options.extra if name in (BUNDLEIO, ETRECORD)), "--aot-arg")),
            (bool(options.keep_intermediates), "--keep-intermediates"),
            (options.executorch is not None, "--executorch"),
        ):
            if given:
                raise UsageError(
                    f"{option} has no use for a {self._kind} file, which goes straight to Vela", "leave it out"
                )
        self._file = Path(os.path.expanduser(options.model)).absolute()
        check_graph(self._file, self._kind)
        working_directory()
        self._interpreter: Interpreter = look_up(options.interpreter)
        if self._interpreter.versions.get("ethos-u-vela") is None:
            raise MissingTool(
                f"{self._interpreter.path} has no Vela",
                "pip install ethos-u-vela, or name another Python with --python",
            )
        self._suffix = _SUFFIXES[self._kind]
        self._outputs = destinations(options, self.points)
        check_outputs(self._root, self._outputs)
        self._checked = True

    def run(self) -> Generator[CompileEvent, None, None]:
        """Compile all points, some at a time, and yield what happens; `BatchDone` comes last.

        A job that is found in the cache has a `JobDone` only.
        """
        began = time.monotonic()
        if not self._checked:
            self.check()
        self._checked = False  # it holds for one run
        self._digest = file_sha256(self._file)
        made = f"{VELA}/partition-1/out{self._suffix}"
        self._known = KnownGraph(self.options, self._digest, self._interpreter, self._root, made, self._cached)
        waiting = list(range(len(self.points)))
        try:
            with selectors.DefaultSelector() as selector:
                while self._running or (waiting and not self._stopped.is_set()):
                    while waiting and len(self._running) < self._parallel and not self._stopped.is_set():
                        index = waiting.pop(0)
                        found = self._known.result(self.points[index], self._outputs[index])
                        if found is not None:
                            yield JobDone(index, found)
                            continue
                        job = self._start(index)
                        selector.register(job.process.stdout, selectors.EVENT_READ, job)  # type: ignore[arg-type]
                        yield JobStarted(job.index, job.folder)
                        yield JobStage(job.index, STAGES[0], 0, len(STAGES))
                    for key, _ in selector.select() if self._running else ():
                        data = os.read(key.fd, 1 << 16)
                        if data:
                            yield from self._output(key.data, data)
                        else:
                            selector.unregister(key.fileobj)
                            yield from self._finish(key.data)
        finally:
            self._close()
        yield BatchDone(round(time.monotonic() - began, 3))

    def _start(self, index: int) -> _Job:
        point = self.points[index]
        folder = RunFolder.create(
            self._root,
            "compile",
            f"{model_label(self.options.model)} {point.label}",
            cwd=os.getcwd(),
            model=self.options.model,
            target=point.target,
            system_config=point.system_config,
            memory_mode=point.memory_mode,
            versions=self._interpreter.record(),
            hashes={"model": self._digest},
            command=equivalent_command(self.options, [point]),
        )
        made = folder.path / VELA / "partition-1"
        source = made / f"out{self._kind}"
        try:
            made.mkdir(parents=True)
            shutil.copyfile(self._file, source)
        except OSError as error:
            raise JobError(f"cannot write {made} ({error.strerror or error})", "free some space") from error
        config = self.options.vela_config
        argv = (
            self._interpreter.path,
            "-m",
            "ethosu.vela",
            f"--accelerator-config={point.target}",
            f"--config={config.for_job(folder.path)['file'] if config else 'Arm/vela.ini'}",
            f"--system-config={point.system_config}",
            f"--memory-mode={point.memory_mode}",
            *point.vela_flags,
            f"--output-format={'raw' if self._kind == '.tosa' else 'tflite'}",
            f"--output-dir={made}",
            "--verbose-performance",
            "--verbose-cycle-estimate",
            "--show-cpu-operations",
            "--enable-debug-db",
            *(("--verbose-all",) if self.options.debug else ()),
            str(source),
        )
        folder.update(argv=list(argv), artefact=str(made / f"out{self._suffix}"))
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a Ctrl-C at the terminal is ours to handle
            )
        except OSError as error:
            raise MissingTool(f"cannot start {argv[0]} ({error.strerror or error})", "name another Python") from error
        job = _Job(index, point, folder, argv, folder.console(), process)
        with self._lock:
            self._running[index] = job
            if self._stopped.is_set():
                _kill(process)
        return job

    def _output(self, job: _Job, data: bytes) -> Iterator[CompileEvent]:
        try:
            job.console.write(data, time.monotonic() - job.began)
        except JobError as error:
            job.failed = job.failed or failures.no_space(error.message, error.hint)
            _kill(job.process)
        yield JobOutput(job.index, data)

    def _finish(self, job: _Job) -> Iterator[CompileEvent]:
        seconds = time.monotonic() - job.began
        code = job.process.wait()
        self._dispose(job)
        text = _clean_lines(job.folder.console_path)
        artefact = job.made / f"out{self._suffix}"
        was_stopped = self._stopped.is_set() and code < 0
        failure = failures.stopped(STAGES[0]) if was_stopped else job.failed or _failure(code, text, artefact)
        destination = self._outputs[job.index]
        try:
            if failure is None and destination is not None:
                copy_whole(artefact, destination, job.folder.id)
        except OSError as error:
            failure = failures.not_delivered(str(destination), error.strerror or str(error), str(artefact))
        told = Told(route="vela", route_reason=f"a {self._kind} file", stages={STAGES[0]: round(seconds, 4)})
        result = build_result(
            self.options,
            job.point,
            job.folder.path,
            job.folder.console_path,
            told,
            seconds,
            failure,
            destination,
            artefact,
        )
        if failure is None:
            result = replace(result, findings=_findings(result, text), summary=_without_zeros(result.summary))
        with suppress(JobError, OSError):
            job.folder.write_text(RESULT, result.text())
            if failure is None and file_sha256(job.made / f"out{self._kind}") == self._digest:
                self._known.keep(result)
        with suppress(JobError):
            job.folder.finish(
                "stopped" if was_stopped else result.status,
                state="stopped" if was_stopped else "finished",
                hashes={"model": self._digest, "artefact": result.sha256},
                exit_code=code,
                reason=failure.title if failure else None,
                seconds=result.seconds,
                stages=result.stages,
            )
        yield JobDone(job.index, result)

    def _dispose(self, job: _Job) -> None:
        with self._lock:
            self._running.pop(job.index, None)
        job.console.close()
        if job.process.stdout is not None:
            job.process.stdout.close()

    def _close(self) -> None:
        """Leave nothing behind, also when our caller stopped listening half-way."""
        for job in list(self._running.values()):
            _kill(job.process)
            job.process.wait()
            self._dispose(job)
            with suppress(JobError):
                job.folder.finish("stopped", state="stopped", reason="interrupted")


def destinations(options: CompileOptions, points: Sequence[CompilePoint]) -> list[Path | None]:
    """Where each job's artefact goes besides its run folder: as of `.pte` files, with the ending of what Vela writes.

    Raises:
        UsageError: see `output_paths`; or the name ends as something else.
    """
    if not options.model.endswith(ENDINGS):
        return output_paths(options, points)
    output = options.output
    if output is None:
        return [None] * len(points)
    kind = next(ending for ending in ENDINGS if options.model.endswith(ending))
    suffix = _SUFFIXES[kind]
    ending = Path(suffix).suffix
    if output.endswith((".pte", ".bpte", *{".npz", ".tflite"} - {ending})):
        raise UsageError(
            f"{output}: of a {kind} file Vela makes no such file", f"let the name end in {ending}, or name a directory"
        )
    if output.endswith(ending):
        return output_paths(options, points, ending)
    return [path and path.with_name(path.stem + suffix) for path in output_paths(options, points)]


def _clean_lines(console: Path) -> str:
    """What Vela printed, without what could steer a terminal."""
    lines = console.read_bytes()[-(4 << 20) :].decode(errors="replace").splitlines()
    return "".join(f"{clean(line)}\n" for line in lines)


def _failure(code: int, text: str, artefact: Path) -> Finding | None:
    if code == 0 and artefact.is_file():
        return None
    said = _ERROR.findall(text)
    if code < 0 or not said:
        return failures.ended(code, STAGES[0])
    name, _, message = said[-1].partition(":")
    return failures.explain({"error": name, "message": message.strip(), "line": None}, STAGES[0], None)


def _without_zeros(summary: CompileSummary | None) -> CompileSummary | None:
    """Where nothing runs on the NPU, its cycles are not zero: there is no estimate."""
    if summary is None or summary.npu_operators != 0:
        return summary
    return summary._replace(
        npu_cycles=None, total_cycles=None, inference_seconds=None, sram_access_cycles=None, dram_access_cycles=None,
        on_chip_flash_access_cycles=None, off_chip_flash_access_cycles=None,
    )  # fmt: skip


def _findings(result: CompileResult, text: str) -> tuple[Finding, ...]:
    """Those of the compile, and which operators of a `.tflite` stay on the CPU."""
    kept = tuple(finding for finding in result.findings if finding.rule != "vela-cpu-operators")
    summary = result.summary
    left = summary.cpu_operators if summary is not None else None
    if not left:
        return kept
    named = _UNSUPPORTED.findall(text)
    detail = "; ".join(f"{operator} ({tensor}): {reason.strip()}" for operator, tensor, reason in named[:50])
    operators = list(dict.fromkeys(operator for operator, *_ in named))
    names = f": {', '.join(operators[:4])}" if operators else ""
    detail += "." if detail else "Vela gives no reason."
    if summary is not None and summary.npu_operators == 0:
        return (
            Finding(
                "not-delegated", "error", None, f"No operator runs on the NPU{names}", detail,
                "An Ethos-U computes on integers: quantise the model to int8 when it is converted.",
            ),
            *kept,
        )  # fmt: skip
    return (
        *kept,
        Finding(
            "operators-on-cpu", "warning", None, f"{left} operator{'s' if left > 1 else ''} stayed on the CPU{names}",
            f"{detail} What the CPU takes for it is in none of the figures.", "Replace them by operators that the NPU has, or try an Ethos-U85.",
        ),
    )  # fmt: skip


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
