"""What there is to say of a program that no NPU takes part in, read from the program itself."""

from __future__ import annotations

from pathlib import Path

from ...analysis.program.reader import ProgramError, read_program
from ...analysis.report import Finding
from ...analysis.rules.kernels import kernels_finding


def cpu_findings(pte: Path) -> list[Finding]:
    """Which kernels its runner needs; nothing where the file is none that can be read."""
    try:
        found = kernels_finding(read_program(pte.read_bytes()))
    except (OSError, ProgramError):
        return []
    return [found] if found is not None else []
