"""Text that some program changed on its way here, and is changed back before lines are cut from it, in whatever pieces it comes."""

from __future__ import annotations

import codecs
from collections.abc import Callable


class ChangedText(codecs.IncrementalDecoder):
    """What every such decoder does: the end of a piece that may be the beginning of something waits for the next one."""

    def __init__(self, whole: Callable[[str], int], changed_back: Callable[[str], str]) -> None:
        """`whole` tells how many characters of a text need nothing of what comes next, `changed_back` is the text as it was."""
        super().__init__("replace")
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = ""
        self._whole, self._changed_back = whole, changed_back

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """The text of the next piece, changed back."""
        text = self._left + self._text.decode(data, final)
        whole = len(text) if final else self._whole(text)
        self._left = text[whole:]
        return self._changed_back(text[:whole])


def without_odd_backslash(text: str) -> int:
    """How many characters there are before a backslash at the end that stands before something; two stand before one another."""
    return len(text) - (len(text) - len(text.rstrip("\\"))) % 2
