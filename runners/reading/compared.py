"""The columns of a comparison: each input gives its runs or its compile, and a run of a series gives the whole series.

A run folder of `run --repeat` stands for all repeats, since a comparison of single runs would take chance for a difference.
Where several runs of one series are named, each stands for itself.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from ...analysis.named_tuple import TYPE_CHECKING
from ..job import InputError
from ..runs.folder import RunFolder
from ..runs.series import Place, members, place_of
from .inputs import Loaded, load
from .paths import is_run_folder

if TYPE_CHECKING:
    from ...analysis import Capture
    from ...analysis.comparing.sides import Side
    from ...analysis.comparing.traced import Traced
    from ...analysis.report import Run

Complete = Callable[[str, "Capture"], "Capture"]
"""Adds to the capture that was read at a path what follows from it."""
MOST_RUNS = 200
"""Runs of one log that become columns: nobody reads more, and each costs kilobytes and a place in every row."""


class Columns:
    """What several inputs give; `pooled` takes the runs of one log for repeats of one another."""

    def __init__(self, paths: Sequence[str], complete: Complete | None = None, *, pooled: bool = False) -> None:
        self._complete = complete
        self._pooled = pooled
        self._places = {path: _place(path) for path in dict.fromkeys(paths)}
        self._series = Counter(_series(path, place) for path, place in self._places.items() if place is not None)

    def of(self, path: str) -> list[Side]:
        """The columns of this input.

        Raises:
            InputError: it cannot be read, or holds nothing to compare.
        """
        place = self._places.get(path)
        if place is not None and self._series[_series(path, place)] == 1:
            folders = members(RunFolder.open(Path(os.path.expanduser(path))))
            if len(folders) > 1:
                return [self._repeats(path, folders)]
        loaded = self._load(path)
        sides = with_traces(loaded.path, loaded.sides())
        if self._pooled and len(sides) > 1 and sides[0].run is not None:
            return [self._pool(loaded, sides)]
        return sides

    def _load(self, path: str) -> Loaded:
        loaded = load(path) if self._pooled else load(path, MOST_RUNS)
        if self._complete is None or loaded.capture is None:
            return loaded
        return loaded._replace(capture=self._complete(loaded.path, loaded.capture))

    def _repeats(self, path: str, folders: Sequence[RunFolder]) -> Side:
        """A series as one column: of each repeat the one run that it printed, where it passed."""
        used: list[Run] = []
        traces: list[Traced] = []
        first: Side | None = None
        asked = 0
        for folder in folders:
            place = place_of(folder)
            if place is None or place.warm_up:
                continue
            asked += 1
            sides = self._sides_of(folder)
            if len(sides) != 1 or sides[0].run is None or sides[0].run.status != "passed":
                continue
            used.append(sides[0].run)
            traces += sides[0].traces
            first = first or sides[0]._replace(label=sides[0].label.removeprefix(f"{place.name}, "))
        if first is None:
            why = "only warm-ups were run" if not asked else f"none of its {asked} repeats passed"
            raise InputError(f"{path}: {why}", "open one of them with `ethosu-tui open`")
        return first._replace(
            label=f"{first.label} x{len(used)}",
            source=path,
            repeats=tuple(used),
            left_out=asked - len(used),
            traces=tuple(traces),
        )

    def _sides_of(self, folder: RunFolder) -> list[Side]:
        try:
            return with_traces(str(folder.path), self._load(str(folder.path)).sides())
        except InputError:  # it printed nothing that can be read: left out, and counted as that
            return []

    def _pool(self, loaded: Loaded, sides: Sequence[Side]) -> Side:
        used = [side.run for side in sides if side.run is not None and side.run.status == "passed"]
        if not used:
            raise InputError(f"{loaded.path}: none of its {len(sides)} runs passed", "compare them without --repeats")
        label = f"{loaded.label} x{len(used)}"
        return sides[0]._replace(label=label, run=used[0], repeats=tuple(used), left_out=len(sides) - len(used))


def default_baseline(sides: Sequence[Side]) -> int:
    """The first column that did not fail, for the baseline where nobody chose the order: ratios to a failed run say nothing."""
    return next((i for i, side in enumerate(sides) if side.run is None or side.run.status == "passed"), 0)


def with_traces(path: str, sides: list[Side]) -> list[Side]:
    """The columns of a run folder with what its trace tells of operators; a trace is that of one run."""
    from .pmu_trace import has_trace

    if len(sides) != 1 or sides[0].run is None or not has_trace(path):
        return sides
    from ...analysis.comparing.traced import traced
    from .pmu_trace import trace_of_run

    try:
        found = trace_of_run(path, counters=False)
    except InputError as error:  # the run itself can be compared
        return [sides[0]._replace(untraced=f"{error.message}; {error.hint}")]
    return [sides[0]._replace(traces=(traced(found.trace, found.operators),))]


def _place(path: str) -> Place | None:
    """The place of a stored run in its series; None for anything else."""
    folder = os.path.expanduser(path)
    if not (os.path.isdir(folder) and is_run_folder(folder)):
        return None
    try:
        return place_of(RunFolder.open(Path(folder)))
    except InputError:  # said when it is read
        return None


def _series(path: str, place: Place) -> str:
    return os.path.join(os.path.dirname(os.path.realpath(os.path.expanduser(path))), place.first)
