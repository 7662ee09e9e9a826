"""Log prefixes of ports that write their own: the level alone, the place alone, or all of the runner's parts in another order."""

from __future__ import annotations

from ..cleaning import compiled
from ..line import LEVELS
from ..named_tuple import NamedTuple

PORT_STARTS = ("[", "ET ")
"""How a line begins that may have such a prefix."""
_BARE = r"\[([\w.-]+\.(?:cpp|mm|h)):(\d{1,9})\] ?"
"""The prefix of ExecuTorch's Python wheels, which print no level; Core ML's delegate is Objective-C++."""
_PLACE = r"([\w.-]{1,80}\.(?:cpp|cc|c|h)):(\d{1,9})( ?)"
"""After the mark `[ET E]` of some boards, and after `[executorch] E`, which is one only before a place."""
_RT_THREAD = "[executorch] "
_OTHER_ORDER = (
    r"(?:ET ([DIEF?]) |\[executorch:(?:([DIEF?]) )?)([\w./-]{1,200}):(\d{1,9})(?: ([\w:~]{1,120})(?:\(\)\]|:)|\]) ?"
)
"""`ET E file:1 f: ` of the test of all operators, `[executorch:E file:1 f()] ` of applications, and the latter without a level."""


class PortPrefix(NamedTuple):
    """The parts of a line in the order in which a `Line` has them."""

    level: str
    file: str | None
    source_line: int | None
    function: str | None
    message: str


def port_prefix(body: str) -> PortPrefix | None:
    """What a line of such a port says where; None for a line that begins otherwise."""
    if body[0] == "[":
        open_mark = body.startswith(_RT_THREAD)
        start = len(_RT_THREAD) if open_mark else 4 if body.startswith(("[ET:", "[ET ", "[ET/")) else 1
        if body.startswith(" " if open_mark else "] ", start + 1) and body[start] in LEVELS:
            message = body[start + 2 + (not open_mark) :].strip()
            place = compiled(_PLACE).match(message) if start > 1 else None  # some ports print the level alone
            if place is not None and place[3]:
                return PortPrefix(body[start], place[1], int(place[2]), None, message[place.end() :])
            inner = port_prefix(message) if message.startswith("[executorch:") else None
            if inner is not None:
                return inner._replace(level=body[start])
            if place is not None or not open_mark:
                return PortPrefix(body[start], None, None, None, message)
        file, source_line, message = place_before(body)
        if file is not None:
            return PortPrefix("", file, source_line, None, message.strip())
    other = compiled(_OTHER_ORDER).match(body)
    if other is None:
        return None
    bare, bracketed, file, number, function = other.groups()
    return PortPrefix(bare or bracketed or "", file, int(number), function, body[other.end() :].strip())


def place_before(message: str) -> tuple[str | None, int | None, str]:
    """File, source line and the rest, where a place in brackets stands before a message."""
    bare = compiled(_BARE).match(message)
    return (bare[1], int(bare[2]), message[bare.end() :]) if bare is not None else (None, None, message)
