"""Several printers in one capture: the waiting runs of other sources, and lines that another printer broke into.

Two consoles written to one file alternate line by line, or one breaks into a line of the other. Where a tool named the
source of each line, every source has its own run. A source that never starts a run counts as part of the open one.
"""

from __future__ import annotations

from collections.abc import Callable

from ..carriers.host_prefix import host_time
from ..cleaning import compiled
from ..draft import RunDraft
from ..line import LEVELS
from ..lines import Line, parse_line
from ..patterns import Event
from .boundaries import OPENERS
from .decisions import REPEATED

MOST_SOURCES = 16
"""Runs that are read at the same time; one more ends the run that has been silent longest."""
_PATIENCE = 8
_JOINED_LIMIT = 2048
_GAVE_UP_AT = r"F \d\d:\d\d:\d\d\.\d{6}(?<!\.000000) "


def precise(text: str) -> str | None:
    """The text of a line with a time stamp so precise that no other line can be equal to it; else None.

    Such stamps come from host tools, with a fraction of a second, and from a program that aborts.
    """
    if compiled(_GAVE_UP_AT).match(text) is not None:
        return text
    stamp = host_time(text)
    return text if stamp is not None and any(mark in stamp[-9:] for mark in ".,") else None


class Parked:
    """The unfinished runs of the sources that are not speaking at the moment."""

    def __init__(self) -> None:
        self.source = ""
        """The source of the open run."""
        self.drafts: dict[str, RunDraft] = {}
        self.boards: frozenset[str] = frozenset()
        """Sources known from the beginning of the capture to have runs of their own."""

    @property
    def extents(self) -> list[tuple[int, int]]:
        """First and last line so far of each waiting run."""
        return [(draft.first_line, draft.last_line) for draft in self.drafts.values()]

    def turn(self, source: str, event: Event | None, current: RunDraft | None) -> RunDraft | None:
        """Switch to the source of a new line; return the run that this line belongs to.

        `current` is the run of the source that spoke so far.
        """
        waiting = self.drafts.pop(source, None)
        if waiting is None and not self.boards >= {source, self.source}:
            starts = event is not None and event.kind in OPENERS and event.kind not in REPEATED
            if current is not None and not starts:
                return current
            if current is not None and not source and _begun_alone(current, event):
                self.source = source
                return current
            launched = current is not None and not (current.started or self.source)  # before the first name was known
            if current is None or current.completed or current.closed or launched:
                self.source = source
                return current
        if current is not None:
            self.drafts[self.source] = current
        self.source = source
        return waiting

    def overflow(self) -> RunDraft | None:
        """Remove and return the run that has waited longest, if too many wait."""
        if len(self.drafts) < MOST_SOURCES:
            return None
        return self.drafts.pop(next(iter(self.drafts)))

    def all(self) -> list[RunDraft]:
        """Remove and return every waiting run."""
        drafts = list(self.drafts.values())
        self.drafts.clear()
        return drafts


def _begun_alone(current: RunDraft, event: Event | None) -> bool:
    """Whether a source name stood only before the run's first line: a logger names itself once before a text of many
    lines.
    """
    once = current.first_line == current.last_line and not current.closed
    return once and event is not None and event.kind not in current.seen


class Torn:
    """The beginning of a line that another printer broke off, kept until the rest comes on a line of its own."""

    def __init__(self) -> None:
        self.waiting = False
        self._head: Line | None = None
        self._left = 0

    def hold(self, line: Line) -> None:
        """Keep the beginning of a line, which means nothing alone or nothing certain."""
        self._head, self._left, self.waiting = line, _PATIENCE, True

    def joined(self, line: Line, match: Callable[[str, int], Event | None]) -> tuple[Event, Line] | None:
        """The event and the line that the kept beginning makes together with this line; None where they do not fit.

        An empty line proves that the beginning was the whole line.
        """
        self._left -= 1
        if self._head is None or self._left < 0:
            self.waiting = False
            return None
        if line.level or line.stream != self._head.stream:
            return None
        for between in ("", " "):
            text = self._head.message + between + line.message
            if len(text) > _JOINED_LIMIT:
                break
            whole = self._head._replace(message=text, partial=False)
            if not whole.level and text[:1] in LEVELS:
                whole = parse_line(whole.number, text.encode("utf-8", "replace"), whole.at)
            event = match(whole.message, whole.number)
            if event is not None:
                self.waiting = False
                return event, whole
        return None
