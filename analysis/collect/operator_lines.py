"""Lines of operators: ExecuTorch's one line for the NPU, and TensorFlow Lite Micro's line for each operator of a graph."""

from __future__ import annotations

from ..draft import RunDraft
from .perf_blocks import first_block, next_block

MOST_OPERATORS = 256
"""Kinds of operators that are kept per run; TensorFlow Lite has fewer."""
_JOBS = ("tflm_running", "tflm_waiting", "tflm_received", "mlek_start", "mlek_model_start", "execute_start")


def on_operator_cycles(draft: RunDraft, line: int, cycles: int, per_inference: float | None) -> None:
    _next_profile(draft, line)
    others = {name: found for name, found in draft.block.operators.items() if name != "ethos-u"}
    if others and "ethos-u" not in draft.block.operators:  # it stands first in the report
        for index in range(len(others), 0, -1):
            draft.mark(f"cycles.operators.{index}", draft.lines[f"cycles.operators.{index - 1}"])
    before, _ = draft.block.operators.get("ethos-u", (0, None)) if _prints_jobs(draft) else (0, None)
    draft.block.operators.clear()
    total = draft.total("cycles.operators.ethos-u", before, cycles)
    draft.block.operators.update({"ethos-u": (total, per_inference), **others})
    draft.lines["cycles.operators.0"] = line


def on_cpu_operator_cycles(draft: RunDraft, line: int, name: str, cycles: int) -> None:
    """TensorFlow Lite Micro prints a line per operator of the graph; operators of one kind are added up."""
    if not 0 <= cycles < 1 << 48:
        draft.doubt("impossible", line, f"{name} : cycle_cnt : {cycles} cycles")
        return
    _next_profile(draft, line)
    if name not in draft.block.operators:
        if len(draft.block.operators) >= MOST_OPERATORS:
            return
        draft.mark(f"cycles.operators.{len(draft.block.operators)}", line)
    before, _ = draft.block.operators.get(name, (0, None))
    draft.block.operators[name] = (draft.total(f"cycles.operators.{name}", before, cycles), None)


def _prints_jobs(draft: RunDraft) -> bool:
    """Whether TensorFlow Lite Micro prints a line for each operator, those on the NPU included; ExecuTorch prints one
    for all.
    """
    return not draft.files and "inferences" not in draft.seen


def _next_profile(draft: RunDraft, line: int) -> None:
    """Whether a new inference began or ended since the last operator, so that another block follows."""
    if _prints_jobs(draft):
        first_block(draft, line)
        if draft.get("cycles.inference") is not None:
            next_block(draft, line, always=True)
            return
    last = max(draft.seen.get("cpu_operator_cycles", 0), draft.seen.get("operator_cycles", 0))
    if "cpu_operator_cycles" in draft.seen and any(draft.seen.get(kind, 0) > last for kind in _JOBS):
        next_block(draft, line, always=True)
