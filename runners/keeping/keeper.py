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

from ..job import Exit, InputError, JobError, Progress, Started
from ..kinds import Plan, plan
from ..liveness import up_seconds
from ..run_request import RunRequest
from ..runs.folder import KEEPER_LOG, PROGRESS, REQUEST, STOP, RunFolder
from ..runs.series import COMPLETE, END, NEXT, STOPPED, Place, place_of, stop_files
from ..session import ENDED_WELL, Session, failure_facts
from .claims import Claim, claim_of
from .locks import Lock
from .new_folder import new_folder
from .start import GO

_LOOK_SECONDS = 0.25
_BEAT_SECONDS = 30.0
"""The manifest is touched so often, so that another machine sees the run going on."""
CHANGED = "a file that the series runs was changed meanwhile"


class _Stopped(BaseException):
    """The run shall end, and nothing was started yet."""


def main(path: str) -> None:
    """Carry out the run of this folder, once who asked for it says so."""
    keeper = Keeper(Path(path))
    keeper.listen()
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
    following: Keeper | None = keeper
    while following is not None and (following := following.following()) is not None:
        following.keep()
    with contextlib.suppress(OSError):
        if (keeper.path / KEEPER_LOG).stat().st_size == 0:
            (keeper.path / KEEPER_LOG).unlink()


class Keeper:
    """One run, from its request to its end; `following` gives that of the next run of its series."""

    folder: RunFolder

    def __init__(self, path: Path, before: Keeper | None = None) -> None:
        """`before` is that of the run before in a series, from which a lock is taken over."""
        self.path = path
        self._asked = False
        self._told: bool = before is not None and before._told
        """Whether somebody asked for the end, of this run or of the series."""
        self._over = False
        self._lock: Lock | None = before._lock if before is not None else None
        """What nobody else shall have between two runs of a series."""
        self._stop_files = [path / STOP]
        self._waiting = False
        """Whether the main thread may be taken out of what it does."""
        self._session: Session | None = None
        self._directory = -1

    def listen(self) -> None:
        """From now on signals are for this run."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.on_signal)

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """End the run; asked twice is asked once."""
        self._told = True
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
            self._stop_files = stop_files(self.folder)
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
        self._over, self._waiting = True, False

    def following(self) -> Keeper | None:
        """What carries out the next run of the series, in a folder that is there now; None where none comes.

        The manifest says which it is, or why there is none.
        """
        place = place_of(self.folder)
        if place is None:
            return None
        try:
            request = self._request()
            why = self._why_no_more(place, request)
            if why is None:
                return self._begun(place, request)
        except JobError as error:
            why = f"{error.message}; {error.hint}"
        except Exception as error:
            traceback.print_exc()
            why = f"{type(error).__name__}: {error}"
        if self._lock is not None:
            self._lock.release()
        with contextlib.suppress(JobError):  # where nothing can be written, that we are gone says enough
            self.folder.update(**{END: why})
        return None

    def _why_no_more(self, place: Place, request: RunRequest) -> str | None:
        if self.folder.state != "finished":
            stopped = self.folder.manifest.get("reason") == "stopped"
            return STOPPED if stopped else f"{place.name} could not be carried out to its end"
        if place.index >= place.length:
            return COMPLETE
        if self._told or any(path.exists() for path in self._stop_files):
            return STOPPED
        if self.folder.status not in ENDED_WELL and not request.ignore_failure:
            return f"{place.name} did not pass (--ignore-failure goes on)"
        return None

    def _begun(self, place: Place, request: RunRequest) -> Keeper:
        planned = plan(request)
        next_place = place._replace(first=place.first or self.folder.id, index=place.index + 1)
        folder = new_folder(planned, planned.request or request, self.path.parent, next_place)
        if _digests(self.folder) != _digests(folder):
            folder.finish("not_started", state="stopped", reason="not_started", text=CHANGED, exit_code=None)
            folder.remove()
            raise InputError(CHANGED, "leave the files of a series as they are until it is over")
        folder.write_json(REQUEST, json.loads((self.path / REQUEST).read_bytes()))
        keeper = Keeper(folder.path, self)
        keeper.folder = folder
        self.folder.update(**{NEXT: folder.id})
        keeper.listen()
        keeper._told = keeper._told or self._told
        return keeper

    def _carry_out(self) -> None:
        self._waiting = True
        if self._asked or self._told:
            raise _Stopped
        request = self._request()
        planned = plan(request)
        if planned.prepare is not None:
            planned.prepare(self.folder)
        claim = claim_of(planned.request or request)
        kept, self._lock = self._lock, None
        lock = kept if kept is not None else claim.lock() if claim is not None else None
        session = self._session_of(planned)
        try:
            if claim is not None and lock is not None:
                session.get_ready()
                if kept is None:
                    self._take(claim, lock)
                taken = {"number": lock.slot, "taken_at": time.time(), "up_seconds": round(up_seconds(), 3)}
                self.folder.note(state="running", slot=taken)
            self._waiting = False
            shared = claim is not None and claim.slots > 1
            self._run(session, lock if shared else None)
            if not shared and place_of(self.folder) is not None:
                self._lock, lock = lock, None  # the port or the board stays ours until the series is over
        finally:
            session.close()
            if lock is not None:
                lock.release()

    def _take(self, claim: Claim, lock: Lock) -> None:
        """Get what the run needs for itself; the manifest says that it is queued until it is."""
        if not lock.take(self.folder.id):
            if not claim.waits:
                raise claim.taken(lock)
            self.folder.update(state="queued", queued=claim.queued(lock), queued_at=time.time())
            lock.wait(self.folder.id)

    def _session_of(self, planned: Plan) -> Session:
        until, kind = (planned.request.end_markers, planned.request.kind) if planned.request is not None else ((), "")
        session = Session(planned.job, self.folder, str(self.folder.path), until, kind)
        session.log_limit_bytes = planned.request.log_limit_bytes if planned.request is not None else None
        return session

    def _run(self, session: Session, slot: Lock | None) -> None:
        """Carry out the job; a slot is free again as soon as the target is, a port only when it was closed."""
        self._session = session
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
        if any(path.exists() for path in self._stop_files[1:]):
            return True
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
        """Until it is over: somebody may ask for a stop, and others want to see that we live."""
        beat = time.monotonic()
        while not self._over:
            if (self._is_asked() or self._is_removed()) and not (self._asked and self._session is not None):
                # again and again: a signal that comes just before the main thread begins to wait does not wake it
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
            if time.monotonic() - beat > _BEAT_SECONDS:
                beat = time.monotonic()
                with contextlib.suppress(OSError):
                    os.utime(self.folder.path / "manifest.json")
            time.sleep(_LOOK_SECONDS)
        if self._directory >= 0:  # a series has many members, and a process few descriptors
            os.close(self._directory)


def _digests(folder: RunFolder) -> list[object]:
    hashes = folder.manifest.get("hashes")
    return list(hashes.values()) if isinstance(hashes, dict) else []
