"""What was compiled, as rows for `analysis.design`."""

from __future__ import annotations

from ..analysis.design.candidates import Candidate
from ..analysis.report import CompileSummary
from .compile_points import CompilePoint


def candidate(point: CompilePoint, summary: CompileSummary | None = None, pte_bytes: int | None = None) -> Candidate:
    """A point as a row, with the figures of its compile if there are any."""
    row = Candidate(
        point.label, point.target, point.system_config, point.memory_mode, point.arena_cache_bytes, point.optimise
    )
    return row.with_figures(summary, pte_bytes)
