"""Logs that lost the ends of their lines, as a page does to what was pasted into it as running text.

Where a log prefix, or another beginning that no line goes on with, stands in the text, a line begins there again.
"""

from __future__ import annotations

from ..cleaning import compiled
from .changed_text import ChangedText

_LEAST = 3
"""Log prefixes in each line, on the average, where the ends of most of them are lost: two printers break into one another, too."""
_LONGEST = 128
"""Characters of a beginning, at most."""
_PREFIX = r"[DIEF?] (?:\d\d:\d\d:\d\d\.\d{6} )?\[?executorch:[\w.]{1,40}\."
_STAMP = r"(?:\[?\d[\dTZ.,-]{1,24}:[\d:.,Z]{2,24}\]? )?"
_OTHERS = (
    r"(?:Output|Input)\[\d{1,4}\]\[|OutputX? \d{1,4}: |telnetterminal\d|\*\*\* Booting Zephyr|Program complete|Application exit|"
    r"EXITTHESIM|(?<=\s)(?:ba)?sh: (?=[\w./-]{1,64}: command not found)|(?<=[\s.])(?:Info|Warning|[EWID]): (?=[A-Z/])"
)
_KIT = r"(?<![\w\"])(?:INFO|WARN|ERROR|DEBUG|TRACE) - "
_BANDWIDTH = r"[\w-]{4,8}(?: Flash)? bandwidth"
_VELA = (
    r"Network summary for \S|Accelerator configuration\s+Ethos|(?:System configuration|Memory mode)\s+[\w-]+(?=\s)|"
    r"(?:Accelerator clock|Neural network macs|Network Tops/s|Batch Inference time|"
    r"(?:NPU|Total|(?:SRAM|DRAM|(?:On|Off)-chip Flash) Access) cycles|Total (?:SRAM|DRAM|(?:On|Off)-chip Flash) used|"
    rf"(?:Design peak|Average|Input|Weight|Output|Total)\s+{_BANDWIDTH}(?:\s+per input)?)\s+\d|"
    r"[CN]PU operators = |(?<=\(batch size \d\))\s"
)
"""Of Vela's summary, whose last line ends with a bracket."""
_BRACKET = len("(batch size 1)")
_BEGIN = rf"{_STAMP}(?:{_PREFIX}|{_OTHERS}|{_KIT})|{_VELA}|(?<=\s)```"
_MARKS = (
    _PREFIX,
    _KIT,
    r"(?:Accelerator configuration|System configuration|Memory mode|Neural network macs|[CN]PU operators =|\d cycles/batch)\s",
)
"""What may stand several times in one line where ends are lost."""


def has_lost_ends(head: bytes) -> bool:
    """Whether the lines of this text hold several lines of the log each, in no quotes and with no ends written out."""
    if rb"\n" in head or b'"I ' in head:
        return False
    text = head.decode("utf-8", "replace").replace("\r", "\n")
    for mark in _MARKS:
        found = [len(compiled(mark).findall(line)) for line in text.split("\n")]
        if sum(found) > _LEAST * max(1, len(found) - found.count(0)):
            return True
    return False


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
    bracket = text.rfind("(", max(0, end - _BRACKET), end)
    return bracket if bracket >= 0 else end


def _follows(text: str, at: int) -> int:
    """Whether the character before this place tells if a line may begin here, as a number of characters."""
    return int(at > 0 and (text[at - 1] == "." or text[at - 1].isspace()))


def _with_line_ends(text: str) -> str:
    return compiled(_BEGIN).sub(r"\r\g<0>", text)
