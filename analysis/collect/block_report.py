"""A performance block as the report shows it."""

from __future__ import annotations

from ..named_tuple import TYPE_CHECKING
from ..report import Counter, Cycles, OperatorCycles, PerfBlock, Pmu

if TYPE_CHECKING:
    from .perf_blocks import DraftBlock


def report_of(block: DraftBlock) -> PerfBlock:
    """The figures of a block, its counters by their indices or names."""
    get = block.figures.get
    counters = tuple(
        Counter(key, block.names[key] if key < len(block.names) else None, value)
        if isinstance(key, int)
        else Counter(i, _name(key), value)
        for i, (key, value) in enumerate(block.counters.items())
    )
    pmu = None
    if counters or get("pmu.npu_cycles") is not None:
        pmu = Pmu(get("pmu.npu_cycles"), get("pmu.npu_cycles_per_inference"), counters)
    cycles = Cycles(
        inferences=get("cycles.inferences"),
        delegations=get("cycles.delegations"),
        operators=tuple(OperatorCycles(name, total) for name, total in block.operators.items()),
        operators_total=get("cycles.operators_total"),
        inference=get("cycles.inference"),
        cpu_wait_for_npu=get("cycles.cpu_wait_for_npu"),
        cpu_ratio_percent=get("cycles.cpu_ratio_percent"),
        npu_ratio_percent=get("cycles.npu_ratio_percent"),
    )
    return PerfBlock(block.line, block.label, cycles, pmu)


def _name(key: object) -> str | None:
    return (
        f"ETHOSU_PMU_NPU_{key}" if key in ("ACTIVE", "IDLE") else f"ETHOSU_PMU_{key}" if isinstance(key, str) else None
    )
