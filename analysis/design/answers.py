"""The answers to a sweep or a search: what fits, the Pareto front and its knee, the best for each board, limits not
kept.

A place is the position of a configuration in the order given, which is the order of `jobs` in the JSON of `compile`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from .candidates import MEMORIES, Candidate, IgnoredLimit, ignored_limit
from .front import knee, pareto_front
from .limits import Limits, format_limits, judge
from .objectives import OBJECTIVES, Objective, best, objective_for, rank
from .on_boards import BoardAnswer, best_per_board

if TYPE_CHECKING:
    from typing import Any

FRONT = ("seconds", "sram")
"""The objectives of the front."""


class Fit(NamedTuple):
    """The answer to `--fit` and `--minimise`."""

    limits: Limits
    minimise: str
    """What was asked for."""
    objective: Objective
    """What was minimised."""
    objective_reason: str | None
    """Why that is not what was asked for."""
    place: int | None
    """The best that keeps all limits; None where none does."""
    unlimited: int | None
    """The same configuration without an arena limit, whether it fits or not; None where there is none."""
    reason: str
    """Why nothing fits, with what comes nearest; empty where something does."""


class Answers(NamedTuple):
    """All answers; the figures are Vela's estimates."""

    candidates: tuple[Candidate, ...]
    front: tuple[int, ...]
    """Places of the Pareto front of time against SRAM, fastest first."""
    knee: int | None
    knee_reason: str
    """Why there is no knee; empty where there is one."""
    boards: tuple[BoardAnswer, ...]
    ignored: tuple[tuple[int, IgnoredLimit], ...]
    """Arena limits that Vela did not keep, by place."""
    fit: Fit | None

    def to_dict(self) -> dict[str, Any]:
        """The object `answers` of ``ethosu-tui/compile/1``."""
        return {
            "objectives": [f"{name}_{OBJECTIVES[name].unit}" if name == "sram" else name for name in FRONT],
            "needs": [{f"{memory}_bytes": one.need(memory) for memory in MEMORIES} for one in self.candidates],
            "pareto": list(self.front),
            "knee": self.knee,
            "knee_reason": self.knee_reason or None,
            "best_per_board": [
                {
                    "board": one.board,
                    "title": one.title,
                    "fit": one.fit,
                    "job": one.place,
                    "reason": one.reason or None,
                    "clock_hz": one.clock_hz,
                }
                for one in self.boards
            ],
            "limits_ignored": [
                {"job": place, **{name: getattr(one, name) for name in IgnoredLimit._fields}}
                for place, one in self.ignored
            ],
            "fit": None if self.fit is None else self._fit(self.fit),
        }

    def _fit(self, fit: Fit) -> dict[str, Any]:
        return {
            "limits": {f"{memory}_bytes": fit.limits.get(memory) for memory in MEMORIES},
            "minimise": fit.minimise,
            "minimised": fit.objective.name,
            "minimised_reason": fit.objective_reason,
            "fits": fit.place is not None,
            "job": fit.place,
            "unlimited_job": fit.unlimited,
            "ratio": self.ratio,
            "reason": fit.reason or None,
        }

    @property
    def ratio(self) -> float | None:
        """The minimised figure of the chosen configuration, as a ratio to the same configuration without an arena
        limit.
        """
        if self.fit is None or self.fit.place is None or self.fit.unlimited is None:
            return None
        ours, theirs = (self.fit.objective.of(self.candidates[p]) for p in (self.fit.place, self.fit.unlimited))
        return round(ours / theirs, 6) if ours is not None and theirs else None


def answer(candidates: Sequence[Candidate], limits: Limits | None = None, minimise: str | None = None) -> Answers:
    """All answers about these configurations; `limits` is None if no search was asked for.

    Raises:
        KeyError: `minimise` is no objective.
    """
    front = pareto_front([(OBJECTIVES[FRONT[0]].of(one), OBJECTIVES[FRONT[1]].of(one)) for one in candidates])
    bend, reason = _knee(candidates, front)
    chosen = objective_for(minimise or "cycles", candidates)
    ignored = ((place, ignored_limit(one)) for place, one in enumerate(candidates))
    return Answers(
        candidates=tuple(candidates),
        front=front,
        knee=bend,
        knee_reason=reason,
        boards=best_per_board(candidates, chosen.objective) if front else (),
        ignored=tuple((place, one) for place, one in ignored if one is not None),
        fit=None if limits is None else _fit(candidates, limits, minimise or "cycles"),
    )


def _knee(candidates: Sequence[Candidate], front: Sequence[int]) -> tuple[int | None, str]:
    points = [tuple(OBJECTIVES[name].of(candidates[place]) or 0.0 for name in FRONT) for place in front]
    place = knee([(x, y) for x, y in points])
    if place is not None:
        return front[place], ""
    if len(front) < 3:
        return None, f"a front of {len(front)} has no knee"
    return None, "the front does not bend: no configuration of it is better than a mean of its ends"


def _fit(candidates: Sequence[Candidate], limits: Limits, minimise: str) -> Fit:
    objective, reason = objective_for(minimise, candidates)
    verdicts = [judge(candidate, limits) for candidate in candidates]
    fitting = [place for place, verdict in enumerate(verdicts) if verdict.keeps == "fits"]
    place = best(candidates, fitting, objective)
    unlimited = None if place is None else _unlimited(candidates, candidates[place])
    why = "" if place is not None else _why_nothing(candidates, limits, objective)
    return Fit(limits, minimise, objective, reason, place, unlimited, why)


def _unlimited(candidates: Sequence[Candidate], chosen: Candidate) -> int | None:
    """The place of the same configuration as Vela compiles it when nothing is said of the arena."""
    wanted = (chosen.target, chosen.system_config, chosen.memory_mode, None, None)
    for place, one in enumerate(candidates):
        if (one.target, one.system_config, one.memory_mode, one.arena_cache_bytes, one.optimise) == wanted:
            return place
    return None


def _why_nothing(candidates: Sequence[Candidate], limits: Limits, objective: Objective) -> str:
    """The configuration that comes nearest, and what of it exceeds which limit."""
    known = [place for place, one in enumerate(candidates) if objective.of(one) is not None]
    if not known:
        return "no configuration was compiled, or Vela gave no figures for any"

    def beyond(place: int) -> tuple[float, ...]:
        broken = judge(candidates[place], limits).broken
        unknown = any(one.need_bytes is None for one in broken)
        most = max((one.need_bytes / one.limit_bytes for one in broken if one.need_bytes), default=0.0)
        return unknown, most, *rank(candidates[place], objective)

    nearest = min(known, key=beyond)
    why = judge(candidates[nearest], limits).reason
    return f"nothing fits {format_limits(limits)}; nearest is {candidates[nearest].label}: {why}"
