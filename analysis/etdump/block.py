"""A base64 block of a log while it is being read: its text as it is printed, of which nothing is decoded here."""

from __future__ import annotations

import re

from ..cleaning import compiled
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from ..line import Line

ETDUMP_LIMIT_BYTES = 12 << 20
"""Base64 text of ETDump blocks that one run keeps."""
BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_OTHERS = r"[^\x00-\x7f]"
_MOST_LINES = 8


def _in_place(found: re.Match[str]) -> str:
    """As many characters as the bytes that were there; DEL where that cannot be known (no text at all: one to three)."""
    return "\x7f" if found.group() == "\ufffd" else "?" * len(found.group().encode("utf-8", "replace"))


class EtdumpBlock:
    """One base64 block of a run as printed: the file it is to become, its text in pieces, and whether its end was seen.

    `text` is the base64 text without line breaks; nothing of it is decoded or checked here.
    """

    __slots__ = ("_waiting", "complete", "file", "held", "inside", "line", "marred")

    def __init__(self, line: int, file: str | None = None) -> None:
        self.line = line
        self.file = file
        """"etdump.bin" or "debug_buffer.bin" as printed; None where the block was cut before its name."""
        self.held = bytearray()
        """The text as bytes: a string for each line of a block that was wrapped would cost twice as much."""
        self.complete = False
        """False where the log, a lost line or the limit cut the block."""
        self.marred: list[int] = []
        """Lines with characters that are no base64; each such character keeps its place in `held`."""
        self.inside: list[int] = []
        """Lines of another printer that stand inside the block."""
        self._waiting: list[int] = []

    @property
    def text(self) -> str:
        """The base64 text."""
        return self.held.decode("ascii")

    @property
    def size(self) -> int:
        """Characters of the text."""
        return len(self.held)

    def add(self, text: str, room: int, line: int = 0) -> bool:
        """Take more text, which stands on this line; False where there was no room for all of it."""
        raw = (text if text.isascii() else compiled(_OTHERS).sub(_in_place, text)).encode("ascii", "replace")
        whole = len(raw) <= room
        self.held += raw if whole else raw[: max(0, room)]
        if raw.translate(None, BASE64) and len(self.marred) < _MOST_LINES:
            self.marred.append(line or self.line)
        self.resume()
        return whole

    def interrupt(self, line: Line) -> None:
        """A line came that is not the block's: it stands inside where the block goes on after it."""
        if (line.level or line.file is not None) and len(self._waiting) < _MOST_LINES:
            self._waiting.append(line.number)

    def resume(self) -> None:
        """The block goes on, or ends as it should."""
        self.inside += self._waiting[: _MOST_LINES - len(self.inside)]
        self._waiting.clear()
