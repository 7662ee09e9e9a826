"""Lines of Himax's applications: a run passes once it has processed a picture, by ExecuTorch or TensorFlow Lite Micro.

If the board's memory is too small, the classifier ends before that.
"""

from __future__ import annotations

import re

from ..draft import RunDraft
from .monitor import on_npu_named, set_milliseconds
from .predictions import MOST_PREDICTIONS, add_prediction, from_the_first
from .results import fails, passed, says_passed

_BESIDE = ("uint8toint8", "post_processing")
"""Work before and after the inference that is timed under the inference's name."""


_PERF = r'"perf": ?\[\d{1,6}, ?(\d{1,6}), ?\d{1,6} ?\]'
"""Milliseconds before, in and after the inference."""

on_himax_device = on_npu_named


def on_himax_unplanned(draft: RunDraft, line: int, index: int) -> None:
    """The application's own allocator for SRAM refused the request announced in the line before."""
    size = draft.planned_buffers.get(index)
    draft.fail("memory_full", line, f"mm_reserve_align failed for planned buffer {index}", "", {"size": size})


def on_himax_unreserved(draft: RunDraft, line: int, size: int) -> None:
    text = f"Failed to allocate method_allocator pool (size {size})"
    draft.fail("memory_full", line, text, "", {"size": size})


def on_himax_results(draft: RunDraft, line: int) -> None:
    from_the_first(draft)


def on_himax_result(draft: RunDraft, line: int, label: str, score: int) -> None:
    _found(draft, line, None, label, float(score))


def on_himax_class(draft: RunDraft, line: int, index: int, score: float | None) -> None:
    if score is not None:
        _found(draft, line, index, None, score)


def _found(draft: RunDraft, line: int, index: int | None, label: str | None, score: float) -> None:
    if "himax_results" in draft.seen and len(draft.predictions) < MOST_PREDICTIONS:
        add_prediction(draft, line, index, label, score)
        passed(draft)


on_himax_invoked = says_passed


def on_himax_ticks(draft: RunDraft, line: int, what: str, cycles: int) -> None:
    """Cycles of the CPU; the newest inference counts."""
    if not any(words in what for words in _BESIDE):
        draft.set("cycles.inference", cycles, line)


on_himax_invoke_failed = fails("invoke_failed", "The application says: invoke fail", "execute")
on_himax_unseen = fails("camera_failed", "The camera's sensor took no setting over I2C", "inputs")
on_himax_failed = fails("execution_failed", "method.value()->execute fail", "execute")


def on_himax_answered(draft: RunDraft, line: int, code: int, data: str) -> None:
    """The answer to `AT+INVOKE`, then one per picture; only Seeed's firmware prints the time of an inference."""
    if code:
        draft.reach("execute")
        draft.fail("invoke_failed", line, f"INVOKE was answered with code {code}")
    elif '"count"' in data:
        timed = re.search(_PERF, data)
        set_milliseconds(draft, "times.inference_seconds", line, float(timed[1]) if timed is not None else None)
        passed(draft)
