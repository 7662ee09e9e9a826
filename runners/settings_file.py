"""Where the user's own `config.toml` is, for those who need no more of it; most people have none, and a start loads no reader of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

CONFIG_VARIABLE = "ETHOSU_TUI_CONFIG"


def user_file(absent: bool = False) -> Iterator[Path]:
    """The user's file, if it is named or there; `absent`: also where it would be."""
    named = os.environ.get(CONFIG_VARIABLE, "").strip()
    try:
        if named:
            yield Path(named).expanduser().absolute()
            return
        from platformdirs import user_config_path

        path = user_config_path("ethosu-tui") / "config.toml"
        if absent or os.path.lexists(path):
            yield path
    except (RuntimeError, OSError):  # no home: then there is no file in it
        return
