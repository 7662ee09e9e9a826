"""Texts that end a run, found in bytes as they come: on cleaned lines, also in one that has no end yet, as a prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..analysis.lines import clean

_ODD = re.compile(rb"[^\x20-\x7e\r\n]")
"""Without such a byte there is nothing to clean."""
_KEPT_BYTES = 8192
"""Of a line without an end, this much is looked at again when more of it comes."""


class Until:
    """Looks for any of several texts; a text stands within one line."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(text for text in texts if text)
        self._raw = [(text, text.encode("utf-8", "replace")) for text in self.texts]
        self._kept = b""

    def feed(self, data: bytes) -> str | None:
        """Take the next bytes; the text that they complete, if they do.

        Example:
            >>> until = Until(["login:"])
            >>> until.feed(b"board lo"), until.feed(b"\\x1b[1mgin: ")
            (None, 'login:')
        """
        if not self.texts or not data:
            return None
        whole = self._kept + data
        self._kept = whole[max(whole.rfind(b"\n"), whole.rfind(b"\r")) + 1 :][-_KEPT_BYTES:]
        if _ODD.search(whole) is None:
            return next((text for text, raw in self._raw if raw in whole), None)
        for line in whole.replace(b"\r", b"\n").split(b"\n"):
            text = clean(line.decode("utf-8", "replace"))
            for wanted in self.texts:
                if wanted in text:
                    return wanted
        return None
