"""Reads the report of a fault: the bits of its status registers, in whatever form a handler prints them, and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..draft import Evidence, Trouble
from ..named_tuple import NamedTuple

_BITS = (
    (0, "instruction access violation"), (1, "data access violation"), (3, "MPU fault on exception return"),
    (4, "MPU fault on exception entry"), (5, "MPU fault while saving floating-point state"), (8, "instruction bus error"),
    (9, "precise data bus error"), (10, "imprecise data bus error"), (11, "bus fault on exception return"),
    (12, "bus fault on exception entry"), (13, "bus fault while saving floating-point state"), (16, "undefined instruction"),
    (17, "invalid state"), (18, "invalid PC"), (19, "no coprocessor"), (20, "stack overflow"), (24, "unaligned access"),
    (25, "division by zero"),
)  # fmt: skip
"""Bits of the Configurable Fault Status Register of Armv8-M."""
NO_VECTOR = 1 << 32
"""Not of that register: what the one for hard faults (HFSR) has as bit 1, VECTTBL."""
_WORDS = (
    ("Instruction Access Violation", 1 << 0), ("Data Access Violation", 1 << 1), ("Precise data bus error", 1 << 9),
    ("Imprecise data bus error", 1 << 10), ("Attempt to execute undefined instruction", 1 << 16), ("Illegal use of the EPSR", 1 << 17),
    ("No coprocessor instructions", 1 << 19), ("Unaligned memory access", 1 << 24), ("Division by zero", 1 << 25),
    ("BFAR Address", 1 << 15), ("MMFAR Address", 1 << 7), ("Bus fault on vector table read", NO_VECTOR), ("Stacking error", 1 << 12),
    ("Unstacking error", 1 << 11), ("Instruction bus error", 1 << 8), ("The bus fault occurred address", 1 << 15),
    ("The memory management fault occurred address", 1 << 7), ("Hard fault is caused by failed vector fetch", NO_VECTOR),
    ("Bus fault is caused by precise data", 1 << 9), ("Bus fault is caused by imprecise data", 1 << 10),
    ("Bus fault is caused by instruction access", 1 << 8), ("Memory management fault is caused by data access", 1 << 1),
    ("Memory management fault is caused by instruction access", 1 << 0),
    ("Usage fault is caused by attempts to execute an undefined", 1 << 16), ("Usage fault is caused by attempts to switch to an invalid", 1 << 17),
    ("Usage fault is caused by indicates that an unaligned", 1 << 24), ("Usage fault is caused by attempts to execute a coprocessor", 1 << 19),
)  # fmt: skip
"""What Zephyr and CmBacktrace say in place of the register, by the bits of that."""
_PARTS = {"CFSR": 0, "MMFSR": 0, "BFSR": 8, "UFSR": 16}
"""Where the parts that Mbed OS and Alif's handler print by themselves stand in the whole register."""
_VALUE = r"\s{0,4}[:=]\s{0,20}(?:0x)?([0-9a-fA-F]{1,8})(?![\w.])"
_PART = rf"({'|'.join(_PARTS)}){_VALUE}"
_PART_ALONE = re.compile(rf"\s*(?:- )?{_PART}")
_PART_INSIDE = re.compile(rf"\b{_PART}")
_IN_WORDS = {"BFAR": "The bus fault occurred address", "MMFAR": "The memory management fault occurred address"}
"""The registers of addresses as CmBacktrace calls them."""
_ADDRESS = {name: re.compile(rf"\b{name}{_VALUE}") for name in ("BFAR", "MMFAR")}
_NAMED = {name: re.compile(rf"(?<![A-Za-z]){name}(?![A-Za-z])") for name in _ADDRESS}
"""The register itself: beside its own bits, another one's report names that which says that it holds an address (BFARVALID)."""
_POINTS = re.compile(
    r"(?i)(?<![a-z])(pc|program counter|instruction address|fault at|lr)\b(?: ?\(r15/pc\)|\))?\s{0,12}[:=]?\s{0,20}(?:0x)?([0-9a-f]{1,8})(?![0-9a-z])(,?)"
)
"""Where the CPU was (pc), and where it would have gone back to (lr), in the words of any handler."""
_ALL_DIGITS = 8
_MOST_DETAILS = 12


class FaultReport(NamedTuple):
    """The lines of a fault report, and what they say."""

    banner: Trouble
    registers: Trouble | None
    """The line of the status register, where it is one."""
    details: list[Trouble]
    """What stands below the banner, each once."""
    in_decimal: bool
    """Whether the log has numbers in decimal behind their 0x; here they are hexadecimal again."""
    printed: int
    """The bits of the status register as it was printed."""
    status: int
    """All bits that are known of, those that words stand for as well."""

    @property
    def lines(self) -> list[int]:
        """Line numbers of the report."""
        registers = [self.registers.line] if self.registers is not None else []
        return [self.banner.line, *registers, *(detail.line for detail in self.details)]

    @property
    def said(self) -> str:
        """The registers as printed."""
        if self.registers is not None:
            return self.registers.text
        return ", ".join(" ".join(detail.text.split()).removeprefix("- ") for detail in self.details)

    @property
    def names(self) -> list[str]:
        """Names of the bits that are set in the register."""
        return [name for bit, name in _BITS if self.printed >> bit & 1]

    def place(self, name: str = "pc") -> str | None:
        """The instruction where the CPU was ("pc") or would have gone back to ("lr"): None where neither is there, cut off or null."""
        own = self.banner.kind != "hard_fault"  # only the handler of ExecuTorch prints all digits of each address
        for text in (self.banner.text, *(detail.text for detail in self.details)):
            for found in _POINTS.finditer(text):
                whole = own or found[3] or found.end() < len(text.rstrip()) or len(found[2]) == _ALL_DIGITS
                if (found[1].lower() == "lr") is (name == "lr") and whole and int(found[2], 16):
                    return found[2]
        return None

    def address(self, name: str = "BFAR") -> object:
        """The fault's address, from the line of the status, a line of its own or the banner; None without one."""
        told = self.registers.values.get(name.lower()) if self.registers is not None else None
        return told or next(
            (
                _value(t, name)
                for t in (*self.details, self.banner)
                if _NAMED[name].search(t.text) or _IN_WORDS[name] in t.text
            ),
            None,
        )


def fault_report(seen: Evidence, banner: Trouble) -> FaultReport:
    """The report that begins with this line."""
    registers = seen.first("fault_status")
    in_decimal = registers is not None and _is_decimal(f"{banner.text} {registers.text}")
    if registers is not None and in_decimal:
        banner, registers = _as_meant(banner), _as_meant(registers)
    told = {_unmarked(t): t for t in reversed(seen.all("fault_detail")) if t.line >= banner.line}
    details = list(reversed(told.values()))[:_MOST_DETAILS]  # a fault that came again and again says the same
    printed = _cfsr(registers.text) if registers is not None else _parts(details, banner)
    return FaultReport(banner, registers, details, in_decimal, printed, printed | _of_words(details))


def _unmarked(trouble: Trouble) -> str:
    """What a line says behind the level that Zephyr's log puts before it."""
    return trouble.text.split(">")[-1].strip()


def _of_words(context: list[Trouble]) -> int:
    status = 0
    for trouble in context:
        text = _unmarked(trouble).removeprefix("E: ").lstrip()
        status |= next((bit for words, bit in _WORDS if text.startswith(words)), 0)
        if "HFSR" in text and _as_hex(trouble.values.get("value")) & 2:
            status |= NO_VECTOR
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


def _value(trouble: Trouble, name: str) -> object:
    """What this register holds by a line that has its value, or names it among others."""
    inside = _ADDRESS[name].search(trouble.text)
    return trouble.values.get("value") or (f"0x{inside[1]}" if inside is not None else None)


def _cfsr(text: str) -> int:
    found = re.search(r"cfsr\s{0,4}[=:]\s{0,4}(?:0x)?([0-9a-fA-F]{1,8})\b", text, re.IGNORECASE)
    return int(found[1], 16) if found else 0


def _parts(context: list[Trouble], banner: Trouble) -> int:
    """The whole register from its parts: lines of their own, else in a banner that holds registers itself."""
    alone = [found.groups() for t in context if (found := _PART_ALONE.match(t.text)) is not None]
    return _joined(alone) or _joined(_PART_INSIDE.findall(banner.text))


def _joined(parts: Iterable[tuple[str, ...]]) -> int:
    status = 0
    for name, value in parts:
        status |= int(value, 16) << _PARTS[name]
    return status
