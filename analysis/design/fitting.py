"""The search over arena limits for several configurations at once.

A configuration that is far slower than the best one found so far is not searched further, which saves compiles. What it
gave until then still counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from .candidates import Candidate
from .limits import Limits, judge
from .objectives import OBJECTIVES
from .search import EVALUATIONS, ArenaSearch, Trial

Asked = tuple[int, Trial]
"""The place of a configuration, and what to try with it."""

_ALL = 320
"""So many trials are shared by all configurations, where these are many."""
_LEAST = 4
_FAR = 1.5
"""A configuration whose fastest trial takes so many times the best one's time is left alone."""


class Fitting:
    """Asks for trials of several configurations in rounds; `bases` are the configurations without an arena limit."""

    def __init__(self, bases: Sequence[Candidate], limits: Limits, minimise: str) -> None:
        each = min(EVALUATIONS, max(_LEAST, _ALL // max(1, len(bases))))
        objective = OBJECTIVES[minimise]
        self._limits = limits
        self._minimise = minimise
        self._searches = [ArenaSearch(base, limits, objective, each) for base in bases]
        self.left_alone: list[int] = []
        """Configurations that were not searched to the end."""

    def ask(self) -> tuple[Asked, ...]:
        """The trials of the next round; none if all searches are over."""
        self._leave_the_slow()
        return tuple((place, trial) for place, search in enumerate(self._searches) for trial in search.ask())

    def tell(self, asked: Asked, found: Candidate | None) -> None:
        """Take the result of a trial; None if it failed."""
        place, trial = asked
        self._searches[place].tell(trial, found)

    def _leave_the_slow(self) -> None:
        if self._minimise not in ("cycles", "seconds"):
            return
        fastest = [
            min((found.seconds for found in search.seen.values() if found.seconds is not None), default=None)
            for search in self._searches
        ]
        fitting = [
            found.seconds
            for search in self._searches
            for found in search.seen.values()
            if found.seconds is not None and judge(found, self._limits).keeps == "fits"
        ]
        if not fitting:
            return
        for place, seconds in enumerate(fastest):
            search = self._searches[place]
            if seconds is not None and seconds > _FAR * min(fitting) and not search.over:
                search.stop()
                self.left_alone.append(place)
