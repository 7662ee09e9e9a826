"""Robust statistics over many runs: what a kind of run usually costs, which runs stand out, and whether figures drift.

Medians and ranks only, so that a few wild runs neither hide nor make a result; with few runs the answer is "cannot
tell". The tests are Pettitt's for one step and Mann and Kendall's for a drift. Where many kinds of runs are tested,
chance has as many opportunities, so every test is told among how many it is one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from math import comb, erfc, exp, lgamma, log, sqrt
from typing import NamedTuple

from ..order_statistics import doubled_ranks, median, middle_of

LEAST_FOR_OUTLIERS = 5
LEAST_FOR_TRENDS = 12
OUTLIER_DEVIATIONS = 5.0
"""A run stands out when it is farther from the median than so many (normalised) median deviations ..."""
OUTLIER_SHARE = 0.02
"""... and than this share of the median."""
LEAST_EFFECT = 0.01
"""A change smaller than this share of the median is not worth a word."""
_LEVEL = 0.01
"""Probability that chance alone gives a step or a drift anywhere among all that are tested."""
_BINS = 160
_NORMAL = 1.4826
"""Factor from a median absolute deviation to a standard deviation, for normal deviations."""


class Usual(NamedTuple):
    """The median of some values, and how far they usually lie from it (a robust standard deviation; 0 when most are
    equal).
    """

    median: float
    deviation: float


def usual(values: Sequence[float]) -> Usual:
    """The median and usual deviation of these values."""
    middle = median(values)
    return Usual(middle, _NORMAL * median([abs(value - middle) for value in values]))


def farthest_usual(among: Usual) -> float:
    """How far from the median a value may lie without being an outlier."""
    return max(OUTLIER_DEVIATIONS * among.deviation, OUTLIER_SHARE * abs(among.median))


class Step(NamedTuple):
    """Values jump once: `position` is that of the first value after the jump, with the medians before and after."""

    position: int
    before: float
    after: float


class Drift(NamedTuple):
    """Values move steadily: the slope per second, and the values it gives at both ends."""

    per_second: float
    first: float
    last: float


def trend(times: Sequence[float], values: Sequence[float], among: int = 1) -> Step | Drift | None:
    """What ordered values do over their times (in seconds); None where nothing is certain or worth a word.

    `among` is the number of sequences tested: each must be as much less likely by chance.
    """
    if len(values) < LEAST_FOR_TRENDS:
        return None
    size = -(-len(values) // _BINS)
    starts = range(0, len(values), size)
    y = [median(values[i : i + size]) for i in starts]
    x = [middle_of(times[i : i + size]) for i in starts]
    drift = _drift(x, y, _LEVEL / among)
    # with a drift it is certain that something changes, and the question is what fits better
    step = _step(y, _LEVEL / among if drift is None else 1.0)
    if step is not None and drift is not None:
        middle = median([b - drift.per_second * a for a, b in zip(x, y, strict=True)])
        jump = sum(abs(v - (step.before if i < step.position else step.after)) for i, v in enumerate(y))
        slope = sum(abs(b - drift.per_second * a - middle) for a, b in zip(x, y, strict=True))
        step, drift = (None, drift) if slope < jump else (step, None)
    if drift is not None:
        return drift
    if step is None:
        return None
    position = _sharpen(values, max(0, (step.position - 1) * size), min(len(values), (step.position + 1) * size), step)
    return Step(position, median(values[:position]), median(values[position:]))


def share_step(flags: Sequence[bool], among: int = 1) -> Step | None:
    """Where the share of true flags jumps by half or more; None where chance explains it `among` so many sequences."""
    n, total = len(flags), sum(flags)
    best, place, kept = 0, 0, 0
    for seen, at in enumerate([i for i, flag in enumerate(flags[:-1]) if flag] + [n - 1]):
        for count, end in ((seen, at), (seen + 1, at + 1)):  # the farthest places are beside true flags
            size = abs(count * n - total * end)
            if size > best and end < n:
                best, place, kept = size, end, count
    if not place:
        return None
    before, after = kept / place, (total - kept) / (n - place)
    chance = _choices(place, kept) + _choices(n - place, total - kept) - _choices(n, total)
    certain = chance + log(n) < log(_LEVEL / among)  # any of the places might have been the best
    return Step(place, before, after) if certain and abs(after - before) >= 0.5 else None


def _choices(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _sharpen(values: Sequence[float], low: int, high: int, step: Step) -> int:
    """The place of a step between two groups that leaves the fewest values on the wrong side."""
    middle, rises = (step.before + step.after) / 2, step.after > step.before
    best, wrong, fewest = low, 0, 0
    for i in range(low, high):
        wrong += 1 if (values[i] > middle) == rises else -1
        if wrong < fewest:
            best, fewest = i + 1, wrong
    return min(max(best, 1), len(values) - 1)


def _step(values: Sequence[float], level: float) -> Step | None:
    n = len(values)
    ranks = doubled_ranks(values)
    total, best, place = 0, 0, 0
    for i in range(n - 1):
        total += ranks[i]
        size = abs(total - (i + 1) * (n + 1))
        if size > best:
            best, place = size, i + 1
    if not place:
        return None
    chance = 2 * exp(-6 * best**2 / (n**3 + n**2))
    if best == place * (n - place):  # all values before it lie on one side of all others: that can be counted
        chance = min(chance, 2 * n / comb(n, place))
    if chance > level:
        return None
    before, after = median(values[:place]), median(values[place:])
    return Step(place, before, after) if _matters(before, after) else None


def _drift(times: Sequence[float], values: Sequence[float], level: float) -> Drift | None:
    n, score = len(values), 0
    before: list[float] = []
    for value in values:
        score += bisect_left(before, value) + bisect_right(before, value) - len(before)
        insort(before, value)
    if erfc((abs(score) - 1) / sqrt(n * (n - 1) * (2 * n + 5) / 9)) > level:
        return None
    slopes = [
        (values[j] - values[i]) / (times[j] - times[i])
        for i in range(n)
        for j in range(i + 1, n)
        if times[j] > times[i]
    ]
    if not slopes:
        return None
    slope = median(slopes)
    base = median([v - slope * t for t, v in zip(times, values, strict=True)])
    first, last = base + slope * times[0], base + slope * times[-1]
    return Drift(slope, first, last) if _matters(first, last) else None


def _matters(before: float, after: float) -> bool:
    return abs(after - before) > LEAST_EFFECT * max(abs(before), abs(after))
