"""Lines of Infineon's profiler for PSOC Edge: averages over all inferences. Their number follows, or comes first where
a host sends the data.

Its sizes are in kB with two decimals, which gives no number of bytes.
"""

from __future__ import annotations

from ..draft import RunDraft
from .results import fails, passed, says_passed


def on_psoc_started(draft: RunDraft, line: int, place: str | None) -> None:
    if place is not None and place.endswith("+U55"):
        draft.set("target.npu", "ethos-u55", line)
    elif place is not None:
        draft.seen["psoc_other_npu"] = line


def on_psoc_frames(draft: RunDraft, line: int, frames: int, steps: int) -> None:
    """A recurrent model runs once for each step of a frame."""
    draft.set("cycles.inferences", frames * max(1, steps), line)


def on_psoc_cpu(draft: RunDraft, line: int, average: float | None, most: float | None, mhz: int) -> None:
    """The CPU's cycles without those in which it waited for the NPU."""
    if average is not None and mhz > 0:
        draft.set("times.inference_seconds", average / mhz / 1e6, line)


def on_psoc_npu(draft: RunDraft, line: int, average: float | None, most: float | None, mhz: int) -> None:
    """Under an operating system nobody counts them and 0 is printed; on the other core the NPU is Infineon's own."""
    if not average:
        return
    seconds = draft.get("times.inference_seconds")
    if seconds is not None and mhz > 0 and draft.last_event == "psoc_cpu":
        draft.set("times.inference_seconds", seconds + average / mhz / 1e6, line)
    if "psoc_other_npu" in draft.seen:
        return
    draft.set("pmu.npu_cycles_per_inference", average, line)
    draft.set("pmu.npu_cycles_max", None if most is None else round(most), line)


def on_psoc_accurate(draft: RunDraft, line: int, percent: float | None, count: int) -> None:
    draft.set("cycles.inferences", count, line)
    passed(draft)


def on_psoc_inaccurate(draft: RunDraft, line: int, percent: float | None, count: int) -> None:
    """It compares the class with the highest score, and accepts 2 wrong ones in 100."""
    draft.set("cycles.inferences", count, line)
    draft.fail("pack_failed", line, f"FAIL with accuracy percentage ={percent}, total_cnt={count}")


on_psoc_done = says_passed
on_psoc_failed = fails("execution_failed", "Profiling task failed!")


def on_psoc_stopped(draft: RunDraft, line: int, status: int) -> None:
    draft.fail("execution_failed", line, f"Inference error: Tflite-Micro status: {status}")


on_psoc_unfed = fails("inputs_failed", "Timed out waiting for start string")
