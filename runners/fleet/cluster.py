"""The workers of a Dask scheduler: which of them can do our jobs, what they are given, and what becomes of it.

A result is taken over as soon as it is there, and the scheduler forgets it then: what is done is not done again when its
worker goes.  What a lost worker had not finished is done elsewhere, a few times.  Only plain data is sent.
"""

from __future__ import annotations

import secrets
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ..job import MissingTool
from ..reading.scheduler import connect
from .work import difference, introduce

LIVES = 3
"""So many times a job is given out again because nobody was left who could do it."""
GRACE_SECONDS = 30.0
"""How long jobs wait for a worker when all are gone; one that a nanny starts again is there in a few seconds."""
_LOOK_SECONDS = 1.0
_NAMED = 5
"""Workers that a sentence names."""


class Noted(NamedTuple):
    """A job entered a stage."""

    job: int
    stage: str


CHANGED = Noted(-1, "")
"""There is room for more jobs."""


class Ended(NamedTuple):
    """What a job gave, or why it gave nothing."""

    job: int
    result: dict[str, Any] | None
    reason: str


@dataclass
class _Task:
    function: Callable[[Mapping[str, Any]], dict[str, Any]]
    given: dict[str, Any]
    future: Any = None
    workers: set[str] = field(default_factory=set)
    """Where it may run."""
    tries: int = 0


class Cluster:
    """A scheduler with its workers.  `tell` is called from several threads; `end` may be called from any."""

    def __init__(
        self, address: str, facts: Mapping[str, Any], python: str | None, tell: Callable[[Noted | Ended], None]
    ) -> None:
        """Connect, and ask the workers what they have.

        Raises:
            UsageError, MissingTool: see `spread.connect`; or no worker has what `facts` says.
        """
        self.address = address
        self._facts, self._python, self._tell = dict(facts), python, tell
        self._lock = threading.RLock()
        self._workers: dict[str, str | None] = {}
        """By address, why it is left out; None for one that can do our jobs."""
        self._tasks: dict[int, _Task] = {}
        self._given_out = 0
        self._over: str | None = None
        self._alone_since: float | None = None
        self._ended = threading.Event()
        self.topic = f"ethosu-tui-{secrets.token_hex(8)}"
        self.notes: list[str] = []
        """What there is to say about workers, until somebody has taken it."""
        self._client = connect(address, "leave --scheduler out to use this machine")
        try:
            self.width = self._look()
            if not self.width:
                reasons = [f"{worker}: {reason}" for worker, reason in self._workers.items()]
                more = f"; and {len(reasons) - _NAMED} more" if len(reasons) > _NAMED else ""
                raise MissingTool(
                    f"no worker of {address} can compile what this machine can ({'; '.join(reasons[:_NAMED])}{more})",
                    "let both have the same versions: pip install 'ethosu-tui[fleet,compile]'",
                )
            self._client.subscribe_topic(self.topic, self._note)
        except BaseException:
            self._client.close(timeout=1)
            raise
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def submit(
        self, job: int, function: Callable[[Mapping[str, Any]], dict[str, Any]], given: Mapping[str, Any]
    ) -> None:
        """Have a function of `fleet/work` called on some worker; `Ended` follows in any case but after the end."""
        with self._lock:
            if self._over is not None:
                self._tell(Ended(job, None, self._over))
                return
            facts = {"job": job, "topic": self.topic, "facts": self._facts, "python": self._python}
            task = self._tasks[job] = _Task(function, {**given, **facts})
            self._send(job, task)

    def cancel(self, job: int) -> None:
        """Nobody wants this job any more."""
        with self._lock:
            task = self._tasks.pop(job, None)
        if task is not None and task.future is not None:
            task.future.release()

    def give_up(self, job: int, reason: str) -> None:
        """The same, and tell it."""
        self.cancel(job)
        self._tell(Ended(job, None, reason))

    def end(self) -> None:
        """Cancel what waits and kill what runs; `Ended` is told of nothing any more."""
        self._ended.set()

    def close(self) -> None:
        """The same, and wait for it a little."""
        self.end()
        self._watcher.join(10)

    def _send(self, job: int, task: _Task) -> None:
        task.workers = {worker for worker, reason in self._workers.items() if reason is None}
        if not task.workers:
            return  # somebody may come yet
        self._given_out += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a TOSA graph is large for Dask
                task.future = self._client.submit(
                    task.function,
                    task.given,
                    key=f"{self.topic}-{self._given_out}",
                    pure=False,
                    workers=sorted(task.workers),
                    allow_other_workers=False,
                )
            task.future.add_done_callback(partial(self._done, job))
        except Exception as error:
            self._lose(f"{self.address} does not take it: {type(error).__name__}: {error}")

    def _note(self, event: tuple[float, Any]) -> None:
        message = event[1]
        with suppress(TypeError, KeyError):
            if message["job"] in self._tasks:
                self._tell(Noted(message["job"], str(message["stage"])))

    def _done(self, job: int, future: Any) -> None:
        """In the one thread that Dask has for this: taking a result over must not wait behind another one."""
        threading.Thread(target=self._take, args=(job, future), daemon=True).start()

    def _take(self, job: int, future: Any) -> None:
        result, reason = None, ""
        try:
            result = future.result()
        except CancelledError:
            reason = f"the scheduler {self.address} is gone"
        except Exception as error:
            reason = _reason(error)
        with suppress(Exception):  # the scheduler may be gone meanwhile
            future.release()
        with self._lock:
            task = self._tasks.get(job)
            if task is None or task.future is not future or self._ended.is_set():
                return
            if result is None and future.cancelled():
                self._lose(reason)
                return
            if result is not None and "refused" in result:
                reason = f"Dask worker {result['worker']} cannot do it: {result['refused']}"
                if self._again(job, task, result["worker"], str(result["refused"])):
                    return
                result = None
            del self._tasks[job]
        self._tell(Ended(job, result, reason))

    def _again(self, job: int, task: _Task, worker: str, reason: str) -> bool:
        """Give a job to another worker than one that refused it; False where that was enough."""
        if self._workers.get(worker, "") is None:
            self._leave_out(worker, reason)
        task.future = None
        task.tries += 1
        if task.tries < LIVES:
            self._send(job, task)
        return task.tries < LIVES

    def _leave_out(self, worker: str, reason: str) -> None:
        self._workers[worker] = reason
        self.notes.append(f"left out Dask worker {worker}: {reason}")

    def _lose(self, reason: str) -> None:
        """Nothing more will come."""
        with self._lock:
            self._over = reason
            jobs = list(self._tasks)
            self._tasks.clear()
        for job in jobs:
            self._tell(Ended(job, None, reason))

    def _watch(self) -> None:
        """Look after the workers, and at the end after what they still do."""
        while not self._ended.wait(_LOOK_SECONDS):
            with suppress(Exception):  # a scheduler that is gone is told by its futures
                width, self.width = self.width, max(1, self._look())
                if self.width > width:
                    self._tell(CHANGED)
                self._mend()
        with self._lock:
            futures = [task.future for task in self._tasks.values() if task.future is not None]
            self._tasks.clear()
        with suppress(Exception):
            if self._client.status == "running":
                self._client.unsubscribe_topic(self.topic)
                self._client.cancel(futures, force=True)
        with suppress(Exception):
            self._client.close(timeout=2)

    def _look(self) -> int:
        """Ask workers that are new what they have; how many jobs those that fit do at a time."""
        threads = self._client.nthreads()
        with self._lock:
            new = [worker for worker in threads if worker not in self._workers]
        said = self._client.run(introduce, self._python, workers=new, on_error="return") if new else {}
        with self._lock:
            for worker in [worker for worker in self._workers if worker not in threads]:
                del self._workers[worker]
            for worker, answer in said.items():
                if isinstance(answer, OSError):
                    continue  # it went meanwhile, or is asked again
                reason = self._unfit(answer)
                if reason is None:
                    self._workers[worker] = None
                else:
                    self._leave_out(worker, reason)
            return sum(n for worker, n in threads.items() if self._workers.get(worker, "") is None)

    def _unfit(self, answer: Any) -> str | None:
        if isinstance(answer, ImportError):
            return f"it has no ethosu-tui of this version ({answer})"
        if not isinstance(answer, dict):
            return _reason(answer) if isinstance(answer, BaseException) else f"it answered {answer!r:.200}"
        return str(answer["problem"]) if "problem" in answer else difference(self._facts, answer["facts"])

    def _mend(self) -> None:
        """Give what nobody is left for to those that have come, or give it up."""
        with self._lock:
            fit = {worker for worker, reason in self._workers.items() if reason is None}
            self._alone_since = None if fit else self._alone_since or time.monotonic()
            alone = self._alone_since is not None and time.monotonic() - self._alone_since > GRACE_SECONDS
            lost = [(job, task) for job, task in self._tasks.items() if not task.workers & self._workers.keys()]
            for job, task in lost:
                if task.future is not None:
                    task.future.release()
                    task.future = None
                    task.tries += 1
                if fit and task.tries < LIVES:
                    self._send(job, task)
                elif alone or task.tries >= LIVES:
                    del self._tasks[job]
                    why = "no worker is left" if alone else f"its workers were killed {task.tries} times"
                    self._tell(Ended(job, None, f"{why} at {self.address}"))


def _reason(error: BaseException) -> str:
    if type(error).__name__ == "KilledWorker":
        times = getattr(error, "allowed_failures", 0) + 1
        return f"{times} Dask worker{'s' if times > 1 else ''} that ran it were killed, one after the other"
    return f"{type(error).__name__}: {error}"[:500]
