"""A performance block, or the beginning of one, that was written once more: what it leaves out was said before.

A line or a piece of a log that came twice begins a block that is none.  Whether it is one is told by what was printed, before
anything of it is repaired: a repetition prints the same, and where it is only a part, the block before it holds the rest.
"""

from __future__ import annotations

from ..draft import RunDraft
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SUMS = (
    "cycles.inferences",
    "cycles.delegations",
    "cycles.operators_total",
    "cycles.inference",
    "cycles.cpu_wait_for_npu",
    "pmu.npu_cycles",
)
"""Figures of a block that add up over several."""
OTHERS = ("cycles.cpu_ratio_percent", "cycles.npu_ratio_percent", "pmu.npu_cycles_per_inference")
_LOOPS = frozenset(("server_mode", "server_done", "inference_number", "mlek_start", "mlek_model_start"))
"""What tells that a run has several inferences: in a simulator two of them may take the very same cycles."""


class Printed:
    """What a block has printed so far, with the lines."""

    __slots__ = ("counters", "figures", "lines", "mlek", "operators", "per_inference")

    def __init__(self, draft: RunDraft) -> None:
        self.figures = {path: draft.figures[path] for path in (*SUMS, *OTHERS) if path in draft.figures}
        self.operators = dict(draft.operators)
        self.counters = dict(draft.counters)
        self.mlek = dict(draft.mlek_counters)
        self.per_inference = dict(draft.per_inference)
        paths = (
            *self.figures,
            *(f"cycles.operators.{index}" for index in range(len(self.operators))),
            *(f"pmu.counters.{index}" for index in (*self.counters, *range(len(self.mlek)))),
        )
        self.lines = {path: draft.lines[path] for path in paths if path in draft.lines}

    @property
    def values(self) -> dict[Any, Any]:
        """Everything that another block may say otherwise."""
        operators = {("operator", name): total for name, (total, _) in self.operators.items()}
        return {**self.figures, **operators, **self.counters, **{("mlek", name): v for name, v in self.mlek.items()}}


def differ(one: Printed, other: Printed) -> bool:
    """Whether two blocks have other values of the same figure; what one of them lacks was lost."""
    ours, theirs = one.values, other.values
    return any(value != theirs[key] for key, value in ours.items() if key in theirs)


def lacks(one: Printed, other: Printed) -> bool:
    """Whether the first is without a figure that the other has."""
    return not one.values.keys() >= other.values.keys()


def at_one_end(one: Printed, other: Printed) -> bool:
    """Whether what the first is without stands all before or all behind the rest: it was cut, and no line in it was lost."""
    missing = [line for path, line in other.lines.items() if path not in one.lines]
    shared = [line for path, line in other.lines.items() if path in one.lines]
    if len(missing) < 2 or not shared:
        return not shared
    return min(missing) > max(shared) or max(missing) < min(shared)


def part_of(one: Printed, other: Printed) -> bool:
    """Whether one of the two says nothing beyond the other."""
    return not differ(one, other) and not (lacks(one, other) and lacks(other, one))


def alike(one: Printed, other: Printed) -> bool:
    """Whether two blocks say the same as far as both say it, and that is more than a count of inferences."""
    shared = one.values.keys() & other.values.keys() - {"cycles.inferences", "cycles.delegations"}
    return bool(shared) and not differ(one, other)


def reports_once(draft: RunDraft) -> bool:
    """True for a run of ExecuTorch's runner that prints one report, as far as can be told."""
    return draft.block_sum is None and "arm_executor_runner.cpp" in draft.files and _LOOPS.isdisjoint(draft.seen)


def serves(draft: RunDraft) -> bool:
    """True for a run of the runner's server mode."""
    return "server_done" in draft.seen or "server_mode" in draft.seen


def refill(draft: RunDraft, before: Printed) -> None:
    """The current block is the one before once more: what it does not say is as it was said there."""
    for path, value in before.figures.items():
        if path not in draft.figures:
            draft.set(path, value, before.lines.get(path, draft.block_line))
    draft.operators = {**before.operators, **draft.operators}
    draft.counters = {**before.counters, **draft.counters}
    draft.mlek_counters = {**before.mlek, **draft.mlek_counters}
    draft.per_inference = {**before.per_inference, **draft.per_inference}
    for path, line in before.lines.items():
        draft.lines.setdefault(path, line)


def only_new(draft: RunDraft, figures: dict[str, Any], operators: dict[str, Any], counters: dict[Any, int]) -> None:
    """Take out of the current block what a block that was printed long before says as well."""
    for path in (*SUMS, *OTHERS):
        if path in draft.figures and draft.figures[path] == figures.get(path):
            draft.set(path, None, 0)
    draft.operators = {n: v for n, v in draft.operators.items() if n not in operators or operators[n] != v[0]}
    draft.counters = {i: v for i, v in draft.counters.items() if counters.get(i) != v}


def begin_at(draft: RunDraft, line: int) -> None:
    """The current block begins on this line: what stands before it is the rest of another."""
    lines = draft.lines
    for path in (*SUMS, *OTHERS):
        if lines.get(path, line) < line:
            draft.set(path, None, 0)
            draft.per_inference.pop(path, None)
    if lines.get("cycles.operators.0", line) < line:
        draft.operators.clear()
    for index in [index for index in draft.counters if lines.get(f"pmu.counters.{index}", line) < line]:
        del draft.counters[index]
    draft.block_line = line
