"""By its first bytes, whether a capture is UTF-16, as some Windows shells write, and whether carriage returns alone end its lines;
and whether a line is text at all."""

from __future__ import annotations

import codecs
import re

from ..etdump.block import BASE64
from ..named_tuple import TYPE_CHECKING
from .host_prefix import HEAD_BYTES

if TYPE_CHECKING:
    from typing import TypeAlias

Decoder: TypeAlias = codecs.IncrementalDecoder
_TELLING_BYTES = 8
_JUDGED_BYTES = 16_384
_WORD = rb"[A-Za-z]{5,}"
_MOST_WORDS_OF_A_DISPLAY = 7
_CONTROLS = [chr(code) for code in range(32) if code not in (4, 7, 8, 9, 10, 13, 27)]


def wide_encoding(start: bytes, ended: bool = False) -> str | None:
    """The name of the encoding if it is UTF-16, "" if not, None while more of the first bytes are needed."""
    if start[:2] == b"\xff\xfe":
        return "utf-16-le"
    if start[:2] == b"\xfe\xff":
        return "utf-16-be"
    start = start[:_TELLING_BYTES]
    if start[:1] in (b"\xff", b"\xfe") and len(start) == 1 and not ended:
        return None
    even, odd = start[0::2], start[1::2]
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if not zeros.strip(b"\0") and all(others):
            if len(start) == _TELLING_BYTES or (ended and len(start) >= 4 and len(start) % 2 == 0):
                return name
            if not ended:
                return None
    return ""


def may_have_only_returns(head: bytes | bytearray) -> bool:
    """Whether carriage returns alone may end the lines of a capture that begins so, and more of it may still show that."""
    return b"\n" not in head and len(head) < HEAD_BYTES


def has_only_returns(head: bytes) -> bool:
    """True where carriage returns alone end the lines of a capture, by its beginning, as some serial tools write them.

    A display of progress ends its steps so, too, but repeats a few words, or erases what it overwrites.
    """
    head = head[:HEAD_BYTES]
    if wide := wide_encoding(head):
        head = head.decode(wide, "replace").encode("utf-8", "replace")
    if b"\n" in head or b"\r" not in head.rstrip(b"\r") or b"\x1b[K" in head:
        return False
    return len(set(re.findall(_WORD, head))) > _MOST_WORDS_OF_A_DISPLAY


class LineFeeds:
    """Makes line feeds of such returns, and as many bytes: places in the text are those in the capture."""

    def __init__(self, head: bytes = b"") -> None:
        """`head` is the beginning of the capture, which tells whether there is anything to do."""
        self._wanted = has_only_returns(head)
        self._wide = (wide_encoding(head) if self._wanted else "") or ""
        self._kept = b""
        """A return at the end of a piece: with a line feed behind it, it is one end of a line with that."""

    def __bool__(self) -> bool:
        """Whether returns become line feeds."""
        return self._wanted

    def of(self, data: bytes, final: bool = False) -> bytes:
        """The next piece; the last one is `final`."""
        if not self._wanted:
            return data
        data = self._kept + data
        if self._wide:
            return self._of_wide(data, final)
        self._kept = data[-1:] if data[-1:] == b"\r" and not final else b""
        data = data[: len(data) - len(self._kept)]
        return data.replace(b"\r\n", b" \n").replace(b"\r", b"\n")

    def _of_wide(self, data: bytes, final: bool) -> bytes:
        """The same for characters of two bytes."""
        low = self._wide == "utf-16-be"
        last = len(data) - len(data) % 2
        if not final and data[last - 2 : last] == "\r".encode(self._wide):
            last -= 2
        data, self._kept = (data, b"") if final else (data[:last], data[last:])
        ends, high = bytearray(data[low::2]), data[1 - low :: 2]
        at = ends.find(b"\r")
        while at >= 0:
            if not high[at : at + 1].strip(b"\0"):
                both = ends[at + 1 : at + 2] == b"\n" and high[at + 1 : at + 2] == b"\0"
                ends[at : at + 1] = b" " if both else b"\n"
            at = ends.find(b"\r", at + 1)
        changed = bytearray(data)
        changed[low::2] = ends
        return bytes(changed)


def decoder_of(name: str) -> Decoder:
    """A decoder for text that comes in pieces; what is no text becomes U+FFFD."""
    return codecs.getincrementaldecoder(name)("replace")


def undecodable(raw: bytes | bytearray) -> bool:
    """True where a quarter of a line, or more, is no text: a wrong baud rate, or binary data."""
    text = bytes(raw[:_JUDGED_BYTES]).decode("utf-8", "replace")
    odd = text.count("\ufffd") + sum(map(text.count, _CONTROLS))
    return odd > 0 and 4 * odd >= len(text)


_MOST_MARRED = 32
"""Characters of the start of an ETDump block that may be damaged."""


def is_base64(start: bytes, before: bytes) -> bool:
    """True where the start of a line is that of an ETDump block: the text of an `echo`, or what follows a `<<<"`."""
    opened = b'echo "' in start[:512] or before[-16:].rstrip().endswith(b'<<<"\\')
    return opened and len(start[512:3072].translate(None, BASE64)) <= _MOST_MARRED
