"""What applications of vendors' and Edge Impulse's kits say: one inference after another, until somebody ends it."""

from __future__ import annotations

from ..draft import RunDraft
from .verdict import passed

_NPU_TOLD = ("himax_device", "renesas_started", "npu_banner", "mlek_device", "npu_named")
"""Lines by which an application says that an Ethos-U is there."""


def on_renesas_frame(draft: RunDraft, line: int, us: int) -> None:
    if "renesas_started" in draft.seen:
        draft.set("times.inference_seconds", us / 1e6, line)
        passed(draft)


def on_renesas_failed(draft: RunDraft, line: int, what: str, said: str) -> None:
    inference = what.startswith("INFERENCE")
    if inference:
        draft.reach("execute")
    draft.fail("execution_failed" if inference else "port_failed", line, f"{what}: {said.strip()}")


def on_impulse_result(draft: RunDraft, line: int, ms: float | None) -> None:
    if ms is not None and not draft.seen.keys().isdisjoint(_NPU_TOLD):
        draft.set("times.inference_seconds", ms / 1e3, line)
        passed(draft)


def on_impulse_returned(draft: RunDraft, line: int, code: int) -> None:
    if code:
        on_impulse_failed(draft, line, code)


def on_impulse_failed(draft: RunDraft, line: int, code: int) -> None:
    """-3 is what TensorFlow Lite Micro refused, most often for its arena."""
    if not draft.seen.keys().isdisjoint(_NPU_TOLD):
        draft.reach("execute")
        draft.fail("execution_failed", line, f"the classifier returned {code}")
