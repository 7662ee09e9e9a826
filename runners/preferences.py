"""Files that people write to change keys and colours: `keymaps/NAME.toml` and `themes/NAME.toml` beside their settings.

A file is read as text and numbers here; what they mean is known to the dashboard, which also says what is wrong with them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .settings_file import CONFIG_VARIABLE
from .storage import open_file

KEYMAPS, THEMES = "keymaps", "themes"
_LIMIT_BYTES = 64 << 10
_MOST_FILES = 100


class Preference(NamedTuple):
    """One file; `problem` says why nothing of it can be used."""

    name: str
    path: str
    values: Mapping[str, Any]
    problem: str | None = None


def preferences_folder() -> Path | None:
    """The folder of the user's settings; None where there is no home."""
    named = os.environ.get(CONFIG_VARIABLE, "").strip()
    try:
        if named:
            return Path(named).expanduser().absolute().parent
        from platformdirs import user_config_path

        return user_config_path("ethosu-tui").absolute()
    except (RuntimeError, OSError):
        return None


def preferences(kind: str) -> list[Preference]:
    """The files of `KEYMAPS` or `THEMES`, by name."""
    folder = preferences_folder()
    try:
        entries = sorted(os.listdir(folder / kind)) if folder is not None else []
    except OSError:
        return []
    names = [name for name in entries if name.endswith(".toml") and name[0] != "."][:_MOST_FILES]
    assert folder is not None or not names
    return [_read(folder / kind / name) for name in names if folder is not None]


def _read(path: Path) -> Preference:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    name = path.stem
    try:
        with open_file(path) as stream:
            data = stream.read(_LIMIT_BYTES + 1)
        if len(data) > _LIMIT_BYTES:
            return Preference(name, str(path), {}, "is larger than any of its kind")
        return Preference(name, str(path), tomllib.loads(data.decode()))
    except OSError as error:
        return Preference(name, str(path), {}, f"cannot be read ({error.strerror or error})")
    except (ValueError, RecursionError) as error:
        return Preference(name, str(path), {}, f"is not TOML ({error})")
