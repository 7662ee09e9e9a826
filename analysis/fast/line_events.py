"""Remembers what lines say while runs are learnt from: runs are read several times, and share most of their lines."""

from __future__ import annotations

from functools import lru_cache

from ..dividing.boundaries import HINTS
from ..lines import Line, broken, parse_line, pieces
from ..patterns import COMPILE_EVENTS, HOST_EVENTS, TABLE, Event
from .parts import UnfitError

LINE_LIMIT_BYTES = 4096
MOST_KEPT = 256
"""Lines whose meaning is remembered."""
ELSEWHERE = COMPILE_EVENTS | HOST_EVENTS | HINTS
"""Events that are not about the run in which they stand."""


def line_of(raw: bytes, number: int) -> Line:
    """The one line that these bytes with their end are.

    Raises:
        UnfitError: another printer broke into it, or it is one of several streams.
    """
    line = _remembered(raw) if len(raw) < LINE_LIMIT_BYTES else _parsed(raw)
    if line is None:
        raise UnfitError
    return tuple.__new__(Line, (number, *line[1:]))


def _parsed(raw: bytes) -> Line | None:
    line = parse_line(0, raw.rstrip(b"\r\n"))
    return None if line.stream or (broken(line.message) and pieces(line) != [line]) else line


_remembered = lru_cache(maxsize=MOST_KEPT)(_parsed)


@lru_cache(maxsize=MOST_KEPT)
def _event(message: str) -> Event | None:
    return TABLE.match(message, 0)


def event_of(message: str, number: int) -> Event | None:
    """The event of a message, or None; remembered, because most lines come again."""
    if len(message) >= LINE_LIMIT_BYTES:
        return TABLE.match(message, number)
    event = _event(message)
    return tuple.__new__(Event, (event[0], number, event[2].copy())) if event is not None else None


def spans_of(message: str) -> list[tuple[str, str, int, int]]:
    """Name, kind, start and end of each value in a message."""
    return _spans(message) if len(message) < LINE_LIMIT_BYTES else TABLE.spans(message)


@lru_cache(maxsize=MOST_KEPT)
def _spans(message: str) -> list[tuple[str, str, int, int]]:
    return TABLE.spans(message)
