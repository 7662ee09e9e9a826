"""What applications of vendors' and Edge Impulse's kits say: one inference after another, until somebody ends it."""

from __future__ import annotations

from ..draft import RunDraft
from .monitor import on_mlek_time
from .verdict import passed

_CLEAR_MS = 10
"""Below this a clock of whole milliseconds tells an inference's time to less than one digit."""


def on_mlek_duration(draft: RunDraft, line: int, us: int) -> None:
    """The evaluation kit built for the host's own system."""
    on_mlek_time(draft, line, us / 1000)


def on_renesas_frame(draft: RunDraft, line: int, us: int) -> None:
    draft.set("times.inference_seconds", us / 1e6, line)
    passed(draft)


def on_renesas_failed(draft: RunDraft, line: int, what: str, said: str) -> None:
    inference = what.startswith("INFERENCE")
    if inference:
        draft.reach("execute")
    draft.fail("execution_failed" if inference else "port_failed", line, f"{what}: {said.strip()}")


def on_impulse_result(draft: RunDraft, line: int, ms: float | None) -> None:
    if ms is not None:
        draft.set("times.inference_seconds", ms / 1e3, line)
        passed(draft)


def on_impulse_returned(draft: RunDraft, line: int, code: int) -> None:
    if code:
        on_impulse_failed(draft, line, code)


def on_impulse_failed(draft: RunDraft, line: int, code: int) -> None:
    """-3 is what TensorFlow Lite Micro refused, most often for its arena."""
    draft.reach("execute")
    draft.fail("execution_failed", line, f"the classifier returned {code}")


def on_bench_arena_size(draft: RunDraft, line: int, size: int) -> None:
    draft.set("memory.pools.tensor_arena.capacity_bytes", size, line)
    draft.reach("load")


def on_bench_ticks(draft: RunDraft, line: int) -> None:
    """An operator of an inference; the generic benchmark lists them once it is over."""
    if not draft.failed:
        draft.reach("execute")


def on_bench_loop(draft: RunDraft, line: int, count: int, ms: int) -> None:
    """So many inferences are over; the clock counts whole milliseconds, which say nothing of a few."""
    if ms >= _CLEAR_MS and count > 0:
        draft.set("times.inference_seconds", round(ms / 1e3 / count, 6), line)
    passed(draft)


def on_bench_output(draft: RunDraft, line: int) -> None:
    passed(draft)


def on_bench_arena(draft: RunDraft, line: int, size: int) -> None:
    draft.set("memory.pools.tensor_arena.used_bytes", size, line)


on_bench_total = on_bench_arena


def on_llm_tokens(draft: RunDraft, line: int) -> None:
    draft.reach("report")


def on_llm_total(draft: RunDraft, line: int, seconds: float | None) -> None:
    """The whole text is one inference of the program, however many tokens it has."""
    if seconds is not None and "llm_tokens" in draft.seen:
        draft.set("times.inference_seconds", seconds, line)


def on_llm_sampled(draft: RunDraft, line: int) -> None:
    """The last of its figures: before them the text was generated."""
    if "llm_tokens" in draft.seen:
        passed(draft)
