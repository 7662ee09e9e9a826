"""What the manifest of a stored run says of its end, for those who read its log again.

The log alone cannot tell a run that was stopped from one that was cut off, nor that a simulator never started.
"""

from __future__ import annotations

import os
from pathlib import Path

from ...analysis import Outcome
from ..job import EXIT_REASONS, InputError
from .folder import RunFolder

_TEXT = 2000


def recorded_outcome(path: str) -> Outcome | None:
    """How the host saw this stored run end; None for anything else, and for a run that goes on."""
    folder = _run_folder(path)
    if folder is not None and folder.state == "lost":
        return Outcome("lost")  # whoever recorded it died: that the log ends says nothing of the target
    if folder is None or folder.state not in ("finished", "stopped"):
        return None
    facts = folder.manifest
    reason, code, text = facts.get("reason"), facts.get("exit_code"), facts.get("text")
    if reason not in EXIT_REASONS:
        return None
    known = code if isinstance(code, int) and not isinstance(code, bool) and abs(code) < 1 << 32 else None
    return Outcome(str(reason), known, text[:_TEXT] if isinstance(text, str) else "", kind_of(folder))


def kind_of(folder: RunFolder) -> str:
    """The kind of place where this run took place, as `command`; that of a named target stands with the target."""
    place = folder.manifest.get("place")
    named = place.get("kind") if isinstance(place, dict) else None
    on = named or folder.manifest.get("on")
    return on.partition(":")[0] if isinstance(on, str) else ""


def was_stopped(path: str) -> bool:
    """Whether this is a stored run that somebody stopped; one that could not be recorded any further was not."""
    folder = _run_folder(path)
    return folder is not None and folder.state == "stopped" and folder.manifest.get("reason") != "lost"


def _run_folder(path: str) -> RunFolder | None:
    try:
        folder = RunFolder.open(Path(os.path.expanduser(path)))
    except (InputError, RuntimeError, ValueError):  # no run folder; who reads it says what it is instead
        return None
    return folder if folder.kind == "run" else None
