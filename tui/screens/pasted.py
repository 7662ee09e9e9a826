"""What was pasted onto a screen: paths, as terminals give them for a file that is dropped on them, or nothing of use."""

from __future__ import annotations

import os
import shlex
from urllib.parse import unquote

from textual.screen import Screen

from ...analysis.lines import clean
from ..messages import OpenCompare, OpenReport

LONGEST = 20_000
"""Characters that a few paths may take; more is no list of paths, and not looked at."""


def open_pasted(screen: Screen[None], text: str) -> None:
    """Open the file that the text names, or compare several; say so where it names none."""
    paths = pasted_paths(text)
    if not paths:
        told = clean(" ".join(text[:200].split()))[:60]
        screen.notify(f"{told or ' '}", title="No file of this name to open", severity="warning", markup=False)
    elif len(paths) == 1:
        screen.post_message(OpenReport(paths[0]))
    else:
        screen.post_message(OpenCompare(tuple(paths)))


def pasted_paths(text: str) -> list[str]:
    """The files and folders that the text names, all of which exist; else none."""
    text = text.strip()
    if not text or len(text) > LONGEST or "\0" in text:
        return []
    for words in ([text], text.splitlines(), _words(text)):
        paths = [_path(word) for word in words if word.strip()]
        if paths and all(map(os.path.exists, paths)):
            return paths
    return []


def _words(text: str) -> list[str]:
    """As a shell takes it apart: dropped files come quoted, or with backslashes."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _path(word: str) -> str:
    word = word.strip()
    if word.startswith("file://"):
        word = unquote(word[len("file://") :])
    return os.path.expanduser(word)
