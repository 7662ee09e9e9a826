"""The members of a tar archive as it streams by: from front to back, never seeking, nothing written, memory bounded.

The standard library's reader keeps every member and takes a name as long as the archive says; an archive is untrusted, so
this one reads the headers itself and holds one name at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..job import InputError
from .compression import BLOCK_BYTES, Readable

RECORD_BYTES = 512
_NAME_LIMIT_BYTES = 1 << 16
_HEADERS = 1_000_000
"""More headers than this in one archive are refused."""
_LINKS = {b"1": "a hard link", b"2": "a symbolic link", b"3": "a device", b"4": "a device", b"6": "a named pipe"}


def is_tar(head: bytes) -> bool:
    """True where data that begins so is a tar archive: its first header has the right checksum."""
    record = head[:RECORD_BYTES]
    return len(record) == RECORD_BYTES and record[0] != 0 and _checksum(record)


class TarMember(NamedTuple):
    """One entry: `what` says what it is when it is no file (then `blocks` is empty)."""

    name: str
    size_bytes: int
    what: str | None
    blocks: Iterator[bytes]


def tar_members(name: str, source: Readable) -> Iterator[TarMember]:
    """The entries in their order; what is not read of one is passed over.  Folders are left out.

    Raises:
        InputError: the archive is damaged or ends in the middle.
    """
    stream = _Exactly(name, source)
    long_name: str | None = None
    long_size: int | None = None
    sparse = False
    for _ in range(_HEADERS):
        record = stream.take(RECORD_BYTES, at_end=True)
        if not record.strip(b"\0"):  # two empty records end an archive; some have none
            return
        kind, size = record[156:157], _number(record[124:136])
        if not _checksum(record) or size is None:
            raise InputError(f"{name}: the archive is damaged (a header is wrong)", "pack or copy it again")
        if kind in (b"L", b"K", b"x", b"g"):
            text = stream.take(min(size, _NAME_LIMIT_BYTES))
            stream.skip(_padded(size) - len(text))
            if kind == b"L":
                long_name = text.rstrip(b"\0").decode("utf-8", "replace")
            elif kind == b"x":
                facts = _extended(text)
                long_name = facts.get(b"path", b"").decode("utf-8", "replace") or long_name
                declared = facts.get(b"size", b"")
                long_size = int(declared) if declared.isdigit() and len(declared) < 19 else None
                sparse = any(key.startswith(b"GNU.sparse") for key in facts)
            continue
        entry, length = long_name or _name(record), size if long_size is None else long_size
        what = _LINKS.get(kind) or ("a sparse file" if sparse or kind == b"S" else None)
        long_name, long_size, sparse = None, None, False
        if kind in _LINKS:
            length = 0
        elif kind == b"S":
            more = record[482:483]
            while more.strip(b"\0"):
                more = stream.take(RECORD_BYTES)[504:505]
        rest = stream.portion(length)
        if kind != b"5":
            yield TarMember(entry, length, what, iter(()) if what else rest)
        for _block in rest:
            pass
        stream.skip(_padded(length) - length)
    raise InputError(f"{name}: contains over {_HEADERS} entries", "unpack it, and give the folder")


class _Exactly:
    """Reads as many bytes as are asked for, or complains."""

    def __init__(self, name: str, source: Readable) -> None:
        self._name = name
        self._source = source

    def take(self, count: int, *, at_end: bool = False) -> bytes:
        data = b""
        while len(data) < count:
            more = self._source.read(count - len(data))
            if not more:
                if at_end and not data:
                    return b""
                raise InputError(f"{self._name}: the archive ends in the middle", "pack or copy it again")
            data += more
        return data

    def portion(self, count: int) -> Iterator[bytes]:
        while count:
            block = self._source.read(min(count, BLOCK_BYTES))
            if not block:
                raise InputError(f"{self._name}: the archive ends in the middle", "pack or copy it again")
            count -= len(block)
            yield block

    def skip(self, count: int) -> None:
        for _ in self.portion(count):
            pass


def _padded(size: int) -> int:
    return -(-size // RECORD_BYTES) * RECORD_BYTES


def _checksum(record: bytes) -> bool:
    field = record[148:156]
    own = sum(record) - sum(field) + 8 * 0x20
    return _number(field) == own


def _number(field: bytes) -> int | None:
    if field[:1] == b"\x80":  # GNU's form for what octal digits cannot hold
        value = int.from_bytes(field[1:], "big")
        return value if value < 1 << 62 else None
    digits = field.strip(b" \0")
    if not digits:
        return 0
    return int(digits, 8) if len(digits) <= 12 and not digits.strip(b"01234567") else None


def _name(record: bytes) -> str:
    name = record[:100].split(b"\0", 1)[0]
    if record[257:263] == b"ustar\0":
        prefix = record[345:500].split(b"\0", 1)[0]
        name = prefix + b"/" + name if prefix else name
    return name.decode("utf-8", "replace")


def _extended(text: bytes) -> dict[bytes, bytes]:
    """The facts of a pax header: "LENGTH KEY=VALUE\\n" again and again; the first that is wrong ends it."""
    facts: dict[bytes, bytes] = {}
    at = 0
    while at < len(text):
        digits = text[at : at + 8].split(b" ", 1)[0]
        if not digits.isdigit() or not len(digits) < int(digits) <= len(text) - at:
            break
        key, _, value = text[at + len(digits) + 1 : at + int(digits) - 1].partition(b"=")
        facts[key] = value
        at += int(digits)
    return facts
