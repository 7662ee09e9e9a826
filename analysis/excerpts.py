"""Parts of reports without the runs around them: pages and searches show the figures of one run below those of another."""

from __future__ import annotations

from .collect.collect import STAGE
from .draft import RunDraft

_FIRST = frozenset(("inferences", "operators_total", "inference_cycles", "loaded_size", "program_size", "method_use"))
"""What such a part begins with, and a runner prints once."""
_SHARED = frozenset(("pmu_start", "npu_cycles", "operator_cycles"))
"""Likewise, where it is a runner of ExecuTorch: others print it after each inference."""


def begins_again(draft: RunDraft, kind: str) -> bool:
    """Whether this line begins another part: it is like the first of a run that has printed nothing but its report."""
    if kind not in _FIRST and not (kind in _SHARED and draft.files):
        return False
    if next(iter(draft.seen), "") != kind:
        return False
    return all(STAGE.get(seen, "report") == "report" for seen in draft.seen)
