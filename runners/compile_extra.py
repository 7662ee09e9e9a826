"""Arguments that are passed on to ExecuTorch's script: their paths are made whole, and what cannot work is refused at once.

The script expands no `~`, and finds most of this out after the export or at the very end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from .compile_plan import CompileOptions
from .interpreters import Interpreter
from .job import InputError, UsageError

_PATHS = ("--calibration_data", "--config", "--model_input", "--so_library", "-s")
"""Options of the script that take a path."""
_SAMPLES = (".pt", ".pth")


def with_whole_paths(extra: Sequence[str]) -> tuple[str, ...]:
    """The same arguments with `~` expanded in paths."""
    whole: list[str] = []
    for argument in extra:
        name, equals, value = argument.partition("=")
        if name in _PATHS and equals:
            argument = f"{name}={os.path.expanduser(value)}"
        elif whole and whole[-1] in _PATHS:
            argument = os.path.expanduser(argument)
        whole.append(argument)
    return tuple(whole)


def check_passed_on(options: CompileOptions, interpreter: Interpreter) -> None:
    """Refuse arguments that contradict the others, and files that are not there.

    Raises:
        UsageError: they do not go together.
        InputError: a file or directory is missing, or no sample is in it.
    """
    given = dict(_pairs(with_whole_paths(options.extra)))
    if "--calibration_data" in given and not options.quantize:
        raise UsageError("calibration data is for quantising, and --no-quantize is given", "leave one of the two out")
    if "--enable_debug_mode" in given and not options.keep_intermediates:
        raise UsageError(
            "--aot-arg=--enable_debug_mode works only where intermediates are kept", "add --keep-intermediates"
        )
    for option in ("--model_input", "--so_library", "-s"):
        if given.get(option):
            _file(given[option], option)
    if given.get("--calibration_data"):
        _samples(Path(given["--calibration_data"]))
    config = given.get("--config")
    if config and not Path(config).is_file() and not _is_vela_s_own(config, interpreter):
        raise InputError(
            f"no such file: {config} (--config)", "give the path of a vela.ini, or Arm/vela.ini for Vela's own"
        )


def _pairs(extra: Sequence[str]) -> Iterator[tuple[str, str]]:
    for index, argument in enumerate(extra):
        name, equals, value = argument.partition("=")
        following = extra[index + 1] if index + 1 < len(extra) else ""
        yield name, value if equals else following


def _file(path: str, option: str) -> None:
    if not Path(path).is_file():
        raise InputError(f"no such file: {path} ({option})", "check the path")


def _samples(path: Path) -> None:
    if not path.exists():
        raise InputError(f"no such file or directory: {path} (--calibration_data)", "check the path")
    if path.is_file() and path.suffix.lower() not in _SAMPLES:
        raise InputError(f"{path} is no calibration data", "give a .pt file of torch.save, or a directory of them")
    if path.is_dir() and not any(found.suffix.lower() in _SAMPLES for found in path.rglob("*")):
        raise InputError(f"{path} holds no .pt or .pth file to calibrate with", "store samples there with torch.save")


def _is_vela_s_own(config: str, interpreter: Interpreter) -> bool:
    """Whether Vela finds it among its own files; True where these are not where pip puts them."""
    if interpreter.executorch is None:
        return True
    own = Path(interpreter.executorch).parent / "ethosu" / "config_files"
    return not own.is_dir() or (own / config).is_file()
