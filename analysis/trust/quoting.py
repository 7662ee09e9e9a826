"""Words of the log for a figure, so that a reader finds there what a finding doubts."""

from __future__ import annotations

from .settled import NPU_CYCLES, OPERATOR

_NAMES = {
    OPERATOR: "ethos-u : cycle_cnt",
    "cycles.operators_total": "Operator(s) total",
    "cycles.inference": "Inference runtime",
    "cycles.cpu_wait_for_npu": "cpu_wait_for_npu_cntr",
    NPU_CYCLES: "ethosu_pmu_cycle_cntr",
    "cycles.inferences": "NPU Inferences",
    "cycles.delegations": "NPU delegations",
}


def quote(path: str, value: object) -> str:
    """A figure as the log prints it: name and number."""
    if path.startswith("pmu.counters."):
        return f"ethosu_pmu_cntr{path[13:]} : {value}"
    return f"{_NAMES.get(path, path)} : {value}"
