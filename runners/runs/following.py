"""Several runs that were started together, looked at again and again: how far each is, and which repeats came after it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..job import JobError
from .folder import RunFolder
from .going import GOING_ON, Going, Watch
from .index import Listed
from .series import may_go_on, members, place_of


class Followed(NamedTuple):
    """One run folder of those that are followed."""

    path: str
    asked: int
    """Which of the runs that were asked for it belongs to, from 0."""
    repeat: str
    """Its place in a series, as "repeat 2 of 3"; empty for a run that stands alone."""
    row: Listed | None
    """None where the folder was removed."""
    going: Going | None

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.going is None and (self.row is None or self.row.state not in GOING_ON)


class Following:
    """Looks at these runs of one workspace; from any thread, one at a time."""

    def __init__(self, root: Path, paths: Sequence[Path]) -> None:
        self._watch = Watch(root)
        self._lock = threading.Lock()
        self._paths = list(paths)
        self._series: dict[Path, list[RunFolder]] = {}
        """The members of each series that is over."""
        self.over = False
        """Whether all of them were over at the last look, and no repeat comes any more."""

    def look(self) -> tuple[Followed, ...]:
        """All of them, in the order in which they were asked for.

        Raises:
            InputError: the workspace cannot be read.
        """
        with self._lock:
            return self._look()

    def _look(self) -> tuple[Followed, ...]:
        chains = [self._members(path) for path in self._paths]  # before the list: what it lacks is looked for again
        open_ended = any(may_go_on(chain[-1]) for chain in chains if chain)
        seen = self._watch.look()
        rows = {row.path: row for row in seen.rows}
        going = {one.path: one for one in seen.going}
        found = []
        for asked, (path, chain) in enumerate(zip(self._paths, chains, strict=True)):
            if not chain:
                found.append(Followed(str(path), asked, "", None, None))
            for folder in chain:
                place, own = place_of(folder), str(folder.path)
                name = place.name if place is not None else ""
                found.append(Followed(own, asked, name, rows.get(own), going.get(own)))
        self.over = not open_ended and all(one.over for one in found)
        return tuple(found)

    def _members(self, path: Path) -> list[RunFolder]:
        if path in self._series:
            return self._series[path]
        try:
            folder = RunFolder.open(path)
            found = members(folder) if place_of(folder) is not None else [folder]
        except JobError:  # it was removed
            return []
        if place_of(folder) is None or not may_go_on(found[-1]) and found[-1].state not in GOING_ON:
            self._series[path] = found
        return found
