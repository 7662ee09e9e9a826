"""Tells the lines of our worker and of its jobs from those that a model's own code writes into the same descriptors.

A model is imported into the very process that reports on it, so nothing there is secret from code that searches memory.
What a token in each line does prevent is that stray writes (a loop over descriptors, a library that logs to the wrong
one) are taken for results, or break the reader.
"""

from __future__ import annotations

import json
import secrets
from typing import Any

_LONGEST_BYTES = 4 << 20
"""More than any line of ours; what goes on without an end is cut, so that nobody fills our memory."""


class SignedLines:
    """Bytes in, messages out: JSON objects with an `event`, from lines that carry the token."""

    def __init__(self, token: str | None = None) -> None:
        self.token = token or secrets.token_hex(16)
        self.foreign = 0
        """Lines that were not ours, or not only ours."""
        self._mark = f"{self.token} ".encode()
        self._rest = b""

    def feed(self, data: bytes) -> list[dict[str, Any]]:
        """The messages that these bytes complete."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST_BYTES:
            self._rest = self._rest[-_LONGEST_BYTES // 2 :]
        return [message for line in lines if (message := self._read(line)) is not None]

    def _read(self, line: bytes) -> dict[str, Any] | None:
        before, mark, text = line.rpartition(self._mark)
        if before or not mark:  # junk without a line end may stand before a line of ours
            self.foreign += 1
        try:
            message = json.loads(text) if mark else None
        except (ValueError, RecursionError):
            return None
        return message if isinstance(message, dict) and isinstance(message.get("event"), str) else None
