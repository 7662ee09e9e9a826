"""What the repeats of one run say together: how far each figure spreads over the runs that passed, or at least ended
well.

Each figure has its own n, because a run may not print it. Warm-ups and runs that did not pass are not counted. Cycles
stay cycles here; they are not turned into time.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..tables import Cell, Column, Table
from ..units import BY_UNIT, format_count, format_many, format_percent
from .comparison import figures
from .sides import Side

if TYPE_CHECKING:
    from typing import Any

    from ..report import Capture

HOST_SECONDS = "host.seconds"
_SELDOM_SHOWN = ("model.", "memory.", "derived.")
"""Figures that a table has only where they differ between the runs, or are seconds."""


class Figure(NamedTuple):
    """A figure of one run."""

    name: str
    unit: str
    value: float


class Member(NamedTuple):
    """One run of the series."""

    id: str
    number: int
    """From 1, among the warm-ups or among the others."""
    warm_up: bool
    status: str
    figures: tuple[Figure, ...] = ()
    runs: int = 0
    """How many runs its console holds."""

    @property
    def used(self) -> bool:
        """Whether the figures of this run are counted."""
        return not self.warm_up and self.status in ("passed", "finished")  # nothing says that the latter failed

    @property
    def name(self) -> str:
        """The name for people: "repeat 2", "warm-up 1"."""
        return f"{'warm-up' if self.warm_up else 'repeat'} {self.number}"


class Spread(NamedTuple):
    """How one figure spreads over the n runs that have it."""

    name: str
    unit: str
    n: int
    mean: float
    median: float
    least: float
    most: float
    standard_deviation: float | None
    """Of a sample (n - 1); None for a single value."""

    @property
    def relative_spread_percent(self) -> float | None:
        """The standard deviation in percent of the mean; None if there is none, or if the mean is zero."""
        if self.standard_deviation is None or not self.mean:
            return None
        return 100.0 * self.standard_deviation / abs(self.mean)

    @property
    def equal(self) -> bool:
        """Whether two or more runs have exactly the same value."""
        return self.n > 1 and self.least == self.most


class Repeats(NamedTuple):
    """A whole series."""

    requested: int
    warm_ups: int
    """How many were asked for."""
    members: tuple[Member, ...]
    spreads: tuple[Spread, ...]
    ended: str | None
    """Why it ended before all runs were done; None where all were."""

    def to_dict(self) -> dict[str, Any]:
        """The object `repeats` of a report."""
        return {
            "requested": self.requested,
            "warm_ups": self.warm_ups,
            "ended_early": self.ended,
            "members": [
                {"id": m.id, "warm_up": m.warm_up, "number": m.number, "status": m.status, "used": m.used}
                for m in self.members
            ],
            "figures": [
                {
                    "name": s.name,
                    "unit": s.unit,
                    "n": s.n,
                    "mean": s.mean,
                    "median": s.median,
                    "min": s.least,
                    "max": s.most,
                    "standard_deviation": s.standard_deviation,
                    "relative_spread_percent": s.relative_spread_percent,
                    "equal": s.equal,
                }
                for s in self.spreads
            ],
        }


def member(
    identity: str, number: int, *, warm_up: bool, status: str | None, seconds: float | None, capture: Capture | None
) -> Member:
    """A run of the series with its figures; `seconds` are those that the whole run took on the host.

    If a console holds several runs, none of its figures is taken: there would not be one figure for each repeat.
    """
    found = [] if seconds is None else [Figure(HOST_SECONDS, "seconds", seconds)]
    runs = capture.runs if capture is not None else ()
    if len(runs) == 1:
        side = Side(identity, identity, "run", run=runs[0])
        found += (Figure(*one) for one in figures(side) if math.isfinite(one[2]))
    return Member(identity, number, warm_up, status or "unknown", tuple(found), len(runs))


def repeats(requested: int, warm_ups: int, members: Iterable[Member], ended: str | None = None) -> Repeats:
    """All figures of a series, in the order in which runs have them."""
    members = tuple(members)
    values: dict[tuple[str, str], list[float]] = {}
    for one in members:
        if one.used:
            for name, unit, value in one.figures:
                values.setdefault((name, unit), []).append(value)
    spreads = tuple(spread(name, unit, found) for (name, unit), found in values.items())
    return Repeats(requested, warm_ups, members, spreads, ended)


def spread(name: str, unit: str, values: Sequence[float]) -> Spread:
    """The statistics of one figure.

    Raises:
        ValueError: there is no value.
    """
    if not values:
        raise ValueError(f"{name} has no value")
    least, most = min(values), max(values)
    if least == most:  # nothing is rounded then
        return Spread(name, unit, len(values), least, least, least, most, 0.0 if len(values) > 1 else None)
    mean, median = statistics.fmean(values), statistics.median(values)
    return Spread(name, unit, len(values), mean, median, least, most, statistics.stdev(values))


def repeats_table(series: Repeats) -> Table:
    """The figures as rows; a figure that is equal in all runs says so."""
    columns = (
        Column("Figure"),
        *(Column(name, "right") for name in ("n", "Mean", "Median", "Min", "Max", "Std. deviation", "Spread")),
    )
    rows = tuple(_row(one) for one in series.spreads if _shown(one))
    used = sum(one.used for one in series.members)
    well = how_ended(series.members)
    title = f"Repeats: {used} of {series.requested} runs {well}" if used < series.requested else f"Repeats: {used} runs"
    return Table(title, columns, rows, " ".join(notes(series)))


def how_ended(members: Iterable[Member]) -> str:
    """ "passed" if all counted runs passed, else "ended well": such a run counts, though nothing says that it passed."""
    return "passed" if all(one.status == "passed" for one in members if one.used) else "ended well"


def notes(series: Repeats) -> list[str]:
    """Sentences that a reader of the figures needs to know."""
    said = []
    if any(one.name == HOST_SECONDS for one in series.spreads):
        said.append(f"{HOST_SECONDS} is the whole run as the clock of this machine sees it.")
    if done := sum(one.warm_up for one in series.members):
        said.append(f"{format_many(done, 'warm-up')} left out.")
    others = Counter(one.status for one in series.members if not one.warm_up and not one.used)
    if others:
        listed = ", ".join(f"{number} {status.replace('_', ' ')}" for status, number in others.items())
        said.append(f"Left out, as they did not pass: {listed}.")
    if several := [one for one in series.members if one.used and one.runs > 1]:
        said.append(
            f"{', '.join(one.name for one in several[:5])} printed several runs; only the time on the host is taken."
        )
    if any(not one.equal and one.n > 1 for one in series.spreads):
        said.append("Std. deviation is that of a sample (n - 1); spread is it as a part of the mean.")
    if series.ended is not None:
        said.append(f"The series ended early: {series.ended}.")
    return said


def _shown(one: Spread) -> bool:
    return not one.name.startswith(_SELDOM_SHOWN) or one.unit == "seconds" or (not one.equal and one.n > 1)


def _row(one: Spread) -> tuple[Cell, ...]:
    write = BY_UNIT.get(one.unit, format_count)
    head = (Cell(one.name, one.name), Cell(str(one.n), one.n), Cell(write(one.mean), one.mean))
    if one.equal:
        return (*head, *(Cell("", value) for value in (one.median, one.least, one.most, 0.0)), _equal(one))
    deviation, part = one.standard_deviation, one.relative_spread_percent
    return (
        *head,
        *(Cell(write(value), value) for value in (one.median, one.least, one.most)),
        Cell(write(deviation), deviation),
        Cell(format_percent(part), part),
    )


def _equal(one: Spread) -> Cell:
    return Cell(f"equal in {one.n} runs", 0.0, None, "dim")
