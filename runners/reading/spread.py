"""One task over many inputs in several processes, through the standard `Executor` interface: results in the order of inputs.

The executor is a pool on this machine, or that of a Dask scheduler (`scheduler.py`).  A worker that dies costs one more try of
what it did; what kills its worker again is reported, and the others go on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ..job import InputError, JobError, unexpected
from .spare import SpareCores, cores, share

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext
    from types import TracebackType

T = TypeVar("T")
AHEAD = 4
"""Inputs given out per worker beyond the one whose result is awaited."""
_HOLDS_THE_TASK = "ethosu_tui.runners.reading.harvest"


class Workers(Protocol):
    """Where tasks run: `width` at a time."""

    width: int

    def executor(self) -> Executor:
        """The executor to submit to; after `renew` another one."""
        ...

    def renew(self) -> None:
        """The executor is broken: give it up."""
        ...

    def alone(self, task: Callable[[str], T], path: str) -> T:
        """Run one task where it can break nothing else."""
        ...

    def result(self, future: Future[T]) -> T:
        """Wait for what a task gives."""
        ...

    def explain(self, path: str, error: BaseException) -> JobError:
        """The sentence for a task that failed as none should."""
        ...


def spread(
    task: Callable[[str], T],
    paths: Iterable[str],
    workers: Workers,
    weight: Callable[[str], int] = lambda path: 0,
) -> Iterator[tuple[str, T | JobError]]:
    """Run the task for every path; results come in the order of the paths, an error in place of a result that is lost.

    Of paths that are given out together, the one of most `weight` is begun first: begun last, all would wait for it.
    """
    rest = iter(paths)
    waiting: deque[tuple[str, Future[T] | None]] = deque()
    while True:
        more = list(islice(rest, workers.width * (1 + AHEAD) - len(waiting)))
        heaviest_first = sorted(range(len(more)), key=lambda place: -weight(more[place]))
        begun = {place: _submit(workers, task, more[place]) for place in heaviest_first}
        waiting.extend((path, begun[place]) for place, path in enumerate(more))
        if not waiting:
            return
        path, future = waiting.popleft()
        try:
            if future is None:
                raise BrokenExecutor
            yield path, workers.result(future)
        except BrokenExecutor:
            workers.renew()
            yield path, _again(workers, task, path)
            done = [(p, f) for p, f in waiting]
            waiting = deque((p, f if _is_done(f) else _submit(workers, task, p)) for p, f in done)
        except (Exception, CancelledError) as error:
            yield path, workers.explain(path, error)


def _submit(workers: Workers, task: Callable[[str], T], path: str) -> Future[T] | None:
    try:
        return workers.executor().submit(task, path)
    except BrokenExecutor:  # noticed here rather than at a result; the turn of this path comes
        return None


def _is_done(future: Future[T] | None) -> bool:
    return future is not None and future.done() and not future.cancelled() and future.exception() is None


def _again(workers: Workers, task: Callable[[str], T], path: str) -> T | JobError:
    try:
        return workers.alone(task, path)
    except (Exception, CancelledError) as error:
        return workers.explain(path, error)


class _Pool(ProcessPoolExecutor):
    """A pool whose workers may use the cores that it leaves free."""

    def __init__(self, width: int, context: BaseContext, parallel: int) -> None:
        """`parallel` is how many processes may run in all."""
        self.spare = SpareCores(parallel) if context.get_start_method() == "fork" and parallel > 1 else None
        super().__init__(width, mp_context=context, initializer=_become_worker, initargs=(self.spare,))
        self._parallel = parallel
        self._begun = 0
        self._counting = threading.Lock()

    def submit(self, task: Callable[..., T], /, *given: Any, **named: Any) -> Future[T]:
        """A core is used until this is done, as long as tasks are no more than cores."""
        if self.spare is None:
            return super().submit(task, *given, **named)
        with self._counting:
            self._begun += 1
            if self._begun <= self._parallel:
                self.spare.use()
        future = super().submit(task, *given, **named)
        future.add_done_callback(self._done)
        return future

    def _done(self, _: Future[Any]) -> None:
        with self._counting:
            self._begun -= 1
            if self._begun < self._parallel and self.spare is not None:
                self.spare.give()

    def close(self) -> None:
        """Wait for the workers that are still there."""
        self.shutdown(wait=True, cancel_futures=True)
        if self.spare is not None:
            self.spare.close()


class LocalPool:
    """Processes on this machine; leaving the context ends them, whatever they are doing."""

    def __init__(self, width: int, parallel: int = 1) -> None:
        """Tasks for `width` processes; where those leave cores free, up to `parallel` read parts of large files."""
        self.width = width
        self._parallel = min(parallel, cores())
        self._pool: _Pool | None = None
        self._context = multiprocessing.get_context(_start_method())
        self._others = {child.pid for child in multiprocessing.active_children()}

    def __enter__(self) -> LocalPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(kill=kind is not None)

    def executor(self) -> Executor:
        """The pool, started when it is needed."""
        if self._pool is None:
            self._pool = _Pool(self.width, self._context, self._parallel)
        return self._pool

    def renew(self) -> None:
        """Drop a broken pool."""
        self._end(kill=True)

    def _end(self, *, kill: bool) -> None:
        if self._pool is None:
            return
        if kill:
            for child in multiprocessing.active_children():
                if child.pid not in self._others:
                    child.kill()
        self._pool.close()
        self._pool = None

    def alone(self, task: Callable[[str], T], path: str) -> T:
        """Run one task in a process of its own."""
        with _Pool(1, self._context, 1) as pool:
            return pool.submit(task, path).result()

    def result(self, future: Future[T]) -> T:
        """Wait for what a task gives."""
        return future.result()

    def explain(self, path: str, error: BaseException) -> JobError:
        """The sentence for a task that failed as none should."""
        if isinstance(error, BrokenExecutor):
            return InputError(
                f"{path}: the process that read it was killed twice, for lack of memory or by someone",
                "read this file alone, without --jobs",
            )
        return unexpected(path, error)


def _start_method() -> str:
    """How workers start: forked where that is safe, which is at once; otherwise from a server that has loaded the task.

    A fork copies locks that other threads hold, so we fork only while there are none; on macOS the system has its own.
    """
    methods = multiprocessing.get_all_start_methods()
    if "fork" in methods and sys.platform.startswith("linux") and threading.active_count() == 1:
        return "fork"
    if "forkserver" in methods:
        multiprocessing.get_context("forkserver").set_forkserver_preload([_HOLDS_THE_TASK])
        return "forkserver"
    return "spawn"


def _become_worker(spare: SpareCores | None) -> None:
    """The parent ends us: Ctrl-C is its business, and when it has gone, nobody waits for a result."""
    share(spare)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)
