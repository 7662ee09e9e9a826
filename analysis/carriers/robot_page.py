"""The page that Robot Framework makes of its tests (log.html): all that was logged are strings of a script, the long ones compressed.

Each line of such a string becomes one that a carriage return ends, so all keep the number of the line of the page.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable

from ..cleaning import compiled
from .changed_text import ChangedText
from .robot import is_told_again

_PAGE = rb'<html\b[^>]{0,80}\bid="?robot\b|<meta content="(?:Robot Framework|Rebot) \d[^"\n]{0,120}" name="Generator"'
_PAGE_BYTES = 4096
"""So far in front the page says what it is."""
_STRINGS = 'window.output["strings"]'
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_PACKED = r"e[AFJN][A-Za-z0-9+/]{20,}={0,2}"
"""Text that was compressed and written as base64; any other has an asterisk in front."""
_VALUE = r"[$@&]\{[^}\n]{1,80}\} = "
"""A message that shows the beginning of a value which was printed elsewhere."""
_CUT = "    [ Message content over the limit has been removed. ]"
"""What stands in place of the middle of a failure's message, where it is the status of a test; the keyword that failed has all of it."""
_ESCAPED = {"n": "\r", "r": "\r", "t": "\t"}
_LONGEST = 64 << 20
"""Characters of a line of the page, behind which it is taken as it stands."""
_MOST_BYTES = 20 << 20
"""Of all strings that were compressed together: a page of a megabyte may hold a gigabyte of blanks, and a line of it is read at once."""


def decoder_for(head: bytes, known: Callable[[str], bool]) -> type[RobotPage] | None:
    """The decoder, where this is such a page by its first tag or by the program that wrote it."""
    return RobotPage if re.search(_PAGE, head[:_PAGE_BYTES]) is not None else None


class RobotPage(ChangedText):
    """Gives the strings of its messages as lines, and all else as it stands.

    Example:
        >>> RobotPage().decode(b'window.output["strings"] = window.output["strings"].concat(["*one\\\\ntwo"]);', True)
        'one\\rtwo\\r'
    """

    def __init__(self) -> None:
        super().__init__(_whole_lines, self._lines_of_strings)
        self._room = _MOST_BYTES
        self._said: set[int] = set()
        """Hashes of the messages of several lines."""
        self.left_out = 0
        """Strings that were not unpacked, or not to their end."""

    def _lines_of_strings(self, text: str) -> str:
        if _STRINGS not in text:
            return text
        rows = text.split("\n")
        return "\n".join(self._messages(row) if row.lstrip().startswith(_STRINGS) else row for row in rows)

    def _messages(self, row: str) -> str:
        told = map(self._message, compiled(_STRING).findall(row.partition(_STRINGS)[2].replace('["strings"]', "", 1)))
        return "".join(f"{message}\r" for message in told if message and self._is_new(message))

    def _is_new(self, message: str) -> bool:
        if _CUT in message or compiled(_VALUE).match(message) is not None or is_told_again(message, self._said):
            return False
        if "\r" in message:
            self._said.add(hash(message))
        return True

    def _message(self, string: str) -> str:
        """A string as it was logged, with carriage returns for the ends of its lines; nothing for what is no text."""
        if string[:1] == "*":
            return compiled(r"\\(x[0-9a-fA-F]{2}|.)").sub(_unescaped, string[1:])
        if compiled(_PACKED).fullmatch(string) is None:
            return ""
        if self._room <= 0:
            self.left_out += 1
            return ""
        packed = zlib.decompressobj()
        try:
            data = packed.decompress(base64.b64decode(string), self._room)
        except (binascii.Error, zlib.error):
            return ""
        self.left_out += not packed.eof
        self._room -= len(data)
        return data.decode("utf-8", "replace").replace("\n", "\r")


def _whole_lines(text: str) -> int:
    end = text.rfind("\n") + 1
    return end if len(text) - end < _LONGEST else len(text)


def _unescaped(found: re.Match[str]) -> str:
    sign = found[1]
    return chr(int(sign[1:], 16)) if len(sign) > 1 else _ESCAPED.get(sign, sign)
