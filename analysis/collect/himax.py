"""What the examples for Himax's WiseEye2 say: each inference passes or fails, and its cycles are those of the CPU."""

from __future__ import annotations

from ..draft import RunDraft
from .monitor import on_npu_named
from .verdict import passed

_BESIDE = ("uint8toint8", "post_processing")
"""Work before and after the inference, which is timed under its name, too."""


def on_himax_started(draft: RunDraft, line: int, npu: str) -> None:
    on_npu_named(draft, line, npu)


def on_himax_passed(draft: RunDraft, line: int) -> None:
    if "himax_started" in draft.seen:
        draft.seen["execute_start"] = line
        passed(draft)


def on_himax_failed(draft: RunDraft, line: int) -> None:
    if "himax_started" in draft.seen:
        draft.reach("execute")
        draft.fail("execution_failed", line, "invoke fail")


def on_himax_ticks(draft: RunDraft, line: int, what: str, cycles: int) -> None:
    """The newest inference counts."""
    if "himax_started" in draft.seen and not any(words in what for words in _BESIDE):
        draft.set("cycles.inference", cycles, line)
