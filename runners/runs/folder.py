"""Run folders: what a run leaves on disk, so that nothing captured is lost whatever happens to us.

A run folder is written so that a crash, `kill -9`, a reboot or a full disk at any moment leaves something readable:
raw bytes are appended as they come and never rewritten, the manifest is replaced in one step.  Whether a run is still
going on is never taken from its manifest alone: the process that wrote it must be alive.  Manifests are untrusted
input; one that cannot be read makes a folder "broken", it never raises while listing.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import re
import shutil
import socket
import stat
import threading
import time
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Literal

from ..job import InputError, JobError
from ..liveness import boot_id, process_started, up_seconds
from ..storage import (
    CONSOLE,
    FULL_DISK,
    TIMES,
    ConsoleWriter,
    begin_error,
    replace_file,
    runs_root,
    storage_error,
    workspace_hint,
)

__all__ = ["RunFolder", "list_runs", "runs_root"]

SCHEMA = "ethosu-tui/manifest/1"
MANIFEST = "manifest.json"
REPORT = "report.json"
REQUEST = "request.json"
"""What was asked for and from which directory: what the keeper reads."""
PROGRESS = "progress.jsonl"
"""One JSON object a line for each thing that the job said of its progress."""
STOP = "stop"
"""Whoever wants the run to end makes this file: that works for the keeper of another user or machine as well."""
KEEPER_LOG = "keeper.log"
"""What the keeper printed; it prints only when it fails, and an empty one is removed."""
CAUSE = "cause"
"""In the manifest: in two words why a run came no further, as "disk full" or "boot loop", where its status does not say so."""

Kind = Literal["run", "compile", "build"]
State = Literal["queued", "running", "finished", "stopped", "lost", "broken"]

_MANIFEST_LIMIT_BYTES = 4 << 20
_RESERVE = ".reserve"
_RESERVE_BYTES = 16384
"""Given back when the disk is full, so that the manifest can still say how the run ended."""
_OTHER_HOST_SECONDS = 24 * 3600.0
"""A run of another machine (shared home) counts as running while its files are younger than this."""
_BEAT_SECONDS = 600.0
"""The same for a run with a keeper, which touches its manifest twice a minute; clocks may differ."""


class RunFolder:
    """One run or compile on disk: its directory and what its manifest says."""

    def __init__(self, path: Path, manifest: Mapping[str, Any], problem: str | None = None) -> None:
        self.path = path
        self.problem = problem
        """Why the manifest cannot be used; None for a sound folder."""
        self._manifest = dict(manifest)
        self._durable = True
        self._lock = threading.Lock()
        self._began = time.monotonic()

    @classmethod
    def create(cls, root: Path, kind: Kind, label: str, durable: bool = True, **facts: Any) -> RunFolder:
        """Make a new folder below `root` for a run that this process is about to do.

        One that is not `durable` holds what can be made again at once: it survives our death, but maybe no loss of power.
        """
        now = datetime.now(timezone.utc)
        try:
            root.mkdir(parents=True, exist_ok=True)
            path = _unique_directory(root, f"{now:%Y%m%d-%H%M%S}-{slug(label)}")
        except OSError as error:
            raise begin_error(error, root) from error
        manifest: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": kind,
            "id": path.name,
            "label": label,
            "created": now.isoformat(),
            "ended": None,
            "state": "running",
            "status": None,
            "pid": os.getpid(),
            "pid_started": process_started(os.getpid()),
            "boot": boot_id(),
            "up_seconds": round(up_seconds(), 3),
            "host": socket.gethostname(),
        }
        folder = cls(path, manifest | facts)
        folder._durable = durable
        try:
            folder._reserve()
            folder.update()
        except JobError as error:
            with contextlib.suppress(OSError):  # the JobError says what is wrong; an empty leftover does no harm
                shutil.rmtree(path)
            if isinstance(error.__cause__, OSError) and error.__cause__.errno in FULL_DISK:
                raise begin_error(error.__cause__, root) from error
            raise
        return folder

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Read an existing folder; InputError when it is not a sound one."""
        folder = cls.read(path)
        if folder.problem is not None:
            raise InputError(f"{path} is not a readable run folder ({folder.problem})", "see `ethosu-tui runs`")
        return folder

    @classmethod
    def read(cls, path: Path) -> RunFolder:
        """Read an existing folder, sound or not: `problem` says what is wrong with it."""
        manifest, problem = _load_manifest(path / MANIFEST)
        return cls(path, manifest, problem)

    @property
    def id(self) -> str:
        """The directory's name: a manifest cannot claim another one."""
        return self.path.name

    @property
    def manifest(self) -> dict[str, Any]:
        """A copy of the manifest; empty for a broken folder."""
        with self._lock:
            return dict(self._manifest) | ({"id": self.path.name} if self._manifest else {})

    @property
    def label(self) -> str:
        """What the run was called, safe to print."""
        return str(self._manifest.get("label") or self.path.name)

    @property
    def kind(self) -> str:
        """`run` or `compile`, or `?` for a broken folder."""
        return str(self._manifest.get("kind") or "?")

    @property
    def status(self) -> str | None:
        """How it ended on its target (`passed`, `failed`, ...; `ok` for a compile); None while nobody knows."""
        status = self._manifest.get("status")
        return str(status) if status else None

    @property
    def created(self) -> datetime:
        """When the run began; for a broken folder, when its directory last changed."""
        try:
            moment = datetime.fromisoformat(str(self._manifest.get("created")))
        except ValueError:
            try:
                moment = datetime.fromtimestamp(self.path.lstat().st_mtime, timezone.utc)
            except (OSError, OverflowError, ValueError):
                moment = datetime.fromtimestamp(0, timezone.utc)
        return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)

    @property
    def console_path(self) -> Path:
        """The raw bytes of the run."""
        return self.path / CONSOLE

    @property
    def times_path(self) -> Path:
        """One JSON array `[seconds, byte offset]` for each chunk of the console."""
        return self.path / TIMES

    @property
    def report_path(self) -> Path:
        """The report that was written when the run ended."""
        return self.path / REPORT

    @property
    def state(self) -> State:
        """What is true now: a manifest that says "queued" or "running" while its process is gone means "lost"."""
        if self.problem is not None:
            return "broken"
        state = self._manifest.get("state")
        if state in ("queued", "running"):
            return state if self.writer_alive() else "lost"
        if state in ("finished", "stopped", "lost"):
            return state  # type: ignore[no-any-return]
        return "broken"

    def writer_alive(self) -> bool:
        """Whether the process that wrote the manifest still lives, as far as can be told from here."""
        facts = self._manifest
        if facts.get("boot") != boot_id():
            host = facts.get("host")
            elsewhere = isinstance(host, str) and host != socket.gethostname()
            return elsewhere and self._changed_within(_BEAT_SECONDS if facts.get("keeper") else _OTHER_HOST_SECONDS)
        pid = facts.get("pid")
        if not isinstance(pid, int) or isinstance(pid, bool) or not 0 < pid < 1 << 31:
            return False
        started = process_started(pid)
        return started is not None and started == facts.get("pid_started")

    def _changed_within(self, seconds: float) -> bool:
        newest = 0.0
        for name in (CONSOLE, MANIFEST):
            with contextlib.suppress(OSError):  # either may be absent
                newest = max(newest, (self.path / name).stat().st_mtime)
        return abs(time.time() - newest) < seconds  # a time in the future is of a clock that was set back

    def note(self, **facts: Any) -> None:
        """Change the manifest with the next update: what need not be on disk at once."""
        with self._lock:
            self._manifest.update(facts)

    def update(self, **facts: Any) -> None:
        """Change the manifest on disk, in one step; the old one stays if that fails."""
        with self._lock:
            self._manifest.update(facts)
            data = json.dumps(self._manifest, indent=1, default=str).encode() + b"\n"
            path = self.path / MANIFEST
            try:
                replace_file(path, data, self._durable)
            except OSError as error:
                if error.errno not in FULL_DISK or not self._release_reserve():
                    raise storage_error(error, path) from error
                try:
                    replace_file(path, data, self._durable)
                except OSError as again:
                    raise storage_error(again, path) from again

    def finish(self, status: str | None = None, *, state: State = "finished", **facts: Any) -> None:
        """Say how the run ended."""
        facts.setdefault("ended", datetime.now(timezone.utc).isoformat())
        facts.setdefault("seconds", round(time.monotonic() - self._began, 6))
        self.update(status=status, state=state, **facts)
        self._release_reserve()

    def console(self, limit_bytes: int | None = None) -> ConsoleWriter:
        """A writer that appends to the console of this run, up to so many bytes."""
        return ConsoleWriter(self.path, self._durable, limit_bytes)

    def write_json(self, name: str, value: Any) -> Path:
        """Write a JSON file of this folder in one step."""
        return self.write_text(name, json.dumps(value, indent=1))

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file of this folder in one step, with a line end behind the text."""
        path = self.path / name
        try:
            replace_file(path, text.encode() + b"\n", self._durable)
        except OSError as error:
            raise storage_error(error, path) from error
        return path

    def remove(self) -> None:
        """Delete the folder; one that is running or queued, or a link to somewhere else, is refused."""
        if self.state in ("queued", "running"):
            raise JobError(f"{self.id} is {self.state}", "stop it first", exit_code=2)
        if self.path.is_symlink():
            raise JobError(f"{self.path} is a link to another place", "remove the link by hand", exit_code=2)
        doomed = self.path.with_name(f".removed-{os.urandom(4).hex()}")
        try:
            os.rename(self.path, doomed)  # at once out of every listing, also when the deletion is interrupted
            shutil.rmtree(doomed)
        except OSError as error:
            raise JobError(f"cannot remove {self.path} ({error.strerror or error})", "check its permissions") from error

    def _reserve(self) -> None:
        try:
            (self.path / _RESERVE).write_bytes(b"\n" * _RESERVE_BYTES)
        except OSError as error:
            raise storage_error(error, self.path) from error

    def _release_reserve(self) -> bool:
        try:
            (self.path / _RESERVE).unlink()
        except OSError:
            return False
        return True


def list_runs(root: Path) -> list[RunFolder]:
    """All run folders below `root`, newest first; what cannot be read is listed as broken."""
    try:
        entries = [entry for entry in os.scandir(root) if not entry.name.startswith(".") and entry.is_dir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cannot read {root} ({error.strerror or error})", workspace_hint()) from error
    folders = [RunFolder.read(Path(entry.path)) for entry in entries]
    return sorted(folders, key=lambda folder: (folder.created, folder.id), reverse=True)


def slug(label: str) -> str:
    """A label as a part of a directory name: lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")[:48].rstrip("-") or "run"


def _unique_directory(root: Path, name: str) -> Path:
    for number in range(1, 10000):
        path = root / (name if number == 1 else f"{name}-{number}")
        with contextlib.suppress(FileExistsError):
            path.mkdir()
            return path
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(root / name))


def read_json(path: Path, limit_bytes: int = _MANIFEST_LIMIT_BYTES) -> Any:
    """A JSON file of a run folder, cleaned of what a terminal would obey.

    Raises:
        OSError: it cannot be opened or read.
        ValueError: it is no regular file, too large, or not JSON; the text says which.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe of that name must not block us
    with open(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"{path.name} is not a file")
        data = stream.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise ValueError(f"{path.name} is larger than any of ours")
    try:
        return _printable(json.loads(data))
    except (ValueError, RecursionError):
        raise ValueError(f"{path.name} is not JSON") from None


def _load_manifest(path: Path) -> tuple[dict[str, Any], str | None]:
    try:
        value = read_json(path)
    except FileNotFoundError:
        return {}, f"no {MANIFEST}"
    except OSError as error:
        return {}, f"{MANIFEST}: {error.strerror or error}"
    except ValueError as error:
        return {}, str(error)
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        return {}, f"{MANIFEST} is not of schema {SCHEMA}"
    if value.get("kind") not in ("run", "compile", "build") or not isinstance(value.get("state"), str):
        return {}, f"{MANIFEST} lacks its kind or state"
    return value, None


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_printable(item) for item in value]
    if isinstance(value, dict):
        return {printable(key): _printable(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def printable(text: str) -> str:
    """Text from a file, without anything that a terminal would obey."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)
