"""Several printers in one capture: the waiting runs of other sources, and lines that another printer broke into.

Two consoles written to one file alternate line by line, or one breaks into a line of the other. Where a tool named the
source of each line, every source has its own run. A source that never starts a run counts as part of the open one.
"""

from __future__ import annotations

from collections.abc import Callable

from ..cleaning import compiled
from ..draft import RunDraft
from ..line import LEVELS
from ..line_forms.host_prefix import host_time
from ..lines import Line, parse_line
from ..patterns import COMPILE_EVENTS, HOST_EVENTS, Event
from .believed import trusted
from .boundaries import HINTS, NOT_RUNNER, OPENERS, PREPARATIONS
from .decisions import REPEATED, of_other_tools, restarts

MOST_SOURCES = 16
"""Runs that are read at the same time; one more ends the run that has been silent longest."""
_BESIDE = "\n"
"""With this before its source's name, as no name begins, waits a run during which a launch failed."""
_BEGIN = OPENERS | HINTS | COMPILE_EVENTS | HOST_EVENTS
_OF_BLOCK = frozenset(("etdump_open", "etdump_data", "etdump_cut"))
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

    def set_aside(self, current: RunDraft) -> None:
        """Keep a run during which another one could not be launched; it may go on behind that."""
        self.drafts[_BESIDE + self.source] = current

    def resumed(
        self, launch: RunDraft | None, event: Event | None, line: Line
    ) -> tuple[RunDraft | None, RunDraft | None]:
        """The run that is over and the one that goes on, where a launch failed beside another run.

        That one goes on where this line is of it, and is over once the launch was tried again and something started.
        """
        name = _BESIDE + self.source
        aside = self.drafts.get(name)
        if aside is None:
            return None, launch
        if launch is not None and launch.started:
            return self.drafts.pop(name), launch
        if launch is None or _goes_on(aside, event, line):
            return launch, self.drafts.pop(name)
        return None, launch

    def left_aside(self) -> RunDraft | None:
        """Remove and return the run of this source that did not go on behind the launch that failed."""
        return self.drafts.pop(_BESIDE + self.source, None)

    def all_aside(self) -> list[RunDraft]:
        """The same for all sources."""
        return [self.drafts.pop(name) for name in [*self.drafts] if name.startswith(_BESIDE)]

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


def _goes_on(draft: RunDraft, event: Event | None, line: Line) -> bool:
    """Whether a line behind a launch that failed is of this run: printed by its runner, and nothing that only comes before."""
    if event is None:
        return line.level != "" and line.file in draft.files
    early = event.kind in PREPARATIONS and draft.stage in ("execute", "report")
    if early or event.kind in _BEGIN or event.kind in NOT_RUNNER or of_other_tools(draft, event):
        return False
    return not restarts(draft, event)


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

    def taken(
        self, event: Event | None, line: Line, draft: RunDraft | None, match: Callable[[str, int], Event | None]
    ) -> tuple[Event | None, Line]:
        """What a line means, and the line itself: of a part of one, with the beginning that waits, or what may be believed alone."""
        if line.partial and line.message:
            if event is not None and event.kind not in _OF_BLOCK:
                event = trusted(event, line.message, draft)
            if event is None:
                self.hold(line)
        elif self.waiting and event is None:
            return self.joined(line, match) or (None, line)
        return event, line

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
