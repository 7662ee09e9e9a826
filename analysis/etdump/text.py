"""Base64 as it stands in a log, back to bytes: the ETDump and the debug buffer that a runner prints for the host.

Runners up to 0.7 leave the padding out; terminals break the line, host tools stamp the pieces, a lost connection ends it
anywhere.  What can be read is read, and it is said how much that was; nothing here raises.
"""

from __future__ import annotations

from binascii import a2b_base64
from typing import NamedTuple

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_SLICE = 1 << 20
_STAMP = frozenset("0123456789:.,-+/[]()TZ")


class Decoded(NamedTuple):
    """The bytes of a block, and how many characters of its text were no base64 and were passed over."""

    data: bytes
    passed_over: int


def decode_base64(text: str) -> Decoded:
    """Decode the text of a block: one line or several, with stamps before them or the shell's words around them."""
    raw = text.encode("ascii", "replace")
    junk = 0
    if raw.translate(None, _ALPHABET):
        pieces = []
        for line in text.splitlines():
            piece, lost = _piece(line)
            pieces.append(piece)
            junk += lost
        raw = b"".join(pieces)
    end = raw.find(b"=")
    if end >= 0:  # what stands behind the padding belongs to something else
        junk += len(raw[end:].strip(b"="))
        raw = raw[:end]
    rest = len(raw) % 4
    raw = raw[:-1] if rest == 1 else raw + b"=" * (-rest % 4)
    return Decoded(a2b_base64(raw), junk)


def decode_held(held: bytes | bytearray) -> Decoded:
    """Decode the text of a block; where all is base64, as usual, without a second copy of a long text."""
    data = bytearray()
    for start in range(0, len(held), _SLICE):
        raw = bytes(held[start : start + _SLICE])
        if len(raw) < _SLICE or raw.translate(None, _ALPHABET[:-1]):  # padding is left to the general way, too
            tail = decode_base64(held[start:].decode("ascii", "replace"))
            data += tail.data
            return Decoded(bytes(data), tail.passed_over)
        data += a2b_base64(raw)
    return Decoded(bytes(data), 0)


def _piece(line: str) -> tuple[bytes, int]:
    """The base64 of one line, and the number of characters that are neither that nor a stamp or a shell's word."""
    opened, quote, rest = line.partition('"')
    if quote:
        before = opened.split()
        if before and before[-1] in ("echo", "<<<"):
            line = rest.partition('"')[0]
        elif rest.lstrip().startswith((">", "| base64")):
            line = opened
        elif "base64" in opened:
            line = rest.partition('"')[0].replace("\\", "")
    words = line.split()
    good = [word for word in words if not word.encode("ascii", "replace").translate(None, _ALPHABET)]
    if len(good) == len(words):
        return "".join(words).encode("ascii"), 0
    if not good or words[-1] != good[-1] or not all(_is_stamp(word) for word in words[:-1]):
        return b"", sum(map(len, words))
    return words[-1].encode("ascii"), 0


def _is_stamp(word: str) -> bool:
    return _STAMP.issuperset(word) and not word.isalpha()
