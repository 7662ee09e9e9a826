"""Fault reports: a handler that prints all in one line; Mbed OS, Zephyr and the evaluation kit, with a register a line behind a banner.

Beside them what firmware says of a reset: before it, in the watchdog's handler, or after it, where it starts anew.
"""

from __future__ import annotations

from .table import Pattern as P

_MBED = ("PC", "LR", "SP", "PSP", "MSP", "HFSR", "CFSR", "MMFSR", "BFSR", "UFSR", "BFAR", "MMFAR")
_RESET_NAMES = ("Reset cause", "Reset Cause", "reset cause", "RESET CAUSE", "Reset reason", "Reset Reason", "reset reason",
                "RESET REASON")  # fmt: skip
_RESET_TOLD = tuple(name + mark for name in _RESET_NAMES for mark in (":", " ="))
_WATCHDOG_TOLD = ("Rebooted by Watchdog", "Watchdog reset", "Watchdog Reset", "WDT reset", "Independent watchdog reset", "Window watchdog reset",
                  "Watchdog timeout, resetting")  # fmt: skip
_ALIF = ("HFSR", "MMFSR", "MMFAR", "BFSR", "BFAR", "AFSR", "UFSR", "SFSR", "SFAR", "DFSR")
_KIT = ("CTRL", "IPSR", "APSR", "xPSR", "PRIMASK", "BASEPRI", "FAULTMSK")

FAULTS: tuple[P, ...] = (
    P(
        "hard_fault",
        "Hard fault. irq={irq:int}{?, pc={pc:word}, lr={lr:word}, xpsr={xpsr:word}, sp={sp:word}?}{?, {:rest}?}",
        (
            "Hard fault. irq=-13, pc=0x10000620, lr=0x1000d45f, xpsr=0x01100000, sp=0x3007fc18",
            "Hard fault. irq=-13, pc=0x1000d4",
        ),
    ),
    P(
        "fault_status",
        "cfsr={cfsr:word} bfar={bfar:word}{? mmfar={mmfar:word}?}",
        ("cfsr=0x00010000 bfar=0x00000000 mmfar=0x00000000",),
    ),
    P("fault_banner", "++ MbedOS Fault Handler ++", ("++ MbedOS Fault Handler ++",)),
    P("fault_banner", "*** HARDFAULT ***", ("*** HARDFAULT ***",)),
    P("fault_banner", "*** MEMMANAGE ***", ("*** MEMMANAGE ***",)),
    P("fault_banner", "*** BUSFAULT ***", ("*** BUSFAULT ***",)),
    P("fault_banner", "BUS FAULT{? at {:address}?}", ("BUS FAULT", "BUS FAULT at 0x0ffe2000")),
    P("fault_banner", "BUS FAULT PC={:rest}", ("BUS FAULT PC=0x0ffe2000",)),
    P("fault_banner", "BUS FAULT:{:rest}", ("BUS FAULT: CFSR=0x00000400 BFAR=0x00000000 PC=0x0ffe2000",)),
    P(
        "fault_banner",
        "***** {kind:name} FAULT *****",
        ("<err> os: ***** USAGE FAULT *****", "E: ***** MPU FAULT *****", "***** BUS FAULT *****"),
        "zephyr",
        anywhere=True,
    ),
    P(
        "fault_banner",
        ">>> ZEPHYR FATAL ERROR {code:int}: {reason:text} on CPU {:int}",
        ("<err> os: >>> ZEPHYR FATAL ERROR 0: CPU exception on CPU 0",),
        "zephyr",
        anywhere=True,
    ),
    P(
        "fault_banner",
        "ASSERTION FAIL [{what:text}] @ {where:rest}",
        ("ASSERTION FAIL [sem->limit] @ WEST_TOPDIR/zephyr/kernel/sem.c:50",),
        "zephyr",
        anywhere=True,
    ),
    *(
        P("fault_banner", f"Entering {kind} interrupt!", (f"Entering {kind} interrupt!",), "himax")
        for kind in (
            "HardFault",
            "NMI_Handler",
            "MemManage_Handler",
            "BusFault_Handler",
            "UsageFault_Handler",
            "SecureFault_Handler",
        )
    ),
    P("fault_status", "SCB->CFSR:{cfsr:pointer}", ("SCB->CFSR:0x00000400",), "himax"),
    *(
        P("fault_detail", f"SCB->{name}:{{value:pointer}}", (f"SCB->{name}:0x40000000",), "himax")
        for name in ("BFAR", "HFSR")
    ),
    P(
        "fault_detail",
        "SAU->SFSR:{kind:name} fault: {:rest}",
        ("SAU->SFSR:INVEP fault: Invalid entry point to secure world.",),
        "himax",
    ),
    P(
        "fault_detail",
        "Address that caused {:text} violation is {value:pointer}.",
        ("Address that caused secure bus violation is 0x60000000.",),
        "himax",
    ),
    P(
        "fault_detail",
        "Exception came from {where:rest}",
        ("Exception came from non-secure FW in thread mode.",),
        "TF-M",
    ),
    *(P("fault_detail", f"{name}: {{value:pointer}}", (f"{name}:   0x0003D7B6",), "TF-M") for name in ("SFSR", "SFAR")),
    *(
        P("fault_banner", f"FATAL ERROR: {kind}", (f"FATAL ERROR: {kind}",), "TF-M")
        for kind in ("HardFault", "MemManage fault", "BusFault", "SecureFault", "UsageFault", "Unknown")
    ),
    P(
        "fault_banner",
        "Oops... Secure fault!!! You're not going anywhere!{:end}",
        ("[Sec Handler] Oops... Secure fault!!! You're not going anywhere!",),
        "TF-M, of its first releases",
        anywhere=True,
    ),
    P(
        "fault_banner",
        "qemu: fatal: Lockup: {reason:rest}",
        ("qemu: fatal: Lockup: can't escalate 3 to HardFault (current priority -1)",),
        "qemu",
    ),
    P(
        "fault_banner",
        "Guru Meditation Error: Core {:int} panic'ed ({reason:text}).{:rest}",
        ("Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.",),
        "esp",
    ),
    P(
        "fault_detail",
        "Faulting instruction address (r15/pc): {value:word}",
        ("<err> os: Faulting instruction address (r15/pc): 0x1001f4e2",),
        "zephyr",
        anywhere=True,
    ),
    *(
        P("fault_detail", f"{mark}{template}", (f"{mark}{sample}",), "zephyr")
        for mark in ("", "E: ")
        for template, sample in (
            (
                "r3/a4: {:pointer} r12/ip: {:pointer} r14/lr: {value:pointer}",
                "r3/a4:  0x00000004 r12/ip:  0x200007ec r14/lr:  0x00002321",
            ),
            ("Current thread: {value:pointer} ({:text})", "Current thread: 0x20000280 (main)"),
        )
    ),
    P(
        "fault_detail",
        "Faulting instruction address: {value:word}",
        ("  Faulting instruction address:  0x57a7150c",),
        "zephyr, 1.13 to 1.14",
        anywhere=True,
    ),
    P(
        "fault_detail",
        "Faulting instruction address = {value:word}",
        ("Faulting instruction address = 0x2c14",),
        "zephyr, to 1.13",
        anywhere=True,
    ),
    *(
        P("fault_detail", f"{mark}{name} Address: {{value:word}}", (f"{mark}{name} Address: 0x60338000",), "zephyr")
        for mark in ("", "E: ")
        for name in ("BFAR", "MMFAR", "SFAR")
    ),
    *(
        P("fault_detail", f"{mark}{what}", (f"{mark}{what}",), "zephyr")
        for mark in ("", "E: ")
        for what in (  # fmt: skip
            "Precise data bus error",
            "Imprecise data bus error",
            "Instruction bus error",
            "Bus fault on vector table read",
            "Stacking error",
            "Stacking error (context area might be not valid)",
            "Unstacking error",
            "Floating-point lazy state preservation error",
            "Data Access Violation",
            "Instruction Access Violation",
            "Unaligned memory access",
            "Attempt to execute undefined instruction",
            "Illegal use of the EPSR",
            "No coprocessor instructions",
            "Division by zero",
            "Stack overflow (context area not valid)",
        )
    ),
    # the small sanitizers that ExecuTorch's runner for Arm can be built with
    P(
        "sanitizer",
        "[ASAN] {access:name} of size {size:int} at {address:pointer} failed: {reason:text} (region={region:text})",
        ("[ASAN] store1 of size 1 at 0x31200000 failed: address outside tracked regions (region=<unknown>)",),
        "1.1..",
    ),
    P(
        "sanitizer",
        "[UBSAN] {where:position}: {what:rest}",
        ("[UBSAN] /w/kernels/op_a.cpp:30:7: addition overflow on type 'int' (lhs=0x7fffffff, rhs=0x00000001)",),
        "1.1..",
    ),
    P(
        "sanitizer",
        "[UBSAN] unknown location: {what:rest}",
        ("[UBSAN] unknown location: unreachable reached",),
        "1.1..",
    ),
    P("fault_detail", "FaultType: {kind:word}", ("FaultType: HardFault",), "mbed"),
    *(P("fault_detail", f"{name} : {{value:word}}", (f"{name} : 00001874",), "mbed") for name in _MBED),
    P(
        "fault_banner",
        "Exception caught by function {handler:name}",
        ("Exception caught by function BusFault_Handler", "ERROR - Exception caught by function HardFault_Handler"),
        "evaluation kit",
        anywhere=True,
    ),
    *(P("fault_detail", f"{name} : {{value:word}}", (f"{name} : 0x00000005",), "evaluation kit") for name in _KIT),
    *(
        P("fault_banner", f"==== {kind} exception ====", (f"==== {kind} exception ====",), "alif")
        for kind in ("HardFault", "MemManage", "BusFault", "UsageFault", "SecureFault", "DebugMonitor")
    ),
    P("fault_banner", "!!! In exception {:int} !!!", ("!!! In exception 3 !!!",), "alif"),
    *(
        P(
            "fault_detail",
            f"{name} = {{value:pointer}}{{? ({{bits:text}})?}}",
            (f"{name} = 00000082 (PRECISERR)", f"{name}  = A0000010"),
            "alif",
        )
        for name in _ALIF
    ),
    P(
        "fault_detail",
        "R12 = {:pointer} SP = {:pointer} LR = {lr:pointer} PC = {value:pointer}",
        ("R12 = 00000000 SP  = 2001FF00 LR  = 8000ABCD PC  = 8000ABCE",),
        "alif",
    ),
    # the fault component of CMSIS-View, most often after the restart
    *(
        P("fault_banner", f"Exception Handler: {kind}", (f"Exception Handler:   {kind}",), "CMSIS-View")
        for kind in ("HardFault", "MemManage fault", "BusFault", "UsageFault", "SecureFault")
    ),
    *(
        P(
            "fault_detail",
            f"Fault: {kind} - {{what:rest}}",
            (f"Fault:               {kind} - Data access failure due to bus fault (precise)",),
            "CMSIS-View",
        )
        for kind in ("HardFault", "MemManage", "BusFault", "UsageFault", "SecureFault")
    ),
    P("fault_detail", "Program Counter: {value:word}", ("Program Counter:     0x1000054A",), "CMSIS-View"),
    *(
        P("fault_detail", f"- {name}: {{value:pointer}}", (f"- {name}:             0x00008200",), "CMSIS-View")
        for name in ("CFSR", "HFSR", "MMFAR", "BFAR", "SFSR", "SFAR")
    ),
    *(
        P("board_reset", f"{{before:rest}}{words} {{what:rest}}", (f"<wrn> app: {words} WATCHDOG",), anywhere=True)
        for words in _RESET_TOLD
    ),
    *(
        P("supply_reset", f"{mark}Brownout detector was triggered", (f"{mark}Brownout detector was triggered",), "esp")
        for mark in ("", "BOD: ", "E BOD: ")
    ),
    P(
        "rom_reset",
        "rst:{:pointer} ({what:name}){:rest}",
        ("rst:0x7 (TG0WDT_SYS_RST),boot:0x8 (SPI_FAST_FLASH_BOOT)", "rst:0x1 (POWERON),boot:0x8 (SPI_FAST_FLASH_BOOT)"),
        "esp",
    ),
    *(P("watchdog_reset", f"{words}{{?!?}}", (words,)) for words in _WATCHDOG_TOLD),
)
