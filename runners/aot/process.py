"""Our end of the AOT worker: starts it in a session of its own, hands it jobs with their pipes, and ends it for sure."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..job import JobError, MissingTool
from . import worker as aot_worker
from .lines import SignedLines

_SAID_BYTES = 64 << 10


class AotProcess:
    """A running worker; `fileno` becomes readable when it has something to say or is gone."""

    def __init__(self, interpreter: str, keep: Mapping[str, Any] | None = None) -> None:
        """Start one; with `keep`, one that leaves another behind for the next (`aot/warm_process.py`)."""
        self._lock = threading.Lock()
        self._lines = SignedLines()
        self._said = tempfile.TemporaryFile()
        self._channel, theirs = socket.socketpair()
        try:
            self._process = subprocess.Popen(
                [interpreter, str(Path(aot_worker.__file__)), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=self._said,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # a Ctrl-C at the terminal is ours to handle
            )
        except OSError as error:
            self._channel.close()
            self._said.close()
            raise MissingTool(
                f"cannot start {interpreter} ({error.strerror or error})", "name another Python"
            ) from error
        finally:
            theirs.close()
        with suppress(BrokenPipeError, ConnectionResetError):  # it is gone already, which messages() tells
            self._channel.sendall(json.dumps({"token": self._lines.token, "keep": keep}).encode() + b"\n")
        self._channel.setblocking(False)

    def fileno(self) -> int:
        """The descriptor to wait on."""
        return self._channel.fileno()

    @property
    def pid(self) -> int:
        """The worker's process id, which is also that of its group."""
        return self._process.pid

    def start(self, job: Mapping[str, Any]) -> tuple[int, int]:
        """Hand over a job; gives the reading ends of its console and of its events, both non-blocking."""
        console, console_in = os.pipe()
        events, events_in = os.pipe()
        try:
            self._channel.setblocking(True)
            with suppress(BrokenPipeError, ConnectionResetError):  # it is gone, which messages() tells
                socket.send_fds(self._channel, [json.dumps(job).encode() + b"\n"], [console_in, events_in])
        finally:
            self._channel.setblocking(False)
            os.close(console_in)
            os.close(events_in)
        os.set_blocking(console, False)
        os.set_blocking(events, False)
        return console, events

    def kill(self, job: int) -> None:
        """End one job; its exit is told like any other."""
        with suppress(BrokenPipeError, ConnectionResetError, BlockingIOError):
            self._channel.sendall(json.dumps({"kill": job}).encode() + b"\n")

    def messages(self) -> tuple[list[dict[str, Any]], bool]:
        """What it said since the last call, and whether it is still there."""
        alive = True
        messages: list[dict[str, Any]] = []
        while alive:
            try:
                data = self._channel.recv(1 << 16)
            except BlockingIOError:
                break
            except ConnectionResetError:
                data = b""
            alive = bool(data)
            messages += self._lines.feed(data)
        return messages, alive

    def end(self) -> int:
        """Kill whatever is left of it, jobs included; its exit status.  From any thread, any number of times."""
        with self._lock:
            if self._process.returncode is None:
                with suppress(subprocess.TimeoutExpired):  # one that has ended by itself keeps its own status
                    self._process.wait(0.2 if self._gone() else 0)
                with suppress(ProcessLookupError, PermissionError):  # jobs may outlive it where the kernel cannot help
                    os.killpg(self._process.pid, signal.SIGKILL)
            return self._process.wait()

    def _gone(self) -> bool:
        try:
            return self._channel.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def said(self) -> bytes:
        """The end of what the worker itself printed, import errors for instance."""
        with self._lock:
            if self._said.closed:
                return b""
            self._said.seek(0, os.SEEK_END)
            self._said.seek(max(0, self._said.tell() - _SAID_BYTES))
            return self._said.read()

    def close(self) -> None:
        """End it and give everything back."""
        self.end()
        self._channel.close()
        with self._lock:
            self._said.close()


def scratch_directory() -> str:
    """The name of a new temporary directory, which the job makes for itself.

    It has no blanks, because the AOT script splits Vela's command line at them.
    """
    places = [tempfile.gettempdir(), "/tmp", "/var/tmp"]
    for place in places:
        if not any(c.isspace() for c in place) and os.access(place, os.W_OK | os.X_OK):
            return os.path.join(place, f"ethosu-tui-{secrets.token_hex(8)}")
    raise JobError(f"no temporary directory without blanks in its path ({places[0]!r})", "set TMPDIR to one")
