"""Small programs that ExecuTorch compiled, and what tests ask of them."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = sorted(path.name for path in HERE.glob("*.pte"))


def program(name: str) -> bytes:
    """The bytes of one of them."""
    return (HERE / name).read_bytes()
