"""Arguments that are passed on to ExecuTorch's script: those that compile sets itself are refused, paths are made whole, and
what cannot work is told at once.

The script expands no `~`, and finds most of this out after the export or at the very end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..job import InputError, UsageError
from .calibration import check_tensors
from .plan import CompileOptions

_OURS = {
    "--model_name": "name the model as MODEL",
    "--target": "use --target",
    "--system_config": "use --system-config",
    "--memory_mode": "use --memory-mode",
    "--delegate": "leave --no-delegate out, or give it",
    "--quantize": "leave --no-quantize out, or give it",
    "--output": "use -o",
    "--intermediates": "use --keep-intermediates",
    "--debug": "use --debug",
    "--config": "use --vela-config",
    "--calibration_data": "use --calibration",
}
"""Options of the script that we set, and how a user says the same to us."""
_SHORT = {
    "m": "--model_name",
    "t": "--target",
    "d": "--delegate",
    "q": "--quantize",
    "o": "--output",
    "i": "--intermediates",
}
_SHORT_FLAGS = "h"
"""Short options without a value that are not ours; the others (-s, -c, -e) take what follows as theirs."""

_PATHS = ("--model_input", "--so_library", "-s")
"""Options of the script that take a path and may be passed on."""


def check_extra(extra: Sequence[str]) -> None:
    """Refuse further arguments that would change what we say ourselves: the figures would stand under a wrong name.

    The script's parser also takes short forms (-t, -dq) and beginnings of long ones (--tar).

    Raises:
        UsageError: an argument is one of ours.
    """
    for argument in extra:
        name = argument.partition("=")[0]
        if argument == "--":
            raise UsageError("--aot-arg=-- hides the arguments after it from ExecuTorch's script", "leave it out")
        if name.startswith("--"):
            ours = [option for option in _OURS if option.startswith(name)]
        else:
            ours = [_SHORT[letter] for letter in _letters(argument)]
        if ours:
            raise UsageError(f"--aot-arg={argument} would set {ours[0]}, which compile sets itself", _OURS[ours[0]])


def _letters(argument: str) -> Iterator[str]:
    """The short options of ours in an argument like -t or -dq; what follows an option with a value is that value."""
    for letter in argument[1:] if argument.startswith("-") else "":
        if letter in _SHORT:
            yield letter
        elif letter not in _SHORT_FLAGS:
            return


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


def check_passed_on(options: CompileOptions) -> None:
    """Refuse arguments that contradict the others, and files that are not there or hold more than tensors.

    Raises:
        UsageError: they do not go together.
        InputError: a file is missing or not what it must be.
    """
    given = dict(_pairs(with_whole_paths(options.extra)))
    if "--enable_debug_mode" in given and not options.keep_intermediates:
        raise UsageError(
            "--aot-arg=--enable_debug_mode works only where intermediates are kept", "add --keep-intermediates"
        )
    for option in _PATHS:
        if given.get(option) and not Path(given[option]).is_file():
            raise InputError(f"no such file: {given[option]} ({option})", "check the path")
    if given.get("--model_input"):
        check_tensors(Path(given["--model_input"]))


def _pairs(extra: Sequence[str]) -> Iterator[tuple[str, str]]:
    for index, argument in enumerate(extra):
        name, equals, value = argument.partition("=")
        following = extra[index + 1] if index + 1 < len(extra) else ""
        yield name, value if equals else following
