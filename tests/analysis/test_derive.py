"""What figures mean, by examples worked out by hand, and that nothing is derived which the input does not support."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.analysis.meaning.assumptions import Assumptions
from ethosu_tui.analysis.meaning.bound import EVENT_PLAN
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.meaning.memory_mode import timing_adapters
from ethosu_tui.analysis.meaning.pmu_events import COUNTERS, EVENTS
from ethosu_tui.analysis.meaning.thresholds import THRESHOLDS
from ethosu_tui.analysis.meaning.written import write_derived
from ethosu_tui.analysis.report import to_dict
from ethosu_tui.analysis.report_tables import run_tables

from .perf_log import GOOD, U55, U85, render, values

BUILT = "Build Arm Baremetal executor_runner for {} with m.pte using {} {}  to 'out'"
WAV2LETTER: dict[str, Any] = {
    "cycles.inferences": 1,
    "cycles.delegations": 1,
    "pmu.npu_cycles": 4_114_227,
    "pmu.counters.0": 463_085,
    "pmu.counters.1": 40_950,
    "pmu.counters.2": 1_836_882,
    "pmu.counters.3": 19_045,
    "pmu.counters.4": 841,
    "pmu.counters.5": 3_900_000,
    "pmu.counters.6": 1_900_000,
}
WAV2LETTER_MACS = 3_491_110_876
MLEK = b"""INFO - Profile for Inference:
INFO - NPU ACTIVE: 1081007 cycles
INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED: 628122 beats
INFO - NPU AXI0_WR_DATA_BEAT_WRITTEN: 135087 beats
INFO - NPU AXI1_RD_DATA_BEAT_RECEIVED: 62870 beats
INFO - NPU IDLE: 626 cycles
INFO - NPU TOTAL: 1081633 cycles
"""
VELA = """Network summary for out
Accelerator configuration               Ethos_U85_128
System configuration             Ethos_U85_SYS_DRAM_Mid
Memory mode                                 Sram_Only
Accelerator clock                                1000 MHz
Neural network macs                         300836992 MACs/batch
NPU cycles          4832315 cycles/batch
"""


def wav2letter(**changes: Any) -> Capture:
    banner = BUILT.format("ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB")
    return read_capture("x", render({**WAV2LETTER, **changes}, U85, before=banner))


def rules(capture: Capture) -> dict[str, str]:
    return {f.rule: f.detail for f in capture.findings}


def test_deriving_again_replaces_what_was_derived() -> None:
    once = derive(wav2letter(), Assumptions(model_macs=10 * WAV2LETTER_MACS, npu_clock_hz=1e8))
    assert derive(once) == derive(wav2letter())
    assert derive(derive(once)) == derive(once)
    known = derive(wav2letter(), Assumptions(model_macs=WAV2LETTER_MACS))
    assert "mac_utilisation_percent" in values(known) and "mac_utilisation_percent" not in values(derive(known))
    read = read_capture("x", render(GOOD, U55))
    assert values(derive(derive(read)))["method_pool_use_percent"] == values(read)["method_pool_use_percent"]


def test_wav2letter_on_u85_1024() -> None:
    capture = derive(wav2letter(), Assumptions(model_macs=WAV2LETTER_MACS))
    got = values(capture)
    assert got["mac_utilisation_percent"] == pytest.approx(82.9, abs=0.05)
    assert got["ext_read_bytes_per_inference"] == 1_836_882 * 16  # 29.4 MB of weights
    assert got["sram_read_bytes_per_inference"] == 463_085 * 16
    assert got["traffic_bytes_per_inference"] == (463_085 + 40_950 + 1_836_882 + 19_045) * 16
    assert got["npu_idle_share_percent"] < 0.03
    assert got["mac_busy_percent"] == pytest.approx(94.8, abs=0.05)
    assert got["array_efficiency_percent"] == pytest.approx(82.864 / 0.947929, abs=0.05)
    assert got["sram_read_port_use_percent"] == pytest.approx(
        100 * 463_085 / 4_114_227 / 2, rel=1e-5
    )  # 2 ports by vela.ini
    assert got["ext_read_beats_per_cycle"] == pytest.approx(0.446, abs=0.001)
    assert got["ext_read_port_use_percent"] == pytest.approx(
        100 * 1_836_882 / 4_114_227, rel=1e-5
    )  # 1 port by vela.ini
    assert got["npu_seconds_per_inference"] == pytest.approx(4.114e-3, rel=1e-3)
    assert got["external_peak_use_percent"] == pytest.approx(100 * (1_836_882 + 19_045) * 16 / 4_114_227 / 12, rel=1e-4)
    entry = capture.runs[0].derived["mac_utilisation_percent"]
    assert entry.sources == ("assumptions.model_macs", "pmu.npu_cycles", "target.macs", "cycles.inferences")
    assert to_dict(entry)["from"] == list(entry.sources)
    assert capture.runs[0].derived["npu_clock"].sources == ("target.system_config",)


def test_mobilenet_v2_on_u85_128_with_the_summary_of_its_compile() -> None:
    figures = {"cycles.inferences": 1, "cycles.delegations": 1, "pmu.npu_cycles": 4_738_932}
    figures |= {f"pmu.counters.{i}": v for i, v in enumerate((1_447_178, 420_661, 0, 0, 130))}
    capture = derive(read_capture("x", VELA.encode() + render(figures, U85[:5])))
    got = values(capture)
    assert got["mac_utilisation_percent"] == pytest.approx(49.6, abs=0.01)
    assert got["sram_write_bytes_per_inference"] == pytest.approx(6.73e6, rel=1e-3)
    assert got["sram_read_bytes_per_inference"] == pytest.approx(23.2e6, rel=1e-2)
    assert capture.runs[0].derived["npu_clock"].sources == ("compile.core_clock_hz",)
    assert "memory-mode-mismatch" not in rules(capture)
    assert "arithmetic_intensity_macs_per_byte" not in got  # nothing went outside


def test_evaluation_kit_on_u55() -> None:
    capture = read_capture("x", MLEK)
    got = values(derive(capture))
    assert "axi0_read_bytes_per_inference" not in got  # U55 and U65 have the same names, and not the same width
    assert got["npu_idle_share_percent"] == pytest.approx(100 * 626 / 1_081_633, rel=1e-4)
    got = values(derive(capture, Assumptions(target="ethos-u55-128", npu_clock_hz=400e6)))
    assert got["axi0_read_bytes_per_inference"] == 628_122 * 8
    assert got["axi0_write_bytes_per_inference"] == 135_087 * 8
    assert got["axi1_read_bytes_per_inference"] == 62_870 * 8
    assert got["axi0_read_bytes_per_second"] == pytest.approx(628_122 * 8 * 400e6 / 1_081_633, rel=1e-6)
    assert got["axi0_read_port_use_percent"] == pytest.approx(58.07, abs=0.01)
    wide = values(derive(capture, Assumptions(target="ethos-u55-128", beat_bytes=4)))
    assert wide["axi1_read_bytes_per_inference"] == 62_870 * 4


def test_without_assumptions_no_time_and_no_bytes_of_an_unknown_npu() -> None:
    capture = read_capture("x", render({**GOOD, "cycles.delegations": 6}, U55))
    got = derive(capture).runs[0].derived
    assert got["npu_cycles_per_inference"].value == 14_000
    assert got["delegations_per_inference"].value == 3
    assert not [name for name in got if "second" in name or "_bytes_" in name or "clock" in name]
    assert derive(capture).findings[: len(capture.findings)] == capture.findings
    assert capture.runs[0].derived.keys() <= got.keys()


def test_a_u65_counts_no_writes_on_axi1() -> None:
    got = values(derive(read_capture("x", render(GOOD, U55)), Assumptions(target="ethos-u65-256")))
    assert got["traffic_at_least_bytes_per_inference"] == (9_000 + 700 + 5_000) * 16 / 2
    assert "traffic_bytes_per_inference" not in got
    whole = values(derive(read_capture("x", render(GOOD, U55)), Assumptions(target="ethos-u55-128")))
    assert whole["traffic_bytes_per_inference"] == (9_000 + 700 + 5_000) * 8 / 2


def _on_hardware() -> Capture:
    capture = read_capture("x", render(GOOD, U55))
    run = capture.runs[0]
    return capture._replace(runs=(run._replace(target=run.target._replace(platform="board")),))


def test_cpu_cycles_of_a_simulator_never_become_time() -> None:
    given = Assumptions(npu_clock_hz=400e6, cpu_clock_hz=400e6)
    got = values(derive(read_capture("x", render(GOOD, U55)), given))
    assert not [name for name in got if name.startswith("cpu_s")]
    got = values(derive(_on_hardware(), Assumptions(board="alif-e7-hp")))
    assert got["cpu_share_percent"] == 70
    assert got["cpu_seconds_per_inference"] == pytest.approx(35_000 / 400e6, rel=1e-5)
    fvp = "telnetterminal0: Listening for serial connection on port 5000"
    got = values(derive(read_capture("x", render(GOOD, U55, before=fvp)), Assumptions(board="alif-e7-hp")))
    assert "cpu_seconds_per_inference" not in got
    assert got["npu_seconds_per_inference"] == pytest.approx(14_000 / 400e6, rel=1e-5)


def test_a_run_that_is_known_to_be_of_hardware_loses_only_what_is_said_of_a_simulator() -> None:
    fvp = "telnetterminal0: Listening for serial connection on port 5000"
    doubted = render({**GOOD, "pmu.counters.0": 90_000}, U55)
    capture = derive(read_capture("x", doubted + render(GOOD, U55, before=fvp)), Assumptions(hardware=True))
    assert [run.target.platform for run in capture.runs] == ["board", "fvp"]
    told = [(f.rule, f.run) for f in capture.findings if not f.rule.startswith("bound-")]
    assert told == [("counter-impossible", 1), ("fvp-ratio-not-time", 2)]


def test_a_run_without_counters_stays_as_it_is_beside_others() -> None:
    bare = {name: value for name, value in GOOD.items() if not name.startswith("pmu.")}
    capture = read_capture("x", render(bare) + render(GOOD, U55))
    after = derive(capture)
    assert after.runs[0] == capture.runs[0] and capture.runs[0].pmu is None
    assert after.runs[1].derived.keys() > capture.runs[1].derived.keys()


def test_figures_need_no_verdict_and_a_contradiction_no_figures() -> None:
    (run,) = read_capture("x", render(GOOD, U55)).runs
    silent = Capture("x", 0, 0, (run._replace(status="hung"),), (), ())
    after = derive(silent, Assumptions(target="ethos-u55-128"))
    assert not after.findings and "npu_cycles_per_inference" in after.runs[0].derived
    bare = {name: value for name, value in GOOD.items() if not name.startswith("pmu.")}
    banner = BUILT.format("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram")
    told = derive(read_capture("x", render(bare, before=banner)), Assumptions(target="ethos-u85-256"))
    assert "target-not-of-this-run" in rules(told)


def test_the_clock_says_where_it_came_from() -> None:
    capture = read_capture("x", render(GOOD, U55))

    def clock(**given: Any) -> tuple[float, tuple[str, ...]] | None:
        entry = derive(capture, Assumptions(**given)).runs[0].derived.get("npu_clock")
        return (entry.value, entry.sources) if entry is not None else None

    assert clock() is None
    assert clock(npu_clock_hz=2e8, board="alif-e7-hp") == (200_000_000, ("assumptions.npu_clock_hz",))
    assert clock(board="alif-e7-hp") == (400_000_000, ("boards.alif-e7-hp.clock_hz",))
    assert clock(board="psoc-edge-e84") == (400_000_000, ("boards.psoc-edge-e84.clock_hz (unverified)",))
    assert clock(board="corstone-300-u55") is None
    assert clock(system_config="Ethos_U55_Deep_Embedded") == (200_000_000, ("assumptions.system_config",))


def test_a_board_with_another_npu_is_refused() -> None:
    capture = derive(wav2letter(), Assumptions(board="alif-e8-hp"))
    assert "ethos-u85-1024" in rules(capture)["board-not-of-this-run"]
    assert capture.runs[0].derived["npu_clock"].sources == ("target.system_config",)


def test_more_macs_than_the_npu_can_do_are_not_used() -> None:
    capture = derive(wav2letter(), Assumptions(model_macs=10 * WAV2LETTER_MACS))
    assert "829 %" in rules(capture)["macs-not-of-this-run"]
    assert "mac_utilisation_percent" not in values(capture)
    assert "npu_ops_per_second" not in values(capture)


def test_doubted_counters_are_not_used() -> None:
    zero = {f"pmu.counters.{index}": 0 for index in range(4)}
    assert not [n for n in values(derive(wav2letter(**zero))) if n.startswith(("npu", "mac", "sram", "ext"))]
    long = derive(wav2letter(**{"pmu.npu_cycles": 5 << 32}))
    assert "counters-may-have-wrapped" in rules(long)
    assert not [n for n in values(long) if n.startswith(("mac", "sram", "ext"))]
    assert "npu_seconds_per_inference" in values(long)


def test_old_runners_count_calls_of_the_delegate_as_inferences() -> None:
    figures = {"cycles.inferences": 3, "pmu.npu_cycles": 30_000, **{f"pmu.counters.{i}": 600 for i in range(4)}}
    log = render(figures, U55).replace(b":150]", b":133]").replace(b"ethosu_pmu_cycle", b"ethosu_pmu_cycle")
    old = log.replace(
        b"arm_perf_monitor.cpp:133] ethosu_pmu_cycle_cntr", b"arm_perf_monitor.cpp:181] ethosu_pmu_cycle_cntr"
    )
    capture = read_capture("x", old)
    run = capture.runs[0]
    run = run._replace(runner=run.runner._replace(executorch_version="0.7.0"))
    got = values(derive(capture._replace(runs=(run,))))
    assert got["npu_cycles_per_inference"] == 30_000
    assert got["delegations_per_inference"] == 3
    unknown = run._replace(runner=run.runner._replace(executorch_version=None))
    assert "npu_cycles_per_inference" not in values(derive(capture._replace(runs=(unknown,))))
    spread = run._replace(runner=run.runner._replace(executorch_version="0.5.0..1.2.0"))
    assert "npu_cycles_per_inference" not in values(derive(capture._replace(runs=(spread,))))


def _bound(capture: Capture, **given: Any) -> str:
    found = [f for f in derive(capture, Assumptions(**given)).findings if f.rule.startswith("bound-")]
    assert len(found) == 1
    assert found[0].severity == "info"
    assert found[0].lines
    return found[0].rule


@pytest.mark.parametrize(
    ("changes", "macs", "verdict"),
    [
        ({}, WAV2LETTER_MACS, "bound-compute"),
        ({"pmu.counters.2": 2_600_000}, WAV2LETTER_MACS, "bound-external-memory"),
        ({"pmu.counters.0": 7_000_000}, WAV2LETTER_MACS, "bound-sram"),
        ({"pmu.counters.5": 2_000_000, "pmu.counters.6": 4_000_000}, WAV2LETTER_MACS // 2, "bound-weight-decode"),
        ({}, WAV2LETTER_MACS // 3, "bound-shape-inefficient"),
        ({"pmu.counters.5": 1_000_000}, WAV2LETTER_MACS // 6, "bound-latency"),
        ({"cycles.delegations": 4}, WAV2LETTER_MACS, "bound-fragmented"),
    ],
)
def test_verdicts_of_a_u85(changes: dict[str, int], macs: int, verdict: str) -> None:
    assert _bound(wav2letter(**changes), model_macs=macs) == verdict


def test_verdict_on_a_board_asks_the_cpu_first() -> None:
    assert _bound(_on_hardware(), board="alif-e7-hp") == "bound-cpu"


def test_what_cannot_be_told_comes_with_what_to_count_next() -> None:
    capture = derive(read_capture("x", render(GOOD, U55)))
    (finding,) = (f for f in capture.findings if f.rule.startswith("bound-"))
    assert finding.rule == "bound-cannot-tell"
    assert "4 runs" in finding.advice
    assert "MAC_ACTIVE, AO_ACTIVE, WD_ACTIVE" in finding.advice
    assert "--macs" in finding.advice and "(--target ethos-u55-256, or ethos-u65-256)" in finding.advice
    assert _bound(read_capture("x", render(GOOD, U55)), target="ethos-u55-128", model_macs=1_500_000) == "bound-compute"


def test_counters_that_cannot_be_trusted_are_not_asked_for_once_more() -> None:
    capture = derive(read_capture("x", render({**GOOD, "pmu.counters.0": 90_000}, U55)))
    assert "counter-impossible" in rules(capture)
    (finding,) = (f for f in capture.findings if f.rule == "bound-cannot-tell")
    assert "capture again: none of the PMU counters in this log could be used" in finding.advice
    assert "Events to count next" not in finding.advice and "lists its PMU events" not in finding.advice


def test_event_plans_are_events_of_their_npu_and_fit_its_counters() -> None:
    for npu, passes in EVENT_PLAN.items():
        for events in passes:
            assert len(events) <= COUNTERS[npu]
            assert set(events) <= EVENTS[npu].keys()


MODES = ("Sram_Only", "Shared_Sram", "Dedicated_Sram_384KB")


@pytest.mark.parametrize(("read", "write", "mode"), [(0, 0, 0), (900_000, 0, 1), (900_000, 40_000, 2)])
def test_memory_mode_of_a_u85_by_its_traffic(read: int, write: int, mode: int) -> None:
    figures = {**WAV2LETTER, "pmu.counters.2": read, "pmu.counters.3": write}
    for index, name in enumerate(MODES):
        banner = BUILT.format("ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid", name)
        found = rules(derive(read_capture("x", render(figures, U85, before=banner))))
        assert ("memory-mode-mismatch" in found) == (index != mode), name


def test_a_model_that_reads_little_more_than_its_commands_is_no_mismatch() -> None:
    figures = {**WAV2LETTER, "pmu.counters.2": 40, "pmu.counters.3": 0}
    for name, clash in ((MODES[0], False), (MODES[1], False), (MODES[2], True)):
        banner = BUILT.format("ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid", name)
        found = rules(derive(read_capture("x", render(figures, U85, before=banner))))
        assert ("memory-mode-mismatch" in found) == clash


def test_memory_mode_of_a_u65_is_told_only_as_far_as_its_counters_go() -> None:
    for axi1, clash in ((9_000, {"Sram_Only"}), (0, {"Shared_Sram", "Dedicated_Sram_384KB"})):
        for name in MODES:
            banner = BUILT.format("ethos-u65-256", "Ethos_U65_High_End", name)
            log = render({**GOOD, "pmu.counters.1": axi1}, U55, before=banner)
            assert ("memory-mode-mismatch" in rules(derive(read_capture("x", log)))) == (name in clash)


def test_summary_and_build_banner_of_two_modes() -> None:
    figures = {**GOOD, "pmu.counters.4": 100}
    banner = BUILT.format("ethos-u85-128", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram")
    capture = derive(read_capture("x", VELA.encode() + render(figures, U85[:5], before=banner)))
    (finding,) = (f for f in capture.findings if f.rule == "memory-mode-mismatch")
    assert "compiled for Sram_Only, and the runner built for Dedicated_Sram" in finding.title
    assert 1 in finding.lines


def test_timing_adapters() -> None:
    assert timing_adapters("Ethos_U85_SYS_DRAM_Mid", "Shared_Sram", "fvp").startswith("none")  # type: ignore[union-attr]
    assert "64 cycles" in str(timing_adapters("Ethos_U55_High_End_Embedded", "Shared_Sram", "fvp"))
    assert str(timing_adapters(None, None, "fvp")).startswith("unknown")
    assert timing_adapters("Ethos_U55_High_End_Embedded", "Shared_Sram", "board") is None


def test_findings_of_several_runs_stay_with_their_runs() -> None:
    log = render(GOOD, U55) + render({**GOOD, "pmu.counters.0": 0, "pmu.counters.1": 0, "pmu.counters.2": 0}, U55)
    capture = derive(read_capture("x", log))
    assert [f.run for f in capture.findings if f.run is not None] == sorted(f.run for f in capture.findings if f.run)
    assert [f.run for f in capture.findings if f.rule.startswith("bound-")] == [1]


def test_thresholds_have_rules_and_reasons() -> None:
    assert all(t.rule and t.why and t.value > 0 for t in THRESHOLDS)


def test_the_table_writes_units_and_names_assumptions() -> None:
    capture = derive(wav2letter(), Assumptions(model_macs=WAV2LETTER_MACS, npu_clock_hz=5e8))
    tables = run_tables(capture, capture.runs[0])
    table = tables["derived"]
    rows = {row[0].text: (row[1].text, row[2].text) for row in table.rows}
    assert rows["MAC utilisation"] == (
        "82.87 %", "assumptions.model_macs, pmu.npu_cycles, target.macs, cycles.inferences",
    )  # fmt: skip
    assert rows["NPU time per inference"][0] == "8.23 ms"
    counted = {cell.text for row in tables["pmu"].rows for cell in row}
    assert {"28.0 MiB", "3.57 GB/s"} <= counted and not {"EXT read per inference", "EXT read per second"} & set(rows)
    assert rows["NPU peak operations per second"][0] == "1.02 TOPS"
    assert rows["NPU clock"][0] == "500 MHz"
    assert "assumptions.npu_clock_hz" in table.note
    plain = read_capture("x", render(GOOD, U55))
    assert "--npu-clock" in run_tables(plain, derive(plain).runs[0])["pmu"].note


def test_an_npu_that_waits_for_its_driver() -> None:
    assert "npu-idle-high" not in rules(derive(wav2letter()))
    capture = derive(wav2letter(**{"pmu.counters.4": 2_000_000}))
    assert "2000000 beside 4114227 cycles" in rules(capture)["npu-idle-high"]


def test_more_traffic_than_the_named_memory_moves() -> None:
    capture = derive(wav2letter(**{"pmu.counters.2": 4_000_000}))
    assert "130 %" in rules(capture)["traffic-above-peak"]
    assert "external_peak_use_percent" not in values(capture)
    assert not [name for name in values(capture) if name.endswith("_port_use_percent")], (
        "nor are its ports those of the run"
    )
    assert "bound-external-memory" not in rules(capture)


def test_what_stands_beside_a_counter_or_pool_is_not_told_again(samples: Path) -> None:
    log = (samples / "mobilenet_v2_corstone320.log").read_bytes()
    capture = derive(read_capture("mobilenet", log), Assumptions())
    (run,) = capture.runs
    found = run_tables(capture, run)
    assert [row[0].value for row in found["derived"].rows] == ["cpu_cycles_outside_delegate", "npu_idle_share_percent"]
    shown = " ".join(cell.text for name in ("pmu", "memory") for row in found[name].rows for cell in row)
    left = [name for name in run.derived if name not in ("cpu_cycles_outside_delegate", "npu_idle_share_percent")]
    assert len(left) > 4 and all(write_derived(run.derived[name]) in shown for name in left)
