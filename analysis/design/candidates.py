"""One compiled configuration as a row of figures, and how much of each memory of a board it needs.

Vela says how much of each memory it planned, but a board may need another amount. In Sram_Only the weights, which Vela
counts as on-chip flash, lie in the same SRAM as the arena. And the whole program is stored, not only the weights.
"""

from __future__ import annotations

from ..compiles.vendor_configs import arms_mode
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..targets import cache_bytes

if TYPE_CHECKING:
    from typing import Literal

    from ..report import CompileSummary

    Memory = Literal["sram", "dram", "flash"]

MEMORIES: tuple[Memory, ...] = ("sram", "dram", "flash")
SIZE = "Size"
"""Vela's `--optimise Size`, which plans for the least SRAM and does not look at the arena limit."""


class Candidate(NamedTuple):
    """A configuration with Vela's estimates; a figure is None if the compile does not give it, which is not zero."""

    label: str
    target: str
    system_config: str | None = None
    memory_mode: str | None = None
    arena_cache_bytes: int | None = None
    """The arena limit that was asked for; None without one."""
    optimise: str | None = None
    total_cycles: int | None = None
    core_clock_hz: float | None = None
    inference_seconds: float | None = None
    """At the core clock of the system config."""
    sram_bytes: int | None = None
    dram_bytes: int | None = None
    on_chip_flash_bytes: int | None = None
    off_chip_flash_bytes: int | None = None
    pte_bytes: int | None = None
    placing: str | None = None
    """The memory mode of Arm's that places constants, arena and cache alike; None: the one that the name stands for."""
    mode_limit_bytes: int | None = None
    """The cache size of a memory mode of the user's own."""

    def with_figures(self, summary: CompileSummary | None, pte_bytes: int | None = None) -> Candidate:
        """The same configuration with the figures of its compile."""
        if summary is None:
            return self._replace(pte_bytes=pte_bytes)
        return self._replace(
            total_cycles=summary.total_cycles,
            core_clock_hz=summary.core_clock_hz or None,
            inference_seconds=summary.inference_seconds,
            sram_bytes=summary.sram_used_bytes,
            dram_bytes=summary.dram_used_bytes,
            on_chip_flash_bytes=summary.on_chip_flash_used_bytes,
            off_chip_flash_bytes=summary.off_chip_flash_used_bytes,
            pte_bytes=pte_bytes,
        )

    @property
    def seconds(self) -> float | None:
        """Estimated time of an inference at the core clock of the system config."""
        if self.inference_seconds is not None:
            return self.inference_seconds
        if self.total_cycles is None or not self.core_clock_hz:
            return None
        return self.total_cycles / self.core_clock_hz

    @property
    def _placing(self) -> str:
        return self.placing or arms_mode(self.memory_mode or "")

    @property
    def weights_in_sram(self) -> bool:
        """Whether what Vela calls on-chip flash lies in the SRAM of the arena."""
        return self._placing == "Sram_Only"

    @property
    def arena_in_dram(self) -> bool:
        """Whether the arena lies in DRAM, and SRAM is a cache of it."""
        return self._placing.startswith("Dedicated_Sram")

    def need(self, memory: Memory) -> int | None:
        """How many bytes of this memory a board must have; None if that is not known.

        SRAM holds the arena, in Sram_Only also the weights. Flash holds the program, which contains the weights. The
        runner's own pools, firmware and stack are not counted.
        """
        if memory == "sram":
            return self._sum(self.sram_bytes, self.on_chip_flash_bytes) if self.weights_in_sram else self.sram_bytes
        if memory == "dram":
            return self.dram_bytes
        planned = self.off_chip_flash_bytes
        if not self.weights_in_sram:
            planned = self._sum(planned, self.on_chip_flash_bytes)
        if self.pte_bytes is None:
            return planned or None  # no flash planned says nothing of what is stored
        return max(self.pte_bytes, planned or 0)

    @staticmethod
    def _sum(*sizes: int | None) -> int | None:
        known = [size for size in sizes if size is not None]
        return sum(known) if len(known) == len(sizes) else None

    @property
    def limit(self) -> tuple[int, str] | None:
        """The limit for the arena or cache that Vela got, and where it came from: an option, or the name of the memory
        mode.
        """
        if self.arena_cache_bytes is not None:
            return self.arena_cache_bytes, "--arena-cache-size"
        mode, size = self.memory_mode or "", self.mode_limit_bytes
        if self.placing is None:
            size = cache_bytes(mode) or size
        return (size, mode) if size is not None else None


class IgnoredLimit(NamedTuple):
    """An arena limit that Vela did not keep; Vela prints no message about it."""

    limit_bytes: int
    used_bytes: int
    given_by: str
    reason: str


def ignored_limit(candidate: Candidate) -> IgnoredLimit | None:
    """The arena limit that this configuration exceeds; None if it is kept, or if limit or use is not known."""
    if candidate.limit is None or candidate.sram_bytes is None:
        return None
    limit, given_by = candidate.limit
    if candidate.sram_bytes <= limit:
        return None
    reason = (
        f"{given_by} asks for {limit:,} bytes at most and Vela used {candidate.sram_bytes:,}: the limit is soft"
        if candidate.optimise != SIZE
        else f"Vela does not look at {given_by} with --optimise Size, and used {candidate.sram_bytes:,} bytes"
    )
    return IgnoredLimit(limit, candidate.sram_bytes, given_by, reason)
