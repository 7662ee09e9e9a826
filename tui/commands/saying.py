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
        print(text if whole else _broken(text), file=sys.stderr, flush=True)


def _broken(text: str) -> str:
    """Between words, and not inside of a command in backquotes, which somebody may copy."""
    columns = _columns()
    if columns is None or len(text) < columns and text.isascii():
        return text
    from ...analysis.tables.text import width, wrapped

    kept = _COMMAND.sub(lambda found: _whole_in(found.group(), columns, width(found.group())), text)
    return "\n".join(wrapped(kept, columns, 0)).replace(_KEPT_BLANK, " ")


def _whole_in(command: str, columns: int, wide: int) -> str:
    return command.replace(" ", _KEPT_BLANK) if wide < columns else command


def _columns() -> int | None:
    """The width of the terminal that stderr is, or none."""
    stream = sys.stderr
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream is not None and stream.isatty() else None
    except (OSError, ValueError):
        return None
