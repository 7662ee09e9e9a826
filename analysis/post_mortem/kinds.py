"""What makes runs comparable, and which runs are: the base of all tables of a post-mortem."""

from __future__ import annotations

from array import array

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..row_store import ABSENT, RunStore

if TYPE_CHECKING:
    from typing import TypeAlias

MOST_ROWS = 20
"""Rows of one table of the summary; what is left out is counted under it."""


class Kind(NamedTuple):
    """What makes runs comparable: codes of target, program size and inferences, as the store keeps them."""

    target: int
    pte_bytes: int
    inferences: int


class Members(NamedTuple):
    """The positions of the runs of a kind: all of them, and those that passed and have NPU cycles."""

    runs: array[int]
    measured: array[int]


Kinds: TypeAlias = "dict[Kind, Members]"


def kinds_of(store: RunStore) -> Kinds:
    """The runs by what makes them comparable."""
    statuses, cycles, passed = store.codes("status"), store.numbers("npu_cycles"), store.code_of("passed")
    runs: dict[tuple[int, int, int], array[int]] = {}
    columns = zip(store.codes("target"), store.numbers("pte_bytes"), store.numbers("inferences"), strict=True)
    for position, key in enumerate(columns):
        positions = runs.get(key)
        if positions is None:
            positions = runs[key] = array("q")
        positions.append(position)
    kinds: Kinds = {}
    for key, positions in runs.items():
        known = key[0] >= 0 or key[1] != ABSENT  # of an unknown target and program nothing can be compared
        good = [p for p in positions if statuses[p] == passed and cycles[p] > 0] if known else []
        kinds[Kind(*key)] = Members(positions, array("q", good))
    return kinds
