"""Runs a bare-metal runner on a Corstone FVP.

The command line is a pure function of the request, so it can be tested and shown without an FVP.  Parameter names are
those of ExecuTorch's `backends/arm/scripts/run_fvp.sh` (main of August 2026).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..analysis.targets import TARGETS
from .job import InputError, UsageError
from .process import Limits, ProcessJob
from .simulator import Fvp, fvp_model

TIME_LIMIT_SECONDS = 600.0
"""ExecuTorch's own default."""
HOST_MARGIN_SECONDS = 10.0
"""What the FVP's own time limit is given before we end it: it says why it stops, and start-up does not count."""
COMMAND_LINE_CHARACTERS = 256
"""An FVP cuts a longer semihosting command line off without a word (ExecuTorch's backends/arm/test/runner_utils.py)."""

_CORTEX_M_MACS = 128
"""A CPU-only target leaves the NPU idle, but the model wants a size."""


@dataclass(frozen=True, slots=True)
class Semihosting:
    """Files of this machine for the runner: the folder it sees, and the command line that it gets."""

    folder: str
    command_line: str | None = None


def fvp_argv(
    target: str,
    elf: str,
    *,
    executable: str | None = None,
    data: tuple[str, int] | None = None,
    time_limit_seconds: float = TIME_LIMIT_SECONDS,
    fast: bool = False,
    trace: str | None = None,
    semihosting: Semihosting | None = None,
    extra: Sequence[str] = (),
) -> list[str]:
    """The command that runs `elf` on the FVP of `target`, its UART on stdout, ending at the runner's EOT byte.

    `data` is a file and the address at which it is placed in memory (a program that is not part of the ELF); `trace` is
    the file that the NPU's trace goes to.
    """
    model = fvp_model(target)
    settings = [f"{model.npu}.num_macs={TARGETS[target].macs or _CORTEX_M_MACS}", *model.parameters]
    settings += _npu_arguments(model.npu, fast, trace)
    if semihosting is not None:
        settings += _semihosting(model.cpu, semihosting)
    argv = [executable or model.name]
    for setting in settings:
        argv += ["-C", setting]
    argv += ["-a", _loadable(elf, "=")]
    if data is not None:
        path, address = data
        if not 0 <= address < 1 << 32:
            raise UsageError(f"{address:#x} is not a 32-bit address", "give one of the board's memory, e.g. 0x70000000")
        argv += ["--data", f"{_loadable(path, '=@')}@{address:#x}"]
    if not 0 < time_limit_seconds < 1e9:
        raise UsageError(f"{time_limit_seconds:g} s is not a time limit", "give a number of seconds above 0")
    return [*argv, "--timelimit", f"{time_limit_seconds:g}", *extra]


def _npu_arguments(npu: str, fast: bool, trace: str | None) -> list[str]:
    if trace is not None:
        if fast:
            raise UsageError(
                "the fast model of the NPU counts nothing that could be traced", "leave --fast or --pmu-trace out"
            )
        if any(character.isspace() for character in trace):
            raise UsageError(f"the FVP takes a blank in a file name as its end: {trace}", "give a path without blanks")
        return [f"{npu}.extra_args=--pmu-trace {trace}"]
    return [f"{npu}.extra_args=--fast"] if fast else []


def _semihosting(cpu: str, wanted: Semihosting) -> list[str]:
    settings = [
        f"{cpu}.semihosting-enable=1",
        f"{cpu}.semihosting-stack_base=0",
        f"{cpu}.semihosting-heap_limit=0",
        f"{cpu}.semihosting-cwd={wanted.folder}",
    ]
    line = wanted.command_line
    if line is None:
        return settings
    if len(line) > COMMAND_LINE_CHARACTERS:
        raise UsageError(
            f"the command line of the runner has {len(line)} characters, and an FVP cuts it at {COMMAND_LINE_CHARACTERS}",
            "give fewer inputs",
        )
    return [*settings, f"{cpu}.semihosting-cmd_line={line}"]


def _loadable(path: str, special: str) -> str:
    for character in special:
        if character in path:
            raise UsageError(
                f"the FVP gives the character {character} in a file name another meaning: {path}",
                "copy the file to a path without it",
            )
    return path


@dataclass(frozen=True, slots=True)
class FvpRun:
    """What is to be run on an FVP."""

    target: str
    elf: str
    data: tuple[str, int] | None = None
    time_limit_seconds: float = TIME_LIMIT_SECONDS
    silence_limit_seconds: float | None = None
    fast: bool = False
    trace: str | None = None
    semihosting: Semihosting | None = None
    extra: tuple[str, ...] = ()
    margin_seconds: float = HOST_MARGIN_SECONDS


class FvpJob(ProcessJob):
    """One run on an FVP."""

    def __init__(self, request: FvpRun, fvp: Fvp) -> None:
        _require_elf(request.elf)
        if request.data is not None:
            _require_file(request.data[0])
        self._request, self._fvp = request, fvp
        limits = Limits(
            time_seconds=request.time_limit_seconds + request.margin_seconds,
            silence_seconds=request.silence_limit_seconds,
        )
        label = f"{Path(request.elf).name} on {request.target}"
        super().__init__(self._command(), label=label, env=fvp.environment(), limits=limits)

    def work_in(self, folder: str, semihosting: Semihosting | None = None) -> None:
        """Have the FVP write its files there; to be called before the run."""
        self.cwd = folder
        if semihosting is not None:
            self._request = replace(self._request, semihosting=semihosting)
        self.argv = tuple(self._command())

    def _command(self) -> list[str]:
        asked = self._request
        return fvp_argv(
            asked.target,
            os.path.abspath(asked.elf),
            executable=str(self._fvp.path),
            data=None if asked.data is None else (os.path.abspath(asked.data[0]), asked.data[1]),
            time_limit_seconds=asked.time_limit_seconds,
            fast=asked.fast,
            trace=asked.trace,
            semihosting=asked.semihosting,
            extra=asked.extra,
        )


def _require_file(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(4)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path") from error


def _require_elf(path: str) -> None:
    if _require_file(path) != b"\x7fELF":
        raise InputError(
            f"{path} is not an ELF file", "build the runner (arm_executor_runner) and give its .elf or .axf"
        )
