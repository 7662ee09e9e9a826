"""Saving what a log carries (an ETDump, a debug buffer) to a file that the user names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from .job import JobError, UsageError
from .reading.blocks import member_of
from .storage import FULL_DISK, replace_file


def check_target(path: str, *, force: bool, inputs: Iterable[str] = ()) -> Path:
    """The place to write to, checked before any work is done; a link stands for what it names.

    Raises:
        UsageError: it is no name, a folder, in no folder that exists, one of the inputs, or there already and `force` is
            not given.
    """
    if not path:
        raise UsageError("an empty name is no file to write to", "name a file")
    target = Path(path).expanduser()
    if target.is_dir():
        raise UsageError(f"{target} is a folder", "name a file")
    if not target.parent.is_dir():
        raise UsageError(f"{target.parent} is no folder", "create it, or name another file")
    if os.path.lexists(target):
        for one in inputs:
            if _is_behind(target, one):
                raise UsageError(f"{target} is itself read ({one})", "name another file to write to")
        if not force:
            raise UsageError(f"{target} is there already", "give --force to replace it, or name another file")
    return Path(os.path.realpath(target)) if target.is_symlink() else target


def _is_behind(target: Path, one: str) -> bool:
    """Whether an input is read from this file: itself, the archive that it is in, or a part of a stored run."""
    try:
        if one == "-":
            return sys.stdin is not None and os.path.samestat(os.stat(target), os.fstat(sys.stdin.fileno()))
        file = member_of(one)[0]
        if os.path.isdir(file):
            return os.path.samefile(target.resolve().parent, file)
        return os.path.samefile(target, file)
    except (OSError, ValueError):  # one of them is not there
        return False


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
