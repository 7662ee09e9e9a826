"""What to minimise, and how the best configuration is chosen by it.

Cycles at different clocks cannot be compared. If the configurations have several clocks, time is minimised instead.
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
    """The objective that is used, and why it may differ from the one that was asked for."""

    objective: Objective
    reason: str | None = None


def objective_for(name: str, candidates: Iterable[Candidate]) -> Chosen:
    """The objective of this name; time instead of cycles if the clocks differ.

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
    """A key that sorts the better configuration first; equal ones are sorted by SRAM, then time, then flash.

    Unknown figures come last.
    """
    figures = (objective.of(candidate), candidate.need("sram"), candidate.seconds, candidate.need("flash"))
    return tuple(float("inf") if figure is None else float(figure) for figure in figures)


def best(candidates: Sequence[Candidate], places: Iterable[int], objective: Objective) -> int | None:
    """The place of the best of these; None if none has a known figure."""
    known = [place for place in places if objective.of(candidates[place]) is not None]
    return min(known, key=lambda place: rank(candidates[place], objective), default=None)
