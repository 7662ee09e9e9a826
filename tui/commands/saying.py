"""What a command says to the person, on stderr: a sentence a line, broken between words where a terminal is narrower than it.

A pipe and a file get each sentence whole, so that scripts find one line a sentence.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys

from ...analysis.cleaning import clean
from ...runners.job import shortened

_COMMAND = re.compile("`[^`]+`")
_KEPT_BLANK = "\0"
"""Stands for a blank that is not broken at; `clean` leaves no such character in a text."""


def say(text: str, *, whole: bool = False) -> None:
    """Print it; what is to be copied in one piece (a command line) is `whole`."""
    text = shortened(clean(text))
    with contextlib.suppress(OSError):  # nobody is there to hear it
        print("\n".join([text] if whole else broken(text, _columns())), file=sys.stderr, flush=True)


def broken(text: str, columns: int | None, indent: int = 0) -> list[str]:
    """The rows of a sentence behind an indent: between words, and not inside of a command in backquotes, which somebody may copy."""
    if columns is None or text.isascii() and len(text) <= columns - indent:
        return [text]
    from ...analysis.tables.text import width, wrapped

    room = columns - indent
    if width(text) <= room:
        return [text]
    kept = _COMMAND.sub(lambda one: one[0].replace(" ", _KEPT_BLANK) if width(one[0]) <= room else one[0], text)
    return [row.replace(_KEPT_BLANK, " ") for row in wrapped(kept, columns, indent)]


def _columns() -> int | None:
    try:
        return columns_of(sys.stderr.fileno()) if sys.stderr is not None else None
    except (OSError, ValueError):  # a stream without a descriptor, or one that was closed
        return None


def columns_of(descriptor: int) -> int | None:
    """The width of the terminal that this is, or none where it is no terminal or does not say."""
    try:
        return os.get_terminal_size(descriptor).columns or None
    except OSError:
        return None
