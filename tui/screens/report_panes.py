"""The tabs of the Report screen by name: each shows its part of a `View` and knows nothing of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..views import View
from .cycles_pane import CyclesPane, InferencesPane
from .findings_pane import FindingsPane
from .log_tab import LogTab
from .memory_pane import MemoryPane
from .operators_pane import OperatorsPane, TracePane
from .outputs_pane import OutputsPane
from .pane import Pane
from .pmu_pane import PmuPane, RooflinePane
from .summary_pane import SummaryPane
from .table_pane import TablePane


class DelegatesPane(TablePane):
    """The NPU's counters by delegate."""

    NAME = "delegates"


class DelegationPane(TablePane):
    """What a compile left to the CPU, with the partitioner's reason and the line of the model; or its partitions."""

    NAME = "delegation"
    FIXED = 1


PANES: Mapping[str, Callable[[View], Pane]] = {
    "Summary": SummaryPane,
    "Memory": MemoryPane,
    "Cycles": CyclesPane,
    "PMU": PmuPane,
    "Operators": OperatorsPane,
    "Inferences": InferencesPane,
    "Delegates": DelegatesPane,
    "Delegation": DelegationPane,
    "Roofline": RooflinePane,
    "Trace": TracePane,
    "Outputs": OutputsPane,
    "Findings": FindingsPane,
    "Log": LogTab,
}
