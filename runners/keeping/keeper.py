"""The keeper: the process that carries out one stored run, whoever comes and goes meanwhile.

It has a session of its own and no terminal; what it knows of the run stands in the folder.  SIGTERM, or a file in the
folder, ends the run in good order.  SIGHUP means nothing here.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
import traceback
from pathlib import Path
from types import FrameType

from ..folder import RunFolder
from ..job import Exit, InputError, JobError, Progress, Started
from ..kinds import Plan, plan
from ..run_request import RunRequest
from ..session import Session, failure_facts
from . import KEEPER_LOG, PROGRESS, REQUEST, STOP
from .claims import Claim, claim_of
from .locks import Lock
from .start import GO

_LOOK_SECONDS = 0.25
_BEAT_SECONDS = 30.0
"""The manifest is touched so often, so that another machine sees the run going on."""


class _Stopped(BaseException):
    """The run shall end, and nothing was started yet."""


def main(path: str) -> None:
    """Carry out the run of this folder, once who asked for it says so."""
    keeper = Keeper(Path(path))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, keeper.on_signal)
    signal.signal(signal.SIGHUP, lambda *_: None)  # ignored would be ignored by what we start as well
    told = os.read(0, len(GO))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        keeper.folder = RunFolder.open(keeper.path)
    except InputError:  # removed meanwhile
        return
    if keeper.folder.manifest.get("pid") != os.getpid() and told != GO:
        return  # who asked for it died first, and the folder says that the run is lost
    keeper.keep()
    with contextlib.suppress(OSError):
        if (keeper.path / KEEPER_LOG).stat().st_size == 0:
            (keeper.path / KEEPER_LOG).unlink()


class Keeper:
    """One run, from its request to its end."""

    folder: RunFolder

    def __init__(self, path: Path) -> None:
        self.path = path
        self._asked = False
        self._waiting = False
        """Whether the main thread may be taken out of what it does."""
        self._session: Session | None = None
        self._directory = -1

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """End the run; asked twice is asked once."""
        first, self._asked = not self._asked, True
        if not first:
            return
        if self._session is not None:  # in a thread: the interrupted code may hold the very lock that stopping needs
            threading.Thread(target=self._session.stop, daemon=True).start()
        elif self._waiting:
            raise _Stopped

    def keep(self) -> None:
        """Carry it out; whatever happens, the folder says how it ended."""
        try:
            self.folder.update(keeper="ready")
            with contextlib.suppress(OSError):
                self._directory = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            threading.Thread(target=self._look_for_requests, daemon=True).start()
            self._carry_out()
        except _Stopped:
            self._never_started("stopped", "stopped before it was started", state="stopped")
        except JobError as error:
            self._never_started("not_started", error.message, **failure_facts(error))
        except BaseException as error:
            traceback.print_exc()
            self._never_started("lost", f"{type(error).__name__}: {error}", state="stopped")

    def _carry_out(self) -> None:
        self._waiting = True
        if self._asked:
            raise _Stopped
        request = self._request()
        planned = plan(request)
        if planned.prepare is not None:
            planned.prepare(self.folder)
        claim = claim_of(planned.request or request)
        lock = claim.lock() if claim is not None else None
        try:
            if claim is not None and lock is not None:
                getattr(planned.job, "get_ready", lambda: None)()
                self._take(claim, lock)
            self._waiting = False
            self._run(planned, lock if claim is not None and claim.slots > 1 else None)
        finally:
            if lock is not None:
                lock.release()

    def _take(self, claim: Claim, lock: Lock) -> None:
        """Get what the run needs for itself; the manifest says that it is queued until it is."""
        if not lock.take(self.folder.id):
            if not claim.waits:
                raise claim.taken(lock)
            self.folder.update(state="queued", queued=claim.queued(lock), queued_at=time.time())
            lock.wait(self.folder.id)
        self.folder.note(state="running", slot={"number": lock.slot, "taken_at": time.time()})

    def _run(self, planned: Plan, slot: Lock | None) -> None:
        """Carry out the job; a slot is free again as soon as the target is, a port only when it was closed."""
        until = planned.request.end_markers if planned.request is not None else ()
        session = self._session = Session(planned.job, self.folder, str(self.folder.path), until)
        if self._asked:  # between the two
            session.stop()

        def target_is_used() -> None:
            if slot is not None:
                self.folder.note(slot={**self.folder.manifest["slot"], "started_at": time.time()})

        def target_is_free() -> None:
            if slot is not None:
                slot.release()
                self.folder.note(slot={**self.folder.manifest["slot"], "freed_at": time.time()})

        session.job_started, session.job_ended = target_is_used, target_is_free
        told = False
        try:
            for event in session.events():
                if isinstance(event, Started):  # which has written the manifest
                    told = True
                elif isinstance(event, Progress):
                    if not told:
                        self.folder.update()
                        told = True
                    self._tell(event)
                elif isinstance(event, Exit):
                    self._asked = True  # it is over; nothing is left to stop
        except JobError:  # the folder says it
            return
        except BaseException:
            traceback.print_exc()

    def _request(self) -> RunRequest:
        try:
            stored = json.loads((self.path / REQUEST).read_bytes())
            request = RunRequest.from_json(stored["request"])
            here = stored["cwd"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{self.path / REQUEST} cannot be read ({error})", "start the run again") from error
        if here is not None:
            with contextlib.suppress(OSError):  # removed meanwhile: then we are where we were
                os.chdir(here)
        return request

    def _tell(self, event: Progress) -> None:
        line = json.dumps({"stage": event.stage, "done": event.done, "total": event.total})
        with contextlib.suppress(OSError), open(self.path / PROGRESS, "a") as stream:  # nothing depends on it
            stream.write(line + "\n")

    def _never_started(self, reason: str, text: str, **facts: object) -> None:
        if self._session is not None:
            return  # it has said how it ended
        known = {"exit_code": None, "seconds": None, **facts}
        with contextlib.suppress(JobError):  # where nothing can be written, that we are gone says enough
            self.folder.finish("not_started", reason=reason, text=text, **known)  # type: ignore[arg-type]

    def _is_asked(self) -> bool:
        """Whether somebody made the file that ends the run; the folder may have been moved meanwhile."""
        try:
            os.stat(STOP if self._directory >= 0 else self.path / STOP, dir_fd=max(self._directory, 0) or None)
        except OSError:
            return False
        return True

    def _is_removed(self) -> bool:
        """Whether the folder was deleted, not only moved: then nobody could find this run to end it."""
        try:
            return os.fstat(self._directory).st_nlink == 0
        except OSError:
            return False

    def _look_for_requests(self) -> None:
        """Until the process ends: somebody may ask for a stop, and others want to see that we live."""
        beat = time.monotonic()
        while True:
            if (self._is_asked() or self._is_removed()) and not (self._asked and self._session is not None):
                # again and again: a signal that comes just before the main thread begins to wait does not wake it
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
            if time.monotonic() - beat > _BEAT_SECONDS:
                beat = time.monotonic()
                with contextlib.suppress(OSError):
                    os.utime(self.folder.path / "manifest.json")
            time.sleep(_LOOK_SECONDS)
