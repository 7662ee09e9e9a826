"""Bytes to clean lines: the only place where raw console output becomes text that may be shown.

Logs are untrusted.  Everything that could steer a terminal (escape sequences, control characters, bidirectional
overrides) is removed here, and host timestamps and the ExecuTorch log prefix are taken apart.
"""

from __future__ import annotations

import re

from .cleaning import SHOWN_ENDS, as_typed, compiled, without_noise, without_shown_end
from .cleaning import clean as clean
from .line import LEVELS
from .line import Line as Line
from .line_forms.host_prefix import LABEL, Frame, frame_of, undecorated, without_job
from .line_forms.host_prefix import host_time as host_time
from .line_forms.logcat import of_logcat
from .line_forms.port_prefix import PORT_STARTS, place_before, port_prefix
from .line_forms.quoted import is_quoted

LINE_LIMIT_BYTES = 1 << 20
"""Bytes of one line that are kept; what is beyond is counted, not stored (the raw file has it)."""
BASE64_LIMIT_BYTES = 10 << 20
"""The limit for an ETDump block: a runner's buffers are 2 MiB; 10 MiB take 15 minutes at 115200 baud."""

EOT = "\x04"
LOG_PREFIX = re.compile(
    r"(?P<level>[DIEF?]) (?:(?P<time>\d\d:\d\d:\d\d\.\d{6}) )?"
    r"(?:\[?(?P<tag>executorch|ethosu-tui|ET):|\[ExecuTorch: |\[(?=[\w.-]+:\d+\]))"
    r"(?P<file>[^:\]\s]+)(?::(?P<line>\d{1,9}|zu|lu))?(?: (?P<function>[^\]\[]*?)\(\))?\] ?"
)
INSIDE = (
    r"[DIEF?] (?:\d\d:\d\d:\d\d\.\d{6} )?(?:\[?executorch:|\[(?:ET:|ExecuTorch: )?(?=[\w.-]{1,80}\.(?:cpp|c|h):\d))"
    r"|Info: (?=Simulation is stopping|/OSCI/SystemC)"
    r"|[EWI]: (?=\S.{0,200}\([\w./-]{1,80}\.[ch]:\d{1,6}\)\s*\Z)"
)
"""Where the line of another printer may begin inside a line: a log prefix, the simulator, the NPU driver."""
_KERNEL = rf"{INSIDE}|\[(?=[ \d]{{5,7}}\.) {{0,4}}\d{{1,7}}\.\d{{6}}\] (?=[a-z])"
"""The same inside a line with a log prefix, where the kernel of an operating system prints to the same console."""
_WORDS = 24
"""Ordinary text almost always has a blank among so many characters."""
_MOST_PIECES = 8
BROKEN_LIMIT = 16_384
"""Characters of a longer line are not looked through for what another printer began."""


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
        return _line(number, text, body, at, partial, False, labels, frame)
    body = without_noise((clean(without_job(decoded)) if "\t" in decoded else text).lstrip())
    line = _line(number, text, body, at, partial, EOT in decoded, labels, frame)
    if line.message and (" " not in line.message[:_WORDS] or 'echo "' in line.message):
        from .marked import base64_text  # only here: few lines have both base64 and something that is taken out

        return line._replace(data=base64_text(whole.decode("utf-8", "replace"), line.message))
    return line


def _line(
    number: int,
    text: str,
    body: str,
    at: float | None,
    partial: bool,
    eot: bool,
    labels: tuple[str, ...],
    frame: Frame | None = None,
) -> Line:
    stream = ""
    body = body if frame is None else frame.taken_off(body)
    if body[1:2] != " " or body[2:3] in " (" or body[0] not in LEVELS:
        logcat, whole = _from_logcat(number, text, body, at, partial, eot, stream), len(body)
        if logcat is None:
            body, stream = undecorated(body, labels)
            if stream and frame is not None and (inside := frame.taken_off(body)) is not body:
                body = undecorated(inside)[0]
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
    level, message = of_logcat(body, _is_error)
    if not level:
        return None
    file, source_line, message = place_before(message)
    return Line(number, text.rstrip(), level, file, source_line, None, message, at, partial, eot, "", stream)


def _is_error(message: str) -> bool:
    from .patterns.errors import is_error  # only here: such logs are old

    return is_error(message)


def pieces(line: Line) -> list[Line]:
    """Split a line that another printer broke into; the pieces that were broken off are `partial`.

    A bare word before a log prefix is no torn line: a tool names each line's source that way.
    """
    found: list[Line] = []
    while len(found) < _MOST_PIECES:
        inside = compiled(_KERNEL if line.level else INSIDE).search(line.message, 1)
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
    return (len(message) <= BROKEN_LIMIT or message.startswith('echo "')) and (
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
