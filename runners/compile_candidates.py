"""What was compiled as rows for `analysis.design`, and what there is to say of the limit that Vela was given."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.design.candidates import Candidate, ignored_limit
from ..analysis.report import CompileSummary, Finding
from .compile_points import CompilePoint


def candidate(point: CompilePoint, summary: CompileSummary | None = None, pte_bytes: int | None = None) -> Candidate:
    """A point as a row, with the figures of its compile if there are any."""
    row = Candidate(
        point.label, point.target, point.system_config, point.memory_mode, point.arena_cache_bytes, point.optimise
    )
    return row.with_figures(summary, pte_bytes)


def limit_findings(point: CompilePoint, summary: CompileSummary | None) -> Iterator[Finding]:
    """That Vela did not keep the arena limit, which it does not say."""
    ignored = ignored_limit(candidate(point, summary))
    if ignored is not None:
        yield Finding(
            "arena-limit-ignored",
            "warning",
            None,
            f"The arena limit of {ignored.limit_bytes:,} bytes was not kept: {ignored.used_bytes:,} bytes of SRAM are used",
            ignored.reason[0].upper() + ignored.reason[1:] + ".",
            "Count with what is used; `ethosu-tui compile --fit sram=SIZE` looks for a configuration that fits.",
        )
