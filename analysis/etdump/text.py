"""Base64 as it stands in a log, back to bytes: the ETDump and the debug buffer that a runner prints for the host.

Runners up to 0.7 leave the padding out; terminals break the line, host tools stamp the pieces, a lost connection ends it
anywhere.  What can be read is read, and it is said how much that was; nothing here raises.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from typing import NamedTuple

from .block import BASE64
from .reader import announced_size, sniff

_SLICE = 1 << 20
_STAMP = frozenset("0123456789:.,-+/[]()TZ")


_ODD = re.compile(rb"[^A-Za-z0-9+/]")
_NO_DATA = bytes(set(range(256)) - set(BASE64[:-1]))
_MOST_DAMAGED = 16
"""Where more than one character of so many is no base64, nothing is believed of what stands behind the first of them."""


class Decoded(NamedTuple):
    """The bytes of a block, and how many characters of its text were no base64 and were passed over."""

    data: bytes
    passed_over: int


class Block(NamedTuple):
    """The bytes of a block of a log, some of whose characters may be damaged."""

    data: bytes
    passed_over: int
    damage: tuple[tuple[int, int], ...] = ()
    """Where bytes stand in `data` (from, up to) that characters stood for which are no base64; they are zero or half true."""
    odd: int = 0
    """Characters that are no base64, passed over or not."""
    cut: bool = False
    """True where `data` ends before the first of them, because nothing says where the text behind it belongs."""


def decode_base64(text: str) -> Decoded:
    """Decode the text of a block: one line or several, with stamps before them or the shell's words around them."""
    raw = text.encode("ascii", "replace")
    junk = 0
    if raw.translate(None, BASE64):
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
        if len(raw) < _SLICE or raw.translate(None, BASE64[:-1]):  # padding is left to the general way, too
            tail = decode_base64(held[start:].decode("ascii", "replace"))
            data += tail.data
            return Decoded(bytes(data), tail.passed_over)
        data += a2b_base64(raw)
    return Decoded(bytes(data), 0)


def decode_block(held: bytes | bytearray, *, complete: bool) -> Block:
    """Decode the text of a block, of which the end came if it is `complete`; some of its characters may be no base64.

    Where the text is as long as it should be, each of them took the place of another, and what is behind it is at its place.
    Where it is too long by just them, they stand between.  Else characters were lost nobody knows where.
    """
    if not held.translate(None, BASE64):
        return Block(*decode_held(held))
    raw = bytes(held)
    body = raw.rstrip(b"=")
    good = body.translate(None, body.translate(None, BASE64[:-1]))
    first = next(_ODD.finditer(body)).start()
    if _MOST_DAMAGED * (len(body) - len(good)) > len(body):
        return Block(_decode(body[:first]), 0, (), len(body) - len(good), True)
    odd = [found.start() for found in _ODD.finditer(body)]
    head = _decode(body[:16]) if first >= 16 else b""
    whole = announced_size(head) if sniff(head) else None
    if whole is not None:
        characters = -(-4 * whole // 3)
        fits = _as_long(raw, characters)
        inserted = _as_long(good, characters)
    else:
        characters, inserted = len(body), False
        fits = complete and len(raw) % 4 == 0
    if fits:
        data = _decode(_ODD.sub(b"A", body)[:characters])
        places = ((6 * place // 8, (6 * place + 5) // 8 + 1) for place in odd if place < characters)
        damage = tuple((start, min(end, len(data))) for start, end in places)
        return Block(data, 0, damage, len(odd) - body[characters:].count(b"="))
    before = _decode(body[:first])
    if whole is not None and (inserted or len(before) >= whole):
        return Block((_decode(good) if inserted else before)[:whole], len(odd), (), len(odd))
    unclear = 2 * body.count(b"\x7f")  # characters that may have been three
    if complete and whole is not None and not 0 < characters - len(body) <= unclear:
        return Block(_decode(good), len(odd), (), len(odd))
    return Block(before, 0, (), len(odd), True)


def _as_long(text: bytes, characters: int) -> bool:
    """True where a text has so many characters of data, with padding behind them or without."""
    return len(text) in (characters, characters + -characters % 4) and not text[characters:].translate(None, _NO_DATA)


def _decode(text: bytes) -> bytes:
    rest = len(text) % 4
    return a2b_base64(text[:-1] if rest == 1 else text + b"=" * (-rest % 4))


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
    good = [word for word in words if not word.encode("ascii", "replace").translate(None, BASE64)]
    if len(good) == len(words):
        return "".join(words).encode("ascii"), 0
    if not good or words[-1] != good[-1] or not all(_is_stamp(word) for word in words[:-1]):
        return b"", sum(map(len, words))
    return words[-1].encode("ascii"), 0


def _is_stamp(word: str) -> bool:
    return _STAMP.issuperset(word) and not word.isalpha()
