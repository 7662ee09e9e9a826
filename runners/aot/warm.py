"""Keeps a compile worker whose imports are done, for the next compile of the same user with the same packages.

After its imports a worker forks a keeper, which listens on a socket that only its user can reach and forks a session for
each that connects; a session does what the worker does, with the caller's environment and directory.  The keeper ends
when nobody came for a while, when another one took its place, or when a file that it has imported was changed.

Loaded by `aot/worker.py` by path: standard library only.  Whatever goes wrong here, the caller starts a worker afresh.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import struct
import sys
import time
from contextlib import suppress
from typing import Any

LONGEST_BYTES = 4 << 20
"""More than any environment."""
_LOOK_SECONDS = 5.0
"""How often the keeper looks whether it is still wanted."""
_STALE = 75
"""Exit status of a session that found changed files."""
_HELLO_SECONDS = 10.0


def keep(worker: Any, terms: dict[str, Any]) -> None:
    """Fork the keeper of this worker, which has imported everything and holds no job yet.

    `terms` are the socket's `path`, the seconds that it may be `idle`, and when the worker `began` (seconds since 1970).
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if os.fork():
        return
    try:
        os.setsid()
        os.chdir("/")
        worker._channel.close()
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.close(null)
        _Keeper(worker, terms).serve()
    finally:
        os._exit(0)


def peer_uid(connection: socket.socket) -> int:
    """The user at the other end of a socket."""
    size = struct.calcsize("3i")
    _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return int(uid)


class _Keeper:
    def __init__(self, worker: Any, terms: dict[str, Any]) -> None:
        self._worker = worker
        self._path = str(terms["path"])
        self._idle_seconds = float(terms["idle"])
        self._files = _imported()
        self._sound = all(stamp[0] < terms["began"] * 1e9 for stamp in self._files.values() if stamp)
        self._sessions: set[int] = set()

    def serve(self) -> None:
        if not self._sound:  # a file was changed while it was imported
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            self._listener = listener
            fresh = f"{self._path}.{os.getpid()}"
            listener.bind(fresh)
            os.chmod(fresh, 0o600)
            listener.listen(16)
            own = os.stat(fresh).st_ino
            os.rename(fresh, self._path)
            try:
                self._wait(own)
            finally:
                with suppress(OSError):
                    if self._is_ours(own):
                        os.unlink(self._path)

    def _wait(self, own: int) -> None:
        last = time.monotonic()
        while self._is_ours(own):
            if self._reap():
                return
            if self._sessions:
                last = time.monotonic()
            left = last + self._idle_seconds - time.monotonic()
            if left <= 0:
                return
            if select.select([self._listener], [], [], min(left, _LOOK_SECONDS))[0]:
                connection, _ = self._listener.accept()
                with connection:
                    if peer_uid(connection) == os.geteuid():
                        self._fork(connection)
                last = time.monotonic()

    def _is_ours(self, own: int) -> bool:
        try:
            return os.stat(self._path).st_ino == own
        except OSError:
            return False

    def _reap(self) -> bool:
        """Forget the sessions that ended; whether one of them found changed files."""
        stale = False
        for pid in list(self._sessions):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._sessions.discard(pid)
                stale = stale or os.waitstatus_to_exitcode(status) == _STALE
        return stale

    def _fork(self, connection: socket.socket) -> None:
        pid = os.fork()
        if pid:
            self._sessions.add(pid)
            return
        code = 1
        try:
            os.setsid()
            self._listener.close()
            code = self._session(connection)
        finally:
            os._exit(code)

    def _session(self, connection: socket.socket) -> int:
        connection.settimeout(_HELLO_SECONDS)
        hello, descriptors = _hello(connection)
        connection.settimeout(None)
        session = type(self._worker)(connection)
        session._script, session._observer = self._worker._script, self._worker._observer
        session._token = hello["token"]
        if any(_stamp(path) != stamp for path, stamp in self._files.items()):
            session._tell(event="stale")
            return _STALE
        os.environ.clear()
        os.environ.update(hello["environment"])
        os.umask(hello["umask"])
        os.chdir(hello["cwd"])
        for number in (1, 2):
            os.dup2(descriptors[0], number)
        for descriptor in descriptors:
            os.close(descriptor)
        session._tell(event="warm", pid=os.getpid())
        try:
            session.answer()
        finally:
            connection.close()
            os.killpg(0, signal.SIGKILL)  # what jobs left running too
        return 0


def _hello(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The caller's first line, and the descriptor of the file that its worker's own output goes to."""
    data, descriptors, _, _ = socket.recv_fds(connection, 1 << 16, 1)
    while not data.endswith(b"\n"):
        more = connection.recv(1 << 16)
        if not more or len(data) > LONGEST_BYTES:
            raise EOFError
        data += more
    hello = json.loads(data)
    if not descriptors:
        raise EOFError
    return hello, descriptors


def _imported() -> dict[str, tuple[int, ...]]:
    """Every file that was imported and every folder that was looked into, with what would tell of a change."""
    paths = {str(path) for module in list(sys.modules.values()) if (path := getattr(module, "__file__", None))}
    return {path: _stamp(path) for path in (*paths, *sys.path) if os.path.isabs(path)}


def _stamp(path: str) -> tuple[int, ...]:
    """Time of change (ns), size and inode; empty where there is no such file."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino
