"""A window on the lines of a file of any size: nothing is kept but where every so many bytes the line count stands.

A list of all lines of a gigabyte would take many gigabytes.  Here a line is read when it is looked at; `grow` says how
far the file has been counted, so the window may be used while somebody else still reads.
"""

from __future__ import annotations

import contextlib
import os
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator

from ...analysis.lines import Line
from ...analysis.named_tuple import NamedTuple
from ...analysis.watching.dump_finder import seen
from ...analysis.watching.line_filter import LineFilter

STRIDE_BYTES = 1 << 18
"""Between two places where the number of lines is known."""
LONGEST_BYTES = 1 << 16
"""Bytes of a line beyond the stride in which it began that are shown."""
KEPT = 16
_TORN = re.compile(rb"[\x00\x1b]")


class _Span(NamedTuple):
    first: int
    """Number of the first line."""
    lines: list[bytes]


class LogWindow:
    """Lines by number, from a descriptor of a file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._linked = True
        self._most_bytes = 0
        with contextlib.suppress(OSError):
            facts = os.fstat(descriptor)
            self._linked, self._most_bytes = facts.st_nlink > 0, facts.st_size
        self._counts: array[int] = array("Q")
        self._spans: dict[int, _Span] = {}
        self.total = 0
        """Lines that can be asked for: from 1 to this."""
        self.counted = True
        """Whether these are all; whoever goes on counting says so."""

    def grow(self, counts: array[int]) -> None:
        """More was counted: line ends up to the end of each further stride, or of the file (see `LineCounter`)."""
        if counts:
            self._spans.pop(len(self._counts) - 1, None)  # its last line may have been cut
            self._counts += counts
            self.total = self._counts[-1]

    def trouble(self) -> str:
        """What has become of the file since it was opened, where that hides lines; empty while all is well."""
        if self._descriptor < 0:
            return ""
        try:
            facts = os.fstat(self._descriptor)
        except OSError as error:
            return f"it can no longer be read ({error.strerror or error})"
        if facts.st_size < self._most_bytes:
            return "the file has become shorter, and lines at its end are gone"
        self._most_bytes = facts.st_size
        return (
            "the file was removed; its lines are kept while this is open" if self._linked and not facts.st_nlink else ""
        )

    def close(self) -> None:
        """The file is not needed any more."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._spans.clear()

    def line(self, number: int) -> Line:
        """The line of this number; an empty one where the file has become shorter."""
        span = self._span(self._stride_of(number))
        index = number - span.first
        raw = span.lines[index] if 0 <= index < len(span.lines) else b""
        return seen(number, raw)

    def line_at(self, index: int) -> Line:
        """The same, counted from 0."""
        return self.line(index + 1)

    def matching(self, wanted: LineFilter, start: int = 1, end: int | None = None) -> Iterator[list[int]]:
        """The numbers of the lines from `start` to before `end` that pass: a list (often empty) for every stride."""
        first = self._stride_of(start)
        last = self._stride_of(end - 1) if end is not None else len(self._counts) - 1
        for index in range(first, last + 1 if end is None or end > start else first):
            found = self._passing(index, wanted)
            yield found[bisect_left(found, start) : None if end is None else bisect_left(found, end)]

    def before(self, wanted: LineFilter, end: int, start: int = 1) -> Iterator[list[int]]:
        """The same, the last stride first; the numbers of each still ascend."""
        first = self._stride_of(start)
        for index in range(self._stride_of(end - 1) if end > start else first - 1, first - 1, -1):
            found = self._passing(index, wanted)
            yield found[bisect_left(found, start) : bisect_left(found, end)]

    def _stride_of(self, number: int) -> int:
        """Where the line of this number begins."""
        return min(bisect_left(self._counts, number - 1) if number > 1 else 0, len(self._counts) - 1)

    def _passing(self, index: int, wanted: LineFilter) -> list[int]:
        span = self._read(index)
        needle, pattern = wanted.needle(), wanted.level_pattern()
        numbered: Iterator[tuple[int, bytes]] = enumerate(span.lines, span.first)
        whole = b"\n".join(span.lines)
        if (needle or pattern is not None) and not _TORN.search(whole):  # escapes may stand inside what is looked for
            lowered = whole.lower() if needle else whole
            if needle and needle not in lowered:
                return []
            if pattern is not None and pattern.search(whole) is None:
                return []
            numbered = (
                (number, raw)
                for number, raw in numbered
                if (not needle or needle in raw.lower()) and (pattern is None or pattern.search(raw))
            )
        return [number for number, raw in numbered if number <= self.total and wanted.passes(seen(number, raw))]

    def _span(self, index: int) -> _Span:
        span = self._spans.pop(index, None)
        if span is None:
            span = self._read(index)
            while len(self._spans) >= KEPT:
                del self._spans[next(iter(self._spans))]
        self._spans[index] = span
        return span

    @property
    def strides(self) -> int:
        """Pieces that the file was counted in so far; the last line of the newest may be cut."""
        return len(self._counts)

    @property
    def descriptor(self) -> int:
        """Of the file; negative once it is closed."""
        return self._descriptor

    def _read(self, index: int) -> _Span:
        """The lines whose beginning lies in a stride."""
        number = self._counts[index - 1] + 2 if index and self._counts else 1
        text = text_of_piece(self._descriptor, index) if self._descriptor >= 0 else None
        return _Span(number, text.split(b"\n") if text is not None else [])


def text_of_piece(descriptor: int, index: int) -> bytes | None:
    """The lines whose beginning lies in a stride of a file, with line feeds between: those behind a line end in it, and
    line 1 in the first; None where none begins there."""
    block = os.pread(descriptor, STRIDE_BYTES, index * STRIDE_BYTES)
    start = block.find(b"\n") + 1 if index else 0
    if index and not start:
        return None
    rest = os.pread(descriptor, LONGEST_BYTES, (index + 1) * STRIDE_BYTES)
    return block[start:] + rest.partition(b"\n")[0]


class LineCounter:
    """Counts line ends at every stride of a stream, for a `LogWindow`."""

    def __init__(self) -> None:
        self.lines = 0
        self._room = STRIDE_BYTES
        self._counts: array[int] = array("Q")
        self._last = b"\n"
        self._open = 0

    def feed(self, block: bytes) -> None:
        """The next bytes."""
        start = 0
        while start < len(block):
            end = min(len(block), start + self._room)
            found = block.count(b"\n", start, end)
            self.lines += found
            self._room -= end - start
            self._open += end - start
            if not self._room:
                self._counts.append(self.lines)
                self._room, self._open = STRIDE_BYTES, 0
            start = end
        if block:
            self._last = block[-1:]

    def finish(self) -> None:
        """The stream ended: an unfinished last line counts, and the last stride is shorter."""
        unfinished = self._last != b"\n"
        if self._open:
            self._counts.append(self.lines + unfinished)
        elif unfinished and self._counts:
            self._counts.append(self.lines + 1)  # a stride of nothing, behind the line's own end

    def take(self) -> array[int]:
        """The counts since the last call."""
        counts, self._counts = self._counts, array("Q")
        return counts
