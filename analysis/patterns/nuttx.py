"""Lines of NuttX's own driver around the NPU's core driver: its functions' names may stand before them."""

from __future__ import annotations

from .table import Pattern as P

NUTTX: tuple[P, ...] = tuple(
    P(event, f"{head}ERROR: {text}", (f"{head}ERROR: {text}".replace("{:int}", "-22"),))
    for event, function, text in (
        ("driver_failed", "ethosu_initialize", "Failed to initialize Ethos-U driver: {:int}"),
        ("driver_reserve_failed", "ethosu_aie_get_output", "Failed to reserve Ethos-U driver"),
        ("invoke_failed", "ethosu_aie_get_output", "ethosu_invoke failed: {:int}"),
    )
    for head in (
        "",
        *([f"{function}: "] if event != "driver_failed" else []),
    )  # applications.py has any name before that
)
