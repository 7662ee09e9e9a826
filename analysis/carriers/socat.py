"""What `socat -v` writes of what it passes on: a heading stands before each packet, also where that begins inside a line."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..cleaning import compiled
from .changed_text import ChangedText

_HEADING = r"[<>] \d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6,9}  length=\d{1,10} from=\d{1,20} to=\d{1,20}\r?\n"
_INSIDE = rf"(?<=[^\n])(?:{_HEADING})+"
_BEGUN = r"[<>][ \r\w/:.=]{0,140}\Z"
"""What may go on as a heading."""
_LONGEST = 142


def decoder_for(head: bytes, known: Callable[[str], bool]) -> type[PassedOn] | None:
    """The decoder, where such a heading stands inside a line of this text."""
    return PassedOn if re.search(_INSIDE.encode(), head) is not None else None


class PassedOn(ChangedText):
    """Takes headings out of lines; the empty lines that this makes come behind the line, so that those below keep their numbers.

    Example:
        >>> PassedOn().decode(b"one> 2031/02/03 04:05:06.000000007  length=4 from=3 to=6\\n two\\n")
        'one two\\n\\n'
    """

    def __init__(self) -> None:
        super().__init__(_before_heading, self._joined)
        self._inside = ""
        """Some sign where the newest piece ended inside a line, as this tells a heading in it."""
        self._owed = 0
        """Lines that headings took, of which the end of this line gives an empty one each."""

    def _joined(self, text: str) -> str:
        told = compiled(rf"{_INSIDE}|\n").sub(self._ended, self._inside + text)
        self._inside, begun = "-" if told[-1:] not in ("", "\n") else "", len(self._inside)
        return told[begun:]

    def _ended(self, found: re.Match[str]) -> str:
        lines = found.group().count("\n")
        if found.group() != "\n":
            self._owed += lines
            return ""
        owed, self._owed = self._owed, 0
        return "\n" * (owed + 1)


def _before_heading(text: str) -> int:
    begun = compiled(_BEGUN).search(text, max(0, len(text) - _LONGEST))
    return len(text) if begun is None else begun.start()
