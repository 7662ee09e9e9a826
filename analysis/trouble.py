"""What went wrong in a run, as its draft keeps it until rules make findings of it."""

from __future__ import annotations

from .named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class Trouble(NamedTuple):
    """Something that went wrong on a line: its event ("message" where no pattern matched), level, text and values."""

    kind: str
    line: int
    level: str
    text: str
    values: dict[str, Any]
