"""A program for a Cortex-M without an operating system, put together by hand: it prints a text by semihosting and ends."""

from __future__ import annotations

import struct

_CODE_AT = 0x40
_LITERALS = 8
"""Bytes behind the code: where the text is, and the reason for the exit."""
_STACK = 0x20008000
_APPLICATION_EXIT = 0x20026


def elf(text: bytes, *, exits: bool = True) -> bytes:
    """An ELF for address 0 that prints `text` (without NUL) by SYS_WRITE0 and then exits, or stands still for ever."""
    assert b"\0" not in text
    code = [
        0x2004,  # movs r0, #4          SYS_WRITE0
        0x4902,  # ldr  r1, [pc, #8]    the text
        0xBEAB,  # bkpt 0xab
        0x2018,  # movs r0, #0x18       SYS_EXIT
        0x4902,  # ldr  r1, [pc, #8]    the reason
        0xBEAB if exits else 0xBF00,
        0xE7FE,  # b    .
        0xBF00,
    ]
    # pc of an ldr is its own address + 4, down to a multiple of 4: 2 -> 4 + 8 = 12, and 8 -> 12 + 8 = 20.
    code[1] = 0x4900 | (16 - 4) // 4
    code[4] = 0x4900 | (20 - 12) // 4
    body = struct.pack("<8H", *code) + struct.pack("<II", _CODE_AT + 16 + _LITERALS, _APPLICATION_EXIT)
    vectors = struct.pack("<II", _STACK, _CODE_AT | 1).ljust(_CODE_AT, b"\0")
    image = vectors + body + text + b"\0"
    header = struct.pack(
        "<4s5B7xHHIIIIIHHHHHH", b"\x7fELF", 1, 1, 1, 0, 0, 2, 40, 1, _CODE_AT | 1, 52, 0, 0x5000200, 52, 32, 1, 0, 0, 0
    )
    segment = struct.pack("<8I", 1, 84, 0, 0, len(image), len(image), 5, 4)
    return header + segment + image
