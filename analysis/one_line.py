"""A notebook that some tool wrote in one line: the lines of its outputs are taken apart as if they were printed."""

from __future__ import annotations

import codecs
import re

from .cleaning import compiled

_TOKEN = r'\\[nr]|\\[^nr]|"'


class OneLineText(codecs.IncrementalDecoder):
    """Each string, and each line of text in one, becomes a line that a carriage return ends.

    So all of them keep the number of the line of the file that they stand in.

    Example:
        >>> OneLineText().decode(rb'["one\\ntwo"]')
        '[\\r"one\\r"two\\r"]'
    """

    def __init__(self) -> None:
        super().__init__("replace")
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = ""

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """The text of the next piece; a backslash at its end waits for what it stands before."""
        text = self._left + self._text.decode(data, final)
        odd = (len(text) - len(text.rstrip("\\"))) % 2
        self._left = text[len(text) - odd :]
        return compiled(_TOKEN).sub(_divided, text[: len(text) - odd])


def _divided(found: re.Match[str]) -> str:
    token = found.group()
    return '\r"' if token in ('"', "\\n", "\\r") else token
