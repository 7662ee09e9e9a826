"""What there is to say about a compile that went well: nothing delegated, operators left behind, limits that do not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...analysis.compiles.model_lint import operator_advice
from ...analysis.findings import compile_findings
from ...analysis.meaning.boards import BOARDS
from ...analysis.report import CompileSummary, Finding
from ...analysis.targets import TARGETS
from ...analysis.units import format_bytes
from .plan import CompileOptions
from .points import CompilePoint

SRAM_MEMORIES = ("sram", "socmem", "npu_sram", "ocram")
"""Names under which boards have the SRAM that an arena can lie in."""
_BORDER = re.compile(r"(?:de)?quantize_per_(?:tensor|channel)|^getitem$")
"""Operators at the edge of every delegate; they are no sign that something stayed behind."""
_NAMED = 6
"""Operators that a sentence lists; the delegation of the job has them all."""


class Outcome(NamedTuple):
    """What a job that went well came to, as far as findings are about it."""

    options: CompileOptions
    point: CompilePoint
    summary: CompileSummary | None
    delegation: Mapping[str, Any] | None
    """A checked entry (`analysis.compiles.delegation`)."""
    rejected: Mapping[str, str]
    """The partitioner's reason by operator, for where there is no description."""
    partitions: int
    problems: Sequence[str]
    """What could not be read of Vela's files."""


def findings_of(outcome: Outcome) -> Iterator[Finding]:
    """All findings of a job with a program; an error says that the program does not do what was asked for."""
    summary = outcome.summary
    if outcome.point.is_npu and outcome.options.delegate and summary is not None:
        yield from _not_delegated(outcome, summary)
    if summary is not None:
        limit = arena_limit_exceeded(summary, outcome.point.arena_cache_bytes)
        beyond = sram_beyond_boards(summary, outcome.point.target)
        yield from (finding for finding in (limit, beyond) if finding is not None)
    if summary is not None and summary.memory_mode == "Sram_Only" and summary.on_chip_flash_used_bytes:
        yield Finding(
            "weights-in-sram",
            "info",
            None,
            f"Vela counts {summary.on_chip_flash_used_bytes:,} bytes of weights as on-chip flash",
            "In Sram_Only they lie in the same SRAM as everything else, so the board needs both figures together.",
            "Add on-chip flash to SRAM when you compare with the board's memory.",
        )
    if outcome.partitions > 1:
        yield Finding(
            "totals-over-partitions",
            "info",
            None,
            f"Figures are totals over {outcome.partitions} NPU partitions",
            "Cycles, MACs and flash are added up; SRAM and DRAM are those of the largest partition. "
            "The CPU's part between them is not in any of these figures.",
            "Look at vela/partition-N in the run folder for each of them.",
        )
    if outcome.problems:
        yield Finding(
            "vela-detail-missing",
            "warning",
            None,
            "Vela's figures per operator are not complete",
            "; ".join(outcome.problems),
            "The program itself is not affected; see vela/partition-N/vela.log in the run folder.",
        )


def _not_delegated(outcome: Outcome, summary: CompileSummary) -> Iterator[Finding]:
    is_float = summary.delegated_subgraphs == 0 and not outcome.options.quantize
    if is_float:
        yield Finding(
            "float-model",
            "error",
            None,
            "The model is not quantised, so the NPU cannot run it",
            "An Ethos-U computes on integers; every float operator stays on the CPU.",
            "Compile with quantisation (leave --no-quantize out), or with --no-delegate if the CPU is meant.",
        )
    for finding in compile_findings(summary):
        follows = is_float and finding.rule == "not-delegated"
        yield finding._replace(severity="info", lines=()) if follows else finding._replace(lines=())
    if not is_float:
        delegation = outcome.delegation or _counted(summary, outcome.rejected)
        if delegation["left"]:
            yield _left_behind(outcome.point, delegation)


def _counted(summary: CompileSummary, rejected: Mapping[str, str]) -> dict[str, Any]:
    """What the counts alone say was left, in the shape of a description."""
    reasons = {_spelled(name): reason for name, reason in rejected.items()}
    left = [
        {
            "operator": name,
            "count": number,
            "reason": reasons.get(_spelled(name)),
            "source": None,
            "module": None,
            "macs": None,
        }
        for name, number in (summary.non_delegated_operators or {}).items()
        if not _BORDER.search(name)
    ]
    return {"left": left, "left_off": 0, "boundary": None}


def _spelled(name: str) -> str:
    """One spelling for "aten.sort.default" and "aten_sort_default"."""
    return name.replace(".", "_").replace("::", "_")


def _left_behind(point: CompilePoint, delegation: Mapping[str, Any]) -> Finding:
    left = delegation["left"]
    count = sum(row["count"] or 1 for row in left) + delegation["left_off"]
    names = list(dict.fromkeys(str(row["operator"]) for row in left))
    macs = sum(row["macs"] or 0 for row in left)
    rows = [_left(row) for row in left[:_NAMED]]
    if len(left) > _NAMED:
        rows.append(f"and {count - sum(row['count'] or 1 for row in left[:_NAMED])} more, in the job's delegation")
    border = delegation["boundary"] or {}
    crossing = [f"{border[kind]} {kind}" for kind in ("quantize", "dequantize", "permutes") if border.get(kind)]
    between = f" At the borders the CPU also runs {', '.join(crossing)}." if crossing else ""
    cost = f" {macs:,} multiply-accumulates stay on the CPU." if macs else ""
    advice = list(dict.fromkeys(said for row in left if (said := operator_advice(row["operator"], row["reason"]))))[:3]
    other = "" if point.target.startswith("ethos-u85") else " An Ethos-U85 supports more operators."
    return Finding(
        "operators-on-cpu",
        "warning",
        None,
        f"{count} operator{'s' if count > 1 else ''} stayed on the CPU: {', '.join(names[:4])}",
        f"{'; '.join(rows)}.{cost}{between}",
        f"{' '.join(advice) or 'Replace them by operators that the NPU has.'}{other}",
    )


def _left(row: Mapping[str, Any]) -> str:
    """One row as "aten.sort.default x2 at net.py:14 in blocks.0 (the partitioner's reason)"."""
    source = f" at {row['source']}" if row["source"] else ""
    module = f" in {row['module']}" if row["module"] else ""
    reason = f" ({row['reason'].rstrip('.')})" if row["reason"] else ""
    times = f" x{row['count']}" if (row["count"] or 1) > 1 else ""
    return f"{row['operator']}{times}{source}{module}{reason}"


def arena_limit_exceeded(summary: CompileSummary, limit_bytes: int | None) -> Finding | None:
    """Vela takes its arena limit as a wish: what it made may be larger, and it does not say so.

    The arena lies in SRAM, but for Dedicated_Sram, where the limit is that of the cache in SRAM beside an arena in DRAM.
    """
    used = summary.sram_used_bytes
    if limit_bytes is None or used is None or used <= limit_bytes:
        return None
    over = 100 * (used - limit_bytes) / limit_bytes
    return Finding(
        "arena-limit-exceeded",
        "warning",
        None,
        f"The arena limit of {format_bytes(limit_bytes)} does not hold: Vela used {format_bytes(used)} of SRAM",
        f"{used:,} bytes against {limit_bytes:,} ({over:.0f} % more). Vela takes the limit as a wish and gives no sign "
        "when one of its operators needs more.",
        "Take the SRAM that it used as what is needed; `ethosu-tui compile --fit sram=SIZE` looks for a configuration "
        "that needs less.",
    )


def sram_beyond_boards(summary: CompileSummary, target: str) -> Finding | None:
    """The SRAM that Vela gave out is more than any known board with this NPU has."""
    used = summary.sram_used_bytes
    known = TARGETS[target].npu if target in TARGETS else None
    if used is None or known is None:
        return None
    sizes = [
        (memory.size.value, board.title, memory.name)
        for board in BOARDS.values()
        if board.npu == known
        for memory in board.memories
        if memory.name in SRAM_MEMORIES
    ]
    if not sizes or used <= max(sizes)[0]:
        return None
    largest, title, name = max(sizes)
    return Finding(
        "sram-beyond-boards",
        "warning",
        None,
        f"Vela used {format_bytes(used)} of SRAM, more than any known board with an {known} has",
        f"The largest is {title} with {format_bytes(largest)} of {name} ({used:,} bytes against {int(largest):,}). Vela "
        "compiles for any size and does not compare.",
        "Lower the resolution or the channels of the first layers, give --arena-cache-size or --optimise Size, or "
        "choose a Dedicated_Sram mode where the NPU has DRAM.",
    )
