"""What a list of the stored runs shows, without opening a file of each: an SQLite index of the run folders.

The folders are the truth.  A row counts only while the manifest that it was made of is still the very same file (time,
size, inode); everything else is read from its folder again, and what may still change (a run that goes on) is so at every
look.  An index that is missing, damaged, of another version or on a disk that cannot be written to only costs time.
"""

from __future__ import annotations

import os
import sqlite3

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from .folder import RunFolder

INDEX = ".index.sqlite"
_VERSION = 6
_MANIFEST = "manifest.json"
_BUSY_SECONDS = 0.3
_TEXT = 200
_LARGEST = float(1 << 63)
_REAL = ("board", "host")
_LONGEST_SECONDS = 3e9
_REPORT_LIMIT_BYTES = 16 << 20
_FIELDS = (
    "name, mtime, size, inode, kind, state, status, seconds, created, label, target, problem, cycles, keeper, share, series, "
    "files, total, cause"
)


class Listed(NamedTuple):
    """One stored run or compile in a list."""

    id: str
    path: str
    kind: str
    state: str
    """What is true now, as `RunFolder.state`."""
    status: str | None
    seconds: float | None
    created: float
    """Seconds since 1970."""
    label: str
    target: str | None
    problem: str | None
    """Why the folder cannot be used."""
    npu_cycles: float | None
    """Measured ones of a run, Vela's estimate of a compile."""
    keeper: bool
    """Whether it is carried out by a process of its own."""
    npu_share_percent: float | None = None
    """How much of an inference the NPU took, as measured in a run; None of a simulator, whose CPU cycles are not time."""
    series: str = ""
    """Equal where figures can be held against each other; see `likeness`."""
    files: str = ""
    """Equal where the very same files are used as well."""
    total_cycles: float | None = None
    """Vela's estimate for all of an inference, waits for memory too; None for a run, which measures them as `npu_cycles`."""
    cause: str = ""
    """In two words why the run came no further, as "disk full" or "boot loop", where its status does not say so."""

    @property
    def key_cycles(self) -> float | None:
        """The figure by which it is told apart: what a run measured; of a compile the total, since NPU cycles leave waits out."""
        return self.npu_cycles if self.total_cycles is None else self.total_cycles

    @property
    def is_cut(self) -> bool:
        """Whether something kept us from recording the run to its end; nobody stopped it."""
        return self.state == "stopped" and bool(self.cause)


def listed(root: str | os.PathLike[str]) -> list[Listed]:
    """All run folders below `root`, newest first.

    Raises:
        InputError: `root` cannot be read.
    """
    root = os.fspath(root)
    marks = _marks(root)
    index = _Index(os.path.join(root, INDEX)) if marks else None
    known = index.rows() if index is not None else {}
    rows: list[tuple[Any, ...]] = []
    fresh: list[tuple[Any, ...]] = []
    for name, mark in marks.items():
        row = known.get(name)
        if row is None or row[1:4] != mark or row[5] not in ("finished", "stopped"):
            row = (name, *mark, *_read(os.path.join(root, name)))
            fresh.append(row)
        rows.append(row)
    if index is not None:
        index.save([row for row in fresh if row != known.get(row[0])], known.keys() - marks.keys())
    rows.sort(key=lambda row: (row[8], row[0]), reverse=True)
    return [
        Listed(row[0], f"{root}{os.sep}{row[0]}", *row[4:])  # the fields stand in this order
        for row in rows
    ]


def _marks(root: str) -> dict[str, tuple[int, int, int]]:
    """Each folder with what tells whether its manifest is the one that is known."""
    marks = {}
    try:
        with os.scandir(root) as entries:
            for entry in entries:
                if entry.name[0] != "." and entry.is_dir():
                    try:
                        facts = os.stat(f"{root}{os.sep}{entry.name}{os.sep}{_MANIFEST}")
                        marks[entry.name] = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
                    except OSError:
                        marks[entry.name] = (0, 0, 0)
    except FileNotFoundError:
        pass
    except OSError as error:
        from ..job import InputError
        from ..storage import workspace_hint

        raise InputError(f"cannot read {root} ({error.strerror or error})", workspace_hint()) from error
    return marks


def _read(path: str) -> tuple[Any, ...]:
    """The rest of a row, from the folder itself."""
    from pathlib import Path

    from .folder import RunFolder
    from .likeness import likeness

    folder = RunFolder.read(Path(path))
    facts = folder.manifest
    state = folder.state
    target = facts.get("target")
    known = _figures(folder) if state not in ("queued", "running") else None
    run = known if folder.kind == "run" else None
    alike = likeness(folder.kind, facts, run)
    return (
        folder.kind[:_TEXT],
        state,
        folder.status[:_TEXT] if folder.status else None,
        _duration(facts),
        folder.created.timestamp(),
        folder.label[:_TEXT],
        str(target)[:_TEXT] if target else None,
        folder.problem[:_TEXT] if folder.problem else None,
        _cycles(folder.kind, known),
        bool(facts.get("keeper")),
        _npu_share(run),
        alike.series,
        alike.files,
        _number(known, "summary", "total_cycles") if folder.kind == "compile" else None,
        _cause(facts),
    )


def _npu_share(run: Mapping[str, Any] | None) -> float | None:
    """The runner's own; None unless a real CPU is known to have run it, as others' cycles are not time."""
    target = run.get("target") if run is not None else None
    real = isinstance(target, dict) and target.get("platform") in _REAL
    return _number(run, "cycles", "npu_ratio_percent") if real else None


def _duration(facts: Mapping[str, Any]) -> float | None:
    """None also for one below nothing, or of more than a lifetime, which nobody has measured."""
    seconds = _number(facts, "seconds")
    return seconds if seconds is not None and 0 <= seconds < _LONGEST_SECONDS else None


def _cause(facts: Mapping[str, Any]) -> str:
    """What the manifest says, and of older ones that the recording failed."""
    from .folder import CAUSE, printable

    cause = facts.get(CAUSE)
    if isinstance(cause, str) and cause:
        return printable(cause)[:_TEXT]
    return "recording failed" if facts.get("state") == "stopped" and facts.get("reason") == "lost" else ""


class _Index:
    """The file; every failure of it is as if it were empty."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def rows(self) -> dict[str, tuple[Any, ...]]:
        """What it holds, by the folder's name."""
        try:
            return self._rows()
        except (sqlite3.Error, OSError, ValueError, TypeError):
            self._close()
        try:
            for name in (self._path, f"{self._path}-wal", f"{self._path}-shm"):
                if os.path.lexists(name):
                    os.unlink(name)
            return self._rows()
        except (sqlite3.Error, OSError, ValueError, TypeError):
            self._close()
            return {}

    def _rows(self) -> dict[str, tuple[Any, ...]]:
        connection = self._connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
        connection.execute("PRAGMA synchronous=OFF")  # it can be made again
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != _VERSION:
            if connection.execute("PRAGMA journal_mode=WAL").fetchone() != ("wal",):
                connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DROP TABLE IF EXISTS runs")
            connection.execute(f"CREATE TABLE runs ({_FIELDS.replace('name,', 'name PRIMARY KEY,')}) WITHOUT ROWID")
            connection.execute(f"PRAGMA user_version={_VERSION}")
            connection.execute("COMMIT")
        rows = {row[0]: row for row in connection.execute(f"SELECT {_FIELDS} FROM runs")}
        for row in rows.values():
            if type(row[8]) is not float or type(row[4]) is not str or type(row[9]) is not str:
                raise ValueError("a row that is none of ours")
            if not all(row[place] is None or type(row[place]) is float for place in (7, 12, 14, 17)):
                raise ValueError("a row that is none of ours")
            if not all(type(row[place]) is str for place in (15, 16, 18)):
                raise ValueError("a row that is none of ours")
        return rows

    def save(self, fresh: Iterable[tuple[Any, ...]], gone: Iterable[str]) -> None:
        """Keep these rows for the next time, and close the file."""
        fresh, gone = [row for row in fresh if _can_be_kept(row[0])], list(gone)
        try:
            if self._connection is not None and (fresh or gone):
                self._connection.execute("BEGIN IMMEDIATE")
                many = ", ".join("?" * len(_FIELDS.split(",")))
                self._connection.executemany(f"INSERT OR REPLACE INTO runs ({_FIELDS}) VALUES ({many})", fresh)
                self._connection.executemany("DELETE FROM runs WHERE name = ?", [(name,) for name in gone])
                self._connection.execute("COMMIT")
        except sqlite3.Error:  # busy, full, or not ours to write
            pass
        finally:
            self._close()

    def _close(self) -> None:
        if self._connection is not None:
            try:
                self._connection.close()
            except sqlite3.Error:
                pass
            self._connection = None


def _can_be_kept(name: str) -> bool:
    """Whether SQLite takes the name: file systems have names that are no text, and such a folder is read at every look."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def key_figure(folder: RunFolder) -> float | None:
    """NPU cycles: measured ones of a run, Vela's estimate of a compile; None where there are none."""
    return _cycles(folder.kind, _figures(folder))


def _cycles(kind: str, figures: Any) -> float | None:
    return _number(figures, "summary" if kind == "compile" else "pmu", "npu_cycles")


def _figures(folder: RunFolder) -> Any:
    """What was stored of its figures: the last Run of a report, or the result of a compile; None where nothing was.

    A run folder is untrusted input: whatever lies in it, the row is shown, at worst without a figure.
    """
    from .folder import read_json

    path = folder.path / "result.json" if folder.kind == "compile" else folder.report_path
    try:
        value = read_json(path, _REPORT_LIMIT_BYTES)
    except (OSError, ValueError):
        return None
    if folder.kind == "compile":
        return value
    captures = _list(value, "captures") or [value]
    runs = [run for capture in captures for run in _list(capture, "runs")]
    return runs[-1] if runs and isinstance(runs[-1], dict) else None


def _list(value: Any, name: str) -> list[Any]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def _number(value: Mapping[str, Any] | Any, *path: str) -> float | None:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -_LARGEST < value < _LARGEST:
        return None
    return float(value)
