"""Which lines a run, or one of its performance blocks, prints only once: a second one belongs to another run or report."""

from __future__ import annotations

MEASURED = frozenset(("operator_cycles", "operators_total", "inference_cycles", "cpu_wait", "npu_cycles", "counter"))
"""Lines of a report that two targets are unlikely to print alike."""
OF_BLOCK = MEASURED | {"delegations", "cpu_ratio", "npu_ratio"}
"""Printed once in each performance block."""
_LOAD = frozenset(
    ("methods", "method_pool", "planned_buffer", "program_size", "loaded_size", "method_planned", "method_loaded_bytes",
     "method_input")
)  # fmt: skip
"""Printed once in each run."""
STEPS = frozenset(("method", "method_load_start", "method_loaded", "inputs_start"))
"""So are these, without a figure that could differ."""
PRINTED_ONCE = _LOAD | STEPS | OF_BLOCK
