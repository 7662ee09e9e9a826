"""Third-party logs, read where they lie when they are there: nothing raises, and the figures in their index are met."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis import Capture, Report, Run, read_capture
from ethosu_tui.analysis.report import CompileSummary


def _run(get: Callable[[Run], Any]) -> Callable[[Capture], Any]:
    return lambda capture: get(capture.runs[0])


def _compile(get: Callable[[CompileSummary], Any]) -> Callable[[Capture], Any]:
    return lambda capture: get(capture.compile[0])


def _pmu(run: Run) -> Any:
    assert run.pmu is not None
    return run.pmu


def _event(name: str) -> Callable[[Capture], Any]:
    return _run(lambda r: next(c.value for c in _pmu(r).counters if name in c.event))


def _pool(name: str, part: str) -> Callable[[Capture], Any]:
    return _run(lambda r: getattr(r.memory.pools[name], part))


FIGURES: dict[str, Callable[[Capture], Any]] = {
    "pte_size": _run(lambda r: r.model.pte_bytes),
    "pte_addr": _run(lambda r: r.model.address),
    "pte_magic": _run(lambda r: r.model.magic),
    "methods": _run(lambda r: r.model.methods),
    "method": _run(lambda r: r.model.method),
    "planned_buffers": _run(lambda r: list(r.memory.planned_buffers)),
    "method_allocator_pool": _pool("method", "capacity_bytes"),
    "method_allocator_used": _pool("method", "used_bytes"),
    "method_allocator_total": _pool("method", "capacity_bytes"),
    "method_allocator_free": _pool("method", "free_bytes"),
    "planned": _run(lambda r: r.memory.planned_bytes),
    "loaded": _run(lambda r: r.memory.loaded_bytes),
    "input": _run(lambda r: r.memory.input_bytes),
    "executor": _run(lambda r: r.memory.executor_bytes),
    "temp_used": _pool("temp", "used_bytes"),
    "temp_total": _pool("temp", "capacity_bytes"),
    "peak_temp": _pool("temp", "used_bytes"),
    "peak_temp_total": _pool("temp", "capacity_bytes"),
    "temp_allocator": _pool("temp", "capacity_bytes"),
    "npu_inferences": _run(lambda r: r.cycles.inferences),
    "npu_delegations": _run(lambda r: r.cycles.delegations),
    "op_cycles": _run(lambda r: r.cycles.operators[0].cycles),
    "inference_cycles": _run(lambda r: r.cycles.inference),
    "cpu_ratio": _run(lambda r: r.cycles.cpu_ratio_percent),
    "npu_ratio": _run(lambda r: r.cycles.npu_ratio_percent),
    "cpu_wait_for_npu": _run(lambda r: r.cycles.cpu_wait_for_npu),
    "npu_cycles": _run(lambda r: r.pmu.npu_cycles if r.pmu else None),
    "pmu": _run(lambda r: [c.value for c in _pmu(r).counters]),
    "pmu_events": _run(lambda r: [c.event for c in _pmu(r).counters]),
    "outputs_elided": _run(lambda r: r.outputs[0].elided),
    "outputs_float": _run(lambda r: {str(t.index): list(t.first) for t in r.outputs}),
    "program_complete": _run(lambda r: r.status == "passed"),
    "inference_ms": _run(lambda r: round((r.times.inference_seconds or 0) * 1000, 3)),
    "top1": _run(lambda r: {"class": r.predictions[0].index, "score": r.predictions[0].score}),
    "npu_total_cycles": _run(lambda r: _pmu(r).npu_cycles),
    "npu_active_cycles": _event("NPU_ACTIVE"),
    "npu_idle_cycles": _event("NPU_IDLE"),
    "axi0_rd": _event("AXI0_RD"),
    "axi0_wr": _event("AXI0_WR"),
    "axi1_rd": _event("AXI1_RD"),
    "macs": _run(lambda r: r.target.macs),
    "accelerator": lambda c: c.compile[0].accelerator,
    "system_config": _compile(lambda s: s.system_config),
    "memory_mode": _compile(lambda s: s.memory_mode),
    "clock_mhz": _compile(lambda s: (s.core_clock_hz or 0) / 1e6),
    "vela_sram_kib": _compile(lambda s: round((s.sram_used_bytes or 0) / 1024, 2)),
    "vela_flash_kib": _compile(lambda s: round((s.off_chip_flash_used_bytes or 0) / 1024, 2)),
    "vela_cpu_ops": _compile(lambda s: s.cpu_operators),
    "vela_npu_ops": _compile(lambda s: s.npu_operators),
    "vela_macs": _compile(lambda s: s.macs),
    "vela_npu_cycles": _compile(lambda s: s.npu_cycles),
    "vela_sram_cycles": _compile(lambda s: s.sram_access_cycles),
    "vela_total_cycles": _compile(lambda s: s.total_cycles),
    "vela_time_ms": _compile(lambda s: round((s.inference_seconds or 0) * 1000, 2)),
    "delegated_subgraphs": _compile(lambda s: s.delegated_subgraphs),
    "delegated_nodes": _compile(lambda s: s.delegated_nodes),
    "non_delegated_nodes": _compile(lambda s: s.non_delegated_nodes),
}


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "wild" / "INDEX.tsv").open(encoding="utf-8") as index:
        return list(csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_every_log_parses_and_serialises(shared_logs: Path) -> None:
    logs = sorted(shared_logs.rglob("*.log"))
    assert logs
    for log in logs:
        capture = read_capture(log.name, log.read_bytes())
        assert capture.runs or capture.compile, log.name
        json.dumps(Report((capture,)).to_dict(), allow_nan=False)


def test_figures_of_the_index(shared_logs: Path) -> None:
    checked = 0
    for row in rows(shared_logs):
        capture = read_capture(row["file"], (shared_logs / "wild" / row["file"]).read_bytes())
        for name, expected in json.loads(row["key_figures"]).items():
            if name not in FIGURES:
                continue
            found = FIGURES[name](capture)
            if name == "accelerator":
                expected = expected.lower().replace("_", "-")
            if name == "system_config" and not capture.compile:
                continue
            assert found == expected, (row["file"], name)
            checked += 1
    assert checked > 100


def test_values_of_dumped_outputs(shared_logs: Path) -> None:
    for row in rows(shared_logs):
        outputs = json.loads(row["key_figures"]).get("outputs")
        if outputs:
            run = read_capture(row["file"], (shared_logs / "wild" / row["file"]).read_bytes()).runs[0]
            assert {str(t.index): list(t.first) for t in run.outputs} == outputs, row["file"]


@pytest.mark.parametrize("word", ["success", "failure"])
def test_status_of_the_index(shared_logs: Path, word: str) -> None:
    for row in rows(shared_logs):
        if not row["status"].startswith(word):
            continue
        runs = read_capture(row["file"], (shared_logs / "wild" / row["file"]).read_bytes()).runs
        statuses = {run.status for run in runs}
        if word == "failure":
            assert statuses <= {"failed", "not_started"} and statuses, row["file"]
        else:
            assert statuses <= {"passed", "truncated"}, row["file"]
