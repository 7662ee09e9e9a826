"""What pytest shows of a failed test twice: as text of its standard output, or live, and as records of its log.

Where a logger writes to the standard output, as the tests of ExecuTorch's Arm backend have it, or pytest shows what is
logged at once, the console of one simulator stands in both sections.  What the second one repeats is no other run.
"""

from __future__ import annotations

from ..cleaning import compiled
from ..line import Line

_SECTION = r"-{3,200} (?:Captured (?P<of>stdout|stderr|log)|live log) (?P<phase>setup|call|teardown) -{3,200}\Z"
_ENDS = ("====", "____")
"""How the headings of other tests, and of the summary, begin; they have words, which rules that a program prints have not."""
_MOST_OTHERS = 200
"""What is in the log alone; behind so much of it, this is no section of pytest any more."""
_MOST_LINES = 20_000
"""Of one test, that are kept to be told again; behind them everything is read."""


class ShownTwice:
    """Which section of a test is open in a capture."""

    __slots__ = ("_first", "_live", "_of_log", "_others", "_phase", "_said", "_second", "open")

    def __init__(self) -> None:
        self.open = False
        self._phase = ""
        self._of_log = False
        """True in the section of the log."""
        self._second = False
        """True in it where one of the output stands above, and in any where lines were shown live: what stands there may be told."""
        self._said: set[int] = set()
        """Hashes of the lines of the other sections: a line may be long."""
        self._live: set[int] | None = None
        """The same of what was shown live, of all tests; None where nothing was."""
        self._first = False
        """True until the first line of a section, which was shown live where all of it was: less may be, by its level."""
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
        if (message.startswith(_ENDS) and " " in message) or self._others > _MOST_OTHERS:
            self.open, self._others = False, 0
            self._said.clear()
            return False
        said = hash((line.level, message))
        if self._second:
            again = said in self._said or (self._live is not None and said in self._live)
            self._second = again or not self._first or bool(self._said)
            self._first, self._others = False, self._others + (self._of_log and not again)
            if again or self._of_log:
                return again and message != ""
        known = self._said if self._phase or self._live is None else self._live
        if len(known) < _MOST_LINES:
            known.add(said)
        return False

    def _begin(self, of: str | None, phase: str) -> None:
        if of is None:
            self._live = set() if self._live is None else self._live
            phase = ""
        if phase != self._phase or not self.open:
            self._said.clear()
        self._of_log = of == "log"
        self._phase, self.open = phase, True
        self._second = self._first = bool(self._live or (self._of_log and self._said)) if of is not None else False
