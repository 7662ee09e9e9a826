"""Terminals that asciinema recorded: a header, and a line of JSON for each piece of text as the terminal got it.

Such a piece is a line, a part of one, or several.  What the terminal got is read in their place; each of its lines keeps the
number of a line of the file that it stands in.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable

from ..cleaning import compiled

_HEADER = (
    r'\ufeff?\s*\{ ?"version": ?[23], ?[^\n]{0,4000}?"(?:width|term)":[^\n]{1,4000}\}\s*\n(?:#[^\n]{0,400}\n)?\s*\[ ?\d'
)
_OF_RECORDING = r"\ufeff?\s*(?:\[ ?\d|\{|#|\Z)"
"""How its events, its header and its comments begin: behind them another log may stand in the same file."""
_LONGEST = 4 << 20
"""Characters of one piece; more is no recording of a terminal."""


def decoder_for(head: bytes, known: Callable[[str], bool]) -> type[RecordedTerminal] | None:
    """The decoder, where a file that begins so is such a recording."""
    return RecordedTerminal if compiled(_HEADER).match(head.decode("utf-8", "replace")) is not None else None


class RecordedTerminal(codecs.IncrementalDecoder):
    """Makes the text that went to the terminal of its recording.

    Example:
        >>> RecordedTerminal().decode(b'{"version": 2, "width": 80}\\n[0.1, "o", "on"]\\n[0.2, "o", "e\\\\r\\\\ntwo"]\\n')
        '\\none\\n\\ntwo'
    """

    def __init__(self) -> None:
        super().__init__("replace")
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = ""
        self._behind = 0
        """Lines of the file since a line of the terminal ended."""
        self._begun = False
        """Whether something of the next one came."""

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """What the terminal got in the next lines of the file."""
        *whole, self._left = (self._left + self._text.decode(data, final)).split("\n")
        lines = [f"{line}\n" for line in whole]
        if final or len(self._left) > _LONGEST:
            lines.append(self._left)
            self._left = ""
        return "".join(map(self._shown, lines))

    def _shown(self, line: str) -> str:
        self._behind += 1
        first, *more = _printed(line).replace("\r\n", "\n").split("\n")
        if not more:
            if not first or self._begun:
                return first
            before, self._behind, self._begun = "\n" * (self._behind - 1), 1, True
            return before + first
        *whole, rest = more
        between, begun = "\n" * (self._behind - 1), self._begun
        self._behind, self._begun = 0, bool(rest)
        if not begun:
            return between + "\r".join((first, *whole)) + "\n" + rest
        return first + (between or "\r" * bool(whole)) + "\r".join(whole) + "\n" + rest


def _printed(line: str) -> str:
    """The text of this event, where it is one of the output; the line itself, where it is no line of a recording."""
    if '"o"' not in line[:64]:
        return "" if not line or compiled(_OF_RECORDING).match(line) is not None else line
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):  # cut, or damaged
        return ""
    told = isinstance(event, list) and len(event) > 2 and event[1] == "o" and isinstance(event[2], str)
    return str(event[2]) if told else ""
