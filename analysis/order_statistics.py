"""Medians, ranks and the best of a few, for comparisons that assume no distribution of the figures."""

from __future__ import annotations

from collections.abc import Sequence

from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal


def median(values: Sequence[float]) -> float:
    """The median; of an even number of values, the middle between the two in the middle.

    Raises:
        IndexError: there is no value.
    """
    return middle_of(sorted(values))


def middle_of(ordered: Sequence[float]) -> float:
    """The median of values that are already sorted, so that they are not sorted again.

    Raises:
        IndexError: there is no value.
    """
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else (low + high) / 2


def doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value, from 2. Equal values share their middle rank, which is a whole number when doubled."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            ranks[place] = first + last + 2
        first = last + 1
    return ranks


def best_of(values: Sequence[float], better: Literal["lower", "higher", "none"] = "lower") -> float | None:
    """The best value; None where there is no telling, or where most share it and a mark would say nothing."""
    if better == "none" or len(values) < 2:
        return None
    best = min(values) if better == "lower" else max(values)
    return best if 2 * sum(value == best for value in values) <= len(values) else None
