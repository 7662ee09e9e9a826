"""What applications say that look at camera pictures without end: they passed once a picture was worked through."""

from __future__ import annotations

from ..draft import RunDraft
from .load import on_model_size
from .monitor import on_inference_time, on_mcu_time, on_npu_named
from .predictions import add_prediction, label_score
from .results import fails, passed

on_vision_started = on_npu_named


def on_vision_frame(draft: RunDraft, line: int, us: int) -> None:
    on_mcu_time(draft, line, us)
    passed(draft)


def on_vision_benchmark(draft: RunDraft, line: int, runs: int, us: int) -> None:
    """It prints its line without any run, too, where the first that counts has failed."""
    if runs > 0:
        on_mcu_time(draft, line, us)
        passed(draft)
    else:
        draft.reach("execute")
        draft.fail("execution_failed", line, "benchmark: 0 runs")


def on_vision_failed(draft: RunDraft, line: int, status: int) -> None:
    """It goes on; where the NPU still does what a reset of the core alone left to it, only the first picture fails."""
    if "vision_started" not in draft.seen:
        return
    draft.reach("execute")
    say = draft.note if draft.seen.keys().isdisjoint(("vision_frame", "vision_failed")) else draft.fail
    say("execution_failed", line, f"detector: run failed (err={status})", "", {"status": status})
    draft.refused = "execute"


def on_vsi_ended(draft: RunDraft, line: int) -> None:
    if "vsi_started" in draft.seen and "mcu_time" in draft.seen:
        passed(draft)


def on_loop_class(draft: RunDraft, line: int, index: int, label: str, score: float | None) -> None:
    if score is not None:
        label_score(draft, line, index, label, score)


on_loop_time = on_vision_frame


_BEKEN = frozenset(("beken_started", "beken_loaded"))
"""How the applications on Beken's chip begin."""


def on_beken_loaded(draft: RunDraft, line: int, size: int, arena: int) -> None:
    on_model_size(draft, line, size)
    draft.set("memory.pools.tensor_arena.capacity_bytes", arena, line)


def on_beken_took(draft: RunDraft, line: int, us: int) -> None:
    if not _BEKEN.isdisjoint(draft.seen):
        on_mcu_time(draft, line, us)
        passed(draft)


def on_beken_unrun(draft: RunDraft, line: int) -> None:
    if not _BEKEN.isdisjoint(draft.seen):
        draft.reach("execute")
        said = "PersonDetection failed" if "beken_loaded" in draft.seen else "Invoke failed"
        draft.fail("invoke_failed", line, said)


def on_beken_unheld(draft: RunDraft, line: int, what: str, size: int) -> None:
    if "beken_started" in draft.seen:
        draft.fail("heap_failed", line, f"alloc {what} failed", "", {"size": size})


on_beken_unborn = fails("heap_failed", "alloc ethosu scratch failed")
_unset = fails("tensors_failed", "AllocateTensors failed")


def on_beken_unset(draft: RunDraft, line: int) -> None:
    if "beken_started" in draft.seen:
        draft.reach("plan")
        _unset(draft, line)


def on_beken_person(draft: RunDraft, line: int, percent: int) -> None:
    """How sure its example is of a person; the time of the inference is told only where it was built so."""
    if "beken_started" in draft.seen:
        draft.predictions.clear()  # of the picture before
        add_prediction(draft, line, None, "person", percent)
        passed(draft)


def on_beken_unfit(draft: RunDraft, line: int, what: str) -> None:
    if "beken_started" in draft.seen:
        draft.reach("plan")
        draft.fail("port_failed", line, f"{what} shape mismatch")


def on_beken_model(draft: RunDraft, line: int, address: str, size: int) -> None:
    if "beken_started" in draft.seen:
        draft.set("model.address", address, line)
        on_model_size(draft, line, size)


def on_beken_arena(draft: RunDraft, line: int, size: int) -> None:
    if "beken_started" in draft.seen:
        draft.set("memory.pools.tensor_arena.capacity_bytes", size, line)


def on_beken_used(draft: RunDraft, line: int, used: int, capacity: int) -> None:
    if not _BEKEN.isdisjoint(draft.seen):
        draft.set("memory.pools.tensor_arena.used_bytes", used, line)
        draft.set("memory.pools.tensor_arena.capacity_bytes", capacity, line)


def on_beken_time(draft: RunDraft, line: int, ms: int) -> None:
    if "beken_started" in draft.seen:
        on_inference_time(draft, line, float(ms))
        passed(draft)
