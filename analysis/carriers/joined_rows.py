"""Lines that some program broke into rows, in whatever pieces they come: what belongs to one line is joined again."""

from __future__ import annotations

import codecs

LONGEST = 4 << 20
"""Characters of a row, or of a line out of rows, behind which nothing more is waited for."""


class JoinedRows(codecs.IncrementalDecoder):
    """What every such decoder does; empty lines behind a joined line keep the numbers of those below."""

    def __init__(self, end: str) -> None:
        """`end` is how lines end that are given."""
        super().__init__("replace")
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._end = end
        self._left = ""
        self._parts: list[str] = []
        """Of the line that may go on in the next row, out of `_rows` and about `_length` characters so far."""
        self._rows = self._length = 0

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """The lines that are complete with this piece."""
        *rows, self._left = (self._left + self._text.decode(data, final)).split("\n")
        told = "".join(map(self._above, rows))
        if len(self._left) > LONGEST and not final:
            told += self._ended() + self._left
            self._left = ""
        if not final:
            return told
        last, self._left = self._left, ""  # more than one may ask for what is left
        return (told + self._above(last) + self._ended()).removesuffix(self._end)

    def _above(self, row: str) -> str:
        """The line above this row, where it is complete."""
        raise NotImplementedError

    def _shown(self, line: str) -> str:
        """A whole line as it was before it was broken."""
        return line

    @property
    def _open(self) -> bool:
        """Whether there is a line that may go on."""
        return bool(self._parts) and self._length < LONGEST

    def _begin(self, row: str) -> str:
        """The line above this row, which begins another."""
        told = self._ended()
        self._parts, self._rows, self._length = [row], 1, len(row)
        return told

    def _go_on(self, row: str) -> None:
        self._parts.append(row)
        self._rows, self._length = self._rows + 1, self._length + len(row) + 1

    def _ended(self) -> str:
        parts, rows, self._parts, self._rows = self._parts, self._rows, [], 0
        return self._shown("".join(parts)) + self._end * rows
