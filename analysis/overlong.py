"""Lines with a number that no counter can hold: they still say what happened, and nobody can stand behind the figure."""

from __future__ import annotations

import re

from .nano import with_numbers

_LONGEST_LINE = 512
_MOST_DIGITS = 20
"""2^64 has so many; the patterns take no more."""
_LONG: re.Pattern[str] | None = None


def with_short_numbers(message: str) -> str | None:
    """The message with a 0 for each number that is too long, to find out what it is; None where it has none."""
    global _LONG
    if len(message) <= _MOST_DIGITS or sum(map(message.count, "0123456789")) <= _MOST_DIGITS:
        return None
    if _LONG is None:
        _LONG = re.compile(r"(?<![\w.])\d{21,}(?!\w|\.\d)")
    text = _LONG.sub("0", message)
    return text if text != message else None


def with_other_numbers(message: str) -> tuple[str | None, bool]:
    """The message with a 0 for each number that was lost or cannot be, and whether it cannot be; None where it has none."""
    if len(message) >= _LONGEST_LINE:
        return None, False
    text = with_numbers(message)
    if text is not None:
        return text, False
    text = with_short_numbers(message)
    return text, text is not None
