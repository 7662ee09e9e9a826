"""Our end of a compile worker that an earlier compile left: found, checked, and used like one that was just started.

It is one for the same user, interpreter, files of ours, limits and environment (as far as that matters to imports), or it
is not used.  Whatever is in the way, a worker is started afresh, and nobody has to know.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import select
import signal
import socket
import stat
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from . import warm as aot_warm
from .lines import SignedLines
from .process import AotProcess

VARIABLE = "ETHOSU_TUI_WARM"
"""Seconds that an idle worker stays; 0 for none."""
IDLE_SECONDS = 180.0

_CONNECT_SECONDS = 2.0
_ANSWER_SECONDS = 15.0
_END_SECONDS = 5.0
_LONGEST_PATH = 100
"""Of a socket, with what the keeper puts behind it for a moment."""
_PLACES = ("{runtime}/ethosu-tui", "/run/user/{user}/ethosu-tui", "/tmp/ethosu-tui-{user}")
"""Folders that are private to a user, or made so; not TMPDIR, which others empty."""
PREFIXES = (
    *("PYTHON", "LD_", "TORCH", "PYTORCH", "ATEN", "EXECUTORCH", "OMP_", "KMP_", "GOMP_", "MKL_", "OPENBLAS_"),
    *("NUMEXPR_", "CUDA_", "LC_", "MALLOC_", "GLIBC_", "DNNL_", "ONEDNN_"),
)
"""Of environment variables that interpreters and libraries read by themselves."""
_NAMES = ("HOME", "LANG", "LANGUAGE", "PATH", "TZ", "TMPDIR", "VIRTUAL_ENV", "CONDA_PREFIX")
_SPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")


class _Cold(Exception):
    """There is no worker that could be used."""


def start_worker(interpreter: str, warm: bool = True) -> AotProcess:
    """A worker for this interpreter, one that is there already if there is one.

    Raises:
        MissingTool: the interpreter cannot be started.
    """
    seconds = _idle_seconds()
    path = _socket(interpreter) if warm and seconds > 0 else None
    if path is None:
        return AotProcess(interpreter)
    try:
        return WarmProcess(path)
    except (_Cold, OSError, ValueError, KeyError, TypeError):
        return AotProcess(interpreter, {"path": str(path), "idle": seconds, "began": time.time()})


def _idle_seconds() -> float:
    try:
        return float(os.environ.get(VARIABLE, "").strip() or IDLE_SECONDS)
    except ValueError:
        return IDLE_SECONDS


def _socket(interpreter: str) -> Path | None:
    """Where a worker for exactly this caller would listen; None where there is no private place for that."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    try:
        text = json.dumps(_circumstances(interpreter), sort_keys=True)
        name = f"worker-{hashlib.sha256(text.encode()).hexdigest()[:24]}"
        for place in _PLACES:
            path = Path(place.format(runtime=os.environ.get("XDG_RUNTIME_DIR") or ".", user=os.geteuid())) / name
            if path.is_absolute() and len(os.fsencode(path)) <= _LONGEST_PATH and _private(path.parent):
                return path
    except (OSError, ValueError):
        pass
    return None


def _private(folder: Path) -> bool:
    """Whether this folder, made if need be, is ours alone."""
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077


def _circumstances(interpreter: str) -> dict[str, Any]:
    """All that a worker takes from whoever starts it and that another caller must share."""
    python = os.stat(interpreter)
    ours = sorted(Path(aot_warm.__file__).parent.glob("*.py"))
    limits = {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")}
    return {
        "user": [os.getuid(), os.geteuid(), os.getgid(), os.getegid(), sorted(os.getgroups())],
        "interpreter": [interpreter, python.st_ino, python.st_mtime_ns],
        "ours": [[str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in ours],
        "environment": {
            name: value for name, value in os.environ.items() if name in _NAMES or name.startswith(PREFIXES)
        },
        "limits": limits,
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "processors": sorted(os.sched_getaffinity(0)),
        "spaces": [os.readlink(f"/proc/self/ns/{space}") for space in _SPACES],
        "control group": Path("/proc/self/cgroup").read_text(),
        "root": os.stat("/").st_ino,
    }


class WarmProcess(AotProcess):
    """A session of a worker that was there."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._lines = SignedLines()
        self._status: int | None = None
        self._said = tempfile.TemporaryFile()
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._pid = self._greet(path)
        except BaseException:
            self._channel.close()
            self._said.close()
            raise

    def _greet(self, path: Path) -> int:
        """Ask for a session; its process id."""
        self._channel.settimeout(_CONNECT_SECONDS)
        self._channel.connect(str(path))
        if aot_warm.peer_uid(self._channel) != os.geteuid():
            raise _Cold
        umask = os.umask(0o077)
        os.umask(umask)
        hello = {"token": self._lines.token, "environment": dict(os.environ), "umask": umask, "cwd": os.getcwd()}
        line = json.dumps(hello).encode() + b"\n"
        self._channel.settimeout(_ANSWER_SECONDS)
        sent = socket.send_fds(self._channel, [line[: 1 << 15]], [self._said.fileno()])
        self._channel.sendall(line[sent:])
        answer = b""
        while not answer.endswith(b"\n"):
            byte = self._channel.recv(1)
            if not byte or len(answer) > aot_warm.LONGEST_BYTES:
                raise _Cold
            answer += byte
        messages = self._lines.feed(answer)
        if not messages or messages[0]["event"] != "warm":
            raise _Cold
        self._channel.setblocking(False)
        return int(messages[0]["pid"])

    @property
    def pid(self) -> int:
        """The session's process id, which is also that of its group."""
        return self._pid

    def end(self) -> int:
        """End it and its jobs; from any thread, any number of times."""
        with self._lock:
            if self._status is None:
                gone = self._hung_up(0)
                with suppress(OSError):
                    self._channel.shutdown(socket.SHUT_WR)
                if not gone and not self._hung_up(_END_SECONDS):  # its number is its own while it has the socket
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(self._pid, signal.SIGKILL)
                self._status = int(gone)
            return self._status

    def _hung_up(self, seconds: float) -> bool:
        """Whether the other end is closed, within this time."""
        waiting = select.poll()
        try:
            waiting.register(self._channel, 0)
        except (OSError, ValueError):
            return True
        return bool(waiting.poll(seconds * 1000))
