"""Patterns for lines of the same shape as a line of one run: the same text with other numbers and time stamps."""

from __future__ import annotations

import re
import sys

from ..draft_parts import FIRST_VALUES
from ..line_forms.host_prefix import host_time
from .parts import Block, DumpText, Figure, Text, UnfitError

HOLD = "+" if sys.version_info >= (3, 11) else ""
"""Makes a repeat possessive. Without it the patterns here do not backtrack either, because what follows never matches
inside.
"""
INTEGER = rf"\d{{1,20}}{HOLD}".encode()
LONG_BLOCK = 48
"""From so many elements on, a block of a tight layout is skipped instead of matched."""
TRIED_AT_ONCE = 8
"""So many elements of a short block are skipped together where the first of them is missing."""
COLOUR = rf"(?:\x1b\[[\d;]*{HOLD}m)?{HOLD}".encode()
END = rf"[\r]*{HOLD}\n".encode()
_PARTING = re.compile(rb" ?(?:-- |-> |- |\| |> |std(?:out|err) [FP] )?")
"""What stands between a time stamp and a message, as `host_prefix` takes it off."""


def exact(data: bytes) -> bytes:
    """A pattern for exactly these bytes."""
    return re.escape(data)


def same_shape(stamp: bytes) -> bytes:
    """A pattern for time stamps like this one: other numbers, and as many blanks as it takes."""
    shape = re.sub(rb"\d+", rb"\\d+" + HOLD.encode(), re.escape(stamp))
    return re.sub(rb"(?:\\ )+", rb"\\ +" + HOLD.encode(), shape)


class Start:
    """The first line of a run: bytes to search for, and the pattern of the whole line."""

    __slots__ = ("key", "pattern", "raw")

    def __init__(self, raw: bytes, text: Text) -> None:
        self.raw = raw
        body = raw[text.body :].split(b"\x1b")[0].rstrip()
        first = min((figure.start for figure in text.figures), default=len(raw)) - text.body
        self.key = body[: max(0, first)]
        self.pattern = re.compile(_line_pattern(text))


def number_pattern(figure: Figure, raw: bytes) -> bytes:
    """The pattern of numbers like this one in the line `raw`, or of ETDump texts of the same length."""
    if type(figure) is DumpText:
        return b"[A-Za-z0-9+/]{%d}" % (figure.end - figure.start)
    number = INTEGER + rb"\." + INTEGER if b"." in raw[figure.start : figure.end] else INTEGER
    return b"-?" + number if figure.signed else number


def _line_pattern(text: Text) -> bytes:
    """The pattern of lines like this one, whatever their numbers, time stamp, colours and end."""
    raw = text.raw.rstrip(b"\r\n")
    begin = stamp_length(text)
    pieces = [same_shape(raw[:begin]), COLOUR]
    colour = re.compile(COLOUR).match(raw, begin)
    assert colour is not None
    begin = colour.end()
    for figure in text.figures:
        pieces += [exact(raw[begin : figure.start]), number_pattern(figure, raw)]
        begin = figure.end
    tail = re.sub(rb"(?:\x1b\[[\d;]*m)+\Z", b"", raw[begin:])
    return b"".join((*pieces, exact(tail), COLOUR, END))


def stamp_length(text: Text) -> int:
    """Bytes of the time stamp at the start of a line with what follows it before the message; 0 where there is none."""
    stamp = stamp_of(text)
    if stamp is None:
        return 0
    length = len(stamp)
    if not text.raw.startswith(stamp.encode()):
        raise UnfitError
    return behind_stamp(text.raw, length)


def behind_stamp(raw: bytes, length: int) -> int:
    """Where the message begins after a stamp of this length: after a blank, and a sign that some tools put there."""
    parted = _PARTING.match(raw, length)
    assert parted is not None
    return parted.end()


def stamp_of(text: Text) -> str | None:
    """The host's time stamp on a line."""
    return host_time(text.shown)


def element_value(block: Block) -> bytes:
    """The pattern of an element's value."""
    return b"-?" + INTEGER + (rb"\." + INTEGER if block.real else b"")


def element_patterns(block: Block) -> list[bytes]:
    """The patterns of a short block's lines; the first values are groups."""
    value, end = element_value(block), exact(block.tail)
    begin, middle = exact(block.prefix), exact(block.middle)
    values = [b"(" + value + b")"] * FIRST_VALUES + [value] * (LONG_BLOCK - FIRST_VALUES)
    return [begin + b"%d" % index + middle + value + end for index, value in enumerate(values)]


def in_order(lines: list[bytes]) -> bytes:
    """A pattern for the first line and others after it in their order; the last one shows whether any is missing.

    A pattern that says so itself takes several times as long to compile.
    """
    pattern = b"(?:%s)?" + HOLD.encode()
    rest = [b"".join(pattern % line for line in lines[1:FIRST_VALUES])]
    for begin in range(FIRST_VALUES, len(lines), TRIED_AT_ONCE):
        first, *others = lines[begin : begin + TRIED_AT_ONCE]
        rest.append(pattern % (first + b"".join(pattern % line for line in others)))
    return lines[0] + b"".join(rest)
