"""What a person reads in the third-party logs, written down by hand; the logs stay where they are and no line of them is here.

Skipped where they are not present.  A value that is None is one that the log does not print.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import to_dict


class Expected(NamedTuple):
    """The reading of one log: `root` is the first error's rule and its lines, `words` must be in it."""

    status: str
    stage: str | tuple[str, ...]
    figures: dict[str, Any]
    releases: tuple[str | None, ...] = (None,)
    kind: str | tuple[str, ...] = "arm_executor_runner"
    platform: str | None = None
    root: tuple[str, tuple[int, ...]] | None = None
    words: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


def output(values: tuple[float, ...], count: int, dtype: str | None, *, elided: bool = False) -> list[dict[str, Any]]:
    return [{"index": 0, "count": count, "dtype": dtype, "elided": elided, "first": list(values)}]


def counters(names: str, values: tuple[int, ...]) -> list[dict[str, Any]]:
    return [
        {"index": i, "event": f"ETHOSU_PMU_{name}" if name else None, "value": value}
        for i, (name, value) in enumerate(zip(names.split(), values, strict=True))
    ]


HALF = (0.5, 0.5, 0.5, 0.5)
AXI = "AXI0_RD_DATA_BEAT_RECEIVED AXI1_RD_DATA_BEAT_RECEIVED AXI0_WR_DATA_BEAT_WRITTEN NPU_IDLE"
EXT = "EXT0_RD_DATA_BEAT_RECEIVED EXT1_RD_DATA_BEAT_RECEIVED EXT0_WR_DATA_BEAT_WRITTEN NPU_IDLE"

EXPECTED = {
    "001": Expected("passed", "complete", {
        "model.pte_bytes": 960, "model.methods": 1, "model.method": "forward", "memory.planned_buffers": [32],
        "outputs": output(HALF, 4, None), "pmu": None, "cycles.inference": None, "memory.pools": {}, "last_line": 23,
    }, ("0.1.0",), platform="fvp"),
    "003": Expected("passed", "complete", {
        "model.address": "0x70000000", "model.pte_bytes": 4425968, "model.loaded_bytes": 4425968, "target.npu": "ethos-u85",
        "memory.pools.method": {"used_bytes": 1355722, "free_bytes": 61558838, "capacity_bytes": 62914560},
        "memory.pools.temp": {"used_bytes": 0, "free_bytes": 1048576, "capacity_bytes": 1048576},
        "memory.planned_bytes": 752640, "memory.loaded_bytes": 966, "memory.input_bytes": 602116, "memory.executor_bytes": 0,
        "cycles.inferences": 1, "cycles.delegations": None, "cycles.operators_total": 1498202, "cycles.inference": 6925114,
        "cycles.cpu_ratio_percent": 99.99, "cycles.npu_ratio_percent": 0.01, "cycles.cpu_wait_for_npu": 729,
        "cycles.operators": [{"name": "ethos-u", "cycles": 1498202, "per_inference": None}],
        "pmu.npu_cycles": 5920305, "pmu.npu_cycles_per_inference": None, "pmu.counters": counters(EXT, (359921, 0, 0, 503)),
        "outputs": output((-0.749744, -0.019224, 0.13457), 1000, None, elided=True),
    }, ("0.5-dev",), platform="fvp", also=("fvp-ratio-not-time",)),
    "004": Expected("passed", "complete", {
        "model.address": "0x73e00000", "model.magic": "ET12", "model.pte_bytes": 31696, "model.loaded_bytes": 31696,
        "memory.planned_buffers": [138240], "cycles.inferences": 1, "cycles.delegations": 1, "cycles.operators_total": 18301,
        "cycles.inference": 1070301, "cycles.cpu_wait_for_npu": 505, "pmu.npu_cycles": 247553, "pmu.npu_cycles_per_inference": 247553.0,
        "pmu.counters": counters(AXI, (44542, 3629, 42419, 501)),
        "outputs": output((-0.020373, 0.06708, -0.059627, 0.062111), 4, "float"),
        "memory.pools.method": {"used_bytes": 138937, "free_bytes": 62775623, "capacity_bytes": 62914560},
        "memory.pools.temp": {"used_bytes": None, "free_bytes": None, "capacity_bytes": 2097152},
        "memory.planned_bytes": 138240, "memory.loaded_bytes": 681, "memory.input_bytes": 16, "memory.executor_bytes": 0,
        "first_line": 1, "last_line": 100,
    }, ("1.0.0..1.4.1",), platform="fvp", also=("fvp-ratio-not-time",)),
    "006": Expected("passed", "complete", {
        "model.address": "200014B0", "model.pte_bytes": 960, "memory.planned_buffers": [32], "pmu": None, "cycles.inferences": None,
        "memory.pools.method": {"used_bytes": 342, "free_bytes": 682, "capacity_bytes": 1024},
        "memory.pools.temp": {"used_bytes": 0, "free_bytes": 1024, "capacity_bytes": 1024},
        "memory.planned_bytes": 32, "memory.loaded_bytes": 290, "memory.input_bytes": 20, "memory.executor_bytes": 0,
        "outputs": output(HALF, 4, None),
    }, ("0.5.0",)),
    "008": Expected("failed", "plan", {
        "model.pte_bytes": 175008, "memory.pools.method.capacity_bytes": 1024, "memory.planned_buffers": [1785600], "outputs": [],
        "pmu": None,
    }, ("0.5.0",), root=("method-pool-too-small", (8, 9)), words=("1785600", "1024", "1853808"), also=("method-load-failed", "fatal-message")),
    "009": Expected("passed", "complete", {
        "model.address": "0x70000000", "model.pte_bytes": 944, "model.loaded_bytes": 944, "memory.planned_buffers": [64],
        "memory.pools.method": {"used_bytes": 344, "free_bytes": 168, "capacity_bytes": 512},
        "memory.pools.temp": {"used_bytes": 0, "free_bytes": 2048, "capacity_bytes": 2048},
        "memory.planned_bytes": 64, "memory.loaded_bytes": 256, "memory.input_bytes": 24, "memory.executor_bytes": 0, "pmu": None,
    }, (None,), "zephyr", "fvp"),
    "010": Expected("passed", "complete", {"outputs": output((2, 2, 2, 2, 2), 5, "int"), "model.pte_bytes": None, "pmu": None},
                    ("0.6.0",), platform="fvp"),
    "013": Expected("passed", "complete", {
        "model.address": "0x800774a0", "model.pte_bytes": 3380576, "memory.pools.method.capacity_bytes": 1572864,
        "memory.planned_buffers": [752640], "times.inference_seconds": 0.03, "cycles.inference": None, "pmu": None,
        "predictions.0": {"index": 92, "label": None, "score": 3.2362}, "predictions.4": {"index": 18, "label": None, "score": 2.5089},
    }, ("1.3.0..main",), "zephyr"),
    "015": Expected("passed", "complete", {
        "outputs": output((2.0,), 1, "float"), "cycles.inference": None, "model.pte_bytes": None,
    }, ("1.0.0..main", None), ("arm_executor_runner", "other"), platform="board"),
    "016": Expected("truncated", "report", {
        "target.name": "ethos-u85-128", "target.macs": 128, "target.system_config": "Ethos_U85_SYS_DRAM_Mid", "target.memory_mode": "Sram_Only",
        "model.pte_bytes": 3809584, "pmu.npu_cycles": 4738932, "pmu.npu_cycles_per_inference": None,
        "pmu.counters.0.value": 1447178, "pmu.counters.1.value": 420661, "pmu.counters.4.value": 130, "cycles.inferences": None,
    }, ("0.6.0", "0.7.0", "0.6.0..0.7.0"), root=("truncated-log", (87,))),
    "019": Expected("failed", "plan", {
        "model.address": "0x70000000", "model.pte_bytes": 4616, "memory.pools.method.capacity_bytes": 62914560, "memory.planned_buffers": [48],
        "pmu": None,
    }, ("1.0-dev",), root=("missing-operator", (7,)), words=("aten::exp.out",)),
    "021": Expected("failed", "plan", {"model.pte_bytes": None, "pmu": None}, ("1.2.0..main",), ("arm_executor_runner", "zephyr"),
                    root=("method-pool-too-small", (1, 2)),
                    words=("6144000", "2000", "CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE=")),
    "023": Expected("failed", "plan", {"memory.pools": {}, "pmu": None}, ("0.1.0..0.3.0", "0.2.0..0.3.0"), "other",
                    root=("method-pool-too-small", (1, 2)), words=("48", "44", "at least 4 bytes")),
    "028": Expected("passed", "complete", {
        "model.address": "0x8004b290", "model.pte_bytes": 3490912, "times.inference_seconds": 0.019,
        "predictions.0": {"index": 0, "label": None, "score": 0.0},
    }, ("1.3.0..main",), "zephyr", also=("outputs-all-equal",)),
    "030": Expected("failed", "execute", {"pmu": None}, (None,), "mlek", root=("npu-config-mismatch", (1, 2)),
                    words=("256", "128", "num_macs=128"), also=("execution-failed",)),
    "032": Expected("truncated", "report", {
        "pmu.npu_cycles": 405608, "pmu.counters": counters("NPU_ACTIVE AXI0_RD_DATA_BEAT_RECEIVED AXI0_WR_DATA_BEAT_WRITTEN "
                                                           "AXI1_RD_DATA_BEAT_RECEIVED NPU_IDLE", (404973, 125388, 48254, 17493, 635)),
    }, (None,), "mlek", root=("truncated-log", (7,))),
    "035": Expected("truncated", "report", {
        "pmu.npu_cycles": 134869, "pmu.counters.0.value": 133577, "pmu.counters.1.value": 0, "pmu.counters.2.value": 111744,
        "pmu.counters.3.value": 0, "pmu.counters.0.event": None,
    }, (None,), "other", root=("truncated-log", (6,))),
    "039": Expected("failed", "load", {
        "model.pte_bytes": 960, "model.address": "0x20000E20", "model.magic": None,
    }, ("0.1.0..0.2.1", "0.2.0..0.3.0", "0.2.0"), "other", root=("program-load-failed", (2, 3)), words=("ET12", "0x23", "0x20000E20")),
    "041": Expected("not_started", "start", {"pmu": None, "model.pte_bytes": None}, (None,), "other", "fvp",
                    root=("wrong-architecture", (1,)), words=("No problems found!",), also=("false-success",)),
    "044": Expected("truncated", ("start", "load", "plan"), {"target.macs": 128, "pmu": None, "outputs": []}, (None,), "mlek", "fvp",
                    root=("truncated-log", (25,))),
    "050": Expected("failed", "start", {"pmu": None, "model.pte_bytes": None}, (None,), "other", root=("hard-fault", (1,)),
                    words=("00001874", "unaligned")),
}  # fmt: skip


def read(folder: Path, number: str) -> Any:
    (path,) = (folder / "wild").glob(f"{number}_*.log")
    return read_capture(path.name, path.read_bytes())


def get(value: Any, path: str) -> Any:
    for part in path.split("."):
        if isinstance(value, list):
            value = value[int(part)]
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


@pytest.mark.parametrize("number", sorted(EXPECTED))
def test_the_reading(shared_logs: Path, number: str) -> None:
    expected = EXPECTED[number]
    capture = read(shared_logs, number)
    assert len(capture.runs) == 1
    run = capture.runs[0]
    stages = (expected.stage,) if isinstance(expected.stage, str) else expected.stage
    kinds = (expected.kind,) if isinstance(expected.kind, str) else expected.kind
    assert (run.status, run.target.platform) == (expected.status, expected.platform)
    assert run.stage in stages
    assert run.runner.kind in kinds
    assert run.runner.executorch_version in expected.releases
    assert bool(run.runner.executorch_version) <= bool(run.runner.version_evidence)
    data = to_dict(run)
    for path, value in expected.figures.items():
        found = get(data, path)
        assert found == (pytest.approx(value) if isinstance(value, float) else value), path


@pytest.mark.parametrize("number", sorted(EXPECTED))
def test_the_diagnosis(shared_logs: Path, number: str) -> None:
    expected = EXPECTED[number]
    findings = read(shared_logs, number).findings
    errors = [f for f in findings if f.severity == "error"]
    assert {f.rule for f in findings} >= set(expected.also)
    if expected.root is None:
        assert errors == []
        return
    assert len(errors) == 1 and findings[0] is errors[0]
    rule, lines = expected.root
    assert errors[0].rule == rule
    assert errors[0].lines[: len(lines)] == lines
    text = errors[0].title + errors[0].detail + errors[0].advice
    assert [word for word in expected.words if word not in text] == []


def test_the_compile_of_016(shared_logs: Path) -> None:
    (summary,) = read(shared_logs, "016").compile
    assert (summary.accelerator, summary.system_config, summary.memory_mode) == (
        "ethos-u85-128",
        "Ethos_U85_SYS_DRAM_Mid",
        "Sram_Only",
    )
    assert summary.core_clock_hz == 1e9
    assert (summary.npu_operators, summary.cpu_operators, summary.macs) == (64, 0, 300836992)
    assert (summary.npu_cycles, summary.sram_access_cycles, summary.total_cycles) == (4832315, 1168037, 4942076)
    assert (summary.delegated_subgraphs, summary.delegated_nodes, summary.non_delegated_nodes) == (1, 419, 3)
    others = {"cortex_m_dequantize_per_tensor_default": 1, "cortex_m_quantize_per_tensor_default": 1, "getitem": 1}
    assert summary.non_delegated_operators == others


def test_the_compile_of_048_is_no_run(shared_logs: Path) -> None:
    capture = read(shared_logs, "048")
    assert capture.runs == ()
    (summary,) = capture.compile
    assert (summary.accelerator, summary.memory_mode, summary.core_clock_hz) == ("ethos-u55-128", "Shared_Sram", 5e8)
    assert (summary.npu_operators, summary.cpu_operators, summary.macs) == (12, 0, 0)
    assert summary.npu_cycles is None  # this log does not print the cycle table
    assert [f for f in capture.findings if f.severity == "error"] == []


def test_every_third_party_log_has_a_reading(shared_logs: Path) -> None:
    numbers = {path.name[:3] for path in (shared_logs / "wild").glob("*.log")}
    assert numbers == set(EXPECTED) | {"048"}
