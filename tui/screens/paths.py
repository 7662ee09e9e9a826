"""Paths that people type: completion, and what is wrong with one before anything is started."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from itertools import islice

from textual.suggester import Suggester

from ...analysis.lines import clean
from ...analysis.units import format_bytes
from .dialogs import Choice

LOOKED_AT = 5_000
"""So many entries of a folder are looked at; whoever has more types more."""
_LONGEST = 4096
"""Characters of a path that the system takes."""
_SHOWN = 160


def check_readable(text: str) -> str | None:
    """Why this path cannot be opened, or None."""
    if not text:
        return "Type a path."
    path = os.path.expanduser(text)
    if not os.path.exists(path):  # a name that is too long, or holds what no name may, is none either
        return f"There is no {_shown(path)}."
    if not os.access(path, os.R_OK):
        return f"{path} cannot be read (permissions)."
    return None


def check_openable(text: str) -> str | None:
    """As `check_readable`, of what reports are made of: a log in an archive too, as `lab.zip!uart.log`."""
    from ...runners.reading.blocks import member_of

    archive, member = member_of(os.path.expanduser(text)) if text.isprintable() else (text, None)
    return check_readable(text if member is None else archive)


class PathSuggester(Suggester):
    """Completes the last part of a path, as far as it can be typed: a name that a terminal would obey is not shown."""

    def __init__(self, suffixes: tuple[str, ...] = ()) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._suffixes = suffixes

    async def get_suggestion(self, value: str) -> str | None:
        if not value or len(value) > _LONGEST:
            return None
        return await asyncio.to_thread(self._found, value)  # folders may be large, or far away

    def _found(self, value: str) -> str | None:
        head, tail = os.path.split(value)
        try:
            with os.scandir(os.path.expanduser(head or ".")) as entries:
                alike = sorted(
                    (entry for entry in entries if entry.name.startswith(tail) and clean(entry.name) == entry.name),
                    key=lambda entry: entry.name,
                )
            for entry in alike:
                if entry.is_dir() or self._fits(entry.name):
                    return os.path.join(head, entry.name) + ("/" if entry.is_dir() else "")
        except (OSError, ValueError):  # no such folder, or no name of one
            return None
        return None

    def _fits(self, name: str) -> bool:
        return not self._suffixes or name.endswith(self._suffixes)


def listed_paths(text: str, beside: Sequence[Choice] = ()) -> list[Choice]:
    """What a typed path can become: files and folders with this in their name, those that begin so first; then `beside`.

    Names that begin with a dot are shown where a dot is typed, as in a shell.
    """
    head, tail = os.path.split(text)
    found: list[tuple[bool, bool, str, Choice]] = []
    try:
        with os.scandir(os.path.expanduser(head or ".")) as entries:
            for entry in islice(entries, LOOKED_AT):
                begins = entry.name.startswith(tail)
                if not (begins or tail.casefold() in entry.name.casefold()) or entry.name[0] == "." != tail[:1]:
                    continue
                folder = entry.is_dir()
                if folder and clean(entry.name) != entry.name:  # it would be typed
                    continue
                path = os.path.join(head, entry.name) + "/" * folder
                found.append(
                    (not begins, not folder, entry.name, Choice(path, _told(entry, folder), clean(path), folder))
                )
    except (OSError, ValueError):
        pass  # a folder that is none yet, or no name of one: nothing to choose
    wanted = text.casefold()
    return [
        *(choice for *_, choice in sorted(found)),
        *(choice for choice in beside if wanted in (choice.name or choice.value).casefold()),
    ]


def _told(entry: os.DirEntry[str], folder: bool) -> str:
    try:
        return "folder" if folder else format_bytes(entry.stat().st_size)
    except OSError:
        return "cannot be read"


def check_model(text: str, known: Sequence[str]) -> str | None:
    """Why this cannot be a model to compile, or None; what is inside a file is found out by compiling."""
    if not text:
        return "Type a path or a name."
    if text in known:
        return None
    if not text.endswith((".py", ".pt", ".pth")):
        if "/" in text or not known:
            return f"{_shown(text)} is neither a .py file nor a known name."
        return f"{_shown(text)} is not a known model name; a file of yours must end in .py."
    path = os.path.expanduser(text)
    if not os.path.isfile(path):
        return f"There is no file {_shown(path)}."
    return None if os.access(path, os.R_OK) else f"{path} cannot be read (permissions)."


def _shown(text: str) -> str:
    """As much of a typed text as tells what it was."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}\u2026"
