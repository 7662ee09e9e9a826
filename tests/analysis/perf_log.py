"""Logs of a bare-metal run written from figures, as the runner's own printf would: for tests of what the figures mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ethosu_tui.analysis import Capture, Run, read_capture
from ethosu_tui.analysis.rules.doubts import DOUBTS

U55 = (
    "ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED",
    "ETHOSU_PMU_AXI1_RD_DATA_BEAT_RECEIVED",
    "ETHOSU_PMU_AXI0_WR_DATA_BEAT_WRITTEN",
    "ETHOSU_PMU_NPU_IDLE",
)
U85 = (
    "ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED",
    "ETHOSU_PMU_SRAM_WR_DATA_BEAT_WRITTEN",
    "ETHOSU_PMU_EXT_RD_DATA_BEAT_RECEIVED",
    "ETHOSU_PMU_EXT_WR_DATA_BEAT_WRITTEN",
    "ETHOSU_PMU_NPU_IDLE",
    "ETHOSU_PMU_MAC_ACTIVE",
    "ETHOSU_PMU_WD_ACTIVE",
)
GOOD: dict[str, float | int | None] = {
    "cycles.inferences": 2,
    "cycles.delegations": 2,
    "cycles.operators.0": 40_000,
    "cycles.operators_total": 40_000,
    "cycles.inference": 100_000,
    "cycles.cpu_ratio_percent": 70.0,
    "cycles.npu_ratio_percent": 30.0,
    "cycles.cpu_wait_for_npu": 30_000,
    "pmu.npu_cycles": 28_000,
    "pmu.counters.0": 9_000,
    "pmu.counters.1": 700,
    "pmu.counters.2": 5_000,
    "pmu.counters.3": 120,
    "memory.pools.method.used_bytes": 1_355_722,
    "memory.pools.method.capacity_bytes": 62_914_560,
    "memory.pools.method.free_bytes": 61_558_838,
    "memory.planned_bytes": 752_640,
    "memory.loaded_bytes": 966,
    "memory.input_bytes": 602_116,
    "memory.executor_bytes": 0,
}
"""A consistent run on an Ethos-U55."""

_PERF = (
    ("cycles.inferences", "NPU Inferences : {}", False),
    ("cycles.delegations", "NPU delegations: {}", True),
    ("cycles.operators.0", "ethos-u : cycle_cnt : {} cycles", True),
    ("cycles.operators_total", "Operator(s) total: {} CPU cycles", True),
    ("cycles.inference", "Inference runtime: {} CPU cycles total", True),
    ("cycles.cpu_ratio_percent", "Inference CPU ratio: {:.2f} %", False),
    ("cycles.npu_ratio_percent", "Inference NPU ratio: {:.2f} %", False),
    ("cycles.cpu_wait_for_npu", "cpu_wait_for_npu_cntr : {} CPU cycles", True),
    ("pmu.npu_cycles", "ethosu_pmu_cycle_cntr : {}", True),
    *((f"pmu.counters.{index}", f"ethosu_pmu_cntr{index} : {{}}", True) for index in range(8)),
)
_PARTS = ("planned", "loaded", "input", "executor")


def render(
    figures: Mapping[str, float | int | None], names: Sequence[str] = (), *, each: bool = False, before: str = ""
) -> bytes:
    """The log; `each` adds the values per inference (those in `figures`, else total / inferences)."""
    lines = [before] if before else ["Ethos-U backend registered successfully"]
    count = figures.get("cycles.inferences")
    for path, form, divided in _PERF:
        value = figures.get(path)
        if value is None:
            continue
        text = "I [executorch:arm_perf_monitor.cpp:150] " + form.format(value)
        name = "pmu.npu_cycles_per_inference" if path == "pmu.npu_cycles" else f"{path}.per_inference"
        per = figures.get(name)
        if per is None and each and divided and count:
            per = value / count
        lines.append(text + (f" ({per:.2f} per inference)" if per is not None else ""))
    if names:
        lines.append(f"I [executorch:arm_perf_monitor.cpp:235] Ethos-U PMU Events:[{', '.join(names)}]")
    used, capacity, free = (figures.get(f"memory.pools.method.{part}_bytes") for part in ("used", "capacity", "free"))
    if used is not None:
        lines.append(
            f"I [executorch:arm_executor_runner.cpp:992] method_allocator_used:     {used} / {capacity}  free: {free} ( used: 2 % ) "
        )
    for part in _PARTS:
        size = figures.get(f"memory.{part}_bytes")
        if size is not None:
            lines.append(f"I [executorch:arm_executor_runner.cpp:1000] method_allocator_{part}:  {size} bytes")
    lines.append("I [executorch:arm_executor_runner.cpp:1550] Program complete, exiting.")
    return "\n".join((*lines, "")).encode()


DOUBTED = {doubt.rule for doubt in DOUBTS}


def read(figures: dict[str, Any], names: tuple[str, ...] = U55, **options: Any) -> tuple[Run, dict[str, str]]:
    """The run of a rendered log, and the details of its doubts by rule."""
    capture = read_capture("x", render(figures, names, **options))
    (run,) = capture.runs
    assert run.status == "passed"
    assert all(f.severity != "error" for f in capture.findings)
    return run, {f.rule: f.detail for f in capture.findings if f.rule in DOUBTED}


def values(capture: Capture) -> dict[str, float]:
    return {name: entry.value for name, entry in capture.runs[0].derived.items()}
