"""Asking a run to stop, from anywhere: a file in its folder, and a signal where the keeper is a process that we may signal.

The file is the request; the signal only saves the time until the keeper looks.  No process is signalled that is not
certainly the keeper: ids are used again.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..job import JobError, UsageError
from ..liveness import boot_id, process_started
from ..runs.folder import RunFolder
from ..runs.series import may_go_on, next_of, stop_files
from ..storage import storage_error
from . import KEEPER_MODULE

GOING_ON = ("queued", "running")
_LOOK_SECONDS = 0.02


def ask_to_stop(folder: RunFolder) -> None:
    """Ask the keeper of this run to end it, and its series with it; nothing happens where it is over.

    Raises:
        UsageError: no keeper carries it out but the command that started it.
        JobError: neither its folder can be written to nor its process signalled.
    """
    folder = going_member(folder)
    if not goes_on(folder):
        return
    facts = folder.manifest
    if not facts.get("keeper"):
        raise UsageError(
            f"{folder.id} is carried out by the command that started it (process {facts.get('pid')})", "stop that one"
        )
    problem: JobError | None = None
    own, *first = stop_files(folder)
    for path in first:  # the run may be over before it sees its own
        with contextlib.suppress(OSError):  # removed meanwhile
            _make(path)
    try:
        _make(own)
    except OSError as error:
        problem = storage_error(error, own)
    if (
        not _signal_keeper(facts, [path.parent for path in (own, *first)])
        and problem is not None
        and facts.get("keeper") == "ready"
    ):
        raise problem


def ask_all_to_stop(paths: Iterable[str | os.PathLike[str]]) -> list[JobError]:
    """Ask each, those first that wait: they would begin in the place of one that ends.  What went wrong with any of them."""
    problems, members = [], []
    for path in paths:
        try:
            members.append(going_member(RunFolder.open(Path(path))))
        except JobError as error:
            problems.append(error)
    for member in sorted(members, key=lambda one: one.state != "queued"):
        try:
            ask_to_stop(member)
        except JobError as error:
            problems.append(error)
    return problems


def going_member(folder: RunFolder) -> RunFolder:
    """The run of its series that goes on now, else the last; without a series the run itself.  Read anew."""
    folder = RunFolder.open(folder.path)
    while folder.state not in GOING_ON and (following := next_of(folder)) is not None:
        folder = following
    return folder


def goes_on(folder: RunFolder) -> bool:
    """Whether the run is not over, or a further one of its series may come."""
    return folder.state in GOING_ON or may_go_on(folder)


def wait_until_over(path: str | os.PathLike[str], seconds: float) -> RunFolder | None:
    """The folder once its run is over, of a series that of its last run; None when that takes longer."""
    deadline = time.monotonic() + seconds
    folder = RunFolder.open(Path(path))
    while goes_on(folder := going_member(folder)):
        if time.monotonic() >= deadline:
            return None
        time.sleep(_LOOK_SECONDS)
    return folder


def _make(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644))


def _signal_keeper(facts: dict[str, object], folders: Sequence[Path]) -> bool:
    """Whether the keeper was signalled; one that is not ready yet looks for the file first."""
    pid, started = facts.get("pid"), facts.get("pid_started")
    if facts.get("keeper") != "ready" or facts.get("boot") != boot_id() or not isinstance(pid, int) or started is None:
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError, OverflowError):
        if hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal"):
            descriptor = os.pidfd_open(pid)  # from here on the number cannot come to mean another process
            try:
                if process_started(pid) == started and _keeps(pid, folders):
                    signal.pidfd_send_signal(descriptor, signal.SIGTERM)
                    return True
            finally:
                os.close(descriptor)
        elif process_started(pid) == started and _keeps(pid, folders):
            os.kill(pid, signal.SIGTERM)
            return True
    return False


def _keeps(pid: int, folders: Sequence[Path]) -> bool:
    """Whether this process was started as the keeper of one of these folders: anybody can write any number into a manifest."""
    try:
        *_, module, place = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    except (OSError, ValueError):
        return False
    return module == KEEPER_MODULE.encode() and any(_is_same(place, folder) for folder in folders)


def _is_same(place: bytes, folder: Path) -> bool:
    try:
        return os.path.samefile(place, os.fsencode(folder))
    except OSError:  # the folder was moved under it
        return os.path.basename(place) == os.fsencode(folder.name)
