"""Runs a command and carries its output, without knowing what either means.

The child gets a process group of its own, which is emptied on every way out: end, stop, limit, closed generator,
exception, and by `guard.py` when we are killed.  Its output is read as it comes, so a reader that is slow slows the
child instead of filling memory.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from .deadlines import Deadlines
from .deadlines import Limits as Limits
from .guard import DeathGuard
from .job import Chunk, Exit, ExitReason, JobEvent, Started, Stream
from .signal_names import signal_name
from .spawning import Child, with_pipes, with_terminal

_READ_BYTES = 65536
_DRAIN_READS = 64
"""Reads after the end of the child: more than a pipe can hold, so only a stranger's endless output is cut."""
_END_SECONDS = 0.5
"""How long the killed members of a group may take to close the output."""
_LEFT_BEHIND = "a process that it left behind in another session still has its output open"
_POLL_SECONDS = 0.05
"""How often the child is looked at where the kernel cannot tell us that it ended."""


class ProcessJob:
    """One child process as a job; it can run once.

    `ended` is asked after each chunk whether the output that was handed over so far holds the end marker of the
    program; the child then has a short grace to end by itself.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        label: str = "",
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        ended: Callable[[], bool] = lambda: False,
        pty: bool = False,
        stdin: bool | int | None = None,
        apart: bool = False,
    ) -> None:
        """With `pty` the child has a terminal of 80x24 for both streams and its input.

        Without, `stdin` gives it a descriptor as its input, or (True) one that stays open while it runs and
        whose end asks it to end, in place of SIGTERM, and `apart` its stderr as chunks of their own.
        """
        self.argv = tuple(argv)
        self.label = label or os.path.basename(self.argv[0])
        self.cwd = cwd
        self.limits = limits or Limits()
        self.ended = ended
        self.pty = pty
        self._stdin = stdin
        self._apart = apart
        self._input: int | None = None
        """Where the child's input is written; None where it has none, and before and after the run."""
        self._env = None if env is None else dict(env)
        self._lock = threading.RLock()
        self._stop = False
        self._group: int | None = None
        """Process group that may be signalled; None before the start and once the child is reaped."""
        self._wake: int | None = None
        self._killer: threading.Timer | None = None
        self._terminated = False
        self._guard: DeathGuard | None = None

    def stop(self) -> None:
        """End the child from any thread: SIGTERM now, SIGKILL after the grace."""
        with self._lock:
            self._stop = True
            if self._wake is not None:
                with contextlib.suppress(BlockingIOError):  # a full pipe wakes the reader just as well
                    os.write(self._wake, b"s")
            if self._group is not None and self._killer is None:
                self._terminate_locked()
                self._killer = threading.Timer(self.limits.term_grace_seconds, self._signal, (signal.SIGKILL,))
                self._killer.daemon = True
                self._killer.start()

    def get_ready(self) -> None:
        """Do before the start what can be done then: who waits for a slot starts sooner afterwards."""
        if self._guard is None:
            with contextlib.suppress(OSError):  # tried again at the start
                self._guard = DeathGuard()

    def write(self, data: bytes) -> int:
        """Give the child input, from any thread; how many bytes it takes now is returned, the others are not kept."""
        with self._lock:
            if self._input is None:
                return 0
            try:
                return os.write(self._input, data)
            except OSError:  # its buffer is full, or it has closed its input
                return 0

    def run(self) -> Iterator[JobEvent]:
        """Yield `Started`, the output in chunks, and one `Exit`."""
        if self._stop:
            self._release_guard()
            yield Started(self.argv, self.cwd)
            yield Exit(None, "stopped", 0.0, "stopped before it was started")
            return
        began = time.monotonic()
        try:
            self._guard = self._guard or DeathGuard()
            child = self._spawn()
        except (OSError, ValueError) as error:
            self._release_guard()
            yield Started(self.argv, self.cwd)
            yield Exit(None, "not_started", time.monotonic() - began, _launch_failure(error, self.argv[0]))
            return
        with contextlib.ExitStack() as cleanup:
            cleanup.callback(self._empty_group, child.process)
            self._guard.watch(child.process.pid)
            yield from self._carry(child, began, cleanup)

    def _spawn(self) -> Child:
        if self.pty:
            return with_terminal(self.argv, self.cwd, self._env)
        return with_pipes(self.argv, self.cwd, self._env, stdin=self._stdin, apart=self._apart)

    def _carry(self, started: Child, began: float, cleanup: contextlib.ExitStack) -> Iterator[JobEvent]:
        cleanup.callback(started.close)
        cleanup.callback(self._take_input, None)
        self._take_input(started.input)
        child, output, errors = started.process, started.output, started.errors
        selector = cleanup.enter_context(selectors.DefaultSelector())
        streams: dict[int, Stream] = {output: "out"}
        if errors is not None:
            streams[errors] = "err"
        for descriptor in streams:
            selector.register(descriptor, selectors.EVENT_READ)
        wake = self._open_wake_pipe(child.pid, selector, cleanup)
        watched = _watch_end(child.pid, selector, cleanup)

        yield Started(self.argv, self.cwd, child.pid)
        limits = self.limits
        deadline = Deadlines(began, limits)
        reason: ExitReason | None = None
        while not _has_exited(child):
            ready = selector.select(deadline.wait(time.monotonic(), None if watched else _POLL_SECONDS))
            if deadline.idle_due(time.monotonic()) and not ready:
                yield Chunk(b"", time.monotonic() - began)
            for readable in [key.fd for key, _ in ready if key.fd in streams]:
                data = _read(readable)
                if data:
                    deadline.heard(time.monotonic())
                    yield Chunk(data, time.monotonic() - began, streams[readable])
                    if deadline.marker is None and self.ended():
                        deadline.marker = time.monotonic() + limits.marker_grace_seconds
                elif data is not None:
                    selector.unregister(readable)
            if any(key.fd == wake for key, _ in ready):
                selector.unregister(wake)
            if reason is None:
                reason = "stopped" if self._stop else deadline.passed(time.monotonic(), bool(ready))
                if reason is not None:
                    if reason == "stopped" and deadline.marker is not None:
                        reason = "marker"
                    self._terminate()
                    deadline.ending(time.monotonic() + limits.term_grace_seconds)
            elif deadline.kill_due(time.monotonic()):
                self._signal(signal.SIGKILL)
        # What still holds the pipe open is killed first, so that the rest of the output has an end.
        self._signal(signal.SIGKILL)
        held = False
        for readable, stream in streams.items():
            closed = False
            for _ in range(_DRAIN_READS):
                if not (data := _read_to_end(readable)):
                    closed = data is not None
                    break
                yield Chunk(data, time.monotonic() - began, stream)
            held = held or not closed
        code = self._reap(child)
        if reason is None:
            reason = "stopped" if self._stop and deadline.marker is None else "ended"
        text = _end_text(reason, code, limits)
        if held:
            text = f"{text}; {_LEFT_BEHIND}" if text else _LEFT_BEHIND
        yield Exit(code, reason, time.monotonic() - began, text)

    def _take_input(self, descriptor: int | None) -> None:
        with self._lock:
            self._input = descriptor

    def _open_wake_pipe(self, pid: int, selector: selectors.BaseSelector, cleanup: contextlib.ExitStack) -> int:
        reading, writing = os.pipe()
        for descriptor in (reading, writing):
            os.set_blocking(descriptor, False)
        selector.register(reading, selectors.EVENT_READ)
        cleanup.callback(os.close, reading)

        def close() -> None:
            with self._lock:
                self._wake = None
                os.close(writing)

        cleanup.callback(close)
        with self._lock:
            self._wake = writing
            self._group = pid
            if self._stop:  # asked for while the child was being started
                os.write(writing, b"s")
        return reading

    def _terminate(self) -> None:
        with self._lock:
            self._terminate_locked()

    def _terminate_locked(self) -> None:
        if not self._terminated:
            self._terminated = True
            if self._stdin is True and self._input is not None:
                nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
                os.dup2(nowhere, self._input, inheritable=False)  # closes the pipe; the number is closed later
                os.close(nowhere)
            else:
                self._signal_locked(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        with self._lock:
            self._signal_locked(number)

    def _signal_locked(self, number: int) -> None:
        if self._group is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # all of the group has ended already
                os.killpg(self._group, number)

    def _reap(self, child: subprocess.Popen[bytes]) -> int | None:
        with self._lock:
            self._group = None  # from here on the number may belong to somebody else
            if self._killer is not None:
                self._killer.cancel()
        self._release_guard()
        return child.wait()

    def _release_guard(self) -> None:
        if self._guard is not None:
            self._guard.close()
            self._guard = None

    def _empty_group(self, child: subprocess.Popen[bytes]) -> None:
        if child.returncode is not None:
            return
        with self._lock:
            self._group = child.pid
        self._terminate()
        patience = time.monotonic() + self.limits.term_grace_seconds
        pause = 0.001
        while not _has_exited(child) and time.monotonic() < patience:
            time.sleep(pause)
            pause = min(pause * 2, _POLL_SECONDS)
        self._signal(signal.SIGKILL)
        self._reap(child)


def _read(descriptor: int) -> bytes | None:
    """The next bytes; b"" at the end, None when there are none yet."""
    try:
        return os.read(descriptor, _READ_BYTES)
    except BlockingIOError:
        return None
    except OSError as error:
        if error.errno == errno.EIO:  # how a terminal says that nobody has it open any more
            return b""
        raise


def _read_to_end(descriptor: int) -> bytes | None:
    """The next bytes of a child that has ended, whose group was killed; b"" at the end, None while another holds it open."""
    data = _read(descriptor)
    if data is None:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        if poll.poll(_END_SECONDS * 1000):
            data = _read(descriptor)
    return data


def _watch_end(pid: int, selector: selectors.BaseSelector, cleanup: contextlib.ExitStack) -> bool:
    """Let the selector wake when the child ends; False where the system cannot do that."""
    if not hasattr(os, "pidfd_open"):
        return False
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return False
    cleanup.callback(os.close, descriptor)
    selector.register(descriptor, selectors.EVENT_READ)
    return True


def _has_exited(child: subprocess.Popen[bytes]) -> bool:
    """Whether the child has ended, leaving it unreaped so that its number stays ours."""
    if child.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return child.poll() is not None
    try:
        return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _launch_failure(error: OSError | ValueError, program: str) -> str:
    if isinstance(error, OSError):
        what = error.filename if error.filename and error.filename != program else program
        if isinstance(what, bytes):
            what = os.fsdecode(what)
        if error.errno == errno.ENOEXEC:
            return f"cannot execute {what}: it is not a program for this machine"
        return f"cannot execute {what}: {error.strerror or error}"
    return f"cannot execute {program!r}: {error}"


def _end_text(reason: ExitReason, code: int | None, limits: Limits) -> str:
    if reason == "timeout":
        return f"ended by us after the time limit of {limits.time_seconds:g} s"
    if reason == "silence":
        return f"ended by us after {limits.silence_seconds:g} s without output"
    if reason == "stopped":
        return "stopped"
    if reason == "marker":
        return "ended by us after its end marker"
    if code is not None and code < 0:
        return f"killed by {signal_name(code)}"
    return "" if code == 0 else f"exit status {code}"
