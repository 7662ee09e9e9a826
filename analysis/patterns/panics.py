"""What firmware prints that stops itself: pico-sdk's panic, ESP-IDF's abort and its check of stacks, Mbed OS's errors, and the report of CmBacktrace.

They are no faults of the core, or reports that name one in other words; most of them say the reason on a line of their own.
"""

from __future__ import annotations

from .table import Pattern as P

_CAUSED = ("Hard fault", "Memory management fault", "Bus fault", "Usage fault", "Debug fault")
_WHERE = ("thread {:word}{:end}", "interrupt or bare metal(no OS) environment")
_MEANS = (
    "precise data access violation",
    "imprecise data access violation",
    "data access violation",
    "instruction access violation",
    "attempts to execute an undefined instruction",
    "attempts to switch to an invalid state (e.g., ARM)",
    "failed vector fetch",
)

PANICS: tuple[P, ...] = (
    P("fault_banner", "*** PANIC ***", ("*** PANIC ***",), "pico-sdk"),
    *(
        P("fault_detail", f"{what}{{:end}}", (what,), "pico-sdk")
        for what in (
            "Out of memory",
            "Hard assert",
            "Attempted to sleep inside of an exception handler",
        )
    ),
    P(
        "fault_banner",
        "abort() was called at PC {pc:pointer} on core {:int}",
        ("abort() was called at PC 0x42008f3b on core 0",),
        "esp",
    ),
    P(
        "fault_banner",
        "***ERROR*** A stack overflow in task {task:text} has been detected.",
        ("***ERROR*** A stack overflow in task main has been detected.",),
        "esp",
    ),
    P(
        "fault_detail",
        "Debug exception reason: {what:rest}",
        ("Debug exception reason: Stack canary watchpoint triggered (main)",),
        "esp",
    ),
    P("fault_banner", "++ MbedOS Error Info ++", ("++ MbedOS Error Info ++",), "mbed"),
    P("fault_detail", "Error Message: {what:rest}", ("Error Message: Operator new out of memory",), "mbed"),
    *(
        P("fault_banner", f"{what} on {where}", (f"{what} on {where.replace('{:word}{:end}', 'main')}",), "CmBacktrace")
        for what in ("Fault", "Assert")
        for where in _WHERE
    ),
    *(
        P(
            "fault_detail",
            f"{kind} is caused by {{what:rest}}",
            tuple(f"{kind} is caused by {means}" for means in _MEANS),
            "CmBacktrace",
        )
        for kind in _CAUSED
    ),
    *(
        P(
            "fault_detail",
            f"The {kind} fault occurred address is {{value:pointer}}",
            (f"The {kind} fault occurred address is 60001000",),
            "CmBacktrace",
        )
        for kind in ("bus", "memory management")
    ),
    P(
        "fault_detail",
        "R12: {:pointer} LR : {lr:pointer} PC : {value:pointer} PSR: {:pointer}",
        ("R12: 00000000  LR : 08001234  PC : 08005678  PSR: 61000000",),
        "CmBacktrace",
    ),
)
