"""Recognises the lines of a dump (output values, base64 text): a log has thousands, and a reader wants to see them as
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..lines import Line
from ..named_tuple import NamedTuple

LEAST = 12
"""Fewer lines than this are not folded into one."""
KINDS = ("", "output", "base64")
_OUTPUT = re.compile(r"(?:Output|Input|out|in)\[\d{1,9}\]\[\d{1,9}\]")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{40,4096}={0,2}\\?\Z")
_RUNS = re.compile(rb"\x01{%d,}|\x02{%d,}" % (LEAST, LEAST))


class Dump(NamedTuple):
    """Consecutive lines of one kind, from line `start` to before `end`, counted from 0 in what was given."""

    start: int
    end: int
    kind: str


def kind_of(line: Line) -> int:
    """Which of `KINDS` a line is.

    Example:
        >>> from ethosu_tui.analysis.lines import parse_line
        >>> KINDS[kind_of(parse_line(1, b"I [executorch:arm_executor_runner.cpp:1] Output[0][7]: (float) 0.5"))]
        'output'
    """
    message = line.message
    if message[:1] in "OIoi" and _OUTPUT.match(message):
        return 1
    return 2 if len(message) >= 40 and message.isascii() and _BASE64.match(message) else 0


def dumps(kinds: bytes | bytearray) -> Iterator[Dump]:
    """The dumps among lines of these kinds, a byte each.

    Example:
        >>> list(dumps(b"\\0" + b"\\1" * 20 + b"\\0\\2"))
        [Dump(start=1, end=21, kind='output')]
    """
    for run in _RUNS.finditer(kinds):
        yield Dump(run.start(), run.end(), KINDS[kinds[run.start()]])
