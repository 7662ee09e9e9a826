"""What pytest shows of a failed test twice: as text of its standard output, and as records of its log.

Where a logger writes to the standard output, as the tests of ExecuTorch's Arm backend have it, the console of one
simulator stands in both sections.  What the second one repeats is no other run.
"""

from __future__ import annotations

from .cleaning import compiled
from .lines import Line

_SECTION = r"-{3,200} Captured (?P<of>stdout|stderr|log) (?P<phase>setup|call|teardown) -{3,200}\Z"
_ENDS = ("====", "____")
"""How the headings of other tests, and of the summary, begin."""
_MOST_OTHERS = 200
"""What is in the log alone; behind so much of it, this is no section of pytest any more."""
_MOST_LINES = 20_000
"""Of one test, that are kept to be told again; behind them everything is read."""


class ShownTwice:
    """Which section of a test is open in a capture."""

    __slots__ = ("_others", "_phase", "_said", "_second", "open")

    def __init__(self) -> None:
        self.open = False
        self._phase = ""
        self._second = False
        """True in the log's section, where one of the output stands above it."""
        self._said: set[int] = set()
        """Hashes of the lines of the other sections: a line may be long."""
        self._others = 0
        """Lines of the log's section that were not in the output."""

    def passes_over(self, line: Line) -> bool:
        """Whether this line was shown before in another section of the same test; ask for rules of hyphens, and while `open`."""
        message = line.message
        if message.startswith("---"):
            section = compiled(_SECTION).match(message)
            if section is not None:
                self._begin(section["of"], section["phase"])
                return False
        if not self.open:
            return False
        if message.startswith(_ENDS) or self._others > _MOST_OTHERS:
            self.open, self._others = False, 0
            self._said.clear()
            return False
        said = hash((line.level, message))
        if self._second:
            again = said in self._said
            self._others += not again
            return again and message != ""
        if len(self._said) < _MOST_LINES:
            self._said.add(said)
        return False

    def _begin(self, of: str, phase: str) -> None:
        if phase != self._phase or not self.open:
            self._said.clear()
        self._phase, self._second, self.open = phase, of == "log" and bool(self._said), True
