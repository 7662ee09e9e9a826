"""Who has a device open, as far as this user may know: from /proc, and from the lock files of older terminal programs."""

from __future__ import annotations

import contextlib
import os
import pwd
from pathlib import Path
from typing import NamedTuple

from ..runs.folder import printable

LOCK_FOLDERS = ("/run/lock", "/var/lock")


class Holder(NamedTuple):
    """A process that has a port open."""

    pid: int
    command: str
    user: str

    def __str__(self) -> str:
        return f"{self.command} (process {self.pid} of {self.user})"


def holders(device: str, proc: str = "/proc", locks: tuple[str, ...] = LOCK_FOLDERS) -> list[Holder]:
    """The processes, other than this one, that have `device` open or say so in a lock file.

    Processes of other users can be seen only by root, so an empty list is no proof.
    """
    try:
        wanted = os.stat(device)
    except OSError:
        return []
    found: dict[int, Holder] = {}
    for pid in _processes(proc):
        if pid != os.getpid() and _has_open(f"{proc}/{pid}/fd", wanted, os.path.realpath(device)):
            found[pid] = _holder(proc, pid)
    for folder in locks:
        with contextlib.suppress(OSError, ValueError):  # no such lock, or not a number in it
            pid = int((Path(folder) / f"LCK..{os.path.basename(os.path.realpath(device))}").read_text()[:32])
            if pid > 0 and pid != os.getpid() and os.path.isdir(f"{proc}/{pid}"):
                found.setdefault(pid, _holder(proc, pid))
    return [found[pid] for pid in sorted(found)]


def _processes(proc: str) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir(proc) if name.isdigit()]
    return []


def _has_open(folder: str, wanted: os.stat_result, real: str) -> bool:
    with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
        for name in os.listdir(folder):
            path = f"{folder}/{name}"
            with contextlib.suppress(OSError):
                if os.readlink(path) != real:
                    continue
                found = os.stat(path)
                if (found.st_rdev, found.st_ino, found.st_dev) == (wanted.st_rdev, wanted.st_ino, wanted.st_dev):
                    return True
    return False


def _holder(proc: str, pid: int) -> Holder:
    command, user = "?", "?"
    with contextlib.suppress(OSError):
        command = printable(Path(f"{proc}/{pid}/comm").read_text(errors="replace").strip()) or "?"
    with contextlib.suppress(OSError):
        uid = os.stat(f"{proc}/{pid}").st_uid
        user = str(uid)
        with contextlib.suppress(KeyError):
            user = pwd.getpwuid(uid).pw_name
    return Holder(pid, command, user)
