"""Reports of ours that were pasted into a log: what they quote was said in another log."""

from __future__ import annotations

from ..line import Line
from ..patterns import Event

_QUOTING = {"own_finding": 2, "own_words": 0}
"""Lines of a report of ours, to the number of lines below each that quote the log it is about."""


class OwnReport:
    """Knows the lines that a report of ours quotes."""

    def __init__(self) -> None:
        self._until = 0
        """The last line that the newest finding may quote."""

    def quotes(self, line: Line) -> bool:
        """True for a line that a report quotes: indented, at most two lines below the title of a finding."""
        return line.number <= self._until and line.text[:4] == "    "

    def has(self, event: Event) -> bool:
        """True for a line of such a report; what it quotes stands on the next lines."""
        if event.kind not in _QUOTING:
            return False
        self._until = event.line + _QUOTING[event.kind]
        return True

    def left(self, line: int) -> int:
        """How many lines after this one may still be quoted."""
        return max(0, self._until - line)
