"""Runs a `.pte` on this machine, with the portable kernels of the configured interpreter's ExecuTorch.

Only programs without an NPU delegate can run here; what a delegated one prints instead is for the analysis to explain.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .interpreters import Interpreter, look_up
from .job import InputError, MissingTool, UsageError
from .process import Limits, ProcessJob

WORKER = Path(__file__).with_name("host_worker.py")
NEEDED = ("executorch", "torch")
TIME_LIMIT_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class HostRun:
    """What is to be run on the host; without inputs, tensors of ones are used."""

    pte: str
    inputs: tuple[str, ...] = ()
    iterations: int = 1
    time_limit_seconds: float | None = TIME_LIMIT_SECONDS
    silence_limit_seconds: float | None = None


class HostJob(ProcessJob):
    """One run on the host."""

    def __init__(self, request: HostRun, interpreter: Interpreter) -> None:
        for path in (request.pte, *request.inputs):
            require_file(path)
        super().__init__(
            host_argv(request, interpreter.path),
            label=f"{Path(request.pte).name} on the host",
            limits=Limits(request.time_limit_seconds, request.silence_limit_seconds),
        )

    def keep_etdump(self, path: str) -> None:
        """Have the profile of the run written to a file; to be called before the run."""
        self.argv += ("--etdump", path)


def host_argv(request: HostRun, python: str) -> list[str]:
    """The command of a host run."""
    if request.iterations < 1:
        raise UsageError(f"{request.iterations} iterations are none", "give at least 1")
    argv = [python, str(WORKER), request.pte, "--iterations", str(request.iterations)]
    for path in request.inputs:
        argv += ["--input", path]
    return argv


def host_interpreter(option: str | None = None) -> Interpreter:
    """The interpreter to run with; MissingTool where it lacks ExecuTorch or torch."""
    interpreter = look_up(option)
    absent = [name for name in NEEDED if interpreter.versions.get(name) is None]
    if absent:
        raise MissingTool(
            f"{interpreter.path} cannot run a .pte: it lacks {' and '.join(absent)}",
            f"`{interpreter.path} -m pip install executorch`, or name another Python with --python",
        )
    return interpreter


def require_file(path: str) -> None:
    """InputError unless `path` can be read."""
    try:
        with open(path, "rb") as stream:
            stream.read(1)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path") from error
