"""Our end of a Vela worker: starts it when there is work, hands it one job at a time, and ends it for sure."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..job import MissingTool
from . import worker as vela_worker

_LONGEST_BYTES = 4 << 20
_ARGUMENTS = ("-X", "utf8")


class VelaProcess:
    """A running worker; `fileno` becomes readable when its job is done or it is gone."""

    def __init__(self, interpreter: str, executorch: str) -> None:
        self._channel, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._rest = b""
        try:
            self._process = subprocess.Popen(
                [interpreter, *_ARGUMENTS, str(Path(vela_worker.__file__)), str(theirs.fileno()), executorch],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # a Ctrl-C at the terminal is ours to handle
            )
        except OSError as error:
            self._channel.close()
            raise MissingTool(
                f"cannot start {interpreter} ({error.strerror or error})", "name another Python"
            ) from error
        finally:
            theirs.close()

    def fileno(self) -> int:
        """The descriptor to wait on."""
        return self._channel.fileno()

    def start(self, job: Mapping[str, Any]) -> None:
        """Hand over a job."""
        with suppress(BrokenPipeError, ConnectionResetError):  # it is gone, which answer() tells
            self._channel.sendall(json.dumps(job).encode() + b"\n")

    def answer(self) -> dict[str, Any] | None:
        """What came of the job; None where there is no whole answer yet.

        Raises:
            EOFError: the worker is gone.
        """
        try:
            data = self._channel.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        if not data or len(self._rest) > _LONGEST_BYTES:
            raise EOFError
        line, end, self._rest = (self._rest + data).partition(b"\n")
        if not end:
            self._rest = line
            return None
        answer = json.loads(line)
        return answer if isinstance(answer, dict) else None

    def end(self) -> int:
        """Kill it; its exit status.  From any thread, any number of times."""
        with self._lock:
            if self._process.returncode is None:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(0)
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            return self._process.wait()

    def close(self) -> int:
        """End it and give everything back; its exit status."""
        status = self.end()
        self._channel.close()
        return status
