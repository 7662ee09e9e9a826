"""Logs of SSCOM, which stamps packets and not lines: where a packet ends inside a line, the stamp of the next one stands in it.

SSCOM begins a line with each stamp.  Behind a packet that came to the end of a line, that leaves an empty line; where none
is left, the line goes on behind the stamp.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from ..cleaning import compiled

_MARK = "(?:\u6536\u2190\u25c6|\ufffd\u0561\ufffd{3})"
"""What SSCOM writes for "received", in UTF-8 and in GBK."""
_STAMP = rf"\r?\n\[\d\d:\d\d:\d\d\.\d{{3}}\]{_MARK}"
_INSIDE = rf"(?<=[^\r\n]){_STAMP}"
_LONGEST = 1 << 20


def decoder_for(head: bytes, known: Callable[[str], bool]) -> type[PacketStamps] | None:
    """The decoder, where some packets end inside of lines, and most where lines end."""
    if b"]\xe6\x94\xb6\xe2\x86\x90" not in head and b"]\xca\xd5\xa1\xfb" not in head:
        return None
    text = head.decode("utf-8", "replace")
    inside, stamps = len(compiled(_INSIDE).findall(text)), len(compiled(_STAMP).findall(text))
    return PacketStamps if 0 < 2 * inside < stamps else None


class PacketStamps(codecs.IncrementalDecoder):
    """Takes the stamps out of lines; the empty lines that this makes come behind the line, so that those below keep their numbers."""

    def __init__(self) -> None:
        super().__init__("replace")
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._before = self._left = ""
        self._owed = 0

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """The lines of the next piece; the end of one waits until it is known whether a stamp follows."""
        text = self._left + self._text.decode(data, final)
        end = len(text) if final or len(text) > _LONGEST else max(text.rfind("\n"), 0)
        end -= not final and text[end - 1 : end] == "\r"
        whole, self._left = text[:end], text[end:]
        told = compiled(rf"{_INSIDE}|\n").sub(self._joined, self._before + whole)
        told = told[len(self._before) :]
        self._before = (self._before + whole)[-1:].replace("\n", "\r")
        return told

    def _joined(self, found: re.Match[str]) -> str:
        if found.group() != "\n":
            self._owed += 1
            return ""
        owed, self._owed = self._owed, 0
        return "\n" * (owed + 1)
