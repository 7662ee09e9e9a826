"""Names of loggers before lines, as Python's logging writes them by default and in the usual format with a time.

Such a name has no blank behind it, or stands between the time and the level.  The lines of one logger are one source,
whatever their levels are; where one logger says what only another board can have said, each is a board.
"""

from __future__ import annotations

import re

from ..cleaning import clean, compiled
from ..line_forms.host_prefix import HEAD_BYTES, host_time
from .framing import boards_before

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_LEVEL = f"(?:{'|'.join(_LEVELS)})"
_NAME = r"([A-Za-z_][\w.-]{0,64})"
_BY_DEFAULT, _BEHIND_A_TIME = rf"{_LEVEL}:{_NAME}:", rf"- {_NAME} - {_LEVEL} - "
_MARKS = re.compile(rf"(?m)^{_BY_DEFAULT}| {_BEHIND_A_TIME}".encode())
_MARKED_BYTES = 4096
"""One of the marks stands in so much of the beginning."""
_LEAST, _MOST = 3, 16
"""Lines of a logger that passes on a console, and such loggers."""


def loggers_before(head: bytes) -> tuple[tuple[str, ...], frozenset[str]]:
    """What stands before the lines of several loggers in the beginning of a log, with each level, and which are boards."""
    if _MARKS.search(head[:_MARKED_BYTES]) is None:
        return (), frozenset()
    told: dict[tuple[str, str], int] = {}
    for raw in head[:HEAD_BYTES].split(b"\n")[:-1]:
        text = clean(raw[:200].decode("utf-8", "replace")).lstrip()
        text = text[len(host_time(text) or "") :].lstrip()
        for shape in (_BY_DEFAULT, _BEHIND_A_TIME):
            if (found := compiled(shape).match(text)) is not None:
                told[shape, found[1]] = told.get((shape, found[1]), 0) + 1
    loggers = [logger for logger, lines in told.items() if lines >= _LEAST][:_MOST]
    names = tuple(
        f"{level}:{name}:" if shape == _BY_DEFAULT else f"- {name} - {level} - "
        for shape, name in loggers
        for level in _LEVELS
    )
    boards = boards_before(head, names, copied=True) if len(loggers) > 1 else frozenset[str]()
    return (names, boards) if boards else ((), boards)
