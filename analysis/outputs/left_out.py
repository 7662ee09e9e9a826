"""Outputs that a runner passes over: it prints the values of some types only, and its numbers then have gaps."""

from __future__ import annotations

from ..report import Run

_MOST = 8
_RUNNERS = ("arm_executor_runner", "zephyr")


def left_out(run: Run) -> str:
    """Which outputs stand between printed ones without a value, in a sentence; empty where none does, or where lines may be lost."""
    known = {tensor.index for tensor in run.outputs}
    if not known or run.status != "passed" or run.runner.kind not in _RUNNERS:
        return ""
    gaps: list[int] = []
    for index in range(max(known)):
        if index not in known:
            gaps.append(index)
        if len(gaps) > _MOST:
            return ""  # so many are damage of a number
    if not gaps:
        return ""
    which = ", ".join(map(str, gaps))
    have = f"Outputs {which} have" if len(gaps) > 1 else f"Output {which} has"
    return f"{have} no values in the log: the runner prints tensors of float, int, char and (since 0.7) bool only."
