"""Finds finished compiles again: the run folders are the cache, and this is its index.

A first job of a family is found by the command that it ran and by the content of every file that it read
(`aot/inputs.py`); one that was made of it by the content of its graphs and its configuration.  So a changed comment
costs the first compile of each family and nothing else.  What an entry names is compared with its digests before it is
believed; whatever does not fit is no entry, and the job is done again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..aot.inputs import described, listed, variable
from .derive import Base, shared_files
from .points import CompilePoint
from .result import PTE, RESULT, CompileResult, Told
from .result_text import parsed

FORMAT = 4
"""Changes with whatever a result contains, so that results of older versions of ours are not found."""
DIRECTORY = ".compiled"
INPUTS = "inputs.json"
_LARGEST_BYTES = 64 << 20


def key(**facts: Any) -> str:
    """The name of an entry: the same for the same facts."""
    text = json.dumps([FORMAT, facts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


class _Stamp(NamedTuple):
    """What shows that a file is as it was: inode, bytes, times of modification and change (ns), digest."""

    inode: int
    size: int
    modified: int
    changed: int
    digest: str

    def holds(self, path: Path) -> bool:
        """Whether the file is the same; one that was only touched or copied is compared by content."""
        try:
            found = os.stat(path)
        except OSError:
            return False
        if (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns) == self[:4]:
            return True
        now = described(str(path)) if found.st_size == self.size else None
        return now is not None and now[4] == self.digest


class CompileCache:
    """The index below one workspace; nothing in it is needed, and nothing that fails in it matters."""

    def __init__(self, root: Path, enabled: bool = True) -> None:
        self._root = root
        self._enabled = enabled

    def base(self, name: str) -> Base | None:
        """A first job of a family that would come out the same today."""
        entry = self._entry(name)
        try:
            if entry is None or not _unchanged(entry["inputs"]):
                return None
            folder = self._root / entry["folder"]
            pte, kept = _Stamp(*entry["pte"]), entry["kept"]
            if not pte.holds(folder / PTE) or sorted(kept) != shared_files(folder):
                return None
            if not all(_Stamp(*stamp).holds(folder / name) for name, stamp in kept.items()):
                return None
            told = Told()
            told.delegation, told.rejected, told.census = entry["delegation"], dict(entry["rejected"]), entry["census"]
            return Base(CompilePoint(**entry["point"]), folder, pte.digest, told, ())
        except (OSError, KeyError, TypeError, ValueError):
            return None

    def keep_base(self, name: str, base: Base) -> None:
        """Remember a finished first job, if all that it read is known."""
        with suppress(OSError, ValueError, KeyError):
            inputs = json.loads((base.folder / INPUTS).read_bytes())
            if inputs["why_not"] is not None:
                return
            self._write(
                name,
                inputs=inputs,
                folder=base.folder.name,
                pte=described(str(base.folder / PTE)),
                kept={name: described(str(base.folder / name)) for name in shared_files(base.folder)},
                delegation=base.told.delegation,
                rejected=base.told.rejected,
                census=base.told.census,
                point={field: getattr(base.point, field) for field in CompilePoint.__dataclass_fields__},
            )

    def result(self, name: str, made: str = PTE) -> CompileResult | None:
        """The result of a finished job, if what it `made` in its run folder and its report are as they were."""
        entry = self._entry(name)
        try:
            if entry is None:
                return None
            folder = self._root / entry["folder"]
            if not _Stamp(*entry["pte"]).holds(folder / made):
                return None
            data = (folder / RESULT).read_bytes()
            if hashlib.sha256(data).hexdigest() != entry["result"]:
                return None
            return CompileResult.from_dict(parsed(data.decode("ascii")), folder)
        except (OSError, KeyError, TypeError, ValueError):
            return None

    def keep_result(self, name: str, result: CompileResult, made: str = PTE) -> None:
        """Remember a job that went well, and what it `made` in its run folder."""
        with suppress(OSError, ValueError):
            digest = hashlib.sha256((result.folder / RESULT).read_bytes()).hexdigest()
            self._write(name, folder=result.folder.name, pte=described(str(result.folder / made)), result=digest)

    def _entry(self, name: str) -> dict[str, Any] | None:
        if not self._enabled:
            return None
        try:
            with open(self._root / DIRECTORY / name, "rb") as stream:
                seal, _, data = stream.read(_LARGEST_BYTES).partition(b"\n")
            if seal != _seal(name, data):
                return None
            entry = json.loads(data)
        except (OSError, ValueError, RecursionError):
            return None
        folder = entry.get("folder") if isinstance(entry, dict) else None
        safe = isinstance(folder, str) and folder == os.path.basename(folder) and not folder.startswith(".")
        return entry if safe else None

    def _write(self, name: str, **facts: Any) -> None:
        if facts["pte"] is None:
            return
        directory = self._root / DIRECTORY
        directory.mkdir(exist_ok=True)
        partial = directory / f".{name}.{secrets.token_hex(4)}"
        try:
            data = json.dumps(facts).encode()
            partial.write_bytes(_seal(name, data) + b"\n" + data)
            os.replace(partial, directory / name)
        except OSError:
            partial.unlink(missing_ok=True)
            raise


def _seal(name: str, data: bytes) -> bytes:
    """What stands before an entry, so that one that was spoilt, or stands under another's name, is none."""
    return hashlib.sha256(name.encode() + b"\n" + data).hexdigest().encode()


def _unchanged(inputs: Mapping[str, Any]) -> bool:
    files, directories = inputs["files"], inputs["directories"]
    return (
        all(variable(name) == digest for name, digest in inputs["environment"].items())
        and all(
            _Stamp(*stamp).holds(Path(path)) if stamp else not os.path.exists(path) for path, stamp in files.items()
        )
        and all(listed(path) == digest for path, digest in directories.items())
    )
