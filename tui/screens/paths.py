"""Paths that people type: completion, and what is wrong with one before anything is started."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from textual.suggester import Suggester


def check_readable(text: str) -> str | None:
    """Why this path cannot be opened, or None."""
    if not text:
        return "Type a path."
    path = Path(text).expanduser()
    if not path.exists():
        return f"There is no {path}."
    if not os.access(path, os.R_OK):
        return f"{path} cannot be read (permissions)."
    return None


class PathSuggester(Suggester):
    """Completes the last part of a path."""

    def __init__(self, suffixes: tuple[str, ...] = ()) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._suffixes = suffixes

    async def get_suggestion(self, value: str) -> str | None:
        if not value:
            return None
        head, tail = os.path.split(value)
        folder = Path(head or ".").expanduser()
        try:
            names = sorted(os.scandir(folder), key=lambda entry: entry.name)
            for entry in names:
                if entry.name.startswith(tail) and (entry.is_dir() or self._fits(entry.name)):
                    return os.path.join(head, entry.name) + ("/" if entry.is_dir() else "")
        except OSError:
            return None
        return None

    def _fits(self, name: str) -> bool:
        return not self._suffixes or name.endswith(self._suffixes)


def check_model(text: str, known: Sequence[str]) -> str | None:
    """Why this cannot be a model to compile, or None; what is inside a file is found out by compiling."""
    if not text:
        return "Type a path or a name."
    if text in known:
        return None
    if not text.endswith((".py", ".pt", ".pth")):
        if "/" in text or not known:
            return f"{text} is neither a .py file nor a known name."
        return f"{text} is not a known model name; a file of yours must end in .py."
    path = Path(text).expanduser()
    if not path.is_file():
        return f"There is no file {path}."
    return None if os.access(path, os.R_OK) else f"{path} cannot be read (permissions)."
