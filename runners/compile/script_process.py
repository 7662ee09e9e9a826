"""Runs ExecuTorch's ahead-of-time script as a person would, a process for each job, where our own route does not go.

It is used like `AotProcess`: jobs are started with pipes for what they print and tell, and their ends are messages.  The
script tells nothing; what there is to know of it is read from its console afterwards (`compile/script_console.py`).
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..aot.lines import SignedLines
from ..aot.scripts import check_options
from ..guard import DeathGuard
from ..interpreters import Interpreter
from ..job import MissingTool, UsageError
from ..vela.config import VelaConfig
from .points import CompilePoint


def check_script(interpreter: Interpreter, extra: Sequence[str], points: Sequence[CompilePoint]) -> None:
    """Refuse what the script that would run has no option for.

    Raises:
        UsageError: there is such an argument or point.
    """
    if interpreter.script is not None:
        check_options(interpreter.script, extra)
    if interpreter.why_script is None:
        return
    flags = next((point.vela_flags for point in points if point.vela_flags), None)
    if flags is not None:
        what = f"ExecuTorch's own script has no option for Vela's {flags[0].partition('=')[0]}"
        raise UsageError(f"{what}, and only it can be used here: {interpreter.why_script}", "leave that axis out")


def check_config(config: VelaConfig | None, interpreter: Interpreter) -> None:
    """Refuse a vela.ini that the script by itself cannot read.

    Raises:
        UsageError: its path has blanks.
    """
    if config is not None and not config.as_given and interpreter.why_script is not None:
        raise UsageError(
            f"{config.path} has blanks in its path, at which ExecuTorch's own script splits it, and only that can be used here: "
            f"{interpreter.why_script}",
            "copy the file to a path without blanks",
        )


class ScriptProcess:
    """The jobs that run; `fileno` becomes readable when one has ended or all were ended."""

    def __init__(self, interpreter: Interpreter) -> None:
        if interpreter.script is None or interpreter.why_script is None:
            raise ValueError("this interpreter's script needs no process of its own")
        self._command = interpreter.script.command(interpreter.path)
        self._lock = threading.Lock()
        self._lines = SignedLines()
        self._ours, self._theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._ended = False
        self._tell(event="ready")

    def fileno(self) -> int:
        """The descriptor to wait on."""
        return self._ours.fileno()

    def start(self, job: Mapping[str, Any]) -> tuple[int, int]:
        """Start the script for a job; gives the reading ends of its console and of its events, both non-blocking.

        Raises:
            MissingTool: the interpreter cannot be started any more.
        """
        console, console_in = os.pipe()
        events, events_in = os.pipe()
        try:
            with self._lock:
                if not self._ended:
                    self._launch(job, console_in)
        except OSError as error:
            os.close(console)
            os.close(events)
            what = f"cannot start {self._command[0]} ({error.strerror or error})"
            raise MissingTool(what, "name another Python") from error
        finally:
            os.close(console_in)
            os.close(events_in)
        os.set_blocking(console, False)
        os.set_blocking(events, False)
        return console, events

    def _launch(self, job: Mapping[str, Any], console: int) -> None:
        os.mkdir(job["tmp"], 0o700)
        guard = DeathGuard()
        try:
            child = subprocess.Popen(
                [*self._command, *job["argv"]],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                env=os.environ | {"TMPDIR": job["tmp"], "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )
        except OSError:
            guard.close()
            raise
        guard.watch(child.pid)
        self._running[job["job"]] = child
        threading.Thread(target=self._wait, args=(job["job"], child, guard), daemon=True).start()

    def _wait(self, job: int, child: subprocess.Popen[bytes], guard: DeathGuard) -> None:
        """Wait for a job, end what it left running, and tell its status."""
        if hasattr(os, "waitid"):  # unreaped, its number is still its own
            with suppress(ChildProcessError):
                os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            _kill(child)
        code = child.wait()
        guard.close()
        with self._lock:
            self._running.pop(job, None)
        self._tell(event="exit", job=job, code=code)

    def kill(self, job: int) -> None:
        """End one job with all that it started; its exit is told like any other."""
        with self._lock:
            if job in self._running:
                _kill(self._running[job])

    def messages(self) -> tuple[list[dict[str, Any]], bool]:
        """What happened since the last call, and whether jobs may still be started."""
        messages: list[dict[str, Any]] = []
        while True:
            try:
                data = self._ours.recv(1 << 16)
            except BlockingIOError:
                return messages, True
            except OSError:
                data = b""
            if not data:
                return messages, False
            messages += self._lines.feed(data)

    def end(self) -> int:
        """End every job; from any thread, any number of times."""
        with self._lock:
            self._ended = True
            for child in self._running.values():
                _kill(child)
            with suppress(OSError):
                self._theirs.shutdown(socket.SHUT_RDWR)
        return 0

    def said(self) -> bytes:
        """Nothing: what is printed is printed by jobs."""
        return b""

    def close(self) -> None:
        """End everything and give it back."""
        self.end()
        self._theirs.close()
        self._ours.close()

    def _tell(self, **message: Any) -> None:
        with suppress(OSError):  # nobody listens any more
            self._theirs.sendall(f"{self._lines.token} {json.dumps(message)}\n".encode())


def _kill(child: subprocess.Popen[bytes]) -> None:
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
