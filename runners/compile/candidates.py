"""What was compiled, as rows for `analysis.design`."""

from __future__ import annotations

from ...analysis.compiles.vela_ini import VelaIni
from ...analysis.design.candidates import Candidate
from ...analysis.report import CompileSummary
from .points import CompilePoint


def candidate(
    point: CompilePoint,
    summary: CompileSummary | None = None,
    pte_bytes: int | None = None,
    ini: VelaIni | None = None,
) -> Candidate:
    """A point as a row, with the figures of its compile if there are any; `ini` is the user's own vela.ini."""
    row = Candidate(
        point.label, point.target, point.system_config, point.memory_mode, point.arena_cache_bytes, point.optimise
    )
    mode = ini.memory_modes.get(point.memory_mode or "") if ini is not None else None
    if mode is not None:
        together = "Sram_Only" if mode.const == mode.arena else "Shared_Sram"
        placing = together if mode.arena == mode.cache else "Dedicated_Sram"
        row = row._replace(placing=placing, mode_limit_bytes=mode.arena_cache_bytes)
    return row.with_figures(summary, pte_bytes)
