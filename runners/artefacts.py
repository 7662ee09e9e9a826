"""What a file is, by its first bytes, never by its name alone: programs, profiles, graphs, Vela's tables, runners."""

from __future__ import annotations

import os
import stat
from typing import Literal, NamedTuple

from .digests import file_sha256
from .job import InputError

Kind = Literal[
    "pte", "bpte", "etdump", "tosa", "elf", "etrecord", "vela-summary", "vela-per-layer", "vela-debug", "pmu-trace"
]

DESCRIPTIONS: dict[Kind, str] = {
    "pte": "ExecuTorch program",
    "bpte": "ExecuTorch bundled program (with reference inputs and outputs)",
    "etdump": "ExecuTorch profile (ETDump)",
    "tosa": "TOSA graph",
    "elf": "ELF executable",
    "etrecord": "zip archive, as an ExecuTorch ETRecord is",
    "vela-summary": "Vela summary table",
    "vela-per-layer": "Vela per-layer table",
    "vela-debug": "Vela debug database",
    "pmu-trace": "PMU trace of an FVP",
}

_HEAD_BYTES = 4096


class NotKnown(InputError):
    """The file is none of those; it may be a log."""


class Artefact(NamedTuple):
    """A file that was recognised."""

    path: str
    kind: Kind
    bytes: int
    magic: str | None = None
    """The format identifier inside the file, where it has one."""

    @property
    def description(self) -> str:
        """The kind in words."""
        return DESCRIPTIONS[self.kind]


def identify(path: str) -> Artefact:
    """Recognise a file.

    Raises:
        InputError: it cannot be read, or is empty.
        NotKnown: it is nothing that we know.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # before opening: a pipe would block
            raise InputError(f"{path} is not a regular file", "give a file")
        with open(path, "rb") as stream:
            head = stream.read(_HEAD_BYTES)
            size = stream.seek(0, os.SEEK_END)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path") from error
    if not head:
        raise InputError(f"{path} is empty", "was the program that writes it interrupted?")
    found = _kind(head)
    if found is None:
        raise NotKnown(
            f"{path} is nothing that inspect knows",
            "it knows .pte, .bpte, .tosa, ETDump (also in a log), PMU traces, ELF and Vela's tables; for a console log use `ethosu-tui analyze`",
        )
    kind, magic = found
    return Artefact(path, kind, size, magic)


def _kind(head: bytes) -> tuple[Kind, str | None] | None:
    # A FlatBuffer has its identifier at byte 4, behind a length at byte 8.
    for start in (4, 8):
        identifier = head[start : start + 4]
        text = identifier.decode("ascii", "replace")
        if identifier[:2] == b"ET" and identifier[2:].isdigit():
            return "pte", text
        if identifier[:2] == b"BP" and identifier[2:].isdigit():
            return "bpte", text
        if identifier == b"ED00":
            return "etdump", text
        if identifier == b"TOSA":
            return "tosa", text
    if head.startswith(b"\x7fELF"):
        return "elf", None
    if head.startswith(b"PK\x03\x04"):
        return "etrecord", None
    if head.startswith(b"\x1f\x8b"):
        return ("pmu-trace", None) if _is_trace(_unzipped(head)) else None
    if _is_trace(head):
        return "pmu-trace", None
    first, _, _ = head.partition(b"\n")
    names = {name.strip() for name in first.split(b",")}
    if {b"accelerator_configuration", b"system_config", b"memory_mode"} <= names:
        return "vela-summary", None
    if {b"NNG Operator", b"NPU"} <= names and (b"Op Cycles" in names or b"Cycles" in names):
        return "vela-per-layer", None
    if head.lstrip().startswith(b"<") and b"<debug" in head:
        return "vela-debug", None
    return None


def _unzipped(head: bytes) -> bytes:
    import zlib

    try:
        return zlib.decompressobj(wbits=31).decompress(head, _HEAD_BYTES)
    except zlib.error:
        return b""


def _is_trace(head: bytes) -> bool:
    return head.lstrip()[:1] in (b"{", b"[") and (b'"traceEvents"' in head or b'"qread"' in head)


def sha256(path: str) -> str:
    """The SHA-256 of a file that somebody named.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return file_sha256(path)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror or error})", "check the path") from error
