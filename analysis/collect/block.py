"""One performance block: its figures while they are read, and the `PerfBlock` made of them."""

from __future__ import annotations

from collections.abc import Mapping

from ..named_tuple import TYPE_CHECKING
from ..report import Counter, Cycles, OperatorCycles, PerfBlock, Pmu
from .once_more import SUMS, Printed

if TYPE_CHECKING:
    from typing import Any

    from ..draft import Trouble


class ClosedBlock:
    """The figures of one block, by field path, with its counters."""

    __slots__ = (
        "again",
        "count",
        "counters",
        "doubts",
        "figures",
        "label",
        "line",
        "names",
        "operators",
        "printed",
        "served",
        "twice",
        "worked",
    )

    def __init__(self, line: int, label: str | None) -> None:
        self.line = line
        self.label = label
        self.count = 1
        self.figures: dict[str, Any] = {}
        self.operators: dict[str, int | None] = {}
        self.counters: dict[Any, int] = {}
        self.names: tuple[str | None, ...] = ()
        self.served: int | None = None
        """The number that a server gave to this inference when it finished."""
        self.printed: Printed | None = None
        """What was printed of it, while it may still be a copy of another block."""
        self.worked = False
        """True where an inference began between this block and the next."""
        self.again = 0
        """How many inferences printed exactly this block; more than one only where another block differs, else it is a
        copy.
        """
        self.twice = False
        """True where a server reported an inference as done a second time, and this block was printed with it."""
        self.doubts: list[Trouble] = []

    def add(self, other: ClosedBlock) -> None:
        """Add another block to this one; a figure that either of them lacks has no sum."""
        self.count += other.count
        self.figures = {p: v + other.figures[p] for p, v in self.figures.items() if p in SUMS and p in other.figures}
        self.operators = {
            n: None if v is None or other.operators[n] is None else v + (other.operators[n] or 0)
            for n, v in self.operators.items()
            if n in other.operators
        }
        self.counters = {i: v + other.counters[i] for i, v in self.counters.items() if i in other.counters}
        self.names = self.names or other.names


def report_of(block: ClosedBlock) -> PerfBlock:
    """The figures of a block for the report, with its counters by index or name."""
    get = block.figures.get
    counters = tuple(
        Counter(key, block.names[key] if key < len(block.names) else None, value)
        if isinstance(key, int)
        else Counter(i, _name(key), value)
        for i, (key, value) in enumerate(block.counters.items())
    )
    pmu = Pmu(get("pmu.npu_cycles"), get("pmu.npu_cycles_per_inference"), counters).if_any()
    operators = tuple(OperatorCycles(name, total) for name, total in block.operators.items())
    return PerfBlock(block.line, block.label, cycles_of(block.figures, operators), pmu)


def cycles_of(figures: Mapping[str, Any], operators: tuple[OperatorCycles, ...]) -> Cycles:
    """The `Cycles` of a block or a run, from its figures by field path."""
    get = figures.get
    return Cycles(
        inferences=get("cycles.inferences"),
        delegations=get("cycles.delegations"),
        operators=operators,
        operators_total=get("cycles.operators_total"),
        inference=get("cycles.inference"),
        cpu_wait_for_npu=get("cycles.cpu_wait_for_npu"),
        cpu_ratio_percent=get("cycles.cpu_ratio_percent"),
        npu_ratio_percent=get("cycles.npu_ratio_percent"),
    )


def _name(key: object) -> str | None:
    return (
        f"ETHOSU_PMU_NPU_{key}" if key in ("ACTIVE", "IDLE") else f"ETHOSU_PMU_{key}" if isinstance(key, str) else None
    )
