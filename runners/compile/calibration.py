"""Calibration data on disk: what ExecuTorch's script will read of it, looked at before anything slow begins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ...analysis.compiles.saved_model import archive_kind, is_plain, pickled_names
from ..job import InputError, UsageError
from .model_source import saved_pickle
from .plan import CompileOptions

ENDINGS = (".pt", ".pth")
"""What the script reads."""
MOST_FILES = 1000
"""It reads the first so many of a directory, by their names."""
_CHECKED = 20


def check_data(options: CompileOptions) -> None:
    """See that the calibration data that the options name can be used.

    Raises:
        InputError: it is missing or not what it must be.
        UsageError: nothing is quantised with it.
    """
    if options.calibration is not None:
        if not options.quantize:
            raise UsageError("--calibration has no use without quantisation", "leave --no-quantize out")
        check_calibration(options.calibration)


def calibration_files(path: Path) -> list[Path]:
    """The files that the script will read, in its order."""
    if path.is_file():
        return [path]
    return [Path(name) for name in sorted(map(str, _candidates(path)))[:MOST_FILES]]


def _candidates(path: Path) -> Iterator[Path]:
    return (found for found in path.rglob("*") if found.suffix.lower() in ENDINGS and found.is_file())


def check_calibration(given: str) -> str:
    """The absolute path of calibration data that can be read.

    Raises:
        InputError: it is missing, has no sample, or a sample that holds more than tensors.
    """
    path = Path(os.path.expanduser(given)).absolute()
    try:
        if not path.exists():
            raise InputError(f"no calibration data at {path}", "name a .pt file or a directory of them")
        if path.is_file() and path.suffix.lower() not in ENDINGS:
            raise InputError(
                f"{path} is no calibration data that ExecuTorch reads", "store samples with torch.save as .pt files"
            )
        if not (path.is_file() or path.is_dir()):
            raise InputError(f"{path} is neither a file nor a directory", "name a .pt file or a directory of them")
        files = calibration_files(path)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path and permissions") from error
    if not files:
        raise InputError(f"{path} holds no .pt or .pth file", "store each sample with torch.save(sample, 'NAME.pt')")
    for file in islice(files, _CHECKED):
        check_tensors(file)
    return str(path)


def check_tensors(file: Path) -> None:
    """See that a file of inputs holds tensors and nothing that runs code when it is loaded.

    Raises:
        InputError: it is not so, or the file is damaged.
    """
    names, data = saved_pickle(file)
    if names and archive_kind(names, data).exported:
        raise InputError(
            f"{file} is an exported program, not a sample", "store tensors: torch.save((tensor,), 'NAME.pt')"
        )
    named = pickled_names(data)
    if named is None:
        raise InputError(f"{file} is not what torch.save writes", "store tensors: torch.save((tensor,), 'NAME.pt')")
    foreign = next((name for name in named if not is_plain(name)), None)
    if foreign is not None:
        raise InputError(
            f"{file} holds more than tensors ({foreign.replace(' ', '.')[:80]}), and loading that runs code",
            "store plain tensors: torch.save((tensor,), 'NAME.pt')",
        )
