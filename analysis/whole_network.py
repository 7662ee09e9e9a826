"""One network in several delegates: Vela compiles each alone, and the figures of the network are those of all of them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .named_tuple import TYPE_CHECKING, NamedTuple
from .report import CompileSummary

if TYPE_CHECKING:
    from typing import Any

_SUMMED = (
    "npu_operators",
    "cpu_operators",
    "macs",
    "npu_cycles",
    "sram_access_cycles",
    "dram_access_cycles",
    "on_chip_flash_access_cycles",
    "off_chip_flash_access_cycles",
    "total_cycles",
    "inference_seconds",
    "on_chip_flash_used_bytes",
    "off_chip_flash_used_bytes",
)
"""Figures of partitions that run one after the other, and constants that lie side by side."""
_LARGEST = ("sram_used_bytes", "dram_used_bytes")
"""Partitions run one after the other and share these memories."""


class Network(NamedTuple):
    """A network that was compiled, of one summary of Vela or of several."""

    first: int
    """The number of its first summary in the capture, counted from 1."""
    parts: tuple[CompileSummary, ...]
    whole: CompileSummary

    @property
    def last(self) -> int:
        """The number of its last summary."""
        return self.first + len(self.parts) - 1


def combine(summaries: Sequence[CompileSummary]) -> CompileSummary | None:
    """One summary for partitions that run one after the other: cycles add up, the working memory is the largest one."""
    if not summaries:
        return None
    totals: dict[str, Any] = {}
    for name in (*_SUMMED, *_LARGEST):
        values = [getattr(summary, name) for summary in summaries]
        known = [value for value in values if value is not None]
        whole = name.endswith("_used_bytes") and all(s.npu_operators is not None for s in summaries)
        if known and (whole or len(known) == len(values)):  # Vela's text passes over a memory of which it used nothing
            totals[name] = sum(known) if name in _SUMMED else max(known)
        else:
            totals[name] = None
    first = summaries[0]
    if len(summaries) > 1 and totals["total_cycles"] and first.core_clock_hz:  # each time is rounded by itself
        totals["inference_seconds"] = round(totals["total_cycles"] / first.core_clock_hz, 12)
    return first._replace(**totals)


def networks(summaries: Sequence[CompileSummary]) -> Iterator[Network]:
    """The networks of a capture in its order.

    ExecuTorch counts the delegates of a network below all that Vela says of them.  Those right above the count that are for
    the same system and have no count of their own are its parts, where there are as many as it says.
    """
    at = 0
    while at < len(summaries):
        many = _parts_from(summaries, at)
        parts = tuple(summaries[at : at + many])
        yield Network(at + 1, parts, _whole(parts))
        at += many


def _parts_from(summaries: Sequence[CompileSummary], at: int) -> int:
    """How many summaries, with this one, are the parts of one network."""
    setup = _setup(summaries[at])
    for end in range(at, len(summaries)):
        summary = summaries[end]
        if _setup(summary) != setup or summary.accelerator is None:
            return 1
        if summary.delegated_subgraphs is not None:
            return end - at + 1 if summary.delegated_subgraphs == end - at + 1 else 1
    return 1


def _setup(summary: CompileSummary) -> tuple[str | None, str | None, str | None]:
    return summary.accelerator, summary.system_config, summary.memory_mode


def _whole(parts: tuple[CompileSummary, ...]) -> CompileSummary:
    whole = combine(parts) if len(parts) > 1 else None
    if whole is None:
        return parts[0]
    last = parts[-1]
    return whole._replace(
        delegated_subgraphs=last.delegated_subgraphs,
        delegated_nodes=last.delegated_nodes,
        non_delegated_nodes=last.non_delegated_nodes,
        non_delegated_operators=last.non_delegated_operators,
        operators=(),
    )
