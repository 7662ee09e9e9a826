"""Bytes to clean lines: the only place where raw console output becomes text that may be shown.

Logs are untrusted.  Everything that could steer a terminal (escape sequences, control characters, bidirectional
overrides) is removed here, host timestamps and the ExecuTorch log prefix are taken apart, and a line that never ends is
cut, so that whatever is fed in, memory stays bounded.  Line numbers count ``\\n`` as editors do; a lone carriage return
(progress displays) gives several lines with one number.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LINE_LIMIT_BYTES = 1 << 20
"""Bytes of one line that are kept; what is beyond is counted, not stored (the raw file has it)."""
BASE64_LIMIT_BYTES = 36 << 20
"""The same for an ETDump block: a runner holds dump and text in one pool, so the default of 60 MiB gives no longer text."""

EOT = "\x04"
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")

_BREAK = re.compile(rb"\r+\n?|\n")
_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]+[0-~]|[0-Z\\^-~])?"
    r"|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f][^\x07\x9c]*[\x07\x9c]?"
)
_INVISIBLE = (*range(0x00, 0x09), *range(0x0A, 0x20), *range(0x7F, 0xA0), 0xAD, 0x061C, 0xFEFF)
_INVISIBLE += (*range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), *range(0xFFF9, 0xFFFC))
_DROP: dict[int, str | None] = {**dict.fromkeys(_INVISIBLE), 0x09: " "}
_DROP.update(dict.fromkeys(range(0xE0000, 0xE0080)))
_DROP.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))

_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?"
_HOST_TIME = re.compile(
    rf"(?:\[\d{{4}}-\d\d-\d\d[T ]{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?\]"
    rf"|\d{{4}}-\d\d-\d\d[T ]{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?"
    rf"|\[{_CLOCK}(?: \+?[\d.]+)?\]"
    rf"|{_CLOCK}(?= )"
    rf"|\[ *\d+\.\d{{3,6}}\]"
    rf"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d {_CLOCK}) ?"
)
_TIME_START = frozenset("0123456789[JFMASOND")
_PREFIX = re.compile(
    r"(?P<level>[DIEF?]) (?:(?P<time>\d\d:\d\d:\d\d\.\d{6}) )?"
    r"(?:\[?(?P<tag>executorch|ethosu-tui):|\[(?=[\w.-]+:\d+\]))"
    r"(?P<file>[^:\]\s]+)(?::(?P<line>\d{1,9}|zu|lu))?(?: (?P<function>[^\]]*?)\(\))?\] ?"
)
_BARE_PREFIX = re.compile(r"\[([\w.-]+\.(?:cpp|h)):(\d{1,9})\] ?")
"""The prefix of ExecuTorch's Python wheels, which print no level."""
_LEVEL_START = frozenset("DIEF?")


class Line(NamedTuple):
    """One line, safe to print: `text` as shown, `message` without host time and log prefix."""

    number: int
    text: str
    level: str
    file: str | None
    source_line: int | None
    function: str | None
    message: str
    at: float | None
    partial: bool
    """True when the input ended in the middle of this line."""
    eot: bool
    """True when the line carried the end-of-transmission byte 0x04 that ends a simulation."""
    data: str = ""
    """The base64 text of a line longer than `LINE_LIMIT_BYTES`; `text` and `message` then show only its beginning."""


def clean(text: str) -> str:
    """Remove everything that is not plain text; a tab becomes a space."""
    if text.isprintable():
        return text
    return _ESCAPE.sub("", text).translate(_DROP)


def parse_line(number: int, raw: bytes, at: float | None = None, partial: bool = False) -> Line:
    """Make a `Line` of the raw bytes between two line ends."""
    if number == 1 and raw[:2] in _BYTE_ORDER_MARKS:
        raw = raw[2:]
    if len(raw) > LINE_LIMIT_BYTES:
        return _base64_line(number, raw, at, partial)
    decoded = raw.decode("utf-8", "replace")
    text = clean(decoded)
    eot = text is not decoded and EOT in decoded
    body = text.lstrip()
    for _ in range(3):
        if not body or body[0] not in _TIME_START:
            break
        stamp = _HOST_TIME.match(body)
        if stamp is None:
            break
        body = body[stamp.end() :].lstrip()
    if body and body[0] in _LEVEL_START:
        match = _PREFIX.match(body)
        if match is not None:
            level, _time, _tag, file, source_line, function = match.groups()
            return Line(
                number,
                text.rstrip(),
                level,
                file,
                int(source_line) if source_line and source_line[-1] != "u" else None,
                function or None,
                body[match.end() :].strip(),
                at,
                partial,
                eot,
            )
    if body and body[0] == "[":
        bare = _BARE_PREFIX.match(body)
        if bare is not None:
            message = body[bare.end() :].strip()
            return Line(number, text.rstrip(), "", bare[1], int(bare[2]), None, message, at, partial, eot)
    return Line(number, text.rstrip(), "", None, None, None, body.rstrip(), at, partial, eot)


_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="


def _is_base64(start: bytes, before: bytes) -> bool:
    """True where the start of a line is that of an ETDump block: the text of an `echo`, or what follows a `<<<"`."""
    opened = b'echo "' in start[:512] or before[-16:].rstrip().endswith(b'<<<"\\')
    return opened and not start[512:3072].translate(None, _BASE64)


def _base64_line(number: int, raw: bytes, at: float | None, partial: bool) -> Line:
    quote = raw.find(b'"', 0, 512) + 1
    end = raw.find(b'"', quote)
    end = len(raw) if end < 0 else end
    shown = raw[:quote] + raw[quote : quote + 64] + b"..." + raw[end : end + 256]
    data = raw[quote:end].decode("ascii", "replace")
    return parse_line(number, shown, at, partial)._replace(data=data)


def host_time(text: str) -> str | None:
    """The time stamp of a host tool that this text begins with, as printed."""
    stamp = _HOST_TIME.match(text) if text[:1] in _TIME_START else None
    return stamp.group().strip() if stamp is not None else None


class LineSplitter:
    """Cut a stream of bytes into lines, whatever the chunk sizes are."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._returned = False
        self._before = b""
        self.number = 1
        """Number of the line that is being received."""
        self.bytes = 0
        """Bytes fed so far."""

    def feed(self, data: bytes, at: float | None = None) -> list[Line]:
        """Take the next bytes; return the lines that they complete."""
        self.bytes += len(data)
        if not data:
            return []
        if self._returned:  # whether a carriage return ends a line alone is known only by the byte after it
            data = b"\r" + data
        lines: list[Line] = []
        start = 0
        self._returned = False
        for end in _BREAK.finditer(data):
            self._keep(data[start : end.start()])
            start = end.end()
            newline = data[start - 1] == 0x0A
            if not newline and start == len(data):
                self._returned = True
                break
            self._before = bytes(self._pending)
            lines.append(parse_line(self.number, self._before, at))
            self._pending.clear()
            self.number += newline
        self._keep(data[start:])
        return lines

    def _keep(self, piece: bytes) -> None:
        limit = LINE_LIMIT_BYTES
        if len(self._pending) + len(piece) > limit:
            start = bytes(self._pending[:3072] + piece[:3072])
            if _is_base64(start, self._before):
                limit = BASE64_LIMIT_BYTES
        self._pending += piece[: limit - len(self._pending)]

    @property
    def pending(self) -> bool:
        """True while the last line has no end yet."""
        return bool(self._pending) or self._returned

    @property
    def lines(self) -> int:
        """Lines so far, an unfinished last one included."""
        return self.number if self.pending else self.number - 1

    def finish(self, at: float | None = None) -> list[Line]:
        """Give the unfinished last line, if there is one, marked `partial`."""
        if not self.pending:
            return []
        line = parse_line(self.number, bytes(self._pending), at, partial=not self._returned)
        self._pending.clear()
        self._returned = False
        self.number += 1
        return [line]
