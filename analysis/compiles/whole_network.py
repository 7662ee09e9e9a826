"""One network in several delegates: Vela compiles each delegate alone, and here their figures become those of the
network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import Capture, CompileSummary, Layer
from .vela import with_shares

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
_CONSTANTS_IN_DRAM = "Shared_Sram"
"""The memory mode in which the second memory holds constants alone, which lie side by side in any memory."""


class Network(NamedTuple):
    """A network that was compiled, with one summary of Vela or several."""

    first: int
    """The number of its first summary in the capture, counted from 1."""
    parts: tuple[CompileSummary, ...]
    failed: bool = False
    """Whether its compile failed behind them: there may be other parts, and no program."""

    @property
    def last(self) -> int:
        """The number of its last summary."""
        return self.first + len(self.parts) - 1

    @property
    def whole(self) -> CompileSummary:
        """The figures of all parts together; of a compile that failed, only its setup. Computed at each call."""
        if self.failed:
            one = self.parts[0]
            return CompileSummary(one.accelerator, one.system_config, one.memory_mode, one.core_clock_hz)
        whole = combine(self.parts) if len(self.parts) > 1 else None
        if whole is None:
            return self.parts[0]
        last = self.parts[-1]
        return whole._replace(
            delegated_subgraphs=last.delegated_subgraphs,
            delegated_nodes=last.delegated_nodes,
            non_delegated_nodes=last.non_delegated_nodes,
            non_delegated_operators=last.non_delegated_operators,
            operators=_operators(self.parts),
        )


def combine(summaries: Sequence[CompileSummary]) -> CompileSummary | None:
    """One summary for partitions that run one after the other: their cycles add up, the working memory is the largest
    of theirs.
    """
    if not summaries:
        return None
    totals: dict[str, Any] = {}
    first = summaries[0]
    summed = (*_SUMMED, "dram_used_bytes") if first.memory_mode == _CONSTANTS_IN_DRAM else _SUMMED
    for name in (*_SUMMED, *_LARGEST):
        values = [getattr(summary, name) for summary in summaries]
        known = [value for value in values if value is not None]
        whole = name.endswith("_used_bytes") and all(s.npu_operators is not None for s in summaries)
        if known and (whole or len(known) == len(values)):  # Vela's text passes over a memory of which it used nothing
            totals[name] = sum(known) if name in summed else max(known)
        else:
            totals[name] = None
    if len(summaries) > 1 and totals["total_cycles"] and first.core_clock_hz:  # each time is rounded by itself
        totals["inference_seconds"] = round(totals["total_cycles"] / first.core_clock_hz, 12)
    return first._replace(**totals)


UNFINISHED = "compile-unfinished"
"""The rule that names the summaries of a compile that failed, by their lines."""


def networks_of(capture: Capture) -> Iterator[Network]:
    """The networks of a capture; the delegates of a compile that failed count as one network."""
    told = next((finding.lines for finding in capture.findings if finding.rule == UNFINISHED), ())
    parts = [at for at, summary in enumerate(capture.compile) if summary.first_line in told]
    if not parts:
        yield from networks(capture.compile)
        return
    first, end = parts[0], parts[-1] + 1
    yield from networks(capture.compile[:first])
    yield Network(first + 1, capture.compile[first:end], failed=True)
    yield from (network._replace(first=network.first + end) for network in networks(capture.compile[end:]))


def trailing(summaries: Sequence[CompileSummary], since: int, line: int) -> list[CompileSummary]:
    """The summaries between these lines that can belong to one compile.

    They are for one system, and come after the newest earlier summary with a number of delegates, which ends another
    compile.
    """
    parts: list[CompileSummary] = []
    for summary in reversed(summaries):
        at = summary.first_line
        if at is None or at <= since or (parts and summary.delegated_subgraphs is not None):
            break
        if at < line and summary.accelerator is not None:
            if parts and _setup(summary) != _setup(parts[0]):
                break
            parts.insert(0, summary)
    return parts


def networks(summaries: Sequence[CompileSummary]) -> Iterator[Network]:
    """The networks of a capture in its order.

    ExecuTorch prints the number of delegates below everything that Vela prints about them. The summaries right above
    that number are the parts, if they are for the same system, have no number of their own, and are as many as it says.
    Each summary is looked at once, because a log can hold any number of them.
    """
    given = 0
    """How many belong to networks that were told."""
    like = 0
    """Where those begin that can be parts of one network."""
    for at, summary in enumerate(summaries):
        if summary.accelerator is None:
            like = at + 1
        elif like < at and _setup(summary) != _setup(summaries[like]):
            like = at
        count = summary.delegated_subgraphs
        if count is None:
            continue
        first = at + 1 - count if 1 < count <= at + 1 - like else at
        yield from _alone(summaries, given, first)
        yield Network(first + 1, tuple(summaries[first : at + 1]))
        given = like = at + 1
    yield from _alone(summaries, given, len(summaries))


def network_with(summaries: Sequence[CompileSummary], at: int) -> Network:
    """The network that the summary at this place is a part of."""
    end = next((end for end in range(at, len(summaries)) if summaries[end].delegated_subgraphs is not None), at)
    begin = end + 1 - (summaries[end].delegated_subgraphs or 0)
    if 0 <= begin <= at:
        first = next(networks(summaries[begin : end + 1]))
        if first.last == end + 1 - begin:
            return first._replace(first=begin + 1)
    return Network(at + 1, (summaries[at],))


def _alone(summaries: Sequence[CompileSummary], begin: int, end: int) -> Iterator[Network]:
    for at in range(begin, end):
        yield Network(at + 1, (summaries[at],))


def _setup(summary: CompileSummary) -> tuple[str | None, str | None, str | None]:
    return summary.accelerator, summary.system_config, summary.memory_mode


def _operators(parts: Sequence[CompileSummary]) -> tuple[Layer, ...]:
    """Those of all parts, with their shares of all cycles; none where the table of a part is not there."""
    if not all(part.operators for part in parts):
        return ()
    layers = chain.from_iterable(part.operators for part in parts)
    return with_shares(layer._replace(index=index) for index, layer in enumerate(layers))
