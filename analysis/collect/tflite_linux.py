"""What TensorFlow Lite's tools under Linux measured, and whether they finished."""

from __future__ import annotations

from ..draft import RunDraft
from .monitor import on_call_cycles, on_model_loaded_time, set_macs, set_milliseconds
from .perf_blocks import first_block
from .predictions import label_score

_ARCHITECTURES = {4: "ethos-u55", 6: "ethos-u65", 7: "ethos-u85"}
"""NPUs by the product number in the ID register, which differs from the number in the configuration register."""
_MOST_COUNTERS = 8
"""The most counters that any NPU has."""


def on_tflite_delegated(draft: RunDraft, line: int, nodes: int, total: int) -> None:
    if nodes == 0 < total:
        draft.set("cycles.delegations", 0, line)


def on_tflite_npu_cycles(draft: RunDraft, line: int, cycles: int) -> None:
    """One line per NPU operator that ran."""
    on_call_cycles(draft, line, cycles, None)


def on_tflite_npu_counters(draft: RunDraft, line: int, values: str) -> None:
    """One line per NPU operator that ran, like its cycles."""
    first_block(draft, line)
    for index, value in enumerate(values.split()[:_MOST_COUNTERS]):
        if value.isdecimal() and len(value) <= 20:
            path = f"pmu.counters.{index}"
            draft.block.counters[index] = draft.total(path, draft.block.counters.get(index), int(value))
            draft.mark(path, line)


on_tflm_counters = on_tflite_npu_counters


def on_tflm_cycles(draft: RunDraft, line: int, cycles: int) -> None:
    """One line per inference, each with an input of its own; totals are over all of them."""
    if not 0 <= cycles < 1 << 63:
        draft.doubt("impossible", line, f"Cycle counter: {cycles}")
        return
    total = draft.total("pmu.npu_cycles", draft.get("pmu.npu_cycles"), cycles)
    count = draft.total("cycles.inferences", draft.get("cycles.inferences"), 1)
    draft.set("pmu.npu_cycles", total, line)
    draft.set("cycles.inferences", count, line)
    if count > 1:
        draft.set("pmu.npu_cycles_per_inference", total / count, line)


on_tflite_ready = on_model_loaded_time


def on_tflite_count(draft: RunDraft, line: int, count: int) -> None:
    """Printed after the warm-up inferences and after the measured ones; cycles are counted over both."""
    draft.set("cycles.inferences", draft.total("cycles.inferences", draft.get("cycles.inferences"), count), line)


def on_tflite_timings(draft: RunDraft, line: int, load: float | None, us: float | None) -> None:
    if load is not None and us is not None:
        draft.set("times.load_seconds", load / 1e6, line)
        draft.set("times.inference_seconds", us / 1e6, line)
    cycles, count = draft.get("pmu.npu_cycles"), draft.get("cycles.inferences")
    if cycles and count:
        draft.set("pmu.npu_cycles_per_inference", cycles / count, line)
    _through(draft)


def on_tflite_average(draft: RunDraft, line: int, ms: float | None) -> None:
    set_milliseconds(draft, "times.inference_seconds", line, ms)
    _through(draft)


def on_tflite_score(draft: RunDraft, line: int, score: float, index: int, label: str) -> None:
    if "tflite_average" not in draft.seen:  # only what stands below it
        return
    if all(known != index for known, _, _ in draft.predictions):  # else a line that came twice
        label_score(draft, line, index, label, score)


def on_npu_product(draft: RunDraft, line: int, major: int) -> None:
    if major in _ARCHITECTURES:
        draft.set("target.npu", _ARCHITECTURES[major], line)


def on_npu_macs_log(draft: RunDraft, line: int, log: int) -> None:
    set_macs(draft, line, log)


def _through(draft: RunDraft) -> None:
    if not draft.failed:
        draft.complete()
