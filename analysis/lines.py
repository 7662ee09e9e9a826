"""Bytes to clean lines: the only place where raw console output becomes text that may be shown.

Logs are untrusted.  Everything that could steer a terminal (escape sequences, control characters, bidirectional
overrides) is removed here, host timestamps and the ExecuTorch log prefix are taken apart, and a line that never ends is
cut, so that whatever is fed in, memory stays bounded.  Line numbers count ``\\n`` as editors do; a lone carriage return
(progress displays) gives several lines with one number, unless nothing else ends lines.
"""

from __future__ import annotations

import re

from .carriers.encodings import Decoder, LineFeeds, decoder_of, is_base64, undecodable, wide_encoding
from .carriers.host_prefix import LABEL, NOTEBOOK, Frame, frame_of, undecorated, without_job
from .carriers.host_prefix import host_time as host_time
from .carriers.logcat import of_logcat
from .carriers.port_prefix import PORT_STARTS, place_before, port_prefix
from .carriers.quoted import is_quoted
from .carriers.wrapped import NARROWEST, Wrapped, columns
from .cleaning import SHOWN_ENDS, as_typed, compiled, without_entities, without_noise, without_shown_end
from .cleaning import clean as clean
from .line import LEVELS
from .line import Line as Line
from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LINE_LIMIT_BYTES = 1 << 20
"""Bytes of one line that are kept; what is beyond is counted, not stored (the raw file has it)."""
BASE64_LIMIT_BYTES = 10 << 20
"""The limit for an ETDump block: a runner's buffers are 2 MiB; 10 MiB take 15 minutes at 115200 baud."""

EOT = "\x04"
_RETURNS = re.compile(rb"\r+")
LOG_PREFIX = re.compile(
    r"(?P<level>[DIEF?]) (?:(?P<time>\d\d:\d\d:\d\d\.\d{6}) )?"
    r"(?:\[?(?P<tag>executorch|ethosu-tui|ET):|\[ExecuTorch: |\[(?=[\w.-]+:\d+\]))"
    r"(?P<file>[^:\]\s]+)(?::(?P<line>\d{1,9}|zu|lu))?(?: (?P<function>[^\]\[]*?)\(\))?\] ?"
)
_INSIDE = (
    r"[DIEF?] (?:\d\d:\d\d:\d\d\.\d{6} )?(?:\[?executorch:|\[(?:ET:|ExecuTorch: )?(?=[\w.-]{1,80}\.(?:cpp|c|h):\d))"
    r"|Info: (?=Simulation is stopping|/OSCI/SystemC)"
    r"|[EWI]: (?=\S.{0,200}\([\w./-]{1,80}\.[ch]:\d{1,6}\)\s*\Z)"
)
"""Where the line of another printer may begin inside a line: a log prefix, the simulator, the NPU driver."""
_KERNEL = rf"{_INSIDE}|\[(?=[ \d]{{5,7}}\.) {{0,4}}\d{{1,7}}\.\d{{6}}\] (?=[a-z])"
"""The same inside a line with a log prefix, where the kernel of an operating system prints to the same console."""
_EMPTY_STRING = b' \t"\\nr,'
"""The characters of an empty output line in a notebook's file."""
_WORDS = 24
"""Ordinary text almost always has a blank among so many characters."""
_MOST_PIECES = 8
_BROKEN_LIMIT = 16_384
_MOST_LABELS = 16


def parse_line(
    number: int,
    raw: bytes | bytearray,
    at: float | None = None,
    partial: bool = False,
    labels: tuple[str, ...] = (),
    frame: Frame | None = None,
) -> Line:
    """Make a `Line` of the bytes between two line ends; tools put `labels` before lines and a `frame` around them."""
    if len(raw) > LINE_LIMIT_BYTES:
        return _base64_line(number, raw, at, partial)
    raw = bytes(raw)
    if raw[-2:] in SHOWN_ENDS or raw[-1:] == b"`":
        raw = without_shown_end(raw)
    if not raw:
        return Line(number, "", "", None, None, None, "", at, partial, False)
    whole = raw
    if b"\0" in raw:
        raw = raw.replace(b"\0", b"")
    decoded = as_typed(raw.decode("utf-8", "replace"))
    text = clean(decoded)
    if text is decoded and raw is whole:
        body = text.lstrip()
        return _line(number, text, frame.taken_off(body) if frame else body, at, partial, False, labels)
    body = without_noise((clean(without_job(decoded)) if "\t" in decoded else text).lstrip())
    line = _line(number, text, frame.taken_off(body) if frame else body, at, partial, EOT in decoded, labels)
    if line.message and (" " not in line.message[:_WORDS] or 'echo "' in line.message):
        from .marked import base64_text  # only here: few lines have both base64 and something that is taken out

        return line._replace(data=base64_text(whole.decode("utf-8", "replace"), line.message))
    return line


def _line(
    number: int, text: str, body: str, at: float | None, partial: bool, eot: bool, labels: tuple[str, ...]
) -> Line:
    stream = ""
    if body[1:2] != " " or body[2:3] in " (" or body[0] not in LEVELS:
        logcat, whole = _from_logcat(number, text, body, at, partial, eot, stream), len(body)
        if logcat is None:
            body, stream = undecorated(body, labels)
            logcat = _from_logcat(number, text, body, at, partial, eot, stream) if len(body) != whole else None
        if logcat is not None:
            return logcat
    if body and body[0] in LEVELS:
        match = LOG_PREFIX.match(body)
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
                "",
                stream,
            )
    if body.startswith(PORT_STARTS):
        port = port_prefix(body)
        if port is not None:
            return Line(number, text.rstrip(), *port, at, partial, eot, "", stream)
    return Line(number, text.rstrip(), "", None, None, None, body.rstrip(), at, partial, eot, "", stream)


def _from_logcat(
    number: int, text: str, body: str, at: float | None, partial: bool, eot: bool, stream: str
) -> Line | None:
    """The line of an Android device's log, if this is one."""
    if "/" not in body[1:2] and not (body[:1].isdigit() and body[2:3] in "-0123456789"):
        return None
    level, message = of_logcat(body)
    if not level:
        return None
    file, source_line, message = place_before(message)
    return Line(number, text.rstrip(), level, file, source_line, None, message, at, partial, eot, "", stream)


def pieces(line: Line) -> list[Line]:
    """Split a line that another printer broke into; the pieces that were broken off are `partial`.

    A bare word before a log prefix is no torn line: a tool names each line's source that way.
    """
    found: list[Line] = []
    while len(found) < _MOST_PIECES:
        inside = compiled(_KERNEL if line.level else _INSIDE).search(line.message, 1)
        if inside is None or is_quoted(line.message, inside.start()):
            break
        head, tail = line.message[: inside.start()], line.message[inside.start() :]
        rest = _line(line.number, tail, tail, line.at, line.partial, line.eot, ())
        if not line.level and compiled(LABEL).fullmatch(head):
            found.append(rest._replace(text=line.text, stream=head.strip()))
            return found
        frame = None if line.level or found else frame_of(head)
        if frame is not None and frame.tail:
            return [parse_line(line.number, line.message.encode("utf-8", "replace"), line.at, line.partial, (), frame)]
        shown = line.text[: max(0, len(line.text) - len(tail))]
        found.append(line._replace(text=shown.rstrip(), message=head, partial=True, eot=False))
        line = rest._replace(stream=line.stream)
    found.append(line)
    return found


def broken(message: str) -> bool:
    """A cheap test that is True wherever `pieces()` may find something to split."""
    return (len(message) <= _BROKEN_LIMIT or message.startswith('echo "')) and (
        "executorch:" in message
        or "Info: " in message
        or (message[-1:] == ")" and (".c:" in message[-64:] or ".h:" in message[-64:]))
        or ".cpp:" in message
        or "] " in message
    )


def _base64_line(number: int, raw: bytes | bytearray, at: float | None, partial: bool) -> Line:
    quote = raw.find(b'"', 0, 512) + 1
    end = raw.find(b'"', quote)
    end = len(raw) if end < 0 else end
    shown = raw[:quote] + raw[quote : quote + 64] + b"..." + raw[end : end + 256]
    with memoryview(raw) as whole:
        data = str(whole[quote:end], "ascii", "replace")  # no second copy of what may be megabytes
    return parse_line(number, shown, at, partial)._replace(data=data)


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
        self.returns, self.altered = LineFeeds(), False
        """What makes line feeds of returns; True once a line was restored from a page or code, or stands below a heading."""
        self.number = 1
        """Number of the line that is being received, from 1."""
        self.bytes = 0
        """Bytes fed so far."""
        self.undecodable = 0
        """Lines so far that are not text; carriage returns do not divide a line here, as in `lines`."""
        self.divided = self._odd_line = 0
        """Lines so far that a carriage return alone ended."""

    def feed(self, data: bytes, at: float | None = None) -> list[Line]:
        """Take the next bytes; return the lines that they complete. `at` is in seconds."""
        self.bytes, data = self.bytes + len(data), self.returns.of(data)
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
        if b"&" in raw and len(raw) <= _BROKEN_LIMIT:
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
        inside = compiled(_INSIDE).search(line.message, 1)
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
        return clean(bytes(self._pending[:_BROKEN_LIMIT]).decode("utf-8", "replace"))

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
        raw = without_entities(bytes(raw)) if b"&" in raw and len(raw) <= _BROKEN_LIMIT else raw
        self._returned |= self.frame is NOTEBOOK and not raw.strip(_EMPTY_STRING + b"]}")  # the end of such a file
        line = parse_line(self.number, raw, at, not self._returned, self.labels, self.frame)
        line = line if self.frame is None else self._as_it_stands(raw, line)
        self._returned = False
        self.number += 1
        return [*lines, *(pieces(line) if broken(line.message) else (self.wrapped.take(line, 1),))]
