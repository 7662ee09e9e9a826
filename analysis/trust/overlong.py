"""Lines with a number that was lost, or that no counter can hold: the event still counts, the figure does not."""

from __future__ import annotations

import re

from .nano import with_numbers

_LONGEST_LINE = 512
_MOST_DIGITS = 20
"""2^64 has so many; the patterns take no more."""
_LONG: re.Pattern[str] | None = None
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_TOO_MANY = b"0" * (_MOST_DIGITS + 1)


def with_short_numbers(message: str) -> str | None:
    """The message with 0 for each number that is too long, so that its pattern matches; None where there is none."""
    global _LONG
    if len(message) <= _MOST_DIGITS or (message.isascii() and _TOO_MANY not in message.encode().translate(_ZEROS)):
        return None
    if _LONG is None:
        _LONG = re.compile(r"(?<![\w.])\d{21,}(?!\w|\.\d)")
    text = _LONG.sub("0", message)
    return text if text != message else None


def with_other_numbers(message: str) -> tuple[str | None, bool]:
    """The message with 0 for each number that was lost or is impossible, and whether one was impossible.

    The message is None where it has no such number.
    """
    if len(message) >= _LONGEST_LINE:
        return None, False
    text = with_numbers(message)
    if text is not None:
        return text, False
    text = with_short_numbers(message)
    return text, text is not None
