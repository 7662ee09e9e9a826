"""Which jobs of a batch can be made out of another one's: those for the same NPU family, whose TOSA graphs are the same.

The first job of a family goes the whole way through ExecuTorch's script; the others wait for it and then need Vela only.
What is made that way equals the script's own program byte for byte, or is not made that way (`aot_derive.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..analysis.targets import TARGETS
from .compile_plan import CompileOptions, CompilePoint

_HARMLESS = ("--calibration_data", "--config", "--model_input", "--strict_export")
"""Arguments of the script that change nothing about what configurations share."""


class Base(NamedTuple):
    """A finished job that others are made of."""

    label: str
    pte: Path
    argv: tuple[str, ...]
    vela: Path
    told: Any
    """What the compiler said about it, as far as that holds for all."""

    def spec(self) -> dict[str, Any]:
        """The same for the worker."""
        kept = sorted(self.vela.glob("partition-*"), key=lambda path: int(path.name.rpartition("-")[2]))
        return {"pte": str(self.pte), "argv": list(self.argv), "partitions": [str(path) for path in kept]}


class Sharing:
    """The families of a batch, and how far each is."""

    def __init__(self, options: CompileOptions, points: Sequence[CompilePoint]) -> None:
        self._families = [_family(options, point) for point in points]
        self._leaders: dict[str, int] = {}
        self._bases: dict[str, Base | None] = {}

    def pick(self, waiting: list[int]) -> int | None:
        """Take the next job that need not wait for another; None where all must."""
        for place, index in enumerate(waiting):
            family = self._families[index]
            if family is None or family in self._bases:
                return waiting.pop(place)
            if family not in self._leaders:
                self._leaders[family] = index
                return waiting.pop(place)
        return None

    def base(self, index: int) -> Base | None:
        """What this job can be made of."""
        family = self._families[index]
        return self._bases.get(family) if family is not None else None

    def ended(self, index: int, base: Base | None) -> None:
        """A job ended; `base` is None where it failed."""
        family = self._families[index]
        if family is not None and self._leaders.get(family) == index:
            self._bases[family] = base


def _family(options: CompileOptions, point: CompilePoint) -> str | None:
    """Equal for points that share their TOSA graphs; None where that is not known to be so."""
    npu = TARGETS[point.target].npu
    plain = not (options.debug or options.keep_intermediates)
    harmless = all(argument.partition("=")[0] in _HARMLESS and "=" in argument for argument in options.extra)
    if npu is None or not (options.delegate and plain and harmless):
        return None
    return "ethos-u85" if npu == "ethos-u85" else "ethos-u55"
