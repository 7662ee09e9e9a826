"""Saving what a log carries (an ETDump, a debug buffer) to a file that the user names."""

from __future__ import annotations

import os
from pathlib import Path

from .job import JobError, UsageError
from .storage import FULL_DISK, replace_file


def check_target(path: str, *, force: bool) -> Path:
    """The place to write to, checked before any work is done.

    Raises:
        UsageError: it is a folder, in no folder that exists, or there already and `force` is not given.
    """
    target = Path(path).expanduser()
    if target.is_dir():
        raise UsageError(f"{target} is a folder", "name a file")
    if not target.parent.is_dir():
        raise UsageError(f"{target.parent} is no folder", "create it, or name another file")
    if os.path.lexists(target) and not force:
        raise UsageError(f"{target} is there already", "give --force to replace it, or name another file")
    return target


def save(target: Path, data: bytes) -> None:
    """Write the file in one step: afterwards it is whole, or as it was before.

    Raises:
        JobError: the system refused; the message says why.
    """
    try:
        replace_file(target, data)
    except OSError as error:
        if error.errno in FULL_DISK:
            raise JobError(f"the disk is full, {target} was not written", "free some space") from error
        reason = error.strerror or str(error)
        raise JobError(f"cannot write {target} ({reason})", "check the folder and its permissions") from error
