"""What may end a run: the first line of another run, which need not look like its own.

In a capture of one program each run ends where the same first line comes again. In a night of several programs, any of
their first lines may come next; whether it ends a run of some layout is tried with the run that the layout was learnt
from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..runs import RunBuilder
from .line_events import line_of
from .parts import UnfitError

if TYPE_CHECKING:
    from ..report import Finding, Run
    from .line_shapes import Start

MOST_BYTES = 1 << 15
"""Longer runs are only ended by a line like their own first line."""


class Endings:
    """Which first lines end runs like the one that was learnt from."""

    __slots__ = ("_known", "_lesson", "_starts")

    def __init__(self, lesson: list[bytes], starts: Mapping[bytes, Start]) -> None:
        """`lesson` holds the lines of that run; `starts` holds the known first lines by their keys, and may grow."""
        self._lesson = lesson if sum(map(len, lesson)) <= MOST_BYTES else []
        self._starts = starts
        self._known: dict[bytes, bool] = {}

    def at(self, data: bytes, place: int) -> bool:
        """Whether the line at `place` is the first line of another run, and ends this one as its own first line does."""
        if not self._lesson:
            return False
        for key, start in self._starts.items():
            if start.pattern.match(data, place) is not None:
                if key not in self._known:
                    own = _ended(self._lesson, self._lesson[0])
                    self._known[key] = own is not None and own == _ended(self._lesson, start.raw)
                return self._known[key]
        return False


def _ended(lines: list[bytes], following: bytes) -> tuple[list[Run], list[Finding]] | None:
    """The one run that these lines are, and what is said of it, where the line that follows begins another one."""
    builder = RunBuilder()
    try:
        for number, raw in enumerate(lines, 1):
            builder.feed(line_of(raw, number))
        again = line_of(following, len(lines) + 1)
    except UnfitError:
        return None
    builder.feed(again._replace(text=again.message))
    runs, findings = builder.take()
    draft = builder.draft
    ended = draft is not None and draft.first_line == again.number and builder.undisturbed
    return (runs, findings) if ended and len(runs) == 1 else None
