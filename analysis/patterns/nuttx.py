"""Lines of NuttX's own driver around the NPU's core driver: its functions' names may stand before them."""

from __future__ import annotations

from .table import Pattern as P

_SAID = (
    ("invoke_failed", "ethosu_invoke failed: {:int}"),
    ("driver_reserve_failed", "Failed to reserve Ethos-U driver"),
)

NUTTX: tuple[P, ...] = (
    P(
        "driver_failed",  # behind any name, applications.py has it
        "ERROR: Failed to initialize Ethos-U driver: {:int}",
        ("ERROR: Failed to initialize Ethos-U driver: -22",),
    ),
    *(
        P(event, f"{head}ERROR: {text}", (f"{head}ERROR: {text}".replace("{:int}", "-22"),))
        for event, text in _SAID
        for head in ("", "ethosu_aie_get_output: ")
    ),
)
