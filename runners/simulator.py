"""Arm's Corstone Fixed Virtual Platforms (FVP): which models what, and where it is on this machine.

Corstone-300 models Ethos-U55 and U65, Corstone-320 models U85.  Licence terms of an FVP are accepted by the user, never
by us.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..analysis.targets import TARGETS
from .job import MissingTool, UsageError

FVP_PATH_VARIABLE = "ETHOSU_TUI_FVP_PATH"
CHECKOUT_VARIABLE = "EXECUTORCH_ROOT"
EULA_VARIABLE = "ARM_FVP_INSTALL_I_AGREE_TO_THE_CONTAINED_EULA"

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


class FvpModel(NamedTuple):
    """One FVP: its executable, where its NPU and its processor stand among its parameters, and what we always set."""

    name: str
    npu: str
    cpu: str
    parameters: tuple[str, ...]


_U55 = FvpModel("FVP_Corstone_SSE-300_Ethos-U55", "ethosu", "cpu0", _CORSTONE_300)
_MODELS: Mapping[str, FvpModel] = {
    "ethos-u55": _U55,
    "ethos-u65": FvpModel("FVP_Corstone_SSE-300_Ethos-U65", "ethosu", "cpu0", _CORSTONE_300),
    "ethos-u85": FvpModel(
        "FVP_Corstone_SSE-320", "mps4_board.subsystem.ethosu", "mps4_board.subsystem.cpu0", _CORSTONE_320
    ),
    "cortex-m55": _U55,
}
FVP_TARGETS: tuple[str, ...] = tuple(t.name for t in TARGETS.values() if (t.npu or t.name) in _MODELS)
FVP_NAMES: tuple[str, ...] = tuple(dict.fromkeys(model.name for model in _MODELS.values()))


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
    return fvp_model(target).name


def fvp_model(target: str) -> FvpModel:
    """The FVP that models a target; UsageError where none does."""
    known = TARGETS.get(target)
    model = _MODELS.get((known.npu or known.name) if known is not None else "")
    if model is None:
        raise UsageError(f"no FVP models the target {target!r}", f"use one of {', '.join(FVP_TARGETS)}")
    return model


def find_fvp(target: str, option: str | None = None) -> Fvp:
    """The FVP for a target: the option, the directories of ETHOSU_TUI_FVP_PATH, PATH, an ExecuTorch checkout."""
    name = fvp_name(target)
    if option is not None:
        given = Path(os.path.expanduser(option))
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
        candidates.append(Path(os.path.expanduser(root)))
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
            yield Path(os.path.expanduser(entry)) / name
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
