"""What stands around every line from the first one on: found in the beginning of a stored log, before its lines are read.

Lines with a log prefix show by themselves what some tool put before them.  Those of the evaluation kit, of applications
without ExecuTorch and of simulators do not, so that only what all of them have in common can tell.
"""

from __future__ import annotations

from collections.abc import Callable

from .cleaning import clean, compiled
from .host_prefix import HEAD_BYTES, Frame, frame_of_all, undecorated
from .lines import parse_line

_LOOKED_AT = 12
"""Lines with words; where fewer than `_LEAST` are complete, nothing is common to all by more than chance."""
_LEAST = 3
_LONGEST = 4096
_OWN = r"\[?[A-Za-z]{3}|[DIEF?] \[|[EWID]: [^\s\[]"
"""How lines begin before which nothing stands any more."""


def first_frame(data: bytes, known: Callable[[str], bool]) -> Frame | None:
    """The frame of all complete lines that this text begins with, where more of them are lines of the log without it.

    `known` tells whether a text is one; where none is either way, what needs an end as well as a beginning is believed.
    """
    lines: list[str] = []
    for raw in data[:HEAD_BYTES].split(b"\n")[:-1]:
        line = clean(raw[:_LONGEST].decode("utf-8", "replace")).strip()
        if compiled(r"[A-Za-z]{3}").search(line):
            lines.append(line)
        if len(lines) == _LOOKED_AT:
            break
    if len(lines) < _LEAST or len(set(lines)) < _LEAST:
        return None
    if all(undecorated(line)[0] != line for line in lines):
        rests = [undecorated(line)[0] for line in lines]
        if any(not rest or compiled(_OWN).match(rest) for rest in rests):
            return None  # what stood there is known
    frame = frame_of_all(lines)
    if frame is None:
        return None
    plain, freed = (
        sum(known(parse_line(1, line.encode(), frame=each).message) for line in lines) for each in (None, frame)
    )
    return frame if freed > plain or (frame.tail and freed == plain) else None
