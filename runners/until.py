"""Notices the texts that a user says end a run, in raw output as it comes, whole line or not."""

from __future__ import annotations

from collections.abc import Iterable


class EndTexts:
    """Looks for texts in a stream of bytes; `seen` stays True once one was there."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(text.encode("utf-8", "surrogateescape") for text in texts if text)
        self._keep = max((len(text) for text in self._texts), default=1) - 1
        self._tail = b""
        self.seen = False

    def feed(self, data: bytes) -> None:
        """Take the next bytes; a text may begin in one piece and end in another."""
        if self.seen or not self._texts:
            return
        window = self._tail + data
        self.seen = any(text in window for text in self._texts)
        self._tail = window[-self._keep :] if self._keep else b""
