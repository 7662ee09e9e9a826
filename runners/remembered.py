"""What the dashboard remembers of a workspace, as one small JSON file of the user: written whole, and never believed.

A file that is damaged is put aside, one of a newer version is left alone, and where nothing can be written the values live
as long as the program; each is told in one sentence.  Two programs at once do not undo each other's changes: before it
writes, each reads the file again and puts only what it changed itself into it.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .storage import replace_file

try:  # where it needs no OpenSSL, which takes longer to load than all else of this module
    from _sha256 import sha256 as _sha256  # type: ignore[import-not-found]
except ImportError:
    try:
        from _sha2 import sha256 as _sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256 as _sha256

VARIABLE = "ETHOSU_TUI_STATE"
"""Names another folder for these files."""
VERSION = 1
_LIMIT_BYTES = 256 << 10
_MOST_BYTES = _LIMIT_BYTES // 2
"""Of the values: what is written must be read again."""
_MOST_VALUES = 500
PASSING = "of "
"""Names of values that belong to something that comes and goes begin so, like those of a log: of many such, the oldest go first."""
_MOST_PASSING = 200


def state_file(workspace: Path) -> Path | None:
    """Where it is kept for this workspace; None where there is no home to keep anything in."""
    named = _sha256(os.fsencode(os.path.abspath(workspace))).hexdigest()[:12]
    chosen = os.environ.get(VARIABLE, "").strip()
    try:
        if chosen:
            folder = Path(chosen).expanduser().absolute()
        else:
            from platformdirs import user_state_path

            folder = user_state_path("ethosu-tui").absolute() / "workspaces"
    except (RuntimeError, OSError):
        return None
    return folder / f"{workspace.parent.name or 'root'}-{workspace.name or 'runs'}-{named}.json"


class Remembered:
    """The values of one workspace; safe to use from several threads."""

    def __init__(self, path: Path | None, workspace: Path | None = None) -> None:
        self.path = path
        self._workspace = str(workspace) if workspace is not None else None
        self._lock = threading.Lock()
        self._changed: dict[str, Any] = {}
        self._frozen = path is None
        self._told = False
        self.problem: str | None = None
        """What is wrong with the file that was found, in one sentence."""
        self._values = self._load()

    def get(self, name: str) -> Any:
        """The value, as JSON has it; None where there is none."""
        with self._lock:
            return self._values.get(name)

    def put(self, name: str, value: Any) -> bool:
        """Remember it from now on, None to forget it; whether it is another one than before."""
        with self._lock:
            if self._values.get(name) == value:
                return False
            self._changed[name] = value
            _set(self._values, name, value)
            return True

    def save(self) -> str | None:
        """Write what was changed; why that cannot be done, in one sentence, the first time."""
        with self._lock:
            if not self._changed or self._frozen or self.path is None:
                return None
            try:
                found = self._read()
            except _Newer as error:
                self._frozen = True
                return self._tell(str(error))
            except (OSError, ValueError):  # gone or damaged meanwhile: ours is whole
                found = dict(self._values)
            for name, value in self._changed.items():
                _set(found, name, value)
            text = self._text(found)
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                replace_file(self.path, text.encode() + b"\n", durable=False)
            except OSError as error:
                reason = error.strerror or str(error)
                return self._tell(f"{self.path} cannot be written ({reason}); the settings hold until you leave")
            self._changed.clear()
            return None

    def _text(self, values: dict[str, Any]) -> str:
        """The file that holds as many of these as it may: of too many the oldest go, and the largest where they are too long."""
        passing = [name for name in values if name.startswith(PASSING)]
        gone = set(passing[: max(0, len(passing) - _MOST_PASSING)])
        lasting = [name for name in values if not name.startswith(PASSING)]
        gone.update(lasting[: max(0, len(values) - len(gone) - _MOST_VALUES)])
        import json

        sizes = {n: len(json.dumps({n: value}, indent=3)) for n, value in values.items() if n not in gone}
        left = sum(sizes.values())
        for name in sorted(sizes, key=sizes.__getitem__, reverse=True):
            if left <= _MOST_BYTES:
                break
            left -= sizes[name]
            gone.add(name)
        kept = {name: value for name, value in values.items() if name not in gone}
        return json.dumps({"version": VERSION, "workspace": self._workspace, "values": kept}, indent=1)

    def _tell(self, text: str) -> str | None:
        if self._told:
            return None
        self._told = True
        return text

    def _load(self) -> dict[str, Any]:
        if self.path is None:
            return {}
        try:
            return self._read()
        except FileNotFoundError:
            return {}
        except _Newer as error:
            self._frozen = self._told = True
            self.problem = str(error)
        except OSError as error:
            self.problem = f"{self.path} cannot be read ({error.strerror or error}); nothing is remembered from before"
        except ValueError as error:
            aside = self.path.with_suffix(".damaged")
            with contextlib.suppress(OSError):
                os.replace(self.path, aside)
            put = f"it is kept as {aside.name}" if not self.path.exists() else "it cannot be moved away"
            self.problem = f"{self.path} is damaged ({error}); {put}, and nothing is remembered from before"
        return {}

    def _read(self) -> dict[str, Any]:
        assert self.path is not None
        if not self.path.exists():
            return {}
        from .runs.folder import read_json

        found = read_json(self.path, _LIMIT_BYTES)
        version = found.get("version") if isinstance(found, dict) else None
        if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
            raise _Newer(f"{self.path} is of a newer ethosu-tui: it is left as it is, and nothing is remembered now")
        values = found.get("values") if isinstance(found, dict) else None
        if version != VERSION or not isinstance(values, dict):
            raise ValueError("it is none of ours")
        return values


class _Newer(Exception):
    """The file is of a version that we do not know."""


def _set(values: dict[str, Any], name: str, value: Any) -> None:
    values.pop(name, None)  # what was changed last stands last
    if value is not None:
        values[name] = value


def part(value: Any, kind: type) -> Any:
    """A value of this type, or an empty one: what a file says is of any type."""
    return value if isinstance(value, kind) else kind()


def texts(value: Any) -> tuple[str, ...]:
    """The texts of a remembered list."""
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def text_of(values: Mapping[str, Any], name: str) -> str | None:
    """One text of a remembered object."""
    found = values.get(name)
    return found if isinstance(found, str) else None
