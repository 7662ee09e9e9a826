"""Repeats of one run: each has a run folder of its own, and one keeper carries them out one after the other.

Every folder says which place of which series it has.  The keeper adds, when a run is over, either which run is the next
or why there is none, so whoever reads the folders knows at any time how far it came.  Where the keeper was killed, neither
stands there, and runs that did not begin do not exist.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..run_request import RunRequest
from .folder import STOP, RunFolder

KEY = "series"
"""In the manifest: the place of a run in its series."""
NEXT = "next"
"""In the manifest: the id of the run that came after it."""
END = "series_end"
"""In the manifest of the last run: why no further one came."""
COMPLETE = "complete"
STOPPED = "stopped"

_LOOK_SECONDS = 0.02


class Place(NamedTuple):
    """Which run of a series it is."""

    first: str
    """The id of the first run, which names the series; empty in the first run itself."""
    index: int  # type: ignore[assignment]
    """From 1, warm-ups first."""
    warm_ups: int
    repeats: int

    @property
    def length(self) -> int:
        """How many runs were asked for, with the warm-ups."""
        return self.warm_ups + self.repeats

    @property
    def warm_up(self) -> bool:
        """Whether its figures do not count."""
        return self.index <= self.warm_ups

    @property
    def number(self) -> int:
        """From 1, among the warm-ups or among the others."""
        return self.index if self.warm_up else self.index - self.warm_ups

    @property
    def name(self) -> str:
        """For people: "warm-up 1 of 2", "repeat 3 of 10"."""
        kind, of = ("warm-up", self.warm_ups) if self.warm_up else ("repeat", self.repeats)
        return f"{kind} {self.number} of {of}"

    def to_json(self) -> dict[str, Any]:
        """For the manifest."""
        told = {"index": self.index, "warm_ups": self.warm_ups, "repeats": self.repeats, "warm_up": self.warm_up}
        return {"first": self.first or None, **told}


def first_place(request: RunRequest) -> Place | None:
    """The place of the first run of this request; None for one that stands alone."""
    return Place("", 1, request.warm_up, request.repeat) if request.series_length else None


def place_of(folder: RunFolder) -> Place | None:
    """What the manifest says of its series, where it is sound; None for a run that stands alone."""
    said = folder.manifest.get(KEY)
    if not isinstance(said, Mapping):
        return None
    numbers = [said.get(name) for name in ("index", "warm_ups", "repeats")]
    if not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one < 1 << 31 for one in numbers):
        return None
    first = said.get("first")
    place = Place(first if isinstance(first, str) and _is_name(first) else folder.id, *numbers)  # type: ignore[arg-type]
    return place if 1 <= place.index <= place.length else None


def next_of(folder: RunFolder) -> RunFolder | None:
    """The run that came after this one in its series; None where there is none (yet), or it was removed."""
    place, name = place_of(folder), folder.manifest.get(NEXT)
    if place is None or not isinstance(name, str) or not _is_name(name):
        return None
    found = RunFolder.read(folder.path.with_name(name))
    other = place_of(found) if found.problem is None else None
    return found if other is not None and (other.first, other.index) == (place.first, place.index + 1) else None


def wait_for_next(folder: RunFolder, left: threading.Event) -> RunFolder | None:
    """The run after this one, which is over, as soon as it is there; None where none comes, or somebody has `left`."""
    while not left.is_set():
        folder = RunFolder.open(folder.path)
        going = may_go_on(folder)  # before the next is looked for: the keeper may go in between
        if (following := next_of(RunFolder.open(folder.path))) is not None or not going:
            return following
        left.wait(_LOOK_SECONDS)
    return None


def may_go_on(folder: RunFolder) -> bool:
    """Whether a further run may come although this one is over: nothing says that it was the last, and the keeper lives."""
    facts = folder.manifest
    return place_of(folder) is not None and END not in facts and NEXT not in facts and folder.writer_alive()


def members(folder: RunFolder) -> list[RunFolder]:
    """All runs of the series of this one that are still there, in their order, read anew."""
    place = place_of(folder)
    if place is None:
        return [RunFolder.open(folder.path)]
    found = _chain(RunFolder.read(folder.path.with_name(place.first)))
    if any(one.id == folder.id for one in found):
        return found
    return _chain(RunFolder.open(folder.path))  # earlier ones were removed


def _chain(folder: RunFolder) -> list[RunFolder]:
    found = []
    following: RunFolder | None = folder if folder.problem is None else None
    while following is not None:  # it ends: each has a greater index than the one before, below a limit
        found.append(following)
        following = next_of(following)
    return found


def stop_files(folder: RunFolder) -> list[Path]:
    """Each of these files ends the run and its series: its own, and that of the first run."""
    place = place_of(folder)
    own = folder.path / STOP
    return [own] if place is None else list(dict.fromkeys((own, folder.path.with_name(place.first) / STOP)))


def _is_name(name: str) -> bool:
    return name not in ("", ".", "..") and "/" not in name and "\0" not in name and len(name) < 256
