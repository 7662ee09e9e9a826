"""Saving to a file that the user names: what a log carries (an ETDump, a debug buffer), and what is exported."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from .job import JobError, UsageError
from .reading.blocks import member_of
from .storage import FULL_DISK, replace_file

_NAME_BYTES = 200


def check_target(path: str, *, force: bool, inputs: Iterable[str] = ()) -> Path:
    """The place to write to, checked before any work is done; a link stands for what it names.

    Raises:
        UsageError: it is no name, a folder, a device, in no folder that exists, one of the inputs, or there already and `force` is
            not given.
    """
    if not path:
        raise UsageError("an empty name is no file to write to", "name a file")
    target = Path(os.path.expanduser(path))
    if target.is_dir():
        raise UsageError(f"{target} is a folder", "name a file")
    if not target.parent.is_dir():
        raise UsageError(f"{target.parent} is no folder", "create it, or name another file")
    if os.path.lexists(target):
        if target.exists() and not target.is_file():  # it would be a file afterwards, for everybody
            raise UsageError(f"{target} is a device, a pipe or a socket", "name a file")
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
        raise _refused(error, target) from error


def _refused(error: OSError, target: Path) -> JobError:
    if error.errno in FULL_DISK:
        return JobError(f"the disk is full, {target} was not written", "free some space")
    reason = error.strerror or str(error)
    return JobError(f"cannot write {target} ({reason})", "check the folder and its permissions")


def place_for(path: str, name: str, *, force: bool, inputs: Iterable[str] = ()) -> Path:
    """The place to write to, as `check_target`; a folder stands for the file of this name in it.

    Raises:
        UsageError: as `check_target`.
    """
    given = os.path.expanduser(path)
    if path and (os.path.isdir(given) or path.endswith("/")):
        given = os.path.join(given, name)
    return check_target(given, force=force, inputs=inputs)


def file_name(text: str, ending: str) -> str:
    """A name for a file made of a title: no separators, no controls, not hidden, not too long for any file system."""
    words = "".join(c if c.isalnum() or c in "._-" else "-" for c in text)
    while "--" in words:
        words = words.replace("--", "-")
    words = words.strip("-._").encode()[: _NAME_BYTES - len(ending.encode())].decode(errors="ignore")
    return f"{words or 'export'}{ending}"


def save_pieces(target: Path, pieces: Iterable[str], *, replace: bool = False) -> int:
    """Write a file piece by piece, so that it is whole or not there; its size in bytes.

    Without `replace`, a file that came there in the meantime stays what it is.

    Raises:
        JobError: the system refused; the message says why.
        UsageError: there is a file now, and `replace` is not given.
    """
    try:
        with whole_file(target, replace=replace) as stream:
            stream.writelines(pieces)
            stream.flush()
            return os.fstat(stream.fileno()).st_size
    except OSError as error:
        raise _refused(error, target) from error


@contextlib.contextmanager
def whole_file(target: Path, *, replace: bool) -> Iterator[TextIO]:
    """A text file to write to, which stands at `target` when the block ends without an error, and not before.

    Without `replace`, a file that came there in the meantime stays what it is.

    Raises:
        OSError: the system refused.
        UsageError: there is a file now, and `replace` is not given.
    """
    temporary = target.with_name(f".ethosu-tui-{os.urandom(8).hex()}")  # processes of several machines may write here
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        with open(descriptor, "w", encoding="utf-8", errors="replace", newline="") as stream:
            yield stream
            stream.flush()
            os.fsync(descriptor)
        _put(temporary, target, replace)
    finally:
        temporary.unlink(missing_ok=True)


def _put(temporary: Path, target: Path, replace: bool) -> None:
    if not replace:
        there = UsageError(f"{target} is there already", "name another file")
        try:
            os.link(temporary, target)  # unlike a rename, this never replaces anything
            return
        except FileExistsError:
            raise there from None
        except OSError:  # a file system without links
            if os.path.lexists(target):
                raise there from None
    os.replace(temporary, target)
