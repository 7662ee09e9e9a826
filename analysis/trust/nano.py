"""Lines whose numbers newlib-nano did not print: it knows neither `z` nor `ll`, prints the letters and shifts what
follows.

Such a line still says what happened, but no number in it means anything.
"""

from __future__ import annotations

import re

_LETTERS: re.Pattern[str] | None = None


def with_numbers(message: str) -> str | None:
    """The message with 0 for each of these letters, so that its pattern matches; None where it has none."""
    global _LETTERS
    if "zu" not in message and "zd" not in message and "lu" not in message and "ld" not in message:
        return None
    if _LETTERS is None:
        _LETTERS = re.compile(  # a letter first, which is searched for faster than what stands before one
            r"(?:z(?:(?<![A-Za-z]z)|(?<=cntrz))[ud]|l(?:(?<![A-Za-z]l)|(?<=cntrl))l?[ud])(?![a-z])"
        )
    text = _LETTERS.sub("0", message)
    return text if text != message else None
