"""A port with a person at it: the bytes of a job handed to a screen after they are on disk, and a request without end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from .job import Chunk, JobEvent
from .keeping.claims import check_free, claim_of
from .keeping.locks import Lock
from .kinds.serial import capture
from .run_request import RunRequest
from .runs.folder import RunFolder, runs_root
from .serial.job import SerialJob
from .serial.port import pyserial
from .session import Session
from .targets.recorded import KEY, recorded


class Watched:
    """A job whose chunks somebody sees as they are, once they have been stored and read."""

    def __init__(self, job: SerialJob, lock: Lock, show: Callable[[Chunk], None]) -> None:
        """`lock` is that of the port, and is given back when the job has ended."""
        self.job = job
        self._lock = lock
        self.label = job.label
        self._show = show

    def run(self) -> Iterator[JobEvent]:
        """The job's events."""
        try:
            for event in self.job.run():
                yield event
                if isinstance(event, Chunk) and event.data:
                    self._show(event)
        finally:
            self._lock.release()

    def stop(self) -> None:
        """End the job."""
        self.job.stop()


def open_console(request: RunRequest, rest: str, show: Callable[[Chunk], None]) -> tuple[Session, SerialJob]:
    """A session on a port that goes on until it is stopped, whatever the runner says; everything is stored.

    Raises:
        JobError: the request makes no sense, pyserial is missing, or the run folder cannot be made.
    """
    pyserial()
    request.check_limits()
    asked = capture(request, rest, None, None)
    label = f"console on {request.place.name or asked.url}"
    job = SerialJob(
        replace(asked, label=label, ends_at_marker=False, time_limit_seconds=None, silence_limit_seconds=None)
    )
    check_free(request)
    claim = claim_of(request)
    assert claim is not None
    lock = claim.lock()
    of_place: dict[str, Any] = {KEY: recorded(request.place)} if request.place.name else {}
    folder = RunFolder.create(
        runs_root(), "run", label, on=request.on, target=label[11:], port=asked.url, baud=asked.baud, **of_place
    )
    job.keep(folder.path)
    if not lock.take(folder.id):  # somebody was faster
        folder.finish("not_started", state="stopped", reason="not_started", text=str(claim.taken(lock)), exit_code=None)
        raise claim.taken(lock)
    return Session(Watched(job, lock, show), folder, str(folder.path), kind="serial"), job
