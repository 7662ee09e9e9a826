"""Runs a bare-metal runner on Arm's Corstone Fixed Virtual Platforms (FVP).

The command line is a pure function of the request, so it can be tested and shown without an FVP.  Parameter names are
those of ExecuTorch's `backends/arm/scripts/run_fvp.sh` (main of August 2026): Corstone-300 models Ethos-U55 and U65,
Corstone-320 models U85.  Licence terms of an FVP are accepted by the user, never by us.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..analysis.targets import TARGETS
from .job import InputError, MissingTool, UsageError
from .process import Limits, ProcessJob

FVP_PATH_VARIABLE = "ETHOSU_TUI_FVP_PATH"
CHECKOUT_VARIABLE = "EXECUTORCH_ROOT"
EULA_VARIABLE = "ARM_FVP_INSTALL_I_AGREE_TO_THE_CONTAINED_EULA"

TIME_LIMIT_SECONDS = 600.0
"""ExecuTorch's own default."""
HOST_MARGIN_SECONDS = 10.0
"""What the FVP's own time limit is given before we end it: it says why it stops, and start-up does not count."""

_CORTEX_M_MACS = 128
"""A CPU-only target leaves the NPU idle, but the model wants a size."""

_CORSTONE_300 = (
    "mps3_board.visualisation.disable-visualisation=1",
    "mps3_board.telnetterminal0.start_telnet=0",
    "mps3_board.uart0.out_file=-",
    "mps3_board.uart0.unbuffered_output=1",
    "mps3_board.uart0.shutdown_on_eot=1",
)
_CORSTONE_320 = (
    "mps4_board.visualisation.disable-visualisation=1",
    "vis_hdlcd.disable_visualisation=1",
    "mps4_board.telnetterminal0.start_telnet=0",
    "mps4_board.uart0.out_file=-",
    "mps4_board.uart0.unbuffered_output=1",
    "mps4_board.uart0.shutdown_on_eot=1",
)
_BOARDS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "ethos-u55": ("FVP_Corstone_SSE-300_Ethos-U55", "ethosu", _CORSTONE_300),
    "ethos-u65": ("FVP_Corstone_SSE-300_Ethos-U65", "ethosu", _CORSTONE_300),
    "ethos-u85": ("FVP_Corstone_SSE-320", "mps4_board.subsystem.ethosu", _CORSTONE_320),
    "cortex-m55": ("FVP_Corstone_SSE-300_Ethos-U55", "ethosu", _CORSTONE_300),
}
FVP_TARGETS: tuple[str, ...] = tuple(t.name for t in TARGETS.values() if (t.npu or t.name) in _BOARDS)
FVP_NAMES: tuple[str, ...] = tuple(dict.fromkeys(name for name, _, _ in _BOARDS.values()))


@dataclass(frozen=True, slots=True)
class Fvp:
    """An FVP found on this machine."""

    path: Path
    library_path: Path | None = None
    """Directory of the Python library that Corstone-320 needs, where it lies beside the FVP."""

    def environment(self) -> dict[str, str]:
        """Our environment, with the FVP's own libraries in front."""
        env = dict(os.environ)
        if self.library_path is not None:
            env["LD_LIBRARY_PATH"] = os.pathsep.join(
                part for part in (str(self.library_path), env.get("LD_LIBRARY_PATH", "")) if part
            )
        return env


def fvp_name(target: str) -> str:
    """The executable that models a target."""
    return _board(target)[0]


def fvp_argv(
    target: str,
    elf: str,
    *,
    executable: str | None = None,
    data: tuple[str, int] | None = None,
    time_limit_seconds: float = TIME_LIMIT_SECONDS,
    fast: bool = False,
    extra: Sequence[str] = (),
) -> list[str]:
    """The command that runs `elf` on the FVP of `target`, its UART on stdout, ending at the runner's EOT byte.

    `data` is a file and the address at which it is placed in memory (a program that is not part of the ELF).
    """
    name, npu, parameters = _board(target)
    settings = [f"{npu}.num_macs={TARGETS[target].macs or _CORTEX_M_MACS}", *parameters]
    if fast:
        settings.append(f"{npu}.extra_args=--fast")
    argv = [executable or name]
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


def _board(target: str) -> tuple[str, str, tuple[str, ...]]:
    known = TARGETS.get(target)
    board = _BOARDS.get((known.npu or known.name) if known is not None else "")
    if board is None:
        raise UsageError(f"no FVP models the target {target!r}", f"use one of {', '.join(FVP_TARGETS)}")
    return board


def _loadable(path: str, special: str) -> str:
    for character in special:
        if character in path:
            raise UsageError(
                f"the FVP gives the character {character} in a file name another meaning: {path}",
                "copy the file to a path without it",
            )
    return path


def find_fvp(target: str, option: str | None = None) -> Fvp:
    """The FVP for a target: the option, the directories of ETHOSU_TUI_FVP_PATH, PATH, an ExecuTorch checkout."""
    name = fvp_name(target)
    if option is not None:
        given = Path(option).expanduser()
        found = _executable(given / name if given.is_dir() else given)
        if found is None and os.sep not in option:
            found = _executable(Path(shutil.which(option) or option))
        if found is None:
            raise MissingTool(f"{option} is not an executable {name}", "give --fvp the path of the FVP itself")
        return _fvp(found)
    for place in _places(name):
        found = _executable(place)
        if found is not None:
            return _fvp(found)
    raise MissingTool(f"{name} is not on PATH", install_hint())


def install_hint() -> str:
    """What a user does to get the FVPs."""
    return (
        "read Arm's licence (EULA); if you agree to it, set "
        f"{EULA_VARIABLE}=True yourself, run `examples/arm/setup.sh` in an ExecuTorch checkout "
        "and `source examples/arm/arm-scratch/setup_path.sh`; "
        f"or name an installed one with --fvp or {FVP_PATH_VARIABLE}"
    )


def checkouts() -> list[Path]:
    """ExecuTorch checkouts in the usual places: the environment, the working directory and above, the home."""
    candidates: list[Path] = []
    if root := os.environ.get(CHECKOUT_VARIABLE):
        candidates.append(Path(root).expanduser())
    try:
        here = Path.cwd()
        for directory in (here, *here.parents):
            candidates += [directory, directory / "executorch"]
    except FileNotFoundError:  # the current directory was removed: then there is nothing to look at either
        pass
    try:
        candidates.append(Path.home() / "executorch")
    except RuntimeError:  # no home: then there is nothing to look at
        pass
    return [path for path in dict.fromkeys(candidates) if (path / "examples" / "arm").is_dir()]


def scratch_directories() -> list[Path]:
    """Where `examples/arm/setup.sh` installs to: `arm-scratch`, before 1.1 `ethos-u-scratch`."""
    names = ("arm-scratch", "ethos-u-scratch")
    found = (checkout / "examples" / "arm" / name for checkout in checkouts() for name in names)
    return [path for path in found if path.is_dir()]


def _places(name: str) -> Iterator[Path]:
    for entry in os.environ.get(FVP_PATH_VARIABLE, "").split(os.pathsep):
        if entry:
            yield Path(entry).expanduser() / name
    if on_path := shutil.which(name):
        yield Path(on_path)
    for scratch in scratch_directories():
        yield from sorted(p for p in scratch.glob(f"FVP*/models/*/{name}") if _for_this_machine(p.parent.name))


def _for_this_machine(directory: str) -> bool:
    return ("armv8l" in directory) == (platform.machine().lower() in ("aarch64", "arm64"))


def _executable(path: Path) -> Path | None:
    return path.absolute() if path.is_file() and os.access(path, os.X_OK) else None


def _fvp(path: Path) -> Fvp:
    library = path.resolve().parent.parent.parent / "python" / "lib"
    return Fvp(path, library if library.is_dir() else None)


@dataclass(frozen=True, slots=True)
class FvpRun:
    """What is to be run on an FVP."""

    target: str
    elf: str
    data: tuple[str, int] | None = None
    time_limit_seconds: float = TIME_LIMIT_SECONDS
    silence_limit_seconds: float | None = None
    fast: bool = False
    extra: tuple[str, ...] = ()
    margin_seconds: float = HOST_MARGIN_SECONDS


class FvpJob(ProcessJob):
    """One run on an FVP."""

    def __init__(self, request: FvpRun, fvp: Fvp) -> None:
        _require_elf(request.elf)
        if request.data is not None:
            _require_file(request.data[0])
        argv = fvp_argv(
            request.target,
            request.elf,
            executable=str(fvp.path),
            data=request.data,
            time_limit_seconds=request.time_limit_seconds,
            fast=request.fast,
            extra=request.extra,
        )
        limits = Limits(
            time_seconds=request.time_limit_seconds + request.margin_seconds,
            silence_seconds=request.silence_limit_seconds,
        )
        super().__init__(
            argv, label=f"{Path(request.elf).name} on {request.target}", env=fvp.environment(), limits=limits
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
