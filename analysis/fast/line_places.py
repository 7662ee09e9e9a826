"""Where lines begin in a capture, in bytes, so that any run of it can be read again alone; one block is open at a time.

Lines are counted by their newlines only, as everywhere. Most places are asked for from front to back.
"""

from __future__ import annotations

import re


class LinePlaces:
    """The places of the lines in the open block."""

    def __init__(self) -> None:
        self._line = 1
        self._start = 0
        self._before = -1
        """Where the line before it begins, if known."""
        self._block = b""
        self.ended = False
        """True once no more bytes come."""
        self._block_start = 0
        self._seen = 0
        self._opened = (1, 0, -1)
        """The line reached at the start of the block, where it begins, and where the line before it begins."""
        self._ends: list[int] | None = None
        """Where the block's lines end, computed once a line before the one reached is asked for."""

    def open(self, block: bytes) -> None:
        """Continue with the next block."""
        self._block, self._block_start = block, self._seen
        self._seen += len(block)
        self._opened, self._ends = (self._line, self._start, self._before), None

    def start_of(self, line: int) -> int:
        """Byte at which this line begins; -1 for a line well before this block or not there yet."""
        while self._line < line:
            found = self._block.find(b"\n", max(0, self._start - self._block_start))
            if found < 0:
                return self._seen if self.ended else -1
            self._before, self._start = self._start, self._block_start + found + 1
            self._line += 1
        if self._line == line:
            return self._start
        if self._line == line + 1 and self._before >= 0:
            return self._before
        return self._earlier(line)

    def _earlier(self, line: int) -> int:
        """The place of a line before the one reached: runs of several boards are reported as they end, not as they
        began.
        """
        first, start, before = self._opened
        if line <= first:
            return start if line == first else before if line == first - 1 else -1
        if self._ends is None:
            self._ends = [found.start() for found in re.finditer(rb"\n", self._block)]
        return self._block_start + self._ends[line - first - 1] + 1

    def raw_line(self, start: int) -> bytes:
        """The line that begins at this byte, as far as this block holds it; empty where it began before the block."""
        begin = start - self._block_start
        return self._block[begin : self._block.find(b"\n", begin) + 1] if begin >= 0 else b""

    @property
    def line(self) -> int:
        """Number of the line reached."""
        return self._line

    @property
    def reached(self) -> int:
        """Number of bytes of the capture seen so far."""
        return self._seen

    def skip(self, size_bytes: int, lines: int) -> None:
        """Count whole lines that were read elsewhere."""
        self._seen += size_bytes
        self._line += lines
        self._start, self._before = self._seen, -1

    def close(self) -> None:
        """Finish the block: go to its last, unfinished line."""
        begin = max(0, self._start - self._block_start)
        self._line += self._block.count(b"\n", begin)
        last = self._block.rfind(b"\n", begin)
        if last >= 0:
            before = self._block.rfind(b"\n", begin, last)
            self._before = self._block_start + before + 1 if before >= 0 else self._start
            self._start = self._block_start + last + 1
