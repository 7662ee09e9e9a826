"""What the user said beside a log, kept per log: as texts in the state file, which are checked again before they count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...analysis.lines import clean
from ...analysis.meaning.assumptions import NOTHING, Assumptions
from ...runners.remembered import PASSING
from .assume import SAID, with_value

if TYPE_CHECKING:
    from ...analysis.meaning.boards import Board

_SHOWN = 30
"""Characters of a title line for it."""


def name_for(path: str) -> str:
    """Under which name it is kept for the log or run folder at this absolute path."""
    return f"{PASSING}assumed {path}"


def kept(given: Assumptions) -> dict[str, str] | None:
    """As the state file has it; None for nothing."""
    found = {field: getattr(given, field) for field in SAID}
    return {field: str(value) for field, value in found.items() if value is not None} or None


def recalled(value: Any, own: Sequence[Board] = ()) -> tuple[Assumptions, tuple[str, ...]]:
    """What was said, of what the state file has, and what of it is not known any more, a sentence each.

    `own` are targets of the user's own, which a board may be.
    """
    given, lost = NOTHING, []
    for field, said in SAID.items() if isinstance(value, dict) else ():
        text = value.get(field)
        if not isinstance(text, str):
            continue
        try:
            given = with_value(given, field, text, own)
        except ValueError:
            lost.append(f"{said.title} {clean(text)[:60]} that you gave for this log is no longer known here")
    return given, tuple(lost)


def in_short(given: Assumptions) -> str:
    """What was said, for a title line: with its value where it is one, names where it is more, their number where that is long."""
    said = [
        (one.short, one.write(value)) for field, one in SAID.items() if (value := getattr(given, field)) is not None
    ]
    if not said:
        return ""
    names = ", ".join(name for name, _ in said)
    for text in (f"{said[0][0]} {said[0][1]}" if len(said) == 1 else names, names, f"{len(said)} figures"):
        if len(text) <= _SHOWN:
            break
    return f"{clean(text)} assumed by you"
