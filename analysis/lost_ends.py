"""Logs that lost the ends of their lines, as a page does to what was pasted into it as running text.

Where a log prefix, or another beginning that no line goes on with, stands in the text, a line begins there again.
"""

from __future__ import annotations

from .changed_text import ChangedText
from .cleaning import compiled

_LEAST = 3
"""Log prefixes in each line, on the average, where the ends of most of them are lost: two printers break into one another, too."""
_LONGEST = 128
"""Characters of a beginning, at most."""
_PREFIX = r"[DIEF?] (?:\d\d:\d\d:\d\d\.\d{6} )?\[?executorch:[\w.]{1,40}\."
_STAMP = r"(?:\[?\d[\dTZ.,-]{1,24}:[\d:.,Z]{2,24}\]? )?"
_OTHERS = (
    r"(?:Output|Input)\[\d{1,4}\]\[|OutputX? \d{1,4}: |telnetterminal\d|\*\*\* Booting Zephyr|Program complete|Application exit|"
    r"EXITTHESIM|(?<=[\s.])(?:Info|Warning|[EWID]): (?=[A-Z/])"
)
_BEGIN = rf"{_STAMP}(?:{_PREFIX}|{_OTHERS})"


def has_lost_ends(head: bytes) -> bool:
    """Whether the lines of this text hold several lines of the log each, in no quotes and with no ends written out."""
    if head.count(b"executorch:") <= _LEAST or rb"\n" in head or b'"I ' in head:
        return False
    lines = sum(1 for line in head.replace(b"\r", b"\n").split(b"\n") if b"executorch:" in line)
    return len(compiled(_PREFIX).findall(head.decode("utf-8", "replace"))) > _LEAST * lines


class LostEnds(ChangedText):
    """Ends a line where another one begins, as a carriage return does: all of them keep the number of the line that they stand in.

    Example:
        >>> LostEnds().decode(b"I [executorch:one.cpp:1] a I [executorch:two.cpp:2] b", final=True)
        '\\rI [executorch:one.cpp:1] a \\rI [executorch:two.cpp:2] b'
    """

    def __init__(self) -> None:
        super().__init__(_before_mark, _with_line_ends)


def _before_mark(text: str) -> int:
    end = max(0, len(text) - _LONGEST)
    blank = text.rfind(" ", max(0, end - _LONGEST), end)
    end = blank if blank >= 0 else end - _follows(text, end)  # what stands before a beginning is kept with it
    marks = [found.span() for found in compiled(_BEGIN).finditer(text, max(0, end - 2 * _LONGEST))]
    for start, behind in reversed(marks):
        if start < end <= behind:
            end = start - _follows(text, start)
    return end


def _follows(text: str, at: int) -> int:
    """Whether the character before this place tells if a line may begin here, as a number of characters."""
    return int(at > 0 and (text[at - 1] == "." or text[at - 1].isspace()))


def _with_line_ends(text: str) -> str:
    return compiled(_BEGIN).sub(r"\r\g<0>", text)
