"""Where lines stand in a capture, in bytes, so that any run of it can be read again alone: for one block after the other.

Lines are counted by their newlines only, as everywhere; places are asked for from front to back.
"""

from __future__ import annotations


class LinePlaces:
    """Where lines begin, in bytes: for those of the block that is open, from front to back."""

    def __init__(self) -> None:
        self._line = 1
        self._start = 0
        self._before = -1
        """Where the line before it begins, if that is known."""
        self._block = b""
        self.ended = False
        """True once no more bytes come."""
        self._block_start = 0
        self._seen = 0

    def open(self, block: bytes) -> None:
        """The next block."""
        self._block, self._block_start = block, self._seen
        self._seen += len(block)

    def start_of(self, line: int) -> int:
        """Where this line begins; -1 for one before the place reached, and for one that is not there yet."""
        while self._line < line:
            found = self._block.find(b"\n", max(0, self._start - self._block_start))
            if found < 0:
                return self._seen if self.ended else -1
            self._before, self._start = self._start, self._block_start + found + 1
            self._line += 1
        return self._start if self._line == line else self._before if self._line == line + 1 else -1

    def raw_line(self) -> bytes:
        """The line that the last place began, as far as it is in this block; empty where it began before it."""
        begin = self._start - self._block_start
        return self._block[begin : self._block.find(b"\n", begin) + 1] if begin >= 0 else b""

    @property
    def line(self) -> int:
        """The line reached."""
        return self._line

    @property
    def reached(self) -> int:
        """Bytes of the capture that were seen."""
        return self._seen

    def skip(self, size_bytes: int, lines: int) -> None:
        """Whole lines were read elsewhere."""
        self._seen += size_bytes
        self._line += lines
        self._start, self._before = self._seen, -1

    def close(self) -> None:
        """The block is done: go to its last line, which is unfinished."""
        begin = max(0, self._start - self._block_start)
        self._line += self._block.count(b"\n", begin)
        last = self._block.rfind(b"\n", begin)
        if last >= 0:
            before = self._block.rfind(b"\n", begin, last)
            self._before = self._block_start + before + 1 if before >= 0 else self._start
            self._start = self._block_start + last + 1
