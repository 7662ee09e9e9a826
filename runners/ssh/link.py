"""One connection to another machine for one run, through the user's own OpenSSH client.

Their configuration, agent, keys, jump hosts and known hosts count as ever; nothing about host keys is relaxed.  Where
they already keep a connection to that host open (ControlMaster), it is used, and left open; else one is opened in a private
folder and closed afterwards.  Files go through `cat` on the other side, so boards without an SFTP server will do.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import NamedTuple

from ..guard import DeathGuard
from ..job import Chunk, Exit, ExitReason, Progress
from ..process import Limits, ProcessJob
from .errors import explain, last_line
from .script import BEGIN, remote

CONNECT_SECONDS = 90.0
"""For all of a connection, jump hosts too."""
STEP_SECONDS = 60.0
ALIVE_SECONDS = 10
"""A link that is silent gets a probe each so many seconds; three without an answer are its end."""
_PULSE_SECONDS = 0.5
_KEPT_BYTES = 1 << 16
_SOCKET_PATH_BYTES = 80
"""A socket's path may have 104 bytes, and ssh adds a name of its own while it opens one."""


class Trouble(Exception):
    """The run cannot go on: `reason` is that of its `Exit`."""

    def __init__(self, text: str, reason: ExitReason = "not_started") -> None:
        super().__init__(text)
        self.text = text
        self.reason = reason


class Done(NamedTuple):
    """A small command of ours that ended over there."""

    code: int | None
    reason: ExitReason
    out: bytes
    said: str
    """Its stderr, and that of ssh."""


class Link:
    """A connection; `stop()` ends whatever goes over it."""

    def __init__(self, host: str) -> None:
        self.host = host
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._current: ProcessJob | None = None
        self._folder: Path | None = None
        self._socket: str | None = None
        self._master: subprocess.Popen[bytes] | None = None
        self._guard: DeathGuard | None = None

    def stop(self) -> None:
        """End what is going on, from any thread."""
        self._stopped.set()
        with self._lock:
            if self._current is not None:
                self._current.stop()

    @property
    def stopped(self) -> bool:
        """Whether somebody asked to stop."""
        return self._stopped.is_set()

    def argv(self, command: str) -> list[str]:
        """The client's command that runs one line over there."""
        return [*self._client(), "-o", "ControlMaster=no", "--", self.host, command]

    def _client(self) -> list[str]:
        options = [
            "BatchMode=yes",
            "ConnectTimeout=20",
            f"ServerAliveInterval={ALIVE_SECONDS}",
            "ServerAliveCountMax=3",
            "ClearAllForwardings=yes",
            "RemoteCommand=none",
            "LogLevel=INFO",
        ]
        argv = ["ssh", "-T", *(word for option in options for word in ("-o", option))]
        return argv if self._socket is None else [*argv, "-S", self._socket]

    def open(self) -> None:
        """Connect.

        Raises:
            Trouble: it cannot be done, or it was stopped meanwhile.
        """
        asked = [*self._client(), "-O", "check", "--", self.host]
        with contextlib.suppress(subprocess.TimeoutExpired):
            if subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, timeout=10).returncode == 0:
                return  # the user keeps a connection open
        self._folder = _short_folder()
        self._socket = str(self._folder / "s")
        said = self._folder / "said"
        self._guard = DeathGuard()
        with open(said, "wb") as stderr:
            self._master = subprocess.Popen(
                [*self._client(), "-M", "-N", "-o", "ControlPersist=no", "--", self.host],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )
        self._guard.watch(self._master.pid)
        patience = time.monotonic() + CONNECT_SECONDS
        while not os.path.exists(self._socket):
            if self._stopped.wait(0.02):
                raise Trouble("stopped", "stopped")
            if self._master.poll() is not None:
                raise Trouble(explain(self.host, _text(said.read_bytes()[-_KEPT_BYTES:])))
            if time.monotonic() > patience:
                raise Trouble(
                    f"no connection to {self.host} after {CONNECT_SECONDS:g} s; try `ssh {self.host}` by hand"
                )

    def close(self) -> None:
        """Close the connection, if it is ours."""
        if self._master is not None:
            self._master.terminate()
            try:
                self._master.wait(5)
            except subprocess.TimeoutExpired:
                self._master.kill()
                self._master.wait()
            self._master = None
        if self._guard is not None:
            self._guard.close()
            self._guard = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = self._socket = None

    @contextlib.contextmanager
    def running(self, job: ProcessJob, stoppable: bool = True) -> Iterator[ProcessJob]:
        """Let `stop()` stop this job while it goes over the link."""
        with self._lock:
            self._current = job if stoppable else None
        if stoppable and self.stopped:
            job.stop()
        try:
            yield job
        finally:
            with self._lock:
                self._current = None

    def call(
        self,
        script: str,
        *words: str,
        stdin: int | None = None,
        limit_seconds: float | None = STEP_SECONDS,
        take: Callable[[bytes], object] | None = None,
        stoppable: bool = True,
    ) -> Generator[None, None, Done]:
        """Run lines of sh over there and return how they ended; yields now and then.

        `take` gets the output as it comes; without it, its first 64 KiB are kept.
        """
        limits = Limits(time_seconds=limit_seconds, pulse_seconds=_PULSE_SECONDS)
        job = ProcessJob(self.argv(remote(script, *words)), limits=limits, stdin=stdin, apart=True)
        kept: dict[str, bytes] = {"out": b"", "err": b""}
        own = Own()
        end = Exit(None, "lost", 0.0)
        with self.running(job, stoppable), contextlib.closing(job.run()) as events:  # type: ignore[type-var]
            for event in events:
                if isinstance(event, Chunk):
                    data = own.part(event.data) if event.stream == "out" else event.data
                    if event.stream == "out" and take is not None:
                        take(data)
                    else:
                        kept[event.stream] = (kept[event.stream] + data)[:_KEPT_BYTES]
                    yield
                elif isinstance(event, Exit):
                    end = event
        return Done(end.code, end.reason, kept["out"], _text(kept["err"]) or end.text)

    def finish(self, done: Done, doing: str) -> Done:
        """The same if it went well.

        Raises:
            Trouble: it did not; the text says why.
        """
        if done.reason == "stopped":
            raise Trouble("stopped", "stopped")
        if done.reason == "timeout":
            raise Trouble(f"{doing} on {self.host} took too long", "lost")
        if done.reason != "ended" or done.code is None:
            raise Trouble(f"{doing} on {self.host}: {done.said}")
        if done.code == 255 or done.code < 0:
            raise Trouble(f"the connection to {self.host} was lost while {doing} ({last_line(done.said)})", "lost")
        if done.code != 0:
            raise Trouble(f"{doing} on {self.host} failed: {last_line(done.said) or f'exit status {done.code}'}")
        return done


def told(call: Generator[None, None, Done], progress: Callable[[], Progress]) -> Generator[Progress, None, Done]:
    """Carry a call out, telling how far it is now and then."""
    while True:
        try:
            next(call)
        except StopIteration as returned:
            done: Done = returned.value
            return done
        yield progress()


def result(call: Generator[None, None, Done]) -> Done:
    """Carry a call out and wait for its end."""
    try:
        while True:
            next(call)
    except StopIteration as returned:
        done: Done = returned.value
        return done


class Own:
    """Leaves out what comes before our own output begins."""

    def __init__(self) -> None:
        self._before = b""
        self._begun = False

    def part(self, data: bytes) -> bytes:
        """What of this is ours."""
        if self._begun:
            return data
        before, begin, rest = (self._before + data).partition(f"{BEGIN}\n".encode())
        self._begun = bool(begin)
        self._before = b"" if begin else before[-len(BEGIN) :]
        return rest


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _short_folder() -> Path:
    """A private folder whose path leaves room for the name of a socket."""
    for parent in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):
        if parent and len(os.fsencode(parent)) <= _SOCKET_PATH_BYTES - 24:
            with contextlib.suppress(OSError):
                return Path(tempfile.mkdtemp(prefix="ethosu-ssh-", dir=parent))
    raise Trouble("no folder with a short path for the connection's socket; set TMPDIR to one")
