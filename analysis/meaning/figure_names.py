"""What people call a figure, in place of its path in a report: for tables, charts and sentences."""

from __future__ import annotations

from .written import label_of

NAMES = {
    "compile.total_cycles": "total cycles, est.",
    "compile.npu_cycles": "NPU cycles, est.",
    "compile.sram_access_cycles": "SRAM access cycles",
    "compile.dram_access_cycles": "DRAM access cycles",
    "compile.off_chip_flash_access_cycles": "flash access cycles",
    "compile.inference_seconds": "inference, est.",
    "compile.sram_used_bytes": "SRAM used",
    "compile.sram_needed_bytes": "SRAM needed",
    "compile.dram_used_bytes": "DRAM used",
    "compile.on_chip_flash_used_bytes": "on-chip flash used",
    "compile.off_chip_flash_used_bytes": "off-chip flash used",
    "compile.core_clock_hz": "NPU clock",
    "compile.macs": "MACs",
    "compile.delegated_subgraphs": "delegated subgraphs",
    "compile.non_delegated_nodes": "nodes left to CPU",
    "compile.pte_bytes": "program (.pte)",
    "pmu.npu_cycles": "NPU cycles",
    "pmu.npu_cycles_per_inference": "NPU cycles each",
    "cycles.inferences": "inferences",
    "cycles.delegations": "delegations",
    "cycles.inference": "CPU cycles",
    "cycles.operators_total": "operators, CPU",
    "cycles.cpu_wait_for_npu": "CPU waits for NPU",
    "cycles.cpu_ratio_percent": "CPU share",
    "cycles.npu_ratio_percent": "NPU share",
    "times.load_seconds": "load time",
    "times.inference_seconds": "inference time",
    "model.pte_bytes": "program (.pte)",
    "memory.pools.method.used_bytes": "method pool used",
    "memory.pools.method.capacity_bytes": "method pool size",
    "memory.planned_bytes": "planned",
    "memory.loaded_bytes": "loaded",
    "memory.input_bytes": "input",
    "memory.executor_bytes": "executor",
    "memory.pools.temp.used_bytes": "temp pool used",
    "memory.pools.temp.capacity_bytes": "temp pool size",
}


def short_name(metric: str) -> str:
    """The name that people use for a metric; if it has none, the end of its field path."""
    if metric in NAMES:
        return NAMES[metric]
    if metric.startswith("derived."):
        label = label_of(metric.removeprefix("derived.")).replace(" per inference", " each")
        return label if label[1:2].isupper() else label[:1].lower() + label[1:]
    for prefix in ("compile.", "memory.pools.", "pmu.counters.ETHOSU_PMU_", "pmu.counters."):
        metric = metric.removeprefix(prefix)
    return metric
