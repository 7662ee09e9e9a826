"""What is kept of many inputs: the rows of their runs, a few whole captures, and what could not be read.

One harvest gathers everything in this process; with several processes each input has its own, and they are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ...analysis.rows.store import RunStore

if TYPE_CHECKING:
    from ...analysis.report import Capture
    from ...analysis.rows import RunRow
    from ...analysis.scan import Scanner
    from ..job import JobError
    from .settings import Reading, ReadSettings

ERROR_FOUND = 1
MOST_CAPTURES = 10_000


class Remark(NamedTuple):
    """Something to say about an input; `code` is the exit code that it asks for, 0 for a mere note."""

    text: str
    code: int


class Outlets(NamedTuple):
    """Where finished things go at once instead of being kept; each may be missing."""

    remark: Callable[[Remark], object] | None = None
    capture: Callable[[Capture], object] | None = None
    lines: Callable[[list[str]], object] | None = None
    """JSON texts of runs, as many as were finished."""


NOWHERE = Outlets()


class Harvest:
    """What `gather()` reads inputs into.

    `whole_runs` is how many runs in all are worth keeping whole: beyond that, only rows and figures are kept.
    """

    def __init__(self, settings: ReadSettings, whole_runs: int, outlets: Outlets = NOWHERE) -> None:
        self.store = RunStore()
        self.captures: list[Capture] = []
        """Whole ones, while they hold no more than `whole_runs` runs together."""
        self.code = 0
        """The highest exit code that anything asks for."""
        self.problems = 0
        """Inputs that were opened, and damaged or of no use."""
        self.remarks: list[Remark] = []
        self.packed: list[bytes] = []
        """JSON lines, compressed, where there was no outlet for them."""
        self.later: Iterable[list[str]] = ()
        """JSON lines that stand elsewhere."""
        self.settings = settings
        self.whole_runs = whole_runs
        self._outlets = outlets

    def fail(self, error: JobError) -> None:
        """Note what is wrong with an input."""
        self._say(Remark(f"{error.message}; {error.hint}" if error.hint else error.message, error.exit_code))

    def merge(self, other: Harvest) -> None:
        """Add what another process has read."""
        for remark in other.remarks:
            self._say(remark)
        for capture in other.captures:
            self._add(capture)
        self.store.merge(other.store)
        self.problems += other.problems
        self.code = max(self.code, other.code)
        self._bound()
        for lines in other.later:
            self._print(lines)
        if self._outlets.lines is not None:
            if other.packed:
                from .set_aside import unpacked
            for block in other.packed:
                self._outlets.lines(unpacked(block))

    def keep(self, rows: Sequence[RunRow]) -> None:
        """Add these rows."""
        if rows:
            if self.settings.rows:
                self.store.add(rows)
            if any(row.cause is not None or row.status == "failed" for row in rows):
                self.code = max(self.code, ERROR_FOUND)

    def take(self, scanner: Scanner) -> None:
        """Add what a scanner has finished by now."""
        self.keep(scanner.rows())
        if self.settings.jsonl and (lines := scanner.json_lines()):
            self._print(lines)

    def _print(self, lines: list[str]) -> None:
        if self._outlets.lines is not None:
            self._outlets.lines(lines)
        else:
            from .set_aside import packed  # only where another process prints them

            self.packed.append(packed(lines))

    def close(self, reading: Reading) -> None:
        """Add what is known of an input at its end."""
        for note in reading.notes:
            self._say(Remark(note, 0))
        if reading.problem is not None:
            self.problems += 1
            self.fail(reading.problem)
        capture = reading.capture
        self.store.add_capture(capture)
        if any(finding.severity == "error" for finding in capture.findings):
            self.code = max(self.code, ERROR_FOUND)
        self._add(capture)
        self._bound()

    def _add(self, capture: Capture) -> None:
        if self._outlets.capture is not None:
            self._outlets.capture(capture)
        elif len(self.captures) < MOST_CAPTURES:
            self.captures.append(capture)

    def _bound(self) -> None:
        if self.store.count > self.whole_runs and self.captures:
            self.captures = [capture for capture in self.captures if not capture.runs]

    def _say(self, remark: Remark) -> None:
        self.code = max(self.code, remark.code)
        if self._outlets.remark is not None:
            self._outlets.remark(remark)
        else:
            self.remarks.append(remark)
