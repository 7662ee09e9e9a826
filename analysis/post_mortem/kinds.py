"""Groups runs that can be compared with each other: the base of all tables of a post-mortem."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..rows.store import ABSENT, RunStore
from .alike import alike
from .trends import Usual, usual

if TYPE_CHECKING:
    from typing import TypeAlias

MOST_ROWS = 20
"""Rows of one table of the summary; the number of rows left out stands below it."""


class Kind(NamedTuple):
    """What makes runs comparable: codes of target, program size and inferences, as the store keeps them."""

    target: int
    pte_bytes: int
    inferences: int


class Members(NamedTuple):
    """The runs of a kind: how many there are, how many passed, and those that passed and have NPU cycles."""

    runs: int
    passed: int
    measured: array[int]
    """Positions of the runs that passed and have NPU cycles, in order."""
    npu_cycles: array[int]
    """NPU cycles of each of them."""
    usual: Usual | None
    """What they usually take; None where none was measured."""


Kinds: TypeAlias = "dict[Kind, Members]"


def kinds_of(store: RunStore) -> Kinds:
    """The runs grouped by what makes them comparable."""
    cycles, passed = store.numbers("npu_cycles"), store.code_of("passed")
    found: defaultdict[tuple[int, ...], _Found] = defaultdict(_Found)
    columns = [store.codes("target"), store.numbers("pte_bytes"), store.numbers("inferences"), store.codes("status")]
    for (*facts, status), positions in alike(columns, 0, store.count):
        key = tuple(facts)
        kind = found[key]
        kind.runs += len(positions)
        if status == passed:
            kind.passed += len(positions)
            if key[0] >= 0 or key[1] != ABSENT:  # of an unknown target and program nothing can be compared
                kind.measure(positions, cycles)
    return {Kind(*key): kind.members() for key, kind in found.items()}


class _Found:
    """A kind while its runs are being counted."""

    def __init__(self) -> None:
        self.runs = 0
        self.passed = 0
        self._positions = array("q")
        self._cycles = array("q")

    def measure(self, positions: Sequence[int], cycles: array[int]) -> None:
        """Add those of these runs that have NPU cycles."""
        together = positions[-1] - positions[0] == len(positions) - 1
        figures = cycles[positions[0] : positions[-1] + 1] if together else array("q", [cycles[p] for p in positions])
        if min(figures) > 0:
            self._positions.extend(positions)
            self._cycles.extend(figures)
        elif max(figures) > 0:
            known = [(p, value) for p, value in zip(positions, figures, strict=True) if value > 0]
            self._positions.extend([p for p, _ in known])
            self._cycles.extend([value for _, value in known])

    def members(self) -> Members:
        """What was found."""
        normal = usual(self._cycles) if self._cycles else None
        return Members(self.runs, self.passed, self._positions, self._cycles, normal)
