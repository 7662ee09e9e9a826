"""Recognises a performance block, or the beginning of one, that is a copy of the block before.

A line or a piece of a log that came twice begins a block that is none. What was printed decides, before anything is
repaired: a copy prints the same values, and where it is only a part, the block before holds the rest.
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
"""Events that show a run of several inferences; in a simulator two of them may take exactly the same cycles."""


class Printed:
    """What a block has printed so far, with the lines."""

    __slots__ = ("block", "figures", "lines")

    def __init__(self, draft: RunDraft) -> None:
        self.figures = {path: draft.figures[path] for path in (*SUMS, *OTHERS) if path in draft.figures}
        self.block = draft.block.copy()
        paths = (
            *self.figures,
            *(f"cycles.operators.{index}" for index in range(len(self.block.operators))),
            *(f"pmu.counters.{i}" for i in (*self.block.counters, *range(len(self.block.named_counters)))),
        )
        self.lines = {path: draft.lines[path] for path in paths if path in draft.lines}

    @property
    def values(self) -> dict[Any, Any]:
        """Every value that another block may print differently."""
        operators = {("operator", name): total for name, (total, _) in self.block.operators.items()}
        named = {("counter", name): value for name, value in self.block.named_counters.items()}
        return {**self.figures, **operators, **self.block.counters, **named}


def differ(one: Printed, other: Printed) -> bool:
    """Whether two blocks have different values of one figure; a figure that only one of them has does not count."""
    ours, theirs = one.values, other.values
    return any(value != theirs[key] for key, value in ours.items() if key in theirs)


def lacks(one: Printed, other: Printed) -> bool:
    """Whether the first block is without a figure that the other has."""
    return not one.values.keys() >= other.values.keys()


def at_one_end(one: Printed, other: Printed) -> bool:
    """Whether everything that the first block lacks stands at its beginning or at its end: it was cut, and lost no line
    inside.
    """
    missing = [line for path, line in other.lines.items() if path not in one.lines]
    shared = [line for path, line in other.lines.items() if path in one.lines]
    if len(missing) < 2 or not shared:
        return not shared
    return min(missing) > max(shared) or max(missing) < min(shared)


def part_of(one: Printed, other: Printed) -> bool:
    """Whether one of two blocks prints nothing that the other does not."""
    return not differ(one, other) and not (lacks(one, other) and lacks(other, one))


def alike(one: Printed, other: Printed) -> bool:
    """Whether two blocks agree in every figure that both print, and share more than a count of inferences."""
    shared = one.values.keys() & other.values.keys() - {"cycles.inferences", "cycles.delegations"}
    return bool(shared) and not differ(one, other)


def reports_once(draft: RunDraft) -> bool:
    """True for a run of ExecuTorch's runner that prints one report, as far as can be told."""
    return draft.blocks.sum is None and unlooped(draft)


def unlooped(draft: RunDraft) -> bool:
    """True for a run of ExecuTorch's runner in which nothing tells of more than one report."""
    return "arm_executor_runner.cpp" in draft.files and _LOOPS.isdisjoint(draft.seen)


def serves(draft: RunDraft) -> bool:
    """True for a run in the runner's server mode."""
    return "server_done" in draft.seen or "server_mode" in draft.seen


def refill(draft: RunDraft, before: Printed) -> None:
    """Fill up the current block, a copy of the block before, with what was printed there."""
    for path, value in before.figures.items():
        if path not in draft.figures:
            draft.set(path, value, before.lines.get(path, draft.block.line))
    draft.block.filled_up(before.block)
    for path, line in before.lines.items():
        draft.lines.setdefault(path, line)


def only_new(draft: RunDraft, figures: dict[str, Any], operators: dict[str, Any], counters: dict[Any, int]) -> None:
    """Remove from the current block what a much earlier block printed as well."""
    for path in (*SUMS, *OTHERS):
        if path in draft.figures and draft.figures[path] == figures.get(path):
            draft.set(path, None, 0)
    block = draft.block
    block.operators = {n: v for n, v in block.operators.items() if n not in operators or operators[n] != v[0]}
    block.counters = {i: v for i, v in block.counters.items() if counters.get(i) != v}


def begin_at(draft: RunDraft, line: int) -> None:
    """Let the current block begin on this line; what stands before belongs to another one."""
    lines = draft.lines
    for path in (*SUMS, *OTHERS):
        if lines.get(path, line) < line:
            draft.set(path, None, 0)
            draft.block.per_inference.pop(path, None)
    if lines.get("cycles.operators.0", line) < line:
        draft.block.operators.clear()
    for index in [index for index in draft.block.counters if lines.get(f"pmu.counters.{index}", line) < line]:
        del draft.block.counters[index]
    draft.block.line = line
