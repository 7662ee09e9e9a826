"""A piece of the end of a run that stands twice in the log, and so looks like another run that passed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..named_tuple import TYPE_CHECKING
from ..report import Finding, Run

if TYPE_CHECKING:
    from typing import Any

_MOST_LINES = 16
"""A buffer that a terminal server or a logger writes again holds a few hundred bytes."""
_GAP = 4
"""Lines from the end of a run to the first that is known of the piece, which begins inside of a line, or of what means nothing."""


def pieces_again(runs: Sequence[Run]) -> Iterator[Finding]:
    """`piece-repeated`: a short run directly behind another, without first lines and without a figure that is not the other's."""
    for before, run, then in zip(runs, runs[1:], (*runs[2:], None), strict=False):
        if then is not None and _goes_on(run, then):
            continue
        if run.last_line - run.first_line >= _MOST_LINES or run.first_line - before.last_line > _GAP:
            continue
        if run.status == before.status == "passed" and _is_piece(run, before):
            yield Finding(
                "piece-repeated", "warning", run.index, f"This is most likely no run, but the end of run {before.index} once more",
                f"It has no first lines, begins at line {run.first_line} directly behind that one, and says nothing that was not said there.",
                "Do not count it, unless the program goes on with a second inference by itself: one with equal figures looks the same. A terminal server or a logger that "
                "writes a block again does that: capture the console in another way if it happens often.",
                (run.first_line,),
            )  # fmt: skip


def _goes_on(run: Run, then: Run) -> bool:
    """Whether the same comes again behind it: a program that goes on with another inference, and prints no more of each."""
    return then.first_line - run.last_line <= _GAP and run.lines.keys() == then.lines.keys()


def _is_piece(run: Run, before: Run) -> bool:
    """Whether this has not loaded a program, and all of it is in the run before."""
    model = run.model
    loaded = any(part is not None for part in (model.address, model.magic, model.methods, model.method))
    if loaded or run.lines.keys() >= before.lines.keys():
        return False
    parts = ("model", "memory", "cycles", "pmu", "times", "bundleio", "predictions")
    return all(_within(getattr(run, part), getattr(before, part)) for part in parts) and all(
        tensor.elided or tensor in before.outputs for tensor in run.outputs
    )


def _within(part: Any, whole: Any) -> bool:
    """Whether a part of a report says nothing that the whole does not say."""
    if part is None or part == () or part == whole:
        return True
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _within(value, whole[key]) for key, value in part.items())
    if isinstance(part, tuple) and type(part) is type(whole) and hasattr(part, "_fields"):
        return all(_within(one, other) for one, other in zip(part, whole, strict=True))
    return isinstance(part, tuple) and isinstance(whole, tuple) and all(value in whole for value in part)
