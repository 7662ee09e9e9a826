"""One figure over the repeats of a column, and whether it separates from the same figure of the baseline.

A difference is claimed only if a rank test supports it, or if nothing varies at all. It is also said how many repeats a
test needs before it can support anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..order_statistics import median
from .rank import ALPHA, least_p, mann_whitney_p, median_interval

if TYPE_CHECKING:
    from typing import Any

RANK_TEST = "Mann-Whitney U, two-sided"
CONSTANT = "none: no repeat varies"
_CONSTANT = 3
"""Repeats that must agree before a figure counts as one that does not vary."""
_LARGE = 2_000
"""More repeats than these are not ranked one by one: every n-th is taken."""


class Sample(NamedTuple):
    """The repeats of one figure, all in its unit."""

    values: tuple[float, ...]
    median: float
    least: float
    most: float
    interval: tuple[float, float, float] | None
    """Ends of the interval of the median and its confidence; None below six repeats."""

    @property
    def n(self) -> int:
        """How many repeats have the figure."""
        return len(self.values)

    @property
    def constant(self) -> bool:
        """Whether enough repeats agree to call the figure constant."""
        return self.n >= _CONSTANT and self.least == self.most

    @property
    def spread_percent(self) -> float | None:
        """How far the interval of the median reaches from the median, in percent of it; below six repeats, how far all
        values reach.
        """
        if self.n < 2 or not self.median:
            return None
        low, high, _ = self.interval or (self.least, self.most, 1.0)
        return 100 * max(high - self.median, self.median - low) / abs(self.median)

    def to_dict(self) -> dict[str, Any]:
        """The object of `spread`."""
        low, high, confidence = self.interval or (None, None, None)
        return {
            "n": self.n,
            "median": self.median,
            "min": self.least,
            "max": self.most,
            "interval_low": low,
            "interval_high": high,
            "interval_confidence": confidence,
            "interval_method": "order statistics" if self.interval is not None else None,
        }


class Verdict(NamedTuple):
    """Whether a column separates from the baseline in one figure."""

    separates: bool
    test: str
    p: float | None
    reason: str
    """Why, as half a sentence."""

    def to_dict(self) -> dict[str, Any]:
        """The object of `significance`."""
        return {"separates": self.separates, "test": self.test, "p": self.p, "alpha": ALPHA, "reason": self.reason}


def sample(values: Sequence[float]) -> Sample | None:
    """The statistics of the repeats; None if there are none."""
    if not values:
        return None
    interval = median_interval(values) if len(values) > 5 else None
    return Sample(tuple(values), median(values), min(values), max(values), interval)


def verdict(ours: Sample, base: Sample) -> Verdict | None:
    """Whether the two separate; None if neither was repeated, because then nothing can be said."""
    if ours.n < 2 and base.n < 2:
        return None
    varying = [one for one in (ours, base) if one.n > 1 and not one.constant]
    if not varying:
        many = " and ".join(str(one.n) for one in (ours, base) if one.n > 1)
        same = ours.median == base.median
        return Verdict(not same, CONSTANT, None, f"the same in all {many} repeats{' of both' if same else ''}")
    p, exact = mann_whitney_p(_thinned(ours.values), _thinned(base.values))
    test = f"{RANK_TEST}, {'exact' if exact else 'normal approximation'}"
    if p < ALPHA:
        return Verdict(True, test, p, f"{_p(p)} ({ours.n} against {base.n} values)")
    least = least_p(ours.n, base.n)
    if least >= ALPHA:
        few = f"{ours.n} against {base.n} values are too few: at best the test gives {_p(least)}"
        apart = ours.most < base.least or base.most < ours.least
        return Verdict(False, test, p, f"{few}{'' if apart else '; they overlap'}")
    return Verdict(False, test, p, f"{_p(p)} ({ours.n} against {base.n} values)")


def _thinned(values: tuple[float, ...]) -> tuple[float, ...]:
    return values[:: len(values) // _LARGE + 1]


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
