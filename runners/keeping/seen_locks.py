"""Who has a lock, seen without touching it: trying to take one, if only for a moment, could make another's attempt fail.

Linux lists the locks of all processes that we may know of; elsewhere nothing is known, which is not the same as free.
"""

from __future__ import annotations

import os

from ..job import JobError
from ..storage import open_file
from .locks import Holder, Lock, told_by

_KERNELS_LIST = "/proc/locks"
_LIMIT_BYTES = 1 << 20


def locked_inodes() -> frozenset[int] | None:
    """The inodes of all files that somebody has locked with `flock`; None where this machine does not say."""
    try:
        with open(_KERNELS_LIST, "rb") as stream:
            lines = stream.read(_LIMIT_BYTES).splitlines()
    except OSError:
        return None
    found = set()
    for line in lines:
        words = line.split()
        if len(words) >= 6 and words[1] == b"FLOCK":
            inode = words[5].rpartition(b":")[2]
            if inode.isdigit():
                found.add(int(inode))
    return frozenset(found)


def holders_seen(lock: Lock, locked: frozenset[int]) -> list[Holder]:
    """Who has the places of this lock that are taken, as `locked` says."""
    found = []
    for path in lock.paths():
        try:
            with open_file(path) as stream:
                if os.fstat(stream.fileno()).st_ino not in locked:
                    continue
                holder = told_by(stream.fileno())
        except (OSError, JobError):
            continue
        if holder is not None:  # a file of another device may have the same number; a holder always says who it is
            found.append(holder)
    return found
