"""Text that some program changed on its way here, and is changed back before lines are cut from it, in whatever pieces it comes."""

from __future__ import annotations

import codecs
from collections.abc import Callable

_LONG = 1 << 16
"""So many characters may wait without being looked at again only once an eighth more have come."""


class ChangedText(codecs.IncrementalDecoder):
    """What every such decoder does: the end of a piece that may be the beginning of something waits for the next one."""

    def __init__(self, whole: Callable[[str], int], changed_back: Callable[[str], str]) -> None:
        """`whole` tells how many characters of a text need nothing of what comes next, `changed_back` is the text as it was."""
        super().__init__("replace")
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = ""
        self._looked_at = 0
        """With fewer characters than this, what waits is not looked at again: it would be for each small piece of a long text."""
        self._whole, self._changed_back = whole, changed_back

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """The text of the next piece, changed back."""
        text = self._left + self._text.decode(data, final)
        if not final and len(text) < self._looked_at:
            self._left = text
            return ""
        whole = len(text) if final else self._whole(text)
        self._left = text[whole:]
        self._looked_at = len(self._left) + len(self._left) // 8 if len(self._left) > _LONG else 0
        return self._changed_back(text[:whole])


def without_odd_backslash(text: str) -> int:
    """How many characters there are before a backslash at the end that stands before something; two stand before one another."""
    return len(text) - (len(text) - len(text.rstrip("\\"))) % 2
