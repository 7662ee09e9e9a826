"""The workers of a Dask scheduler, in the place of a pool on this machine (see `spread.py`), and how one is reached.

A cluster may lose its workers, or be gone, while it is waited for; each is told in a sentence and none is waited for without end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TYPE_CHECKING, Any, TypeVar

from ..job import InputError, JobError, MissingTool, UsageError, unexpected

if TYPE_CHECKING:
    from types import TracebackType

T = TypeVar("T")
CONNECT_SECONDS = 10
RETRY_SECONDS = 0.2
LOOK_SECONDS = 2.0
DESERTED_SECONDS = 30.0
"""So long a scheduler without workers is waited for: one that was killed is started again by who looks after it."""
_SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")
_COUNT_BYTES = 8
_MOST_GREETING_BYTES = 1 << 20
"""A scheduler's first message begins with its size; what other servers say first is no such number."""


def _parts(address: str) -> tuple[str, str, int]:
    """Scheme, host and port of a scheduler's address."""
    scheme, mark, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    known = not mark or scheme in _SCHEMES
    if not known or not host or not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) < 1 << 16:
        raise UsageError(f"{address} is not a scheduler address", "write tcp://HOST:8786")
    return scheme or "tcp", host.strip("[]"), int(port)


def _answers(host: str, port: int, *, greets: bool) -> bool:
    """Whether something takes connections there, waiting for one that is just starting; a scheduler `greets` in plain TCP."""
    import socket

    end = time.monotonic() + CONNECT_SECONDS
    while (left := end - time.monotonic()) > 0:
        try:
            with socket.create_connection((host, port), timeout=left) as connection:
                if not greets:
                    return True
                connection.settimeout(max(0.1, end - time.monotonic()))
                head = connection.recv(_COUNT_BYTES, socket.MSG_WAITALL)
                return len(head) == _COUNT_BYTES and int.from_bytes(head, "little") < _MOST_GREETING_BYTES
        except (socket.gaierror, UnicodeError):  # no such host
            return False
        except OSError:
            time.sleep(min(RETRY_SECONDS, max(0.0, end - time.monotonic())))
    return False


def connect(address: str, otherwise: str) -> Any:
    """A client of a Dask scheduler that has workers; `otherwise` is what to do where there is none.

    Raises:
        UsageError: the address is none.
        MissingTool: the `fleet` extra is not installed, the address does not answer, or there are no workers.
    """
    scheme, host, port = _parts(address)
    try:
        from distributed import Client
    except ImportError:
        raise MissingTool("--scheduler needs a library", 'pip install "ethosu-tui[fleet]"') from None
    import logging

    for name in ("distributed", "distributed.client", "distributed.gc"):  # the library gives each a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what it would say is said by us, once
    unreachable = MissingTool(
        f"{address}: no scheduler answers there within {CONNECT_SECONDS} s",
        f"start one with `dask scheduler`, or {otherwise}",
    )
    if scheme != "ucx" and not _answers(host, port, greets=scheme == "tcp"):
        raise unreachable  # a client that has tried in vain cannot be closed in good order
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, ImportError):
        raise unreachable from None
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        client.close(timeout=1)
        raise MissingTool(f"{address}: the scheduler has no workers", f"start one: dask worker {address}") from None
    return client


class NoWorkers(Exception):
    """Nobody is left who could do what was given out."""


class Scheduler:
    """The workers of a Dask scheduler, which read the same paths on the same file system.

    Raises:
        UsageError: the address is none.
        MissingTool: the `fleet` extra is not installed, the address does not answer, or there are no workers.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._client = connect(address, "give --jobs N to use this machine")
        self.width = max(1, sum(self._client.nthreads().values()))
        self._executor: Executor = self._client.get_executor(pure=False)
        self._deserted: float | None = None
        """Since when it has no workers."""

    def __enter__(self) -> Scheduler:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._executor.shutdown(wait=False)
        self._client.close(timeout=2)

    def executor(self) -> Executor:
        """The scheduler's."""
        return self._executor

    def renew(self) -> None:
        """The scheduler looks after its workers itself."""

    def alone(self, task: Callable[[str], T], path: str) -> T:
        """Try again."""
        return self.result(self._executor.submit(task, path))

    def result(self, future: Future[T]) -> T:
        """Wait for what a task gives; not for ever where no worker is left that could do it.

        Raises:
            NoWorkers: the scheduler has had none for a while.
        """
        while not future.done():
            try:
                found = future.result(timeout=LOOK_SECONDS if self._deserted is None else RETRY_SECONDS)
            except FutureTimeoutError:
                if future.done():  # just now, or it is the task's own error
                    break
            else:
                self._deserted = None  # somebody was there to do it
                return found
            if self._has_workers():
                self._deserted = None
            elif self._deserted is None:
                self._deserted = time.monotonic()
            elif time.monotonic() - self._deserted >= DESERTED_SECONDS:
                raise NoWorkers
        return future.result()

    def _has_workers(self) -> bool:
        try:
            return bool(self._client.nthreads())
        except (OSError, TimeoutError, ValueError, RuntimeError, AttributeError):
            return True  # it has gone itself, and cancels what was asked

    def explain(self, path: str, error: BaseException) -> JobError:
        """The sentence for a task that failed as none should."""
        name = type(error).__name__
        if name == "KilledWorker":
            return InputError(
                f"{path}: every worker that read it was killed", "read this file alone, without --scheduler"
            )
        if isinstance(error, ImportError):
            return MissingTool(
                f"{path}: the workers of {self.address} cannot read it ({error})",
                "install this version of ethosu-tui in their environment",
            )
        if isinstance(error, NoWorkers):
            return MissingTool(
                f"{path}: was not read: the scheduler {self.address} has no workers left",
                f"start one: dask worker {self.address}",
            )
        if isinstance(error, CancelledError):
            return MissingTool(f"{path}: was not read: the scheduler {self.address} is gone", "start it again")
        return unexpected(path, error)
