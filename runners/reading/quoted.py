"""Single lines of a log by their numbers, for a report that quotes what it rests on."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...analysis.cleaning import clean
from ...analysis.line import SEVERE
from ...analysis.line_forms.encodings import LineFeeds, wide_encoding
from ...analysis.lines import LINE_LIMIT_BYTES, Line
from ...analysis.splitter import LineSplitter
from ..job import JobError
from .blocks import blocks, member_of
from .compression import MAGIC_BYTES, compression_of
from .paths import is_stream

MOST_BYTES = 1 << 30
"""A log is read again for a quotation as far as this: further on, nobody would wait for one line."""
MOST_UNPACKED_BYTES = 32 << 20
"""The same of what must be decompressed."""
MOST_ARCHIVE_BYTES = 64 << 20
MOST_PACKED_BYTES = 1 << 20
"""An archive that is larger, or packed as a whole and larger than this, is not gone through again for each of its logs."""
MOST_CONVERTED_BYTES = 4 << 20
"""Of a log whose line ends cannot be counted as they are (UTF-16, carriage returns alone)."""
_BEFORE, _AFTER = 100, 8
"""Lines around a quoted one that tell what stands before each, and whether a narrow terminal broke it."""

_SHARED = 400
"""Bytes of a line into which several printers wrote that is quoted as it stands, and not only what one of them wrote."""


def quoted_lines(path: str, numbers: Iterable[int]) -> dict[int, Line]:
    """Those of these lines that can be read again, in one pass that ends at the last; none of a pipe, which was read once.

    `path` is a log, `archive!member`, or a run folder.  What stands before a line is passed over by counting line feeds.
    """
    wanted = sorted(set(numbers), reverse=True)
    found: dict[int, Line] = {}
    log = os.path.join(path, "console.log") if os.path.isdir(path) else path
    most = 0 if not wanted or is_stream(log) else _most(log)
    if not most:
        return found
    before = read = 0
    rest = b""
    try:
        for block in blocks(log):
            if not read and (wide_encoding(block) or LineFeeds(block)):
                return _converted(log, set(wanted))
            read += len(block)
            data = rest + block
            ends = data.count(b"\n")
            while wanted and wanted[-1] <= before + ends:
                number = wanted.pop()
                found |= _line(data, number, before)
            if not wanted or read > most:
                return found
            before += ends
            rest = data[data.rfind(b"\n") + 1 :][:LINE_LIMIT_BYTES]
    except JobError:  # it was read before, and its report stands without the line as well
        return found
    if wanted[-1] == before + 1:
        found |= _line(rest, wanted[-1], before)
    return found


def _most(log: str) -> int:
    """As many bytes as are read again for a quotation from this log, by how it is packed."""
    file, member = member_of(log)
    try:
        with open(file, "rb") as stream:
            packed = compression_of(stream.read(MAGIC_BYTES)) is not None
            size = os.fstat(stream.fileno()).st_size
    except (OSError, ValueError):
        return 0
    if member is not None:
        return MOST_UNPACKED_BYTES if size <= (MOST_PACKED_BYTES if packed else MOST_ARCHIVE_BYTES) else 0
    return MOST_UNPACKED_BYTES if packed else MOST_BYTES


def _line(data: bytes, number: int, before: int) -> dict[int, Line]:
    """The line of this number from text that `before` line ends precede."""
    rows = data.split(b"\n")
    place = number - before - 1
    first = max(0, place - _BEFORE)
    splitter = LineSplitter()
    splitter.number = before + first + 1
    lines = splitter.feed(b"\n".join(rows[first : place + 1 + _AFTER])) + splitter.finish()
    parts = [line for line in lines if line.number == number]
    if not parts:
        return {}
    row = rows[place].rstrip(b"\r")
    told = next((line for line in parts if line.level in SEVERE), parts[-1])
    if len(parts) > 1 and b"\r" not in row and len(row) <= _SHARED:
        told = told._replace(text=clean(row.decode("utf-8", "replace")), file=None)
    return {number: told}


def _converted(log: str, wanted: set[int]) -> dict[int, Line]:
    """The same of a log whose text is not what its bytes are."""
    found: dict[int, Line] = {}
    splitter = LineSplitter()
    for block in blocks(log):
        if not splitter.bytes:
            splitter.returns = LineFeeds(block)
        found |= {line.number: line for line in splitter.feed(block) if line.number in wanted}
        if len(found) == len(wanted) or splitter.bytes > MOST_CONVERTED_BYTES:
            return found
    return found | {line.number: line for line in splitter.finish() if line.number in wanted}
