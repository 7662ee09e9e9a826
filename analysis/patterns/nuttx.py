"""Lines of NuttX's own driver around the NPU's core driver: its functions' names may stand before them."""

from __future__ import annotations

from .table import Pattern as P

_SAID = (
    ("invoke_failed", "ethosu_invoke failed: {:int}"),
    ("driver_reserve_failed", "Failed to reserve Ethos-U driver"),
)

_FAULTS = ("Hard Fault!", "Hard fault", "Bus Fault", "Usage Fault", "Memory Management Fault", "Secure Fault")
_REASONS = (
    "Precise Data Bus Error", "Imprecise Data Bus Error", "Instruction Bus Error", "Undefined Instruction", "Invalid State", "No Coprocessor",
    "Unaligned Access", "Divide by Zero", "Data Access Violation", "Instruction Access Violation", "Stack Overflow Error",
)  # fmt: skip

NUTTX: tuple[P, ...] = (
    *(
        P(
            "fault_banner",
            f"PANIC!!! {kind}:{{? {{:pointer}}?}}{{:end}}",
            (f"arm_fault: PANIC!!! {kind}:",),
            anywhere=True,
        )
        for kind in _FAULTS
    ),
    P(
        "fault_status",
        "CFSR: {cfsr:pointer} HFSR: {hfsr:pointer} DFSR: {:pointer} BFAR: {bfar:pointer} AFSR: {:pointer}",
        ("arm_fault: CFSR: 00008200 HFSR: 40000000 DFSR: 00000000 BFAR: 60000010 AFSR: 00000000",),
        anywhere=True,
    ),
    *(P("fault_detail", f"fault: {reason}", (f"arm_fault: {reason}",), anywhere=True) for reason in _REASONS),
    P(
        "fault_detail",
        "IP: {:pointer} SP: {:pointer} LR: {lr:pointer} PC: {value:pointer}",
        ("up_dump_register: IP: 00000000 SP: 2001f0a8 LR: 10002213  PC: 10004a10",),
        anywhere=True,
    ),
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
