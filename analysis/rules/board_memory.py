"""The board's own memory, besides ExecuTorch's pools: what an application asked for and did not get."""

from __future__ import annotations

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run
from ..units import format_bytes
from .evidence import error


def board_memory(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The application takes its pools and buffers from the board's memory, and that is full; no pool is too small."""
    bad = seen.first("memory_full")
    if bad is None:
        return None
    size = bad.values.get("size")
    what = format_bytes(size) if isinstance(size, int) else "what was requested"
    detail = f"The log says: {bad.text}."
    if run.memory.planned_buffers:
        detail += f" Planned buffers take {sum(run.memory.planned_buffers)} bytes."
    return error(
        "board-memory-full", run, f"The board's memory has no room for {what}", detail,
        "Shrink what is placed there: cut the temp pool to what the NPU needs (Total SRAM used in Vela's summary) "
        "and the method pool to what it uses; int8 inputs and outputs and a smaller input shrink the planned "
        "buffers, and the program can stay in flash. Or give the application more of that memory (its linker "
        "script, its heap).", bad.line,
    )  # fmt: skip
