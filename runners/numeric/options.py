"""What a numeric check shall do, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...analysis.numeric.report import DEFAULT_TOLERANCE_LSB
from ..job import UsageError

SAMPLES = 8
FOLDER = "numeric"
"""In the run folder: what the compile kept, and what the check made of it."""
BUDGET_SECONDS = 120.0
"""After this no further sample begins."""
KEPT_BYTES = 256 << 20
"""Inputs and references that one compile may keep."""


@dataclass(frozen=True, slots=True)
class NumericOptions:
    """A check that was asked for."""

    samples: int = SAMPLES
    """At most so many of the model's own inputs and its calibration data."""
    random: int = 0
    """So many further ones, drawn in the range of the model's inputs."""
    seed: int = 0
    tolerance_lsb: int = DEFAULT_TOLERANCE_LSB
    per_layer: bool = False

    def check(self) -> None:
        """Refuse numbers that make no sense.

        Raises:
            UsageError: one of them does not.
        """
        for option, value, least in (
            ("--check-samples", self.samples, 1),
            ("--check-random", self.random, 0),
            ("--check-seed", self.seed, 0),
            ("--check-tolerance", self.tolerance_lsb, 0),
        ):
            if value < least:
                raise UsageError(f"{option} {value} is too small", f"give {least} or more, or leave it out")

    def request(self, folder: Path) -> dict[str, Any]:
        """What the compile job shall keep, in its run folder."""
        return {
            "folder": str(folder / FOLDER),
            "samples": self.samples,
            "random": self.random,
            "seed": self.seed,
            "layers": self.per_layer,
            "seconds": BUDGET_SECONDS,
            "limit_bytes": KEPT_BYTES,
        }

    def words(self) -> Iterator[str]:
        """The options of `compile` that ask for the same."""
        yield "--check-numerics"
        plain = NumericOptions()
        for option, name in (
            ("--check-samples", "samples"),
            ("--check-random", "random"),
            ("--check-seed", "seed"),
            ("--check-tolerance", "tolerance_lsb"),
        ):
            if getattr(self, name) != getattr(plain, name):
                yield from (option, str(getattr(self, name)))
        if self.per_layer:
            yield "--check-per-layer"
