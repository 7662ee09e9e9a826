"""Finds for each operator of one program the same operator in another: by name, else by place in the model, else by
kind and order.

Two compiles of one model seldom give the same list, because another NPU fuses, splits and leaves out other operators.
An operator without a counterpart stays alone, and each pair says by what it was found.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    By: TypeAlias = Literal["name", "place", "order"]

_MOST_CELLS = 1_000_000
"""A gap of more pairs than these is not aligned: its operators of one kind are taken in their order."""


class Item(NamedTuple):
    """What is known of an operator and helps to find its counterpart; None where nothing is known."""

    kind: str
    name: Hashable
    place: Hashable


class Pair(NamedTuple):
    """The places of two operators that are the same one."""

    one: int
    other: int
    by: By


def match(one: Sequence[Item], other: Sequence[Item]) -> tuple[Pair, ...]:
    """The pairs, in the order of `one`.

    Operators of the same name (or place) are paired only if both sides have the same number of them; then they are
    paired in their order. The operators between two pairs are aligned by kind.
    """
    pairs: dict[int, Pair] = {}
    taken: set[int] = set()
    steps: tuple[By, ...] = ("name", "place")
    for by in steps:
        ours, theirs = (_groups(items, by, used) for items, used in ((one, set(pairs)), (other, taken)))
        for key, places in ours.items():
            if len(places) == len(theirs.get(key, ())):
                pairs |= {i: Pair(i, j, by) for i, j in zip(places, theirs[key], strict=True)}
                taken.update(theirs[key])
    for low, high, first, last in _gaps(pairs, len(one), len(other)):
        left = [i for i in range(low, high) if i not in pairs]
        free = [j for j in range(first, last) if j not in taken]
        for i, j in _aligned(one, left, other, free):
            pairs[i] = Pair(i, j, "order")
            taken.add(j)
    return tuple(pairs[i] for i in sorted(pairs))


def _groups(items: Sequence[Item], by: By, used: set[int]) -> dict[Hashable, list[int]]:
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        key = item.name if by == "name" else item.place
        if key is not None and place not in used:
            groups[item.kind, key].append(place)
    return groups


def _gaps(pairs: dict[int, Pair], one: int, other: int) -> list[tuple[int, int, int, int]]:
    """What lies between pairs that stand in the same order on both sides: from, to on the one and on the other."""
    found = []
    low = first = 0
    for pair in _rising([pairs[i] for i in sorted(pairs)]):
        found.append((low, pair.one, first, pair.other))
        low, first = pair.one + 1, pair.other + 1
    return [*found, (low, one, first, other)]


def _rising(pairs: Sequence[Pair]) -> list[Pair]:
    """The most of these pairs (in order of the one) that are in order of the other too."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int | None] = []
    for at, pair in enumerate(pairs):
        length = bisect_left(ends, pair.other)
        before.append(places[length - 1] if length else None)
        ends[length : length + 1] = [pair.other]
        places[length : length + 1] = [at]
    chain = []
    last: int | None = places[-1] if places else None
    while last is not None:
        chain.append(pairs[last])
        last = before[last]
    return chain[::-1]


def _aligned(
    one: Sequence[Item], left: Sequence[int], other: Sequence[Item], free: Sequence[int]
) -> list[tuple[int, int]]:
    """The most pairs of the same kind that keep the order of both."""
    if not left or not free:
        return []
    if len(left) * len(free) > _MOST_CELLS:
        return _in_turn(one, left, other, free)
    rows = [[0] * (len(free) + 1)]
    for i in reversed(left):
        below, row = rows[-1], [0] * (len(free) + 1)
        for at in range(len(free) - 1, -1, -1):
            same = one[i].kind == other[free[at]].kind
            row[at] = below[at + 1] + 1 if same else max(below[at], row[at + 1])
        rows.append(row)
    rows.reverse()
    found = []
    i = j = 0
    while i < len(left) and j < len(free):
        if one[left[i]].kind == other[free[j]].kind:
            found.append((left[i], free[j]))
            i, j = i + 1, j + 1
        elif rows[i + 1][j] >= rows[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _in_turn(
    one: Sequence[Item], left: Sequence[int], other: Sequence[Item], free: Sequence[int]
) -> list[tuple[int, int]]:
    waiting: defaultdict[str, list[int]] = defaultdict(list)
    for j in reversed(free):
        waiting[other[j].kind].append(j)
    return [(i, waiting[one[i].kind].pop()) for i in left if waiting[one[i].kind]]
