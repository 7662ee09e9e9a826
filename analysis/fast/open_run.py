"""Where the runs that are being read stand in the capture, in bytes, and when they began by the host's time stamps."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from operator import attrgetter

from ..line_forms.host_prefix import host_time
from ..lines import Line
from .line_places import LinePlaces

MOST_WAITING = 32
"""Runs interrupted by other boards' runs; more are not read at the same time."""


class OpenRun:
    """Told of the lines of a run as they come, it keeps the run's place in bytes and its first time stamp."""

    def __init__(self) -> None:
        self.start_byte = self.end_byte = 0
        self.at: str | None = None
        """The time stamp on the first line of the run that has one."""
        self._line = 0
        self._stamped: tuple[int, str] | None = None
        """The first stamped line since the run began; it may turn out to come after the run."""
        self._waiting: dict[int, tuple[int, int, tuple[int, str] | None]] = {}
        """What is known of other unfinished runs, by their first lines."""

    def locate(self, first: int, last: int, lines: Sequence[Line], places: LinePlaces, most: int) -> bytes | None:
        """Record that the run stands in lines `first` to `last` so far; no line after `most` can belong to it.

        Returns its first line as printed, where nothing was known of the run before.
        """
        begun = None
        if self._line != first:
            self._wait()
            self._line = first
            if first in self._waiting:
                self.start_byte, self.end_byte, self._stamped = self._waiting.pop(first)
            else:
                self.start_byte = self.end_byte = max(0, places.start_of(first))
                begun = places.raw_line(self.start_byte)
                self._stamped = None
        self.end_byte = max(self.end_byte, places.start_of(last + 1))
        if self._stamped is None:
            for line in islice(lines, bisect_left(lines, first, key=attrgetter("number")), None):
                if line.number > most or self._stamped is not None:
                    break
                stamp = host_time(line.text)
                self._stamped = (line.number, stamp) if stamp is not None else None
        self.at = self._stamped[1] if self._stamped is not None and self._stamped[0] <= last else None
        return begun

    def _wait(self) -> None:
        if self._line:
            self._waiting[self._line] = self.start_byte, self.end_byte, self._stamped
            if len(self._waiting) > MOST_WAITING:
                del self._waiting[next(iter(self._waiting))]

    def over(self) -> None:
        """Forget the run: what comes next belongs to another."""
        self._line = 0
