"""One error of a build, an installation or a Python program, with what stands around it."""

from __future__ import annotations

from ..line_forms.wrapped import SCREENS
from ..named_tuple import NamedTuple
from .frames import NOWHERE, Place


class HostLine(NamedTuple):
    """An error line with what follows it, and where it stands; `kind` is its event."""

    kind: str
    line: int
    text: str
    place: Place = NOWHERE
    """Where it was raised, of a traceback."""
    below: str = ""
    """The row under a long line: its rest, where a terminal broke it."""
    said: tuple[tuple[int, str], ...] = ()
    """What ExecuTorch's runtime said inside of the Python program before it failed, with the lines."""
    written: str = ""
    """Its first row as it stands in the log, where `text` is that in English."""


def between(text: str, row: str, indented: bool) -> str:
    """What stands between the last line of this text and the row below: nothing where a terminal broke a word, or a blank."""
    width = len(text) - text.rfind("\n") - 1
    if width in SCREENS and (text[-1] + row[0]).isalnum():
        return " " if indented else ""
    return " " if width + 1 in SCREENS and (row[0].islower() or row[0] == "(") else "\n"
