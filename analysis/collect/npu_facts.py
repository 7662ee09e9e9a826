"""What the NPU's driver, its backend, or the application that starts it prints about the NPU: architecture, driver version,
address, and how many parts of the program are for it.
"""

from __future__ import annotations

from ..cleaning import compiled
from ..draft import RunDraft

_NPU_AT = {
    "49042000": "ethos-u85",
    "49c80000": "ethos-u55",
    "4a900000": "ethos-u65",
    "44600000": "ethos-u55",
    "54600000": "ethos-u55",
}
"""Addresses at which one chip alone has its NPU: that of Alif's E4, E6 and E8 beside their U55, of Renesas's RZ/G3E, of the
i.MX 93, and of Infineon's PSOC Edge E84, non-secure and secure.
"""


def _agree(draft: RunDraft, path: str, value: str, line: int) -> None:
    """Record a figure only where every NPU of the run prints the same: a chip may have two."""
    if draft.get(path) in (None, value):
        draft.set(path, value, line)
    else:
        draft.figures[path] = ""  # which stays, whatever the next one says
        draft.lines.pop(path, None)


def _version(draft: RunDraft, path: str, version: str, line: int) -> None:
    """Record a version, which has three numbers; a torn line has fewer."""
    if compiled(r"\d{1,4}\.\d{1,4}\.\d{1,4}").fullmatch(version) is not None:
        _agree(draft, path, version, line)


def on_npu_arch(draft: RunDraft, line: int, arch: str) -> None:
    """Architecture 1 means U55 or U65, 2 means U85."""
    if arch[:2] in ("1.", "2."):
        draft.seen[f"npu_arch_{arch[0]}"] = line
        _version(draft, "target.npu_architecture", arch, line)


on_task_arch = on_npu_arch


def on_npu_driver(draft: RunDraft, line: int, version: str) -> None:
    _version(draft, "target.npu_driver", version, line)


on_task_driver = on_npu_driver


def on_driver_based(draft: RunDraft, line: int, address: str) -> None:
    """The NPU's driver starts, and prints the address of its NPU."""
    draft.seen["driver_init"] = line
    npu_at(draft, line, address)


def npu_at(draft: RunDraft, line: int, address: str) -> None:
    """Record where the NPU's registers are, and which NPU it is where only one chip has it there."""
    _agree(draft, "target.npu_address", address, line)
    npu = _NPU_AT.get(address.lower().removeprefix("0x"))
    if npu is not None:
        draft.set("target.npu", npu, line)
        draft.seen["npu_of_chip"] = line


class DelegateAddresses(set[str]):
    """Where the parts of the program lie that the Ethos-U backend took over."""


def on_delegate_init(draft: RunDraft, line: int, address: str) -> None:
    """One line for each delegate; the same address again is a copy of its line, or the method loaded once more."""
    if compiled(r"0x[0-9A-Fa-f]{4,16}|[0-9A-Fa-f]{6,16}").fullmatch(address) is not None:
        addresses = draft.state(DelegateAddresses)
        if draft.of_row:  # whose beginning was read as an address of its own
            addresses -= {known for known in addresses if address.lower().startswith(known)}
        addresses.add(address.lower())
        draft.set("model.delegates", len(addresses), line)
