"""Lines that come twice: copies, as some tools write captures, or the first line of another run.

A run that begins with such a pair and goes on in pairs was doubled, and each second line counts once. A first line that
comes three times in a row was not copied: the target boots again and again.
"""

from __future__ import annotations

from ..line import SEVERE
from ..named_tuple import TYPE_CHECKING
from ..trust.copies import in_pairs
from .boundaries import OPENERS
from .decisions import SAID_AGAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..draft import RunDraft
    from ..line import Line


class DoubledLines:
    """What the newest line said, and what its copies prove of the open run."""

    def __init__(self, read: Callable[[Line], object]) -> None:
        """`read` takes a line that was passed over as a copy, once the next one shows that it began a run of its own."""
        self._read = read
        self._said: tuple[object, ...] = ()
        self._said_at = 0
        self._copied = False
        """True where that line was itself the copy of the one before it."""
        self._second: Line | None = None
        """The second of two equal lines that begin a run, until the next line tells a copy from another boot."""
        self._looping = False
        """True while one and the same line begins run after run."""

    def is_copy(self, line: Line, draft: RunDraft | None) -> bool:
        """True for the second copy of a line; `draft` is the open run, which is told that it is doubled, or is not."""
        number, _, level, file, source_line, _, message, _, _, _, data, stream = line
        said = (message, level, file, source_line, stream, len(data))
        same = said == self._said and number == self._said_at + 1
        if same and (self._looping or self._second is not None):
            self._part(draft)
            self._said_at = number
            return False
        self._second, self._looping = None, False
        copy = same and not self._copied
        first = self._said_at
        if draft is not None and draft.doubled and not copy and not self._copied and first > draft.first_line:
            draft.doubled = False  # a line without its copy
        self._said, self._said_at, self._copied = said, number, False
        if not copy or draft is None or line.partial:
            return False
        says_again = line.level in SEVERE or draft.last_event in SAID_AGAIN  # as debug lines may
        began = 0 if says_again else draft.first_line
        openers = [draft.seen.get(kind) for kind in OPENERS - SAID_AGAIN]
        if not draft.doubled and (first == began or first in openers or in_pairs(draft, line)):
            draft.doubled = draft.was_doubled = True
            draft.doubt("doubled", line.number, f"{line.message[:120]} (lines {first} and {line.number})")
            self._second = line if first in openers else None
        if draft.doubled:
            draft.last_line = line.number
            self._copied = True
        return draft.doubled

    def _part(self, draft: RunDraft | None) -> None:
        """The line that was taken for a copy began a run of its own."""
        second, self._second, self._looping, self._copied = self._second, None, True, False
        if second is None or draft is None:
            return
        draft.doubled = draft.was_doubled = False
        draft.odd = [odd for odd in draft.odd if (odd.kind, odd.line) != ("doubled", second.number)]
        draft.last_line = self._said_at = second.number - 1
        self._read(second)

    @property
    def undecided(self) -> bool:
        """True where the newest line may be a copy or the first line of another run."""
        return self._second is not None

    def looping(self, draft: RunDraft | None) -> bool:
        """True in a boot loop: the newest line began the open run, as at least two equal lines just before it did."""
        return self._looping and draft is not None and draft.first_line == self._said_at

    def passed_over(self, lines: int) -> None:
        """Count so many more of the newest line, which were not read."""
        self._said_at += lines
