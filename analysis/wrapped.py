"""Lines that a terminal broke at its right edge, in a capture that was copied off the screen.

A long line of the log then goes on in the rows below.  Each such row is read as the line that it makes together with
the rows above it, so that the last one tells the whole figure; what the first row said alone is overruled by it.  Only
a row that is as wide as the screen, with a log prefix and an unmarked row below it, can be such a beginning.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .lines import Line

_SCREENS = frozenset((80, 100, 120, 132, 160, 200))
"""Columns of screens that are believed at once; another width must have shown itself before."""
NARROWEST = 60
_MOST_ROWS = 12
_PROOF = 2
_OWN = (
    "Output", "Input", "Info: ", "Warning", "INFO -", "telnetterminal", "echo ", "#", "EXITTHESIM", "Checking", "No problems",
    "sh: ", "xterm", "+ ", "E: ", "W: ", "I: ", "D: ", "Hard fault", "...",
)  # fmt: skip
"""How lines begin that have no prefix and are whole all the same."""


class Wrapped:
    """Puts rows together where the screen was too narrow."""

    __slots__ = ("_head", "_rows", "_ties", "_widest", "found")

    def __init__(self) -> None:
        self.found = False
        """True once a line went over several rows."""
        self._head: Line | None = None
        """The newest line, while it is as wide as any and may go on."""
        self._rows = 0
        self._widest = NARROWEST
        self._ties = 0
        """Rows of the widest width that an unmarked row followed."""

    @property
    def waiting(self) -> bool:
        """True where the next row may be the rest of a line."""
        return self._head is not None

    def take(self, line: Line, width: int) -> Line:
        """The line that this row makes, which is `width` columns wide."""
        head, self._head = self._head, None
        if head is not None and width <= self._widest and _goes_on(head, line):
            self._ties += not self._rows
            self._rows += 1
            if self._widest in _SCREENS or self._ties > _PROOF:
                self.found = True
                whole = head._replace(
                    number=line.number, text=line.text, message=head.message + line.text, eot=line.eot
                )
                line = whole._replace(partial=line.partial)
            if width == self._widest and self._rows < _MOST_ROWS:
                self._head = head._replace(message=head.message + line.text) if line.level == "" else line
            return line
        self._rows = 0
        if width > self._widest:
            self._widest, self._ties = width, 0
        if width == self._widest and line.level and not (line.partial or line.eot):
            self._head = line
        return line


def _goes_on(head: Line, line: Line) -> bool:
    """True for a row that may be the rest of another: it is not marked, and begins as no line without a prefix does."""
    if line.level or line.file is not None or line.data or not line.message or line.message.startswith(_OWN):
        return False
    if line.text.strip() != line.message:
        return False  # stamped or labelled by itself
    return not line.text[0].isupper() or head.message[-1:].isalnum() or head.message[-1:] == "_"
