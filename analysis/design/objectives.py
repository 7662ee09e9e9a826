"""What is to be the least, and the choice of the best configuration by it.

Cycles of different clocks say nothing against each other: with several clocks in play, time takes their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..named_tuple import NamedTuple
from .candidates import Candidate


class Objective(NamedTuple):
    """A figure to minimise."""

    name: str
    unit: str
    title: str
    of: Callable[[Candidate], float | None]


OBJECTIVES: dict[str, Objective] = {
    objective.name: objective
    for objective in (
        Objective("cycles", "cycles", "total cycles", lambda candidate: candidate.total_cycles),
        Objective("seconds", "seconds", "inference time", lambda candidate: candidate.seconds),
        Objective("sram", "bytes", "SRAM", lambda candidate: candidate.need("sram")),
        Objective("flash", "bytes", "flash", lambda candidate: candidate.need("flash")),
    )
}
"""By name, as `--minimise` takes it."""


class Chosen(NamedTuple):
    """The objective that is used, and why it is not the one that was asked for."""

    objective: Objective
    reason: str | None = None


def objective_for(name: str, candidates: Iterable[Candidate]) -> Chosen:
    """The objective of this name, or time instead of cycles where the clocks differ.

    Raises:
        KeyError: no objective has this name.
    """
    objective = OBJECTIVES[name]
    if name != "cycles":
        return Chosen(objective)
    clocks = sorted({c.core_clock_hz for c in candidates if c.core_clock_hz and c.total_cycles is not None})
    if len(clocks) < 2:
        return Chosen(objective)
    named = ", ".join(f"{clock / 1e6:g}" for clock in clocks)
    return Chosen(
        OBJECTIVES["seconds"],
        f"cycles of different clocks ({named} MHz) are not comparable: the time at each system config's clock is minimised",
    )


def rank(candidate: Candidate, objective: Objective) -> tuple[float, ...]:
    """Sorts the better one first; among equals the one with less SRAM, then less time, then less flash.

    What is not known comes last.
    """
    figures = (objective.of(candidate), candidate.need("sram"), candidate.seconds, candidate.need("flash"))
    return tuple(float("inf") if figure is None else float(figure) for figure in figures)


def best(candidates: Sequence[Candidate], places: Iterable[int], objective: Objective) -> int | None:
    """The place of the best of these; None where the figure is known of none."""
    known = [place for place in places if objective.of(candidates[place]) is not None]
    return min(known, key=lambda place: rank(candidates[place], objective), default=None)
