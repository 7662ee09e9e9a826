"""The two tests for comparing repeats; neither assumes how the figures are distributed.

Repeats of a program are few and seldom follow a normal distribution (because of caches or a scheduler), so ranks are
compared, not means. Both tests are exact for the numbers of repeats that people make, and nothing is drawn at random.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from ..order_statistics import doubled_ranks

ALPHA = 0.05
"""A difference that chance gives less often than this counts as one."""

_MOST_WORK = 1_300_000
"""Up to 20 values a side every way to share them out is counted; above, the normal approximation is good."""

_FEW = 500
"""Up to so many values chances are computed in whole numbers; those of tens of thousands have thousands of digits."""


def mann_whitney_p(one: Sequence[float], other: Sequence[float]) -> tuple[float, bool]:
    """The two-sided p of the Mann-Whitney U test, and whether it is exact.

    p is the chance that the two sides would differ at least this much if these values were shared out between them at
    random. Equal values have their middle rank. It is exact for up to 20 values a side and for one value against many;
    for more values it is the normal approximation with the correction for ties.

    Raises:
        ValueError: a side is empty.
    """
    if not one or not other:
        raise ValueError("a rank test needs values on both sides")
    few, many = sorted((one, other), key=len)
    ranks = doubled_ranks([*few, *many])
    ours, whole = len(few), len(ranks)
    middle = ours * (whole + 1)  # twice the mean of the rank sum
    distance = abs(sum(ranks[:ours]) - middle)
    if ours == 1 or 2 * (ours * whole) ** 2 <= _MOST_WORK:
        ways = _ways(tuple(sorted(ranks)), ours)
        far = sum(count for total, count in ways.items() if abs(total - middle) >= distance)
        return far / math.comb(whole, ours), True
    ties = sum(count**3 - count for count in Counter(ranks).values())
    variance = ours * len(many) / 12 * (whole + 1 - ties / (whole * (whole - 1)))
    if variance <= 0:
        return 1.0, False
    deviations = max(0.0, distance / 2 - 0.5) / math.sqrt(variance)
    return math.erfc(deviations / math.sqrt(2)), False


@lru_cache(64)
def _ways(ranks: tuple[int, ...], chosen: int) -> dict[int, int]:
    """In how many ways so many of the ranks give each sum."""
    ways: list[dict[int, int]] = [{0: 1}, *({} for _ in range(chosen))]
    for rank in ranks:
        for number in range(chosen, 0, -1):
            into = ways[number]
            for total, count in ways[number - 1].items():
                into[total + rank] = into.get(total + rank, 0) + count
    return ways[chosen]


def least_p(one: int, other: int) -> float:
    """The smallest p that the test can give for so many values a side: all values of one side are above all of the
    other.
    """
    return min(1.0, 2 / math.comb(one + other, one))


def median_interval(values: Sequence[float]) -> tuple[float, float, float] | None:
    """The interval of the median from order statistics, and its true confidence; None for fewer than six values.

    It is the narrowest interval between two of the values, equally far from the least and the greatest, whose
    confidence is at least the one asked for.
    """
    n = len(values)
    k, confidence = _interval_of(n)
    if not k:
        return None
    ordered = sorted(values)
    return ordered[k - 1], ordered[n - k], confidence


@lru_cache(64)
def _interval_of(n: int) -> tuple[int, float]:
    """Which of so many ordered values, from either end, are the ends of that interval, and its confidence; 0 for none."""
    outside, found = 0.0, (0, 0.0)
    first = 1
    if n > _FEW:  # below that, whole numbers are quick enough
        first = max(1, round((n - 2.2 * math.sqrt(n)) / 2))
        outside = sum(_chance(n, k) for k in range(max(0, first - 20 * math.isqrt(n)), first - 1))
    for k in range(first, n // 2 + 1):
        outside += _chance(n, k - 1)
        if 1 - 2 * outside < 1 - ALPHA:
            break
        found = (k, 1 - 2 * outside)
    return found


def _chance(n: int, k: int) -> float:
    """How likely it is that so many of the values lie below the median."""
    if n <= _FEW:
        return float(math.comb(n, k) / 2**n)
    return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))
