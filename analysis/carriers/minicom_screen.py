"""Terminals in which minicom ran, as `script` records them: it draws a screen, and so writes more than what it received.

When it scrolls, it writes the last column of a row below the row's end.  When a dialogue closes, it draws again what
stood below it, which the target printed once.
"""

from __future__ import annotations

from collections.abc import Callable

from ..cleaning import clean, compiled
from .joined_rows import JoinedRows

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
_BEGINS = r"[DIEF] \[|\s*\Z"
"""A row that is the rest of no other."""


def decoder_for(head: bytes, known: Callable[[str], bool]) -> type[MinicomScreen] | None:
    """The decoder, where this text holds the banner of minicom and sequences of a screen; the log that minicom writes holds neither."""
    return MinicomScreen if _BANNER in head and b"\x1b[" in head else None


def _without_dialogue(row: str) -> str:
    opened = compiled(_DIALOGUE).search(row)
    closed = [*compiled(_BACK).finditer(row, opened.end())] if opened is not None else []
    return row[: opened.start()] + row[closed[-1].end() :] if opened is not None and closed else row


class MinicomScreen(JoinedRows):
    r"""Joins the rows that it broke and leaves out dialogues.

    Example:
        >>> MinicomScreen().decode(b"six\r\n\x1b[1;4Ht\x1b[2;1Hy\r\n\x1b[1;4H \x1b[2;1Htwo\r\n", final=True)
        'sixty\r\n\r\ntwo\r\n'
    """

    def __init__(self) -> None:
        super().__init__("\r\n")
        self._columns = 0
        """Of the newest row; -1 where its rest is lost."""

    def _above(self, row: str) -> str:
        row = _without_dialogue(row.rstrip("\r"))
        drawn = compiled(_LAST_COLUMN).match(row)
        if drawn is not None:
            row = row[drawn.end() :]
        full, self._columns = self._columns, -1 if compiled(_BEYOND).search(row) else len(clean(row))
        if drawn is not None and self._parts and full == int(drawn[1]) - 1:
            self._parts.append(drawn[2])
            if compiled(_BEGINS).match(row) is None and self._open:
                self._go_on(row)
                return ""
        return self._begin(row)
