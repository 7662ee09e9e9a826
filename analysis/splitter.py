"""Cuts bytes into lines as they come, in whatever pieces, and knows how the text of a capture is carried.

A line that never ends is cut, so that memory stays bounded.  Line numbers count ``\\n`` as editors do; a lone carriage
return (progress displays) gives several lines with one number, unless nothing else ends lines.
"""

from __future__ import annotations

import re

from .cleaning import clean, compiled, without_entities
from .line import Line
from .line_forms.encodings import Decoder, LineFeeds, decoder_of, is_base64, undecodable, wide_encoding
from .line_forms.host_prefix import LABEL, NOTEBOOK, Frame, frame_of, undecorated
from .line_forms.wrapped import NARROWEST, Wrapped, columns
from .lines import BASE64_LIMIT_BYTES, BROKEN_LIMIT, INSIDE, LINE_LIMIT_BYTES, broken, parse_line, pieces
from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_RETURNS = re.compile(rb"\r+")
_EMPTY_STRING = b' \t"\\nr,'
"""The characters of an empty output line in a notebook's file."""
_MOST_LABELS = 16


class LineSplitter:
    """Cuts a stream of bytes into lines, whatever the sizes of the chunks."""

    def __init__(self, known: Callable[[str], bool] = bool) -> None:
        """`known` tells whether a text is a known log line; some rows are joined only where they make one."""
        self._pending = bytearray()
        self._returned = False
        self._before = b""
        self.labels: tuple[str, ...] = ()
        """Names that stand before lines; each is a source of its own."""
        self._heard: set[str] = set()
        self.frame: Frame | None = None
        """What a tool put around every line; None where there is nothing."""
        self._named = False
        """True where the frame contains the name of a source, such as a service."""
        self._framed: Frame | None = None
        """The frame of the newest line that had one around a log prefix."""
        self._start: bytes | None = b""
        """The first bytes, until they tell the encoding; then None."""
        self.wide: Decoder | None = None
        """Converts bytes that are no lines as they come (UTF-16, changed text); None for plain text."""
        self.wrapped = Wrapped(known, lambda text: parse_line(0, text.encode("utf-8", "replace")))
        """Joins the rows of a narrow terminal."""
        self.returns = LineFeeds()
        """Makes line feeds of carriage returns, where these alone end lines."""
        self.altered = False
        """True once a line was restored from a web page or source code, or stands below a heading."""
        self.number = 1
        """Number of the line that is being received, from 1."""
        self.bytes = 0
        """Bytes fed so far."""
        self.undecodable = 0
        """Lines so far that are not text; carriage returns do not divide a line here, as in `lines`."""
        self.divided = 0
        """Lines so far that a carriage return alone ended."""
        self._odd_line = 0

    def feed(self, data: bytes, at: float | None = None) -> list[Line]:
        """Take the next bytes; return the lines that they complete. `at` is in seconds."""
        self.bytes += len(data)
        data = self.returns.of(data)
        if self._start is not None:
            data = self._encoding(self._start + data)
        if self.wide is not None:
            data = self.wide.decode(data).encode("utf-8", "replace")
        return self._lines(data, at) if data else []

    def _encoding(self, data: bytes, ended: bool = False) -> bytes:
        """Find out from the first bytes whether the input is UTF-16; return the bytes to read now."""
        wide = wide_encoding(data, ended)
        if wide is None:
            self._start = data
            return b""
        self._start = None
        if wide:
            self.wide = decoder_of(wide)
            return data[2:] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data
        return data

    def _lines(self, data: bytes, at: float | None) -> list[Line]:
        if self._returned:  # whether a carriage return ends a line alone is known only by the byte after it
            data = b"\r" + data
            self._returned = False
        lines: list[Line] = []
        parts = data.split(b"\n")
        last = parts.pop()
        for part in parts:
            if not part and not self._pending:
                self._before = b""
                lines.append(tuple.__new__(Line, (self.number, "", "", None, None, None, "", at, False, False, "", "")))
                self.number += 1
                continue
            if part[-1:] == b"\r":
                part = part.rstrip(b"\r")
            if b"\r" in part:
                part = self._progress(part, lines, at)
            if self._pending or len(part) > LINE_LIMIT_BYTES:
                self._keep(part)
                self._emit(self._taken(), lines, at)
            else:
                self._emit(part, lines, at)
            self.number += 1
        if b"\r" in last:
            self._returned = last[-1:] == b"\r"
            last = self._progress(last.rstrip(b"\r") if self._returned else last, lines, at)
        self._keep(last)
        return lines

    def _progress(self, part: bytes, lines: list[Line], at: float | None) -> bytes:
        """Emit the parts of a line that only carriage returns end; return what follows the last one."""
        *done, rest = _RETURNS.split(part)
        self.divided += len(done)
        for piece in done:
            if self._pending or len(piece) > LINE_LIMIT_BYTES:
                self._keep(piece)
                self._emit(self._taken(), lines, at)
            else:
                self._emit(piece, lines, at)
        return rest

    def _taken(self) -> bytes | bytearray:
        """Take the pending line out; a long one is handed over without a copy."""
        raw, self._pending = self._pending, bytearray()
        return raw if len(raw) > LINE_LIMIT_BYTES else bytes(raw)

    def _emit(self, raw: bytes | bytearray, lines: list[Line], at: float | None) -> None:
        self._before, width = bytes(raw[-32:]), columns(raw)
        if not raw.isascii():
            self._look_for_text(raw)
        if self.frame is NOTEBOOK and not raw.strip(_EMPTY_STRING) and not self.wrapped.waiting:
            lines.append(Line(self.number, str(raw, "ascii").rstrip(), "", None, None, None, "", at, False, False))
            return
        gap = " " if raw[-1:] == b" " else ""
        if b"&" in raw and len(raw) <= BROKEN_LIMIT:
            plain = without_entities(bytes(raw))
            self.altered, raw = self.altered or plain != raw, plain
        line = parse_line(self.number, raw, at, labels=self.labels, frame=self.frame)
        line = line if self.frame is None else self._as_it_stands(raw, line)
        if line.message and broken(line.message):
            found = pieces(line)
            if found[0] is not line:
                self._learn(line)
            if len(found) > 1:
                self.wrapped.beyond = max(self.wrapped.beyond, width)
            if len(found) == 1 or (len(found) == 2 and frame_of(found[0].message) is not None):
                found[-1] = self.wrapped.take(found[-1], width, gap)
            lines += found
        elif width >= NARROWEST or self.wrapped.waiting:
            lines.append(self.wrapped.take(line, width, gap))
        else:
            lines.append(line)

    def _as_it_stands(self, raw: bytes | bytearray, line: Line) -> Line:
        """Undo taking a frame off, where the line has a meaning only with it, as the index in `[0] = 0.5`."""
        known = self.wrapped.known
        if self._named and not line.stream:
            line = line._replace(stream=undecorated(line.text.lstrip())[1])
        elif line.stream and line.level and self._framed is not None and self.frame is not None:
            if self.frame.taken_off(body := line.text.lstrip()) is body:
                line = line._replace(
                    stream=""
                )  # the name stands before the frame, as above, where this was not yet known
        if line.level or known(line.message):
            return line
        plain = parse_line(line.number, raw, line.at, line.partial, self.labels)
        return plain if known(plain.message) else line

    def _look_for_text(self, raw: bytes | bytearray) -> None:
        if self._odd_line != self.number and undecodable(raw):
            self._odd_line = self.number
            self.undecodable += 1

    def _learn(self, line: Line) -> None:
        """Learn names and frames before lines: one seen twice is taken off lines without a log prefix too."""
        inside = compiled(INSIDE).search(line.message, 1)
        label = line.message[: inside.start()] if inside is not None and not line.level else ""
        frame = frame_of(label, line.text)
        if frame is not None:
            self.altered = self.altered or bool(frame.tail)
            self.frame = frame if frame in (self._framed, self.frame) else self.frame
            self._named = line.stream != ""
            self._framed = frame
            return
        if not compiled(LABEL).fullmatch(label):
            return
        if label in self._heard and len(self.labels) < _MOST_LABELS:
            self.labels += (label,)
        elif len(self._heard) < 4 * _MOST_LABELS:
            self._heard.add(label)

    def _keep(self, piece: bytes) -> None:
        limit = LINE_LIMIT_BYTES
        if len(self._pending) + len(piece) > limit:
            start = bytes(self._pending[:3072] + piece[:3072])
            if is_base64(start, self._before):
                limit = BASE64_LIMIT_BYTES
        self._pending += piece[: limit - len(self._pending)]

    @property
    def pending(self) -> bool:
        """True while the last line has no end yet."""
        return bool(self._pending) or self._returned or bool(self._start)

    @property
    def unfinished(self) -> str:
        """The text of the unfinished last line (a prompt has no line end), safe to print."""
        return clean(bytes(self._pending[:BROKEN_LIMIT]).decode("utf-8", "replace"))

    @property
    def plain(self) -> bool:
        """True where every line is read by itself: nothing to take off, no other encoding, no joined rows."""
        changed = self.wide is not None or bool(self.returns) or self.labels or self.frame is not None or self.altered
        return not (changed or self.wrapped.found)

    @property
    def carried(self) -> tuple[object, ...] | None:
        """What earlier lines taught that may change how later ones are read; None in the middle of something."""
        if self.pending or not self.plain or self.wrapped.waiting or self.wrapped.joined:
            return None
        return self.wrapped.widest, frozenset(self._heard), self._framed

    @property
    def lines(self) -> int:
        """Number of lines so far, an unfinished last one included."""
        return self.number if self.pending else self.number - 1

    def finish(self, at: float | None = None) -> list[Line]:
        """Return the unfinished last line, if there is one, marked `partial`."""
        data = self.returns.of(b"", True)
        data = self._encoding(self._start + data, ended=True) if self._start else data
        if self.wide is not None:  # half a character says nothing
            data = self.wide.decode(data, True).rstrip("\ufffd").encode("utf-8", "replace")
        lines = self._lines(data, at) if data else []
        if not self.pending:
            return lines
        raw = self._taken()
        self._look_for_text(raw)
        raw = without_entities(bytes(raw)) if b"&" in raw and len(raw) <= BROKEN_LIMIT else raw
        self._returned |= self.frame is NOTEBOOK and not raw.strip(_EMPTY_STRING + b"]}")  # the end of such a file
        line = parse_line(self.number, raw, at, not self._returned, self.labels, self.frame)
        line = line if self.frame is None else self._as_it_stands(raw, line)
        self._returned = False
        self.number += 1
        return [*lines, *(pieces(line) if broken(line.message) else (self.wrapped.take(line, 1),))]
