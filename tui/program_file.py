"""A compiled program from its bytes, for all that look into one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runners.artefacts import Artefact
from ..runners.job import InputError

if TYPE_CHECKING:
    from ..analysis.program.report import Bundle, Program

PROGRAM_LIMIT_BYTES = 2 << 30


def parsed(artefact: Artefact, data: bytes) -> tuple[Bundle | None, Program]:
    """The program of a `.pte`, and the bundle around that of a `.bpte`.

    Raises:
        InputError: it is damaged.
    """
    from ..analysis.program.reader import ProgramError, read_bundle, read_program

    try:
        return read_bundle(data) if artefact.kind == "bpte" else (None, read_program(data))
    except ProgramError as error:
        raise damaged(artefact.path, error) from None


def damaged(path: str, error: Exception) -> InputError:
    """What is said of a program that cannot be read."""
    return InputError(f"{path}: {error}", "compile it again, or copy the whole file")
