"""Faults of the CPU: what the fault status registers say, and the usual cause of each."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..draft import Evidence, Trouble
from ..outcome import Outcome
from ..report import Finding, Run
from ..verdict import error, saying
from .crash import innermost, place_of

_BITS = (
    (0, "instruction access violation"), (1, "data access violation"), (3, "MPU fault on exception return"),
    (4, "MPU fault on exception entry"), (5, "MPU fault while saving floating-point state"), (8, "instruction bus error"),
    (9, "precise data bus error"), (10, "imprecise data bus error"), (11, "bus fault on exception return"),
    (12, "bus fault on exception entry"), (13, "bus fault while saving floating-point state"), (16, "undefined instruction"),
    (17, "invalid state"), (18, "invalid PC"), (19, "no coprocessor"), (20, "stack overflow"), (24, "unaligned access"),
    (25, "division by zero"),
)  # fmt: skip
"""Bits of the Configurable Fault Status Register of Armv8-M."""
_NO_VECTOR = 1 << 32
"""Not of that register: what the one for hard faults (HFSR) has as bit 1, VECTTBL."""
_STACK = (
    "A stack is too small: in Zephyr that of the thread that the report names (CONFIG_MAIN_STACK_SIZE for main; ExecuTorch's kernels and loader need "
    "several KiB), elsewhere __STACK_SIZE."
)
_ADVICE = (
    (_NO_VECTOR, "The core could not read the address of a handler: see that the vector table lies where VTOR says, aligned to its size (the next power of two), in "
     "memory that was loaded (the linker's map, and where the loader put the image); a C library or linker script of another toolchain release moves it. The pc and the "
     "registers of such a report are not to be relied on."),
    (1 << 20 | 1 << 4 | 1 << 12, _STACK),
    (1 << 19, "A floating-point or MVE instruction ran with the unit off: enable it (CPACR) before main, or build without it."),
    (1 << 17 | 1 << 18 | 1, "A jump through a null or data pointer: *(.got) and *(.got.plt) must be in .data and in the copy table, and "
     "__libc_init_array must run, or virtual functions and kernels point nowhere."),
    (1 << 24, "Unaligned access: place the .pte on 16 bytes; where that is so, look up the pc in the ELF (addr2line)."),
    (1 << 16, "An undefined instruction: often the trap of an abort, so look at the line before it; or code built for another core."),
    (1 << 10, "Told late: the write that failed stands somewhere before the pc. Where the core can do without its write buffer (DISDEFWBUF in ACTLR, "
     "Cortex-M3 and M4), switch that off to have the pc exactly, and look it up in the ELF (addr2line)."),
)  # fmt: skip


_KINDS = (
    ("BUS ?FAULT|^BF PC", "Bus fault"), ("MEM ?MANAGE|MPU ?FAULT", "Memory management fault"), ("USAGE ?FAULT", "Usage fault"),
    ("SECURE ?FAULT", "Secure fault"),
    ("NMI_Handler", "A non-maskable interrupt"), ("ASSERTION FAIL", "A failed assertion"), ("qemu: fatal: Lockup", "A fault inside of a fault handler"),
)  # fmt: skip
"""How banners name the kinds of faults."""
_EXCEPTIONS = {4: "Memory management fault", 5: "Bus fault", 6: "Usage fault", 7: "Secure fault"}
"""Exception numbers of Armv8-M, as the register IPSR holds them."""
_ACTIVE = re.compile(r"\s*IPSR\s{0,4}:\s{0,4}(?:0x)?([0-9a-fA-F]{1,8})\b")


def fault(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A fault that nothing before it explains; after an F line it is only the trap of the abort."""
    bad = seen.first("hard_fault", "fault_banner") or saying(
        seen, "Hard fault.", "BUS FAULT", "HardFault", "USAGE FAULT", "MPU FAULT"
    )
    if bad is None:
        return None
    registers = seen.first("fault_status")
    decimal = registers is not None and _is_decimal(f"{bad.text} {registers.text}")
    if registers is not None and decimal:
        bad, registers = _as_meant(bad), _as_meant(registers)
    told = {_unmarked(t): t for t in reversed(seen.all("fault_detail")) if t.line > bad.line}
    context = list(reversed(told.values()))[:12]  # a fault that came again and again says the same
    lines = [bad.line] + ([registers.line] if registers else []) + [t.line for t in context]
    status = _cfsr(registers.text) if registers is not None else _parts(context, bad)
    said = (
        registers.text
        if registers is not None
        else ", ".join(" ".join(t.text.split()).removeprefix("- ") for t in context)
    )
    names = [name for bit, name in _BITS if status >> bit & 1]
    status |= _of_words(context)
    detail = f"The CPU faulted: {' '.join(bad.text.split()).rstrip('.')}."
    if said:
        detail += f" {said}{': ' if names else ''}{', '.join(names)}."
    elif names:
        detail = f"{detail[:-1]}: {', '.join(names)}."
    if decimal:
        detail += " The log has these numbers in decimal behind their 0x."
    if (frame := innermost(seen, bad.line)) is not None:
        lines.append(frame.line)
        detail += place_of(frame)
    advice = (
        f"{_STACKED if _NO_PC in bad.text else _PC}; an empty .got or a stack that is too small are the usual causes."
    )
    overflow = next((t for t in seen.all("fault_banner") if "tack overflow" in t.text), None)
    if overflow is not None:
        lines.append(overflow.line)
        detail += f" {overflow.text.strip()}."
        advice = _STACK
    elif status >> 15 & 1 and (address := _address(registers, [*context, bad])):
        advice = f"The address {address} could not be reached: check pointers and memory regions there. {advice}"
    elif status >> 7 & 1 and (address := _address(registers, [*context, bad], "MMFAR")):
        why = "a null pointer was followed" if _is_null(address) else "check pointers, and the regions of the MPU there"
        advice = f"The address {address} may not be accessed: {why}. {advice}"
    else:
        advice = next((text for mask, text in _ADVICE if status & mask), advice)
    if (
        bad.kind == "hard_fault"  # the handler of the runner's own platform, not that of an operating system
        and registers is not None
        and run.stage == "start"
        and not run.model.pte_bytes
        and run.runner.kind == "other"
    ):
        advice = f"It happened before the program was read: check the address that the runner was given for the .pte. {advice}"
    kind, when = "Stack overflow" if overflow is not None else _kind(bad, context, seen), ""
    if (complete := seen.seen.get("program_complete")) is not None and complete < bad.line:
        when = " after the run was complete"
        detail += " The figures and outputs of the run count."
        advice = f"{_AT_EXIT if (run.runner.executorch_version or '0').startswith('0') else _AFTER_MAIN} {advice}"
    return error("hard-fault", run, f"{kind} on the target{when}", detail, advice, *lines)


_NO_PC = "Exception caught by function"
"""How the evaluation kit's report begins, which has neither the pc nor the fault status."""
_PC = "Look up the pc in the ELF (addr2line)"
_STACKED = "This report has no pc: stop in that handler with a debugger and read the pc that the core has stacked (bt in gdb), then look it up in the ELF (addr2line)"
_AFTER_MAIN = "What faults is the end of the application, after main; it can be spared by stopping the target at the end of the run (character 0x04)."
_AT_EXIT = (
    "What faults is the end of the application, after main: runners before 1.0 free inputs there that lie in their method pool. "
    "Stop the target at the end of the run (character 0x04), or take 1.0."
)


def _kind(bad: Trouble, context: list[Trouble], seen: Evidence) -> str:
    """The fault by its name: what the banner says, or the one below it of the fault that became a hard one; else the exception number."""
    below = [t for t in seen.all("fault_banner") if 0 <= t.line - bad.line <= _ESCALATED]
    for banner in (bad, *below):
        named = next((name for words, name in _KINDS if re.search(words, banner.text, re.IGNORECASE)), None)
        if named is not None:
            return named
    active = next((found for t in context if (found := _ACTIVE.match(t.text)) is not None), None)
    return _EXCEPTIONS.get(int(active[1], 16) & 0x1FF, "Hard fault") if active is not None else "Hard fault"


_ESCALATED = 6
"""Lines between the banner of a hard fault and that of the fault which it was before."""
_WORDS = (
    ("Instruction Access Violation", 1 << 0), ("Data Access Violation", 1 << 1), ("Precise data bus error", 1 << 9),
    ("Imprecise data bus error", 1 << 10), ("Attempt to execute undefined instruction", 1 << 16), ("Illegal use of the EPSR", 1 << 17),
    ("No coprocessor instructions", 1 << 19), ("Unaligned memory access", 1 << 24), ("Division by zero", 1 << 25),
    ("BFAR Address", 1 << 15), ("MMFAR Address", 1 << 7), ("Bus fault on vector table read", _NO_VECTOR), ("Stacking error", 1 << 12),
    ("Unstacking error", 1 << 11), ("Instruction bus error", 1 << 8),
)  # fmt: skip
"""What Zephyr says in place of the register, by the bits of that."""


def _unmarked(trouble: Trouble) -> str:
    """What a line says behind the level that Zephyr's log puts before it."""
    return trouble.text.split(">")[-1].strip()


def _of_words(context: list[Trouble]) -> int:
    status = 0
    for trouble in context:
        text = _unmarked(trouble).removeprefix("E: ").lstrip()
        status |= next((bit for words, bit in _WORDS if text.startswith(words)), 0)
        if "HFSR" in text and _as_hex(trouble.values.get("value")) & 2:
            status |= _NO_VECTOR
    return status


def _is_decimal(text: str) -> bool:
    """Whether registers stand there as decimal numbers behind 0x, as copies of the handler print them: some are then longer than any of 32 bits."""
    return (
        re.search(r"=0x\d{9,10}(?!\w)", text) is not None
        and re.search(r"=0x\d{0,16}[a-f]", text, re.IGNORECASE) is None
    )


def _as_meant(trouble: Trouble) -> Trouble:
    """The line with its decimal numbers behind 0x in hexadecimal."""

    def written(found: re.Match[str]) -> str:
        return f"0x{int(found[1]):08x}"

    values = {
        name: re.sub(r"\A0x(\d{1,10})\Z", written, value) if isinstance(value, str) else value
        for name, value in trouble.values.items()
    }
    return trouble._replace(text=re.sub(r"\b0x(\d{1,10})\b", written, trouble.text), values=values)


def _as_hex(value: object) -> int:
    """What a register's text says, 0 where it is not one."""
    found = re.fullmatch("(?:0x)?[0-9a-f]{1,8}", str(value), re.IGNORECASE)
    return int(found.group(), 16) if found is not None else 0


def _address(registers: Trouble | None, context: list[Trouble], name: str = "BFAR") -> object:
    """What the fault's address register holds, on the line of the status, on one of its own or in the banner."""
    told = registers.values.get(name.lower()) if registers is not None else None
    return told or next((_value(t, name) for t in context if name in t.text), None)


def _value(trouble: Trouble, name: str) -> object:
    """What this register holds by a line that has its value, or names it among others."""
    inside = _ADDRESS[name].search(trouble.text)
    return trouble.values.get("value") or (f"0x{inside[1]}" if inside is not None else None)


def _is_null(address: object) -> bool:
    """In the first page, where no object lies to which a program has a pointer."""
    return re.fullmatch("(?:0x)?0{1,5}[0-9a-f]{1,3}", str(address), re.IGNORECASE) is not None


def _cfsr(text: str) -> int:
    found = re.search(r"cfsr\s{0,4}[=:]\s{0,4}(?:0x)?([0-9a-fA-F]{1,8})\b", text, re.IGNORECASE)
    return int(found[1], 16) if found else 0


_PARTS = {"CFSR": 0, "MMFSR": 0, "BFSR": 8, "UFSR": 16}
"""Where the parts that Mbed OS and Alif's handler print by themselves stand in the whole register."""
_VALUE = r"\s{0,4}[:=]\s{0,20}(?:0x)?([0-9a-fA-F]{1,8})(?![\w.])"
_PART = rf"({'|'.join(_PARTS)}){_VALUE}"
_PART_ALONE = re.compile(rf"\s*(?:- )?{_PART}")
_PART_INSIDE = re.compile(rf"\b{_PART}")
_ADDRESS = {name: re.compile(rf"\b{name}{_VALUE}") for name in ("BFAR", "MMFAR")}


def _parts(context: list[Trouble], banner: Trouble) -> int:
    """The whole register from its parts: lines of their own, else in a banner that holds registers itself."""
    alone = [found.groups() for t in context if (found := _PART_ALONE.match(t.text)) is not None]
    return _joined(alone) or _joined(_PART_INSIDE.findall(banner.text))


def _joined(parts: Iterable[tuple[str, ...]]) -> int:
    status = 0
    for name, value in parts:
        status |= int(value, 16) << _PARTS[name]
    return status
