"""Reads lines and counts the bytes at which they stand, so that both always speak of the same place in the capture.

What is known to change no report (the elements of a long dump, runs that somebody else has read) is counted on both sides
and read on neither. `scan` decides what is read so, and what becomes of the runs.
"""

from __future__ import annotations

from .capture import CaptureReader
from .draft_parts import FIRST_VALUES
from .fast.line_places import LinePlaces
from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .fast.elements import Elements
    from .lines import Line


class PlacedReader:
    """A `CaptureReader` with the places of its lines."""

    def __init__(self, source: str, taken: Callable[[list[Line]], None]) -> None:
        """`taken` is told the lines of each piece that was read, while `places` still knows the bytes of that piece."""
        self.reader = CaptureReader(source)
        self.places = LinePlaces()
        self._taken = taken

    def read(self, block: bytes) -> None:
        """Read line by line, but pass over the elements of long dumps, and over dumps that come again and again."""
        if b"put[" not in block:
            self._read_lines(block)
            return
        from .fast.stamped_elements import next_dump  # most captures have no dumps

        at, found = 0, next_dump(block, 0 if self.reader.at_line_start else max(0, block.find(b"\n")))
        while found is not None:
            if found.times > 1:
                at = self._read_repeated(block, at, found)
            else:
                at = self._read_dump(block, at, found)
            found = next_dump(block, found.end - 1)
        self._read_lines(block[at:])

    def pass_over(self, size_bytes: int, lines: int, recognised: int, runs: int = 1, left: int | None = None) -> None:
        """Count bytes and lines that are not read here; the rest as `CaptureReader.pass_over`."""
        self.reader.pass_over(size_bytes, lines, recognised, runs, left)
        self.places.skip(size_bytes, lines)

    def pass_repetitions(self, times: int, line_bytes: int) -> None:
        """Count the newest line `times` times more, all but the last of which are not read here."""
        self.reader.repeated(times, line_bytes)
        self.places.skip((times - 1) * line_bytes, times - 1)

    def end(self) -> list[Line]:
        """End the input; return its unfinished last line, if there is one."""
        self.places.open(b"")
        self.places.ended = True
        return self.reader.flush()

    def _read_lines(self, block: bytes) -> None:
        if block:
            self.places.open(block)
            self._taken(self.reader.skim(block))
            self.places.close()

    def _read_dump(self, block: bytes, at: int, found: Elements) -> int:
        """Read from `at` to the end of a dump, without the elements that only count; return how far that was."""
        first = found.begin
        known = self.reader.elements(found.kind, found.tensor)
        if known is None or known.count != found.first or known.dtype != found.dtype:
            for _ in range(min(FIRST_VALUES, found.count)):
                first = block.find(b"\n", first) + 1
        self._read_lines(block[at:first])
        last = block.rfind(b"\n", 0, found.end - 1) + 1
        shown = found.count - 1 - block.count(b"\n", first, last)
        known = self.reader.elements(found.kind, found.tensor)
        goes_on = known is not None and known.takes(found.first + shown, found.dtype)
        if known is not None and goes_on and first < last and found.widest <= self.reader.widest:
            lines = found.count - 1 - shown
            known.count = found.first + found.count - 1
            self.pass_over(last - first, lines, lines, runs=0)
            return last
        self._read_lines(block[first : found.end])
        return found.end

    def _read_repeated(self, block: bytes, at: int, found: Elements) -> int:
        """Read from `at` to the end of a dump that comes again and again; return how far that was.

        Two repetitions change nothing except line numbers, so only the first and the last are read.
        """
        size = (found.end - found.begin) // found.times
        begin = found.begin + 2 * size
        self._read_lines(block[at:begin])
        before, at = self.reader.recognised, begin + 2 * size
        self._read_lines(block[begin:at])
        passed = (found.times - 8) // 2 * 2
        if self.reader.recognised - before == 2 * found.count and self.reader.elements(found.kind, found.tensor):
            self.pass_over(passed * size, passed * found.count, passed * found.count, runs=0)
            at += passed * size
        self._read_lines(block[at : found.end])
        return found.end
