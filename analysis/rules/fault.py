"""Faults of the CPU: the usual cause of each, and what to do about it."""

from __future__ import annotations

import re

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run
from .crash import innermost, place_of
from .evidence import error, saying
from .fault_report import NO_VECTOR, FaultReport, fault_report
from .releases import surely_from

_STACK = (
    "Enlarge the stack: in Zephyr of the thread that the report names (CONFIG_MAIN_STACK_SIZE for main; ExecuTorch's kernels and loader need several KiB), "
    "in ESP-IDF of the main task (CONFIG_ESP_MAIN_TASK_STACK_SIZE), of a FreeRTOS task where it is created, elsewhere __STACK_SIZE."
)
_ADVICE = (
    (NO_VECTOR, (
        "Check that the vector table is where VTOR says, aligned to its size (the next power of two), in memory that was loaded (the linker map, and where "
        "the loader put the image): the core could not read a handler's address. A C library or linker script of another toolchain release moves the table. "
        "Do not rely on the pc and registers of such a report."
    )),
    (1 << 20 | 1 << 4 | 1 << 12, _STACK),
    (1 << 19, "Enable the FPU/MVE unit (CPACR) before main, or build without it: an instruction for it ran while it was off."),
    (1 << 17 | 1 << 18 | 1, (
        "Check that *(.got) and *(.got.plt) are in .data and in the copy table, and that __libc_init_array runs, or virtual functions and kernels point "
        "nowhere: this was a jump through a null or data pointer."
    )),
    (1 << 24, "Align the .pte to 16 bytes. If it already is: {look_up}."),
    (1 << 16, "Read the line before it: an undefined instruction is often the trap of an abort, or code built for another core."),
    (1 << 10, (
        "Look before the pc for the failed write, which is reported late. If the core can run without its write buffer (DISDEFWBUF in ACTLR, Cortex-M3 and "
        "M4), switch that off to get the exact pc, and look it up in the ELF (addr2line)."
    )),
)  # fmt: skip


_KINDS = (
    ("PANIC \\*", "A panic"), (r"abort\(\) was called", "An abort"), ("MbedOS Error Info", "A fatal error"),
    ("Assert on ", "A failed assertion"), ("ZEPHYR FATAL ERROR [34]:", "A kernel panic"),
    ("BUS ?FAULT|^BF PC", "Bus fault"), ("MEM ?MANAGE|MPU ?FAULT", "Memory management fault"), ("USAGE ?FAULT", "Usage fault"),
    ("SECURE ?FAULT", "Secure fault"),
    ("NMI_Handler", "A non-maskable interrupt"), ("ASSERTION FAIL", "A failed assertion"), ("qemu: fatal: Lockup", "A fault inside a fault handler"),
)  # fmt: skip
"""How banners name the kinds of faults."""
_BY_ITSELF = frozenset(("A panic", "A kernel panic", "An abort", "A fatal error", "A failed assertion"))
"""Those where firmware stopped itself, and no instruction did."""
_CAUSED = re.compile(r"\s*(Memory management|Hard|Bus|Usage) fault is caused by ")
_HEAP = re.compile(r"(?i)out of (?:heap )?memory|bad_alloc|malloc failed")
_HEAP_FULL = (
    "Enlarge the heap (PICO_HEAP_SIZE, configTOTAL_HEAP_SIZE, CONFIG_HEAP_MEM_POOL_SIZE, or what the linker script leaves after .bss), shrink static pools "
    "and stacks, or use a smaller model; a damaged program requests absurd sizes, so try another .pte too."
)
_BACKTRACE = "Read the lines around it for the cause, and look up the addresses it prints in the ELF (addr2line -pfiaC -e FILE.elf ADDRESSES)."
_EXCEPTIONS = {4: "Memory management fault", 5: "Bus fault", 6: "Usage fault", 7: "Secure fault"}
"""Exception numbers of Armv8-M, as the register IPSR holds them."""
_ACTIVE = re.compile(r"\s*IPSR\s{0,4}:\s{0,4}(?:0x)?([0-9a-fA-F]{1,8})\b")
_ESCALATED = 6
"""Lines between the banner of a hard fault and that of the fault which it was before."""
_TOO_DEEP = re.compile(r"(?i)stack overflow|stack canary")
"""What says that a stack was too small, without a register."""
_PC = "Look up the pc in the ELF (addr2line)"
_LR = "Look up the lr in the ELF (addr2line), from where the CPU came, since the pc is null or missing"
_CUT = "Capture the report to its end, since it was cut before the whole pc, and look that up in the ELF (addr2line)"
_STACKED = "Stop in that handler with a debugger and read the stacked pc (bt in gdb), which this report lacks, then look it up in the ELF (addr2line)"
_UNREAD = "Look up the pc in the ELF (addr2line), or stop in that handler with a debugger where the report has none, and read the stacked pc (bt in gdb)"
_ELSEWHERE = re.compile("Guru Meditation|fault on thread")
"""Banners of reports whose registers have other names than those of a Cortex-M (ESP32 with RISC-V), or stand above (RT-Thread)."""
_AFTER_MAIN = "Stop the target at the end of the run (character 0x04) to avoid it: the fault is in the application's exit, after main."
_AT_EXIT = (
    "Stop the target at the end of the run (character 0x04), or use 1.0: the fault is in the application's exit, after main, where runners before 1.0 free "
    "inputs that are in their method pool."
)


def fault(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A fault that nothing before it explains; after an F line it is only how the abort ends the program."""
    bad = seen.first("hard_fault", "fault_banner") or saying(
        seen, "Hard fault.", "BUS FAULT", "HardFault", "USAGE FAULT", "MPU FAULT"
    )
    if bad is None:
        return None
    report = fault_report(seen, bad)
    lines, said, names = report.lines, report.said, report.names
    kind = _kind(report, seen)
    what = "firmware stopped itself" if kind in _BY_ITSELF else "CPU faulted"
    detail = f"The {what}: {' '.join(report.banner.text.split()).rstrip('.')}."
    if said:
        detail += f" {said}{': ' if names else ''}{', '.join(names)}."
    elif names:
        detail = f"{detail[:-1]}: {', '.join(names)}."
    if report.in_decimal:
        detail += " The log has these numbers in decimal after their 0x."
    if (frame := innermost(seen, bad.line)) is not None:
        lines.append(frame.line)
        detail += place_of(frame)
    overflow = next((t for t in (*seen.all("fault_banner"), *report.details) if _TOO_DEEP.search(t.text)), None)
    if overflow is not None and overflow.line not in lines:
        lines.append(overflow.line)
        detail += f" {overflow.text.strip()}."
    advice = _STACK if overflow is not None else _of_itself(report) if kind in _BY_ITSELF else _advice(report)
    if (
        bad.kind == "hard_fault"  # the handler of the runner's own platform, not that of an operating system
        and report.registers is not None
        and run.stage == "start"
        and not run.model.pte_bytes
        and run.runner.kind == "other"
    ):
        advice = f"Check the .pte address given to the runner: the fault came before the program was read. {advice}"
    if advice == _STACK and overflow is None and bad.kind == "hard_fault" and run.runner.kind == "arm_executor_runner":
        advice = _stack_of_runner(run)
    kind, when = "Stack overflow" if overflow is not None or report.status >> 20 & 1 else kind, ""
    if advice == _HEAP_FULL:
        kind = "A full heap"
    if (complete := seen.seen.get("program_complete")) is not None and complete < bad.line:
        when = " after the run was complete"
        detail += " The figures and outputs of the run count."
        advice = f"{_AT_EXIT if (run.runner.executorch_version or '0').startswith('0') else _AFTER_MAIN} {advice}"
    return error("hard-fault", run, f"{kind} on the target{when}", detail, advice, *lines)


def _stack_of_runner(run: Run) -> str:
    """What makes the stack of ExecuTorch's own runner larger; before 1.0 its linker scripts are not ExecuTorch's."""
    own = surely_from(run, (1, 0)) and run.target.platform in ("fvp", None)
    if not own:
        return _STACK
    scripts = "examples/arm/executor_runner/Corstone-300.ld, for Ethos-U85 Corstone-320.ld"
    if surely_from(run, (1, 4)):
        return f"Build the runner with -DSTACK_SIZE=0x10000 (0x8000 is what {scripts} give it): the stack is too small."
    return f"Enlarge __STACK_SIZE, 0x8000 in the linker script ({scripts}); 1.4 has -DSTACK_SIZE for it. The stack is too small."


def _of_itself(report: FaultReport) -> str:
    """What to do where firmware stopped itself, by the reason that it gives."""
    return _HEAP_FULL if any(_HEAP.search(t.text) for t in (report.banner, *report.details)) else _BACKTRACE


def _advice(report: FaultReport) -> str:
    """What to do, by the address that could not be reached, else by the bits."""
    missing = (
        _CUT if report.banner.kind == "hard_fault" else _UNREAD if _ELSEWHERE.search(report.banner.text) else _STACKED
    )
    look_up = _PC if report.place("pc") else _LR if report.place("lr") else missing
    usual = f"{look_up}; an empty .got or too small a stack are the usual causes."
    if report.status >> 15 & 1 and (address := report.address()):
        return f"Check pointers and memory regions around {address}, which could not be accessed. {usual}"
    if report.status >> 7 & 1 and (address := report.address("MMFAR")):
        why = "a null pointer was followed" if _is_null(address) else "check pointers, and the MPU regions there"
        return f"Access to {address} is not permitted: {why}. {usual}"
    return next((text for mask, text in _ADVICE if report.status & mask), usual).replace(
        "{look_up}", look_up[0].lower() + look_up[1:]
    )


def _kind(report: FaultReport, seen: Evidence) -> str:
    """The fault by its name: what the banner says, or the one below it of the fault that became a hard one; else the exception number."""
    below = [t for t in seen.all("fault_banner") if 0 <= t.line - report.banner.line <= _ESCALATED]
    for banner in (report.banner, *below):
        named = next((name for words, name in _KINDS if re.search(words, banner.text, re.IGNORECASE)), None)
        if named is not None:
            return named
    caused = next((found for t in report.details if (found := _CAUSED.match(t.text)) is not None), None)
    if caused is not None:
        return f"{caused[1]} fault"
    active = next((found for t in report.details if (found := _ACTIVE.match(t.text)) is not None), None)
    return _EXCEPTIONS.get(int(active[1], 16) & 0x1FF, "Hard fault") if active is not None else "Hard fault"


def _is_null(address: object) -> bool:
    """In the first page, where no object lies to which a program has a pointer."""
    return re.fullmatch("(?:0x)?0{1,5}[0-9a-f]{1,3}", str(address), re.IGNORECASE) is not None
