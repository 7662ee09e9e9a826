"""The lines of a run that is learnt from, and what they say: runs are read several times, and most lines are those of others."""

from __future__ import annotations

from functools import lru_cache

from ..lines import Line, broken, parse_line, pieces
from ..patterns import TABLE, Event
from .parts import UnfitError

LINE_LIMIT_BYTES = 4096
MOST_KEPT = 256
"""Lines of which it is kept what they say."""


def line_of(raw: bytes, number: int) -> Line:
    """The one line that these bytes with their end are.

    Raises:
        UnfitError: another printer broke into it, or it is one of several streams.
    """
    line = _parsed(raw) if len(raw) < LINE_LIMIT_BYTES else None
    line = line._replace(number=number) if line is not None else parse_line(number, raw.rstrip(b"\r\n"))
    if line.stream or (broken(line.message) and pieces(line) != [line]):
        raise UnfitError
    return line


@lru_cache(maxsize=MOST_KEPT)
def _parsed(raw: bytes) -> Line:
    return parse_line(0, raw.rstrip(b"\r\n"))


@lru_cache(maxsize=MOST_KEPT)
def _event(message: str) -> Event | None:
    return TABLE.match(message, 0)


def event_of(message: str, number: int) -> Event | None:
    """The event of a message; runs that are learnt from are read twice, and most of their lines are those of others."""
    if len(message) >= LINE_LIMIT_BYTES:
        return TABLE.match(message, number)
    event = _event(message)
    return Event(event.kind, number, dict(event.values)) if event is not None else None


def spans_of(message: str) -> list[tuple[str, str, int, int]]:
    """Name, kind, start and end of the values in a message."""
    return _spans(message) if len(message) < LINE_LIMIT_BYTES else TABLE.spans(message)


@lru_cache(maxsize=MOST_KEPT)
def _spans(message: str) -> list[tuple[str, str, int, int]]:
    return TABLE.spans(message)
