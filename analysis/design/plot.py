"""What a plot of the Pareto front shows: points on logarithmic axes that are filled by the front.

The logarithms are computed here, so that the drawing code needs linear axes only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..named_tuple import NamedTuple
from .answers import FRONT, Answers
from .objectives import OBJECTIVES

Point = tuple[float, float]
"""Logarithms of SRAM and time."""

_MARGIN = 0.2
"""Part of the front's extent that stays free beyond it; what lies farther out is not shown."""
_ALONE = math.log(1.02)
"""What stays free around a front of one figure."""
_TICKS = 5
_APART = 0.6
"""Of their usual distance: nearer figures look as if there were one too many."""
_MOST_DIGITS = 8
_SIZES = ((1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


class Axis(NamedTuple):
    """One axis: its title with the unit, its range, and its labels."""

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]


class ParetoPlot(NamedTuple):
    """Points in units of the axes; x is SRAM and y is time."""

    x: Axis
    y: Axis
    front: tuple[Point, ...]
    """In rising order of SRAM."""
    beaten: tuple[Point, ...]
    knee: Point | None
    chosen: Point | None
    at: Point | None
    """The one under the cursor."""
    left_out: int
    """Points that lie far beyond the front."""


def pareto_plot(answers: Answers, at: int | None = None, *, whole: bool = False) -> ParetoPlot | None:
    """The plot of these answers; `at` is the place of the one under the cursor. None if nothing can be drawn.

    The axes reach as far as the front, or as far as all points if the `whole` is wanted.
    """
    time, sram = (OBJECTIVES[name] for name in FRONT)
    figures = {
        place: (size, seconds)
        for place, one in enumerate(answers.candidates)
        if (size := sram.of(one)) is not None and (seconds := time.of(one)) is not None and size > 0 and seconds > 0
    }
    front = [place for place in answers.front if place in figures]
    if not front:
        return None
    points = {place: (math.log(size), math.log(seconds)) for place, (size, seconds) in figures.items()}
    extent = list(figures) if whole else front
    x = _axis("SRAM needed", [figures[place][0] for place in extent], _SIZES)
    y = _axis("time", [figures[place][1] for place in extent], _TIMES)
    inside = {p: one for p, one in points.items() if x.low <= one[0] <= x.high and y.low <= one[1] <= y.high}
    chosen = answers.fit.place if answers.fit is not None else None
    return ParetoPlot(
        x=x,
        y=y,
        front=tuple(sorted(points[place] for place in front)),
        beaten=tuple(one for place, one in inside.items() if place not in answers.front),
        knee=points.get(answers.knee) if answers.knee is not None else None,
        chosen=inside.get(chosen) if chosen is not None else None,
        at=inside.get(at) if at is not None else None,
        left_out=len(points) - len(inside),
    )


def _axis(title: str, values: Sequence[float], units: Sequence[tuple[float, str]]) -> Axis:
    size, unit = next((unit for unit in units if max(values) >= unit[0]), units[-1])
    low, high = math.log(min(values)), math.log(max(values))
    room = (high - low) * _MARGIN or _ALONE
    low, high = low - room, high + room
    return Axis(f"{title}, {unit}", low, high, _ticks(low, high, size))


def _ticks(low: float, high: float, size: float) -> tuple[tuple[float, str], ...]:
    """Round figures, spread over the axis: as few digits as tell them apart and leave them room."""
    exact = [math.exp(low + (high - low) * (number + 0.5) / _TICKS) / size for number in range(_TICKS)]
    for digits in range(1, _MOST_DIGITS):
        labels = dict.fromkeys(f"{float(f'{value:.{digits}g}'):.{max(4, digits)}g}" for value in exact)
        ticks = [(math.log(float(label) * size), label) for label in labels]
        inside = tuple(tick for tick in ticks if low < tick[0] < high)
        apart = min((after[0] - before[0] for before, after in zip(inside, inside[1:], strict=False)), default=0.0)
        if len(inside) >= _TICKS - 1 and apart >= (high - low) / _TICKS * _APART:
            return inside
    labels = dict.fromkeys(f"{value:.4g}" for value in exact)
    return tuple((math.log(float(label) * size), label) for label in labels)
