"""Consoles of which `ser2net` or `socat -x` kept the bytes: rows of two digits each, perhaps with their characters behind them."""

from __future__ import annotations

from ..cleaning import compiled
from ..lines import parse_line
from ..named_tuple import TYPE_CHECKING
from .joined_rows import LONGEST, JoinedRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_OF_SER2NET = r"(?:\d{4}/\d\d/\d\d \d\d:\d\d:\d\d )?term ((?:[0-9a-f]{2} ){1,16}) *\|.{1,16}\|\r?\Z"
"""What came from the port; what went to it stands behind another word."""
_OF_SOCAT = r"(?=.{48}  .{1,16}?\r?\Z)((?: [0-9a-f]{2}){1,16}) *(?!\S)"
_BARE = r"((?: [0-9a-f]{2})+)\r?\Z"
_HEADING = r"([<>]) \d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6,9}  length=\d{1,10} from=\d{1,20} to=\d{1,20}\Z"
_MARK = "--"
"""Behind each packet, where characters stand beside the digits."""
_LOOKED_AT, _MOST_OTHERS, _ENOUGH = 40, 4, 2
"""Rows in the beginning of such a file, of which one in so many has digits, and lines in them that must be of a log; the rest has fewer of those."""


def decoder_for(head: bytes, known: Callable[[str], bool]) -> type[HexRows] | None:
    """The decoder, where this text has rows of digits that are lines of a log; `known` tells whether a text is one."""
    rows = head.decode("utf-8", "replace").split("\n")
    if _MOST_OTHERS * sum(_bytes_of(row) is not None for row in rows[:_LOOKED_AT]) < len(rows[:_LOOKED_AT]):
        return None
    kept = HexRows().decode(head, True).replace("\r", "\n").split("\n")
    plain, freed = (sum(known(parse_line(1, line.encode()).message) for line in lines) for lines in (rows, kept))
    return HexRows if freed >= max(_ENOUGH, 2 * plain + 1) else None


def _bytes_of(row: str) -> bytes | None:
    for form in (_OF_SER2NET, _OF_SOCAT, _BARE):
        found = compiled(form).match(row)
        if found is not None:
            return bytes.fromhex(found[1])
    return None


class HexRows(JoinedRows):
    """Gives the lines that the bytes are; each has the number of the row in which it begins."""

    def __init__(self) -> None:
        super().__init__("\n")
        self._line = bytearray()
        self._owed = 0
        """Rows since the last one that was given."""
        self._typed = False
        """True where the newest heading is of what was sent to the console."""

    def _above(self, row: str) -> str:
        self._owed += 1
        heading = compiled(_HEADING).match(row.rstrip("\r"))
        if heading is not None:
            self._typed = heading[1] == "<"
        data = _bytes_of(row)
        if data is None:
            shown = "" if self._line or heading is not None or row.rstrip() == _MARK else row.strip()
            return self._given([shown.encode()], before=True) if shown else ""
        data = b"" if self._typed else data
        self._line += data
        if b"\n" not in data and len(self._line) < LONGEST:
            return ""
        *lines, rest = self._line.split(b"\n")
        self._line = rest if lines else bytearray()
        return self._given(lines or [rest])

    def _ended(self) -> str:
        line, self._line = self._line, bytearray()
        return self._given([line]) if self._owed else ""

    def _given(self, lines: Sequence[bytes | bytearray], before: bool = False) -> str:
        """These lines, and the ends of all rows that were not given so far; all but one `before` them or behind."""
        ends, self._owed = "\n" * (self._owed - 1), 0
        text = "\r".join(line.decode("utf-8", "replace").rstrip("\r") for line in lines)
        return f"{ends}{text}\n" if before else f"{text}\n{ends}"
