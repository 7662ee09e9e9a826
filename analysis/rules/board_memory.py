"""Memory of the board itself, beside ExecuTorch's pools: what an application asked of it and did not get."""

from __future__ import annotations

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run
from ..units import format_bytes
from ..verdict import error


def board_memory(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The application takes its pools and buffers from the board's memory, and that is full: no pool is too small."""
    bad = seen.first("memory_full")
    if bad is None:
        return None
    size = bad.values.get("size")
    what = format_bytes(size) if isinstance(size, int) else "what was asked for"
    detail = f"The log says: {bad.text}."
    if run.memory.planned_buffers:
        detail += f" Planned buffers take {sum(run.memory.planned_buffers)} bytes."
    return error(
        "board-memory-full", run, f"The board's memory has no room for {what}", detail,
        "Make smaller what stands in it: the temp pool down to what the NPU needs (Total SRAM used in Vela's summary), the method "
        "pool down to its use; int8 inputs and outputs and a smaller input make the planned buffers smaller, and the program can stay "
        "in flash. Or give the application more of the memory (its linker script, its heap).", bad.line,
    )  # fmt: skip
