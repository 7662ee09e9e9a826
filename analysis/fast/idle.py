"""Skips text of other programs in long captures: hours of heartbeats and kernel messages between runs, or without any
run.

Reading a line takes ten microseconds, even to find that it means nothing. With a 0 for each digit, such text has few
different lines. Each is judged once, and of many in a row only the first and the last are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import accumulate

from ..line_forms.host_prefix import host_time
from ..lines import Line, parse_line, pieces
from ..named_tuple import NamedTuple
from ..patterns import TABLE
from ..trust.nano import with_numbers

LEAST_LINES = 24
"""Fewer lines in a row are read."""
FIRST_READ, LAST_READ = 2, 1
"""What stood before may go on in the first of them, and what follows may be compared with the last."""
_MOST_SHAPES = 1 << 13
_SHAPE_BYTES = 512
_ALWAYS_JUDGED = 256
_LINES_PER_SHAPE = 32
"""Judging takes longer than reading: text whose lines are all different must not pay for it each time."""
_MEANS, _IDLE, _STAMPED, _BLANK = 0, 1, 2, 4
"""The last is added where nothing stands behind the stamp, if there is one."""
_MANY = re.compile(rb"[\1\2\5\6]{%d,}" % LEAST_LINES)
_ANY_STAMPED = re.compile(rb"[\2\6]")
_HEX = re.compile(rb"0x[0-9a-fA-F]+")
ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
"""Translation that turns a line into its shape."""
_TELLING = ("executorch", ".cpp", ".c:", ".h:", "put[", "Info: ", "OK ] ")


class Stretch(NamedTuple):
    """Whole lines that mean nothing, with other such lines before and after them."""

    begin: int
    end: int
    lines: int
    widest_bytes: int


class IdleText(dict[bytes, int]):
    """Which lines mean nothing, by their shape: whether they do, and whether they have a time stamp.

    Example:
        >>> text = b"".join(b"[%d.000001] heartbeat seq=%d\\n" % (second, second) for second in range(100, 200))
        >>> [(found.begin, found.lines) for found in IdleText().stretches(text)]
        [(62, 97)]
    """

    def __init__(self) -> None:
        super().__init__()
        self._lines = 0

    def __missing__(self, shape: bytes) -> int:
        room = _ALWAYS_JUDGED + self._lines // _LINES_PER_SHAPE
        if len(self) >= min(room, _MOST_SHAPES) or len(shape) > _SHAPE_BYTES:
            return _MEANS
        found = self[shape] = _judged(shape)
        return found

    def stretches(self, data: bytes) -> Iterator[Stretch]:
        """Stretches that reading `data` may skip; `data` begins with a line. Stamped lines are skipped only after such
        a line.
        """
        shapes = (_HEX.sub(b"0x0", data) if b"0x" in data else data).translate(ZEROS)
        found = bytes(map(self.__getitem__, BytesIO(shapes)))
        self._lines += len(found)
        many = list(_MANY.finditer(found))
        if not many:
            return
        ends = list(accumulate(map(len, BytesIO(data)), initial=0))
        for stretch in many:
            first, behind = stretch.span()
            stamped = _ANY_STAMPED.search(found, first, behind)
            if stamped is not None:
                first = stamped.start()  # a run that is open takes the first stamp that comes for its own
                if behind - first < LEAST_LINES:
                    continue
            first += FIRST_READ
            words = max(found.rfind(_IDLE, first, behind), found.rfind(_STAMPED, first, behind))
            behind = words if words >= 0 else behind - LAST_READ  # the last words of all are kept
            if behind <= first:
                continue
            begin, end = ends[first], ends[behind]
            widest = max(map(len, data[begin:end].replace(b"\r", b"").split(b"\n")))
            yield Stretch(begin, end, behind - first, widest)


def _judged(shape: bytes) -> int:
    raw = shape[:-1].rstrip(b"\r")
    if shape[-1:] != b"\n" or b"\r" in raw or b"\0" in raw or b"&" in raw or not raw.isascii():
        return _MEANS
    if b"\\" in raw:
        return _MEANS  # other digits behind it are other characters
    line = parse_line(1, raw)
    if line.message and (pieces(line) != [line] or not is_junk(line, line.message.encode())):
        return _MEANS
    if line.level or line.file is not None or line.eot:
        return _MEANS
    kind = _STAMPED if host_time(line.text) is not None else _IDLE
    return kind if line.message else kind | _BLANK


def is_junk(line: Line, body: bytes) -> bool:
    """Whether a line means nothing, and would mean nothing with other numbers in it."""
    message = line.message
    if message.encode() != body or line.level or line.eot:
        return False
    if any(word in message for word in _TELLING) or host_time(message) or message.startswith("E: "):
        return False
    if with_numbers(message) is not None or not TABLE.foreign(message):
        return False
    from ..collect.own_fault import may_be_of_report
    from ..host.interrupted import may_be_interruption
    from ..host.prompts import is_typed
    from ..patterns.errors import may_be_error

    told = may_be_interruption(message) or is_typed(message)
    return not (told or may_be_error(message) or may_be_of_report(message))
