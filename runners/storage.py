"""Writes that survive: append-only console bytes, files replaced in one step, and one sentence when a write fails.

Everything here is about the disk and nothing about runs; `folder.py` gives it meaning.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
import time
from pathlib import Path

from ..analysis.named_tuple import TYPE_CHECKING
from .job import JobError

if TYPE_CHECKING:
    from typing import BinaryIO

CONSOLE = "console.log"
TIMES = "console.times"

WORKSPACE_VARIABLE = "ETHOSU_TUI_WORKSPACE"

FULL_DISK = (errno.ENOSPC, errno.EDQUOT)

_SYNC_SECONDS = 5.0
_TIME_STEP_SECONDS = 0.005
"""Chunks closer than this share one entry of the times: a UART without a buffer gives a chunk for each character."""


def workspace_hint() -> str:
    """What to do when the workspace cannot be used."""
    return f"set {WORKSPACE_VARIABLE} to a directory that you can write to"


def storage_error(error: OSError, path: Path) -> JobError:
    """The one sentence for a failed write below the workspace."""
    reason = error.strerror or str(error)
    if error.errno in FULL_DISK:
        return _cut(
            "disk full",
            JobError(
                f"the disk is full, {path} is cut short",
                f"free some space (`ethosu-tui runs rm`) or {workspace_hint()}; what was captured so far is kept",
            ),
        )
    if error.errno == errno.EFBIG:
        return _cut(
            "file size limit",
            JobError(
                f"{path} may not grow further ({reason})",
                "raise the file size limit (`ulimit -f`); what was captured so far is kept",
            ),
        )
    return JobError(f"cannot write {path} ({reason})", workspace_hint())


def begin_error(error: OSError, root: Path) -> JobError:
    """The one sentence where a run folder could not even be begun below the workspace `root`."""
    if error.errno not in FULL_DISK:
        return storage_error(error, root)
    hint = f"free some space (`ethosu-tui runs rm`) or {workspace_hint()}"
    return _cut("disk full", JobError(f"the disk is full, no run can be stored in {root}", hint))


def _cut(cause: str, error: JobError) -> JobError:
    error.cause = cause
    return error


def open_file(path: Path) -> BinaryIO:
    """The file, to be read; OSError where it is none: a pipe of its name would block us, and a device has no end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no file")
    return open(descriptor, "rb")


def runs_root() -> Path:
    """The directory that holds all run folders; it need not exist yet."""
    chosen = os.environ.get(WORKSPACE_VARIABLE, "").strip()
    try:
        if chosen:
            return Path(chosen).expanduser().absolute()
        from platformdirs import user_data_path

        return user_data_path("ethosu-tui").absolute() / "runs"
    except (RuntimeError, OSError) as error:
        raise JobError(f"no home directory to keep runs in ({error})", workspace_hint()) from error


class ConsoleWriter:
    """Appends the raw bytes of a run, and when each chunk came, before anybody looks at them."""

    def __init__(self, directory: Path, durable: bool = True, limit_bytes: int | None = None) -> None:
        """`durable` is whether the bytes shall survive a loss of power too, which costs time.

        Of what comes behind `limit_bytes` nothing is written, and that is an error.
        """
        self._durable = durable
        self._limit_bytes = limit_bytes
        self._log_path = directory / CONSOLE
        self._times_path = directory / TIMES
        self._log = self._times = -1
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        try:
            self._log = os.open(self._log_path, flags, 0o644)
            self._times = os.open(self._times_path, flags, 0o644)
            self.offset = os.fstat(self._log).st_size
        except OSError as error:
            self.close()
            raise storage_error(error, directory) from error
        self._synced = time.monotonic()
        self._timed: float | None = None

    def write(self, data: bytes, at: float) -> None:
        """Append `data`; when this returns, the bytes survive our death.  `at` is seconds since the job started."""
        if not data:
            return
        start = self.offset
        over = 0 if self._limit_bytes is None else max(0, start + len(data) - self._limit_bytes)
        if over:
            data = data[: len(data) - over]
        try:
            self._append(self._log, data, count=True)
        except OSError as error:
            raise storage_error(error, self._log_path) from error
        try:
            if self._timed is None or not 0 <= at - self._timed < _TIME_STEP_SECONDS:
                self._append(self._times, f"[{at:.6f}, {start}]\n".encode())
                self._timed = at
            now = time.monotonic()
            if self._durable and now - self._synced >= _SYNC_SECONDS:
                os.fsync(self._log)
                self._synced = now
        except OSError as error:
            raise storage_error(error, self._times_path) from error
        if over:
            raise _cut(
                "log limit",
                JobError(
                    f"the console has reached its limit of {self._limit_bytes:,} bytes; the run was ended, and at least "
                    f"{over:,} more bytes were not kept",
                    "raise --max-log-bytes (max_log_bytes of the target), or look at what the target prints without end",
                    exit_code=5,
                ),
            )

    def _append(self, descriptor: int, data: bytes, count: bool = False) -> None:
        view = memoryview(data)
        while view:
            written = os.write(descriptor, view)
            view = view[written:]
            if count:
                self.offset += written

    def close(self) -> None:
        """Flush to the device and close; harmless when called again."""
        for name in ("_log", "_times"):
            descriptor: int = getattr(self, name)
            setattr(self, name, -1)
            if descriptor >= 0:
                try:
                    with contextlib.suppress(OSError):  # a full disk was reported by write(); some files cannot sync
                        if self._durable:
                            os.fsync(descriptor)
                finally:
                    os.close(descriptor)

    def discard(self) -> None:
        """Close a console to which nothing was written, and leave no trace of it."""
        self._durable = False
        empty = self.offset == 0
        self.close()
        if empty:
            for path in (self._log_path, self._times_path):
                path.unlink(missing_ok=True)

    def __enter__(self) -> ConsoleWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def replace_file(path: Path, data: bytes, durable: bool = True) -> None:
    """Give `path` this content in one step: afterwards it has the old or the new content, never a part.

    What is not `durable` may be empty after a loss of power.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        with open(descriptor, "wb", buffering=0) as stream:
            view = memoryview(data)
            while view:
                view = view[stream.write(view) :]
            if durable:
                os.fsync(descriptor)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if not durable:
        return
    with contextlib.suppress(OSError):  # not every file system can sync a directory; the rename itself has happened
        directory = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
