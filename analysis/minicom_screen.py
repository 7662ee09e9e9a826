"""Terminals in which minicom ran, as `script` records them: it draws a screen, and so writes more than what it received.

When it scrolls, it writes the last column of a row below the row's end.  When a dialogue closes, it draws again what
stood below it, which the target printed once.
"""

from __future__ import annotations

import codecs

from .cleaning import clean, compiled

_BANNER = b"Welcome to minicom "
_ESCAPES = r"(?:\x1b(?:\[[0-?]{0,20}[A-Za-z]|\([0-2A-B]|[=>])){0,16}"
_LAST_COLUMN = rf"\A{_ESCAPES}?\x1b\[\d{{1,4}};(\d{{1,4}})H([^\x1b])\x1b\[\d{{1,4}};1H"
"""What stands before a row once the screen is full: the last column of the row above, and the way back."""
_DIALOGUE = rf"\x1b\[\d{{1,4}};\d{{1,4}}H{_ESCAPES}\+-{{3}}"
"""The upper edge of a dialogue."""
_BACK = r"\x1b\[\d{1,4};1H"
"""To where the cursor was before it opened."""
_BEYOND = r"\x1b\[\d{1,4};\d{1,4}H\Z"
"""Behind a row that did not fit and was not broken: the screen kept nothing of its rest."""
_LONGEST = 4 << 20
_BEGINS = r"[DIEF] \[|\s*\Z"
"""A row that is the rest of no other."""


def is_minicom(head: bytes) -> bool:
    """Whether this text holds the banner of minicom and sequences of a screen; the log that minicom writes holds neither."""
    return _BANNER in head and b"\x1b[" in head


def _without_dialogue(row: str) -> str:
    opened = compiled(_DIALOGUE).search(row)
    closed = [*compiled(_BACK).finditer(row, opened.end())] if opened is not None else []
    return row[: opened.start()] + row[closed[-1].end() :] if opened is not None and closed else row


class MinicomScreen(codecs.IncrementalDecoder):
    r"""Joins the rows that it broke and leaves out dialogues; empty lines behind a joined line keep the numbers of those below.

    Example:
        >>> MinicomScreen().decode(b"six\r\n\x1b[1;4Ht\x1b[2;1Hy\r\n\x1b[1;4H \x1b[2;1Htwo\r\n", final=True)
        'sixty\r\n\r\ntwo\r\n'
    """

    def __init__(self) -> None:
        super().__init__("replace")
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = ""
        self._parts: list[str] = []
        """Of the line that may go on in the next row, `_length` characters so far."""
        self._length = 0
        self._columns = 0
        """Of the newest row; -1 where its rest is lost."""
        self._rows = 1

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """The lines that are complete with this piece."""
        *rows, self._left = (self._left + self._text.decode(data, final)).split("\n")
        told = "".join(map(self._above, rows))
        if len(self._left) > _LONGEST and not final:  # no row is so long
            told += self._ended() + self._left
            self._left = ""
        if not final:
            return told
        last, self._left = self._left, ""  # more than one may ask for what is left
        return (told + self._above(last) + self._ended()).removesuffix("\r\n")

    def _above(self, row: str) -> str:
        """The line above this row, where it is complete."""
        row = _without_dialogue(row.rstrip("\r"))
        drawn = compiled(_LAST_COLUMN).match(row)
        if drawn is not None:
            row = row[drawn.end() :]
        columns = -1 if compiled(_BEYOND).search(row) else len(clean(row))
        if drawn is not None and self._parts and self._columns == int(drawn[1]) - 1:
            self._parts.append(drawn[2])
            if compiled(_BEGINS).match(row) is None and self._length < _LONGEST:
                self._parts.append(row)
                self._columns, self._rows, self._length = columns, self._rows + 1, self._length + len(row) + 1
                return ""
        told = self._ended()
        self._parts, self._columns, self._length = [row], columns, len(row)
        return told

    def _ended(self) -> str:
        parts, rows = self._parts, self._rows
        self._parts, self._rows = [], 1
        return "".join(parts) + "\r\n" * rows if parts else ""
