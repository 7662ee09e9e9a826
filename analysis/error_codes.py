"""ExecuTorch's status codes and scalar types by their names."""

from __future__ import annotations

STATUS = {
    0x00: "Ok", 0x01: "Internal", 0x02: "InvalidState", 0x03: "EndOfMethod", 0x04: "AlreadyLoaded", 0x10: "NotSupported",
    0x11: "NotImplemented", 0x12: "InvalidArgument", 0x13: "InvalidType", 0x14: "OperatorMissing",
    0x15: "RegistrationExceedingMaxKernels", 0x16: "RegistrationAlreadyRegistered", 0x20: "NotFound",
    0x21: "MemoryAllocationFailed", 0x22: "AccessFailed", 0x23: "InvalidProgram", 0x24: "InvalidExternalData",
    0x25: "OutOfResources", 0x30: "DelegateInvalidCompatibility", 0x31: "DelegateMemoryAllocationFailed",
    0x32: "DelegateInvalidHandle",
}  # fmt: skip
"""Source: `runtime/core/error.h`; the numbers did not change from 0.1 to main."""

NO_MEMORY = 0x21
OPERATOR_MISSING = 0x14


def code_of(printed: int) -> int:
    """The status code behind printed hexadecimal digits; some ports print 0x before a decimal number."""
    digits = f"{printed:x}"
    return int(digits) if printed not in STATUS and digits.isdecimal() and int(digits) in STATUS else printed


def status_name(code: object) -> str:
    """An ExecuTorch status as people know it: "0x21 (MemoryAllocationFailed)"."""
    if not isinstance(code, int):
        return "an unknown status"
    return f"0x{code:02x} ({STATUS[code]})" if code in STATUS else f"0x{code:02x}"
