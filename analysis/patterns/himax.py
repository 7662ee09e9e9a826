"""Lines of the examples for Himax's WiseEye2, which look at pictures or listen without end, with TensorFlow Lite Micro or ExecuTorch.

Words that others print too count only behind the line that says that the NPU is there.
"""

from __future__ import annotations

from .table import Pattern as P

HIMAX: tuple[P, ...] = (
    P("himax_started", "Ethos-{npu:name} device initialised", ("Ethos-U55 device initialised",)),
    P("driver_failed", "failed to initalise Ethos-U device", ("failed to initalise Ethos-U device",)),
    P("himax_ready", "initial done", ("initial done",)),
    P("himax_passed", "invoke pass", ("mb cls invoke pass", "invoke pass"), anywhere=True),
    P("himax_failed", "invoke fail", ("mb cls invoke fail", "invoke fail"), anywhere=True),
    P("himax_ticks", "Tick for Invoke for {what:text}:[{cycles:int}]", ("Tick for Invoke for MB_CLS:[1203345]",)),
    P(
        "port_failed",
        "Error: mm_reserve_align failed for planned buffer {:int}",
        ("Error: mm_reserve_align failed for planned buffer 0",),
    ),
    P(
        "port_failed",
        "Error: Failed to allocate method_allocator pool (size {:int})",
        ("Error: Failed to allocate method_allocator pool (size 81920)",),
    ),
)
