"""The text of a console as it comes, unfinished lines included, without what could steer the terminal that shows it.

`lines.py` is for lines; this is for somebody who types to a board and waits for its prompt.
"""

from __future__ import annotations

import codecs
import re

from ..lines import clean

_LONGEST_ESCAPE = 4096
_OPEN_ESCAPE = re.compile(r"(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)?|\x9b[0-?]*[ -/]*)\Z")
"""An escape sequence that has begun and may go on in the next bytes."""
_MOVES = re.compile(r"([\n\r\b])")


class LiveText:
    """Takes bytes as they come and gives what may be shown; line feeds, returns and backspaces stay."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._open = ""

    def feed(self, data: bytes) -> str:
        """The next bytes as text.

        Example:
            >>> live = LiveText()
            >>> live.feed(b"\\x1b[1;3") + live.feed(b"2muart:~$ ")
            'uart:~$ '
        """
        text = self._open + self._decoder.decode(data)
        self._open = ""
        begun = _OPEN_ESCAPE.search(text, max(0, len(text) - _LONGEST_ESCAPE))
        if begun is not None and begun[0]:
            text, self._open = text[: begun.start()], begun[0]
        return "".join(piece if piece in "\n\r\b" else clean(piece) for piece in _MOVES.split(text))
