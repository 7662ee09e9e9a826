"""What applications of vendors' and Edge Impulse's kits say: one inference after another, until somebody ends it."""

from __future__ import annotations

from ..draft import RunDraft
from .verdict import passed


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
