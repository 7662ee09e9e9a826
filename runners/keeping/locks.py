"""Locks on what several runs cannot have at once, shared by all users of this machine.

A lock is a `flock` on a file, so it is gone when its holder is, however that ended.  The files lie in a folder in which
everybody may make files and nobody may remove another's (`/run/lock` or `/tmp`): anything may have been put there under
our names, so links are not followed, and what is no plain file with one name is refused.  What a file says of its holder
is untrusted text.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import stat
import time
from pathlib import Path
from typing import NamedTuple

from ..job import JobError
from ..runs.folder import printable
from ..user import user_name

VARIABLE = "ETHOSU_TUI_LOCKS"
_HEAD_SECONDS = 0.01
"""How often the one at the head of a queue looks for a free slot."""
_TOLD_BYTES = 1000
_TRIES = 100


class Holder(NamedTuple):
    """Who has a lock, as far as the file says."""

    user: str = "somebody"
    run: str = ""
    since: str = ""

    def __str__(self) -> str:
        return f"{self.user}{f', run {self.run}' if self.run else ''}{f', since {self.since}' if self.since else ''}"


def lock_folder() -> Path:
    """The folder of all locks of this machine."""
    if chosen := os.environ.get(VARIABLE, "").strip():
        path = Path(chosen)
        with contextlib.suppress(OSError):  # opening a lock there says what is wrong
            path.mkdir(parents=True, exist_ok=True)
        return path
    for name in ("/run/lock", "/tmp"):
        with contextlib.suppress(OSError):
            mode = os.stat(name).st_mode
            if stat.S_ISDIR(mode) and mode & stat.S_ISVTX and mode & stat.S_IWOTH:  # the same answer for every user
                return Path(name)
    raise JobError("there is no place for locks (neither /run/lock nor /tmp is open to all)", f"set {VARIABLE}")


class Lock:
    """One of `slots` places at what `key` names; held by at most one process each."""

    def __init__(self, key: str, slots: int = 1) -> None:
        self._stem = lock_folder() / f"ethosu-tui.{hashlib.sha256(key.encode()).hexdigest()[:20]}"
        self._slots = slots
        self._held = -1
        self.slot: int | None = None
        """Which place is held."""

    def take(self, run: str) -> bool:
        """Take a place if one is free and nobody waits for it."""
        queue = self._locked(self._path("queue"))
        if queue < 0:
            return False
        try:
            return self._take_any(run)
        finally:
            os.close(queue)

    def wait(self, run: str) -> None:
        """Wait for a place; whoever waits first is served first, nearly.

        One process at a time looks for free places; the others sleep in the kernel until it is their turn.
        """
        queue = self._locked(self._path("queue"), wait=True)
        try:
            while not self._take_any(run):
                time.sleep(_HEAD_SECONDS)
        finally:
            os.close(queue)

    def release(self) -> None:
        """Give the place back; harmless when called again."""
        held, self._held = self._held, -1
        if held >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(held, 0)
            os.close(held)

    def holders(self) -> list[Holder]:
        """Who has the places that are taken."""
        found = []
        for number in range(self._slots):
            descriptor = _open(self._path(str(number)))
            try:
                if not _try_lock(descriptor):
                    found.append(_holder(descriptor))
            finally:
                os.close(descriptor)
        return found

    def paths(self) -> list[Path]:
        """The files of its places, which need not be there."""
        return [self._path(str(number)) for number in range(self._slots)]

    def _path(self, name: str) -> Path:
        return self._stem.with_name(f"{self._stem.name}.{name}.lock")

    def _take_any(self, run: str) -> bool:
        for number in range(self._slots):
            held = self._locked(self._path(str(number)))
            if held >= 0:
                self._held, self.slot = held, number
                _tell(held, run)
                return True
        return False

    def _locked(self, path: Path, wait: bool = False) -> int:
        """The locked file; -1 where somebody else has it."""
        for _ in range(_TRIES):
            descriptor = _open(path)
            try:
                if wait:
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
                elif not _try_lock(descriptor):
                    os.close(descriptor)
                    return -1
            except BaseException:
                os.close(descriptor)
                raise
            if _is_named(descriptor, path):
                return descriptor
            os.close(descriptor)  # a cleaner of old files has removed it: the lock is another file now
        raise JobError(f"{path} is made anew all the time", "see who does that")


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    for _ in range(_TRIES):
        try:
            descriptor = os.open(path, flags)
        except FileNotFoundError:
            try:
                descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
                os.fchmod(descriptor, 0o666)  # others must be able to lock it
            except FileExistsError:
                continue
            except OSError as error:
                raise _refused(path, error.strerror or str(error)) from error
        except PermissionError:
            try:
                descriptor = os.open(path, os.O_RDONLY | flags & ~os.O_RDWR)
            except OSError as error:
                raise _refused(path, error.strerror or str(error)) from error
        except OSError as error:
            reason = "it is a link" if error.errno == errno.ELOOP else error.strerror or str(error)
            raise _refused(path, reason) from error
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
            os.close(descriptor)
            raise _refused(path, "it is no file of its own")
        return descriptor
    raise _refused(path, "it comes and goes")


def _refused(path: Path, reason: str) -> JobError:
    return JobError(f"the lock {path} cannot be used ({reason})", f"remove it, or set {VARIABLE} to a folder for locks")


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_named(descriptor: int, path: Path) -> bool:
    try:
        named, own = os.stat(path, follow_symlinks=False), os.fstat(descriptor)
    except OSError:
        return False
    return (named.st_dev, named.st_ino) == (own.st_dev, own.st_ino)


def _tell(descriptor: int, run: str) -> None:
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    said = json.dumps({"user": user_name(), "run": run, "since": since}).encode()
    with contextlib.suppress(OSError):  # it is locked all the same
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, said, 0)


def _holder(descriptor: int) -> Holder:
    return told_by(descriptor) or Holder()


def told_by(descriptor: int) -> Holder | None:
    """Who the file says that has it; None where it says nothing, as one that nobody has."""
    try:
        said = json.loads(os.pread(descriptor, _TOLD_BYTES, 0))
        return Holder(*(printable(str(said[name]))[:100] for name in Holder._fields))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
