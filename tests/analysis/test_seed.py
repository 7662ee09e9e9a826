"""The tutorial's MobileNetV2 log: every figure that the tutorial shows, where it belongs."""

from __future__ import annotations

from pathlib import Path

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Counter, Pool


def test_every_figure_of_the_tutorial_log(samples: Path) -> None:
    capture = read_capture("seed", (samples / "mobilenet_v2_corstone320.log").read_bytes())
    (run,) = capture.runs
    assert (run.status, run.stage, run.first_line, run.last_line) == ("passed", "complete", 1, 48)
    assert run.runner.kind == "arm_executor_runner"
    assert run.target.npu == "ethos-u85"
    assert run.target.platform == "fvp"
    assert (run.model.pte_bytes, run.model.address, run.model.methods, run.model.method) == (
        4425968, "0x70000000", 1, "forward",
    )  # fmt: skip
    assert run.memory.pools == {
        "method": Pool(used_bytes=1355722, free_bytes=61558838, capacity_bytes=62914560),
        "temp": Pool(used_bytes=0, free_bytes=1048576, capacity_bytes=1048576),
    }
    memory = run.memory
    assert (memory.planned_bytes, memory.loaded_bytes, memory.input_bytes, memory.executor_bytes) == (
        752640, 966, 602116, 0,
    )  # fmt: skip
    assert memory.planned_buffers == (752640,)
    (operator,) = run.cycles.operators
    assert (operator.name, operator.cycles, operator.per_inference) == ("ethos-u", 1498202, None)
    assert run.cycles.inference == 6925114
    assert (run.cycles.cpu_ratio_percent, run.cycles.npu_ratio_percent) == (99.99, 0.01)
    assert run.cycles.cpu_wait_for_npu == 729
    assert run.cycles.delegations is None
    assert run.pmu is not None
    assert run.pmu.npu_cycles == 5920305
    assert run.pmu.npu_cycles_per_inference is None
    assert run.pmu.counters == (
        Counter(0, "ETHOSU_PMU_EXT0_RD_DATA_BEAT_RECEIVED", 359921),
        Counter(1, "ETHOSU_PMU_EXT1_RD_DATA_BEAT_RECEIVED", 0),
        Counter(2, "ETHOSU_PMU_EXT0_WR_DATA_BEAT_WRITTEN", 0),
        Counter(3, "ETHOSU_PMU_NPU_IDLE", 503),
    )
    (output,) = run.outputs
    assert (output.count, output.elided, output.first) == (1000, True, (-0.749744, -0.019224, 0.13457))
    assert run.lines["pmu.npu_cycles"] == 24
    (finding,) = capture.findings
    assert finding.rule == "fvp-ratio-not-time"
    assert "not time" in finding.title
    assert finding.severity == "warning"
