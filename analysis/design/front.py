"""The Pareto front of two objectives (of both, less is better), and its knee."""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[float | None, float | None]


def pareto_front(points: Sequence[Point]) -> tuple[int, ...]:
    """Places of the points that no other point beats, in rising order of the first objective.

    A point beats another if it is better in one objective and not worse in the other. The first of several equal points
    stands for all. A point with an unknown figure is on no front.
    """
    known = [(x, y, place) for place, (x, y) in enumerate(points) if x is not None and y is not None]
    front: list[int] = []
    least = math.inf
    for _, y, place in sorted(known):
        if y < least:
            least = y
            front.append(place)
    return tuple(front)


def knee(front: Sequence[tuple[float, float]]) -> int | None:
    """The place in a front (in order of the first objective) from which more of one objective costs much of the other.

    Both axes are logarithmic, because ratios matter, and are scaled so that the ends are at 0 and 1. The knee is the
    point farthest below the line between the ends (the method of "Kneedle" and of the L-curve). An axis with a zero on
    it stays linear. None if there are fewer than three points, or if no point is below the line.
    """
    if len(front) < 3:
        return None
    axes = [_scaled([point[axis] for point in front]) for axis in (0, 1)]
    below = [
        1 - x - y for x, y in zip(*axes, strict=True)
    ]  # the distance to the line from (0, 1) to (1, 0), times sqrt 2
    deepest = max(range(len(front)), key=below.__getitem__)
    return deepest if below[deepest] > 1e-9 else None


def _scaled(values: Sequence[float]) -> list[float]:
    if min(values) > 0:
        values = [math.log(value) for value in values]
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]
