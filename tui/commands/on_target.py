"""What the commands say of the named target of a run: what to know before, and the figures that its clock gives."""

from __future__ import annotations

from ...analysis.meaning.assumptions import of_place
from ...analysis.meaning.derive import derive
from ...analysis.report import Capture
from ...runners.runs.folder import RunFolder
from ...runners.targets.recorded import KEY
from .saying import say


def say_notes(folder: RunFolder | None) -> None:
    """What a person should know before the figures are read."""
    notes = folder.manifest.get("notes") if folder is not None else None
    for note in notes if isinstance(notes, list) else ():
        if isinstance(note, str):
            say(f"ethosu-tui: {note}")


def with_place(capture: Capture, folder: RunFolder | None) -> Capture:
    """The capture of a run with all derived figures, those of the target's clock among them."""
    return derive(capture, of_place(folder.manifest.get(KEY) if folder is not None else None))
