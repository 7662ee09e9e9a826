"""What goes on in a workspace, looked at again and again at little cost: new folders, runs that ended, and how far the others are.

Nothing is asked of anybody: folders are looked at as they lie.  Of a console its beginning and its end are read, however
long it is, and only when it has grown.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..liveness import boot_id, up_seconds
from ..storage import open_file
from .folder import PROGRESS, RunFolder, printable
from .index import Listed, listed

GOING_ON = ("queued", "running")
_PART_BYTES = 1 << 16
_MANIFEST = "manifest.json"
_TEXT = 200
_MOST_SECONDS = 1e9


class Usual(NamedTuple):
    """The median of what the same files took before, and of how many runs."""

    seconds: float
    runs: int


class Going(NamedTuple):
    """A run or compile that goes on."""

    path: str
    kind: str
    label: str
    target: str | None
    state: str
    """`queued` or `running`."""
    stage: str | None
    """The newest stage that its console shows, or what it waits for; None while nobody knows."""
    done: int | None
    total: int | None
    """How far its present step is, where that is counted."""
    since: float
    """When it began, in seconds since 1970."""
    usual: Usual | None
    keeper: bool
    """Whether it can be watched and left."""
    passed: float | None
    """Seconds that it goes on already, whatever became of the clock meanwhile; None where the time since must do."""


class Seen(NamedTuple):
    """One look."""

    rows: list[Listed]
    going: tuple[Going, ...]
    anew: bool
    """Whether the rows differ from those of the look before."""


def usual(rows: Iterable[Listed], files: str) -> Usual | None:
    """How long the very same files took before, as far as they ended well; None where they never ran."""
    if not files:
        return None
    import statistics  # both it and the reader of logs would be a part of the first frame

    taken = [
        row.seconds
        for row in rows
        if row.files == files and row.status in ("passed", "ok") and row.state == "finished" and row.seconds is not None
    ]
    return Usual(statistics.median(taken), len(taken)) if taken else None


class Watch:
    """Looks at one workspace; from any thread, one at a time."""

    def __init__(self, root: Path) -> None:
        self._root = os.fspath(root)
        self._lock = threading.Lock()
        self._rows: list[Listed] | None = None
        self._mark: int | None = None
        self._names: frozenset[str] = frozenset()
        self._stages: dict[str, tuple[int, str | None]] = {}

    def look(self, anew: bool = False) -> Seen:
        """What is there now; `anew` lists all runs whether or not something seems to have changed.

        Raises:
            InputError: the workspace cannot be read.
        """
        with self._lock:
            changed = anew or self._rows is None or self._has_others() or self._has_moved()
            if changed:
                self._mark, self._names = _mtime(self._root), self._found()
                self._rows = listed(self._root)
                after = _mtime(self._root)
                if self._found() == self._names:
                    self._mark = after  # what changed is the index, ours or another's
            rows = self._rows or []
            going = tuple(self._going(row, rows) for row in rows if row.state in GOING_ON)
            self._stages = {one.path: self._stages[one.path] for one in going if one.path in self._stages}
            return Seen(rows, going, changed)

    def _found(self) -> frozenset[str]:
        try:
            with os.scandir(self._root) as entries:
                return frozenset(entry.name for entry in entries if entry.name[0] != ".")
        except OSError:
            return frozenset()

    def _has_others(self) -> bool:
        """Whether folders came or went."""
        mark = _mtime(self._root)
        if mark == self._mark:
            return False
        self._mark = mark
        return self._found() != self._names

    def _has_moved(self) -> bool:
        """Whether the state of one that went on is another now."""
        return any(
            RunFolder.read(Path(row.path)).state != row.state for row in self._rows or () if row.state in GOING_ON
        )

    def _going(self, row: Listed, rows: Sequence[Listed]) -> Going:
        folder = RunFolder.read(Path(row.path))
        facts = folder.manifest
        stage: str | None = None
        done = total = None
        if row.state == "queued":
            stage = str(facts.get("queued") or "")[:_TEXT] or None
        elif row.kind == "run":
            stage, done, total = self._stage(folder)
        slot = facts.get("slot")
        taken = slot.get("taken_at") if isinstance(slot, dict) else None
        since = taken if isinstance(taken, (int, float)) and abs(taken) < 100 * _MOST_SECONDS else row.created
        passed = _passed(slot if isinstance(slot, dict) and since is taken else facts, facts)
        known = usual(rows, row.files) if row.state == "running" else None
        return Going(
            row.path,
            row.kind,
            row.label,
            row.target,
            row.state,
            stage,
            done,
            total,
            float(since),
            known,
            row.keeper,
            passed,
        )

    def _stage(self, folder: RunFolder) -> tuple[str | None, int | None, int | None]:
        """The stage that the console shows; before there is one, what the job says of its own steps."""
        console, path = folder.console_path, str(folder.path)
        try:
            size = console.stat().st_size
        except OSError:
            size = 0
        known = self._stages.get(path)
        if known is None or known[0] != size:
            before = known[1] if known is not None else None
            known = self._stages[path] = (size, (stage_of(console) if size else None) or before)
        if known[1] is not None:
            return known[1], None, None
        return _step(folder.path / PROGRESS)


def _passed(begun: Mapping[str, Any], facts: Mapping[str, Any]) -> float | None:
    """Seconds since this was noted, by the time that the machine is up; None where it was another machine or boot."""
    noted = begun.get("up_seconds")
    if not isinstance(noted, (int, float)) or facts.get("boot") != boot_id():
        return None
    passed = up_seconds() - noted
    return passed if 0 <= passed < _MOST_SECONDS else None


def stage_of(console: Path) -> str | None:
    """The stage that the last run of a console has reached; None where none has begun, as far as its ends tell."""
    from ...analysis import CaptureReader

    try:
        with open_file(console) as stream:
            size = stream.seek(0, os.SEEK_END)
            starts = [0] if size <= _PART_BYTES else [size - _PART_BYTES, 0]
            for start in starts:
                stream.seek(start)
                data = stream.read(_PART_BYTES)
                reader = CaptureReader(str(console))
                reader.feed(data if start == 0 else data.partition(b"\n")[2])
                runs = reader.snapshot().runs
                if runs:
                    return runs[-1].stage
    except OSError:
        pass
    return None


def _step(path: Path) -> tuple[str | None, int | None, int | None]:
    """The last line of what a job says of its steps."""
    try:
        with open_file(path) as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - 4096))
            last = stream.read().splitlines()[-1]
        said: Any = json.loads(last)
        return printable(str(said["stage"]))[:_TEXT], _count(said["done"]), _count(said["total"])
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None, None, None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _mtime(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None
