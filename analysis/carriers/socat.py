"""What `socat -v` writes of what it passes on: a heading stands before each packet, also where that begins inside a line."""

from __future__ import annotations

import re

from ..cleaning import compiled
from .changed_text import ChangedText

_HEADING = r"[<>] \d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6,9}  length=\d{1,10} from=\d{1,20} to=\d{1,20}\n"
_INSIDE = rf"(?<=[^\n]){_HEADING}"
_LINE = rf"(?:[^\n]+?{_HEADING})+[^\n]*\n?"
_LONGEST = 1 << 20


def has_headings(head: bytes) -> bool:
    """Whether such a heading stands inside a line of this text."""
    return re.search(_INSIDE.encode(), head) is not None


class PassedOn(ChangedText):
    """Takes headings out of lines; the empty lines that this makes come behind the line, so that those below keep their numbers.

    Example:
        >>> PassedOn().decode(b"one> 2031/02/03 04:05:06.000000007  length=4 from=3 to=6\\n two\\n")
        'one two\\n\\n'
    """

    def __init__(self) -> None:
        super().__init__(_whole_lines, _joined)


def _whole_lines(text: str) -> int:
    headings = {found.end() for found in compiled(_INSIDE).finditer(text)}
    end = len(text)
    while (end := text.rfind("\n", 0, end) + 1) in headings:
        end -= 1
    return end if len(text) - end < _LONGEST else len(text)


def _joined(text: str) -> str:
    return compiled(_LINE).sub(_in_one, text)


def _in_one(found: re.Match[str]) -> str:
    line, headings = compiled(_HEADING).subn("", found.group())
    return line.removesuffix("\n") + "\n" * (headings + line.endswith("\n"))
