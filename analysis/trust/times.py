"""Checks inferences that were timed one by one: their numbers, their count, and the total that the runner prints."""

from __future__ import annotations

import math

from ..meaning.timed import ITERATIONS, MOST_TIMED
from ..units import format_many
from .settled import NPU_EACH, Settled

_COUNT, _TOTAL, _MEAN = "cycles.inferences", "times.total_seconds", "times.inference_seconds"
_STEP_SECONDS = 1e-9
"""Times are printed in milliseconds with six decimals."""


def check_times(s: Settled) -> None:
    """Take the single times out where one is missing, and the total as well where the two contradict each other."""
    kept, last, seen = s.iterations, s.draft.seen.get("iteration_index", 0), s.draft.seen
    said = s.get(_COUNT) if "executed_times" in seen else None
    full = len(kept) >= MOST_TIMED
    if said is not None and said < last:  # the runner tells both, and one of them was changed
        s.doubt("times", ITERATIONS, f"iteration {last} and {format_many(said, 'inference')} in all")
        s.iterations = []
        s.drop(ITERATIONS, _COUNT, _MEAN, NPU_EACH)
        return
    most = max(last, said or 0)
    if not full and len(kept) < most:
        if len(kept) > 1:
            s.doubt("times", ITERATIONS, f"the times of {len(kept)} of {format_many(most, 'inference')}")
        s.iterations = []
        s.drop(ITERATIONS)
        return
    total = s.get(_TOTAL) if said is not None and not full else None
    if total is None:
        return
    found = math.fsum(kept)
    if abs(found - total) > _STEP_SECONDS * (len(kept) + 1) + 1e-9 * abs(total):
        times = format_many(len(kept), "inference")
        text = f"{1000 * total:.6f} ms in all, and for {times} {1000 * found:.6f} ms together"
        s.doubt("times", ITERATIONS, text)
        s.iterations = []
        s.drop(ITERATIONS, _TOTAL, _MEAN)
