"""Side by side: ratios to a baseline, best values, and what may not be compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.comparing.comparison import Comparison, Metric, compare
from ethosu_tui.analysis.comparing.sides import Side
from ethosu_tui.analysis.comparing.tables import sheet
from ethosu_tui.analysis.report import CompileSummary, Cycles, Derived, Pmu, Run, Target


def run(npu_cycles: int, *, inferences: int = 1, npu: str = "ethos-u55", platform: str | None = "fvp") -> Run:
    return Run(
        1, 1, 9, "passed", "complete", target=Target(npu=npu, platform=platform),
        cycles=Cycles(inferences=inferences, inference=10 * npu_cycles), pmu=Pmu(npu_cycles=npu_cycles),
    )  # fmt: skip


def side(label: str, one: Run) -> Side:
    return Side(label, f"{label}.log", "run", run=one)


def metric(comparison: Comparison, name: str) -> Metric:
    return next(m for m in comparison.metrics if m.name == name)


def test_ratios_are_to_the_baseline_and_the_best_is_marked() -> None:
    comparison = compare([side("a", run(100)), side("b", run(50)), side("c", run(200))], baseline=1)
    cycles = metric(comparison, "pmu.npu_cycles")
    assert cycles.ratios == (2.0, 1.0, 4.0)
    assert cycles.best == (1,)
    assert cycles.reason is None


def test_a_value_that_most_share_is_not_best() -> None:
    comparison = compare([side("a", run(50)), side("b", run(50)), side("c", run(200))])
    assert metric(comparison, "pmu.npu_cycles").best == ()


def test_cpu_cycles_are_compared_on_boards_only() -> None:
    on_fvp = metric(compare([side("a", run(1)), side("b", run(2))]), "cycles.inference")
    assert on_fvp.comparable == (False, False)
    assert on_fvp.reason is not None
    boards = [side("a", run(1, platform="board")), side("b", run(2, platform="board"))]
    assert metric(compare(boards), "cycles.inference").ratios == (1.0, 2.0)


def test_totals_over_different_numbers_of_inferences_are_not_comparable() -> None:
    comparison = compare([side("a", run(100)), side("b", run(300, inferences=3))])
    cycles = metric(comparison, "pmu.npu_cycles")
    assert cycles.comparable == (True, False)
    assert cycles.ratios == (1.0, None)
    assert "inferences" in str(cycles.reason)


def test_absent_is_neither_zero_nor_comparable() -> None:
    bare = run(1)._replace(pmu=None)
    comparison = compare([side("a", run(100)), side("b", bare)])
    cycles = metric(comparison, "pmu.npu_cycles")
    assert cycles.values == (100, None)
    assert cycles.ratios == (1.0, None)
    shown = next(row for row in sheet(comparison).table.rows if row[0].value == "pmu.npu_cycles")
    assert [cell.text for cell in shown[1:]] == ["100", "-"]


def test_a_run_without_any_work_of_the_npu_is_not_the_fastest() -> None:
    comparison = compare([side("a", run(5_000_000)), side("b", run(0))])
    cycles = metric(comparison, "pmu.npu_cycles")
    assert (cycles.values, cycles.ratios, cycles.comparable, cycles.best) == (
        (5_000_000, 0),
        (1.0, None),
        (True, False),
        (),
    )
    assert "did nothing" in str(cycles.reason)


def test_an_npu_of_which_nothing_is_told_did_not_do_nothing() -> None:
    compiled = Side("c", "c.log", "compile", summary=CompileSummary(total_cycles=9))
    cycles = metric(compare([compiled, side("a", run(100))]), "pmu.npu_cycles")
    assert cycles.comparable == (False, True) and cycles.reason is None
    idle = metric(compare([compiled, side("a", run(100)), side("b", run(0))]), "pmu.npu_cycles")
    assert idle.comparable == (False, True, False) and idle.best == ()


def test_what_stands_in_one_column_alone_needs_no_reason() -> None:
    bare = run(1, inferences=3)._replace(pmu=None)
    assert metric(compare([side("a", run(100)), side("b", bare)]), "pmu.npu_cycles").reason is None


def test_a_baseline_of_zero_gives_no_ratio() -> None:
    comparison = compare([side("a", run(0)), side("b", run(5))])
    assert metric(comparison, "pmu.npu_cycles").ratios == (None, None)


def test_compiles_are_compared_by_their_estimates() -> None:
    summaries = [CompileSummary(accelerator=f"ethos-u55-{n}", total_cycles=n, macs=7) for n in (32, 64)]
    comparison = compare([Side(str(s.accelerator), "x", "compile", summary=s) for s in summaries])
    assert metric(comparison, "compile.total_cycles").best == (0,)
    assert metric(comparison, "compile.macs").best == ()
    document = comparison.to_dict()
    assert [c["target"] for c in document["columns"]] == ["ethos-u55-32", "ethos-u55-64"]


def test_counters_of_different_generations_stand_apart(samples: Path) -> None:
    seed = read_capture("a", (samples / "mobilenet_v2_corstone320.log").read_bytes()).runs[0]
    other = read_capture("b", (samples / "softmax.log").read_bytes()).runs[0]._replace(target=Target(npu="ethos-u55"))
    comparison = compare([side("a", seed), side("b", other)])
    idle = metric(comparison, "pmu.counters.ETHOSU_PMU_NPU_IDLE")
    assert idle.comparable == (True, False)
    assert metric(comparison, "pmu.counters.ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED").values == (None, 0)


@pytest.mark.parametrize(("count", "baseline"), [(1, 0), (2, 2), (2, -1)])
def test_bad_requests(count: int, baseline: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        compare([side("a", run(1))] * count, baseline)


def derived(one: Run, **values: tuple[float, str, str]) -> Run:
    return one._replace(
        derived={name: Derived(value, unit, (source,)) for name, (value, unit, source) in values.items()}
    )


def test_derived_figures_are_compared_where_they_mean_the_same() -> None:
    clock = "assumptions.npu_clock_hz"
    sides = [
        side(name, derived(
            run(100, npu=npu), npu_seconds_per_inference=(seconds, "seconds", source),
            axi0_read_bytes_per_inference=(size, "bytes", "pmu.counters.0"), mac_busy_percent=(busy, "percent", "pmu.counters.5"),
        ))
        for name, npu, seconds, source, size, busy in (
            ("a", "ethos-u55", 0.004, clock, 800, 50), ("b", "ethos-u65", 0.002, clock, 1600, 60),
            ("c", "ethos-u55", 0.001, "boards.alif-e7-hp.clock_hz", 400, 70),
        )
    ]  # fmt: skip
    comparison = compare(sides)
    time = metric(comparison, "derived.npu_seconds_per_inference")
    assert time.ratios == (1.0, 0.5, None)
    assert time.comparable == (True, True, False)
    assert time.best == (1,)
    assert "assumed" in str(time.reason)
    size = metric(comparison, "derived.axi0_read_bytes_per_inference")
    assert size.comparable == (True, True, True)  # bytes are bytes on every NPU
    busy = metric(comparison, "derived.mac_busy_percent")
    assert busy.comparable == (True, False, True)
    assert "generations" in str(busy.reason)
    shown = next(row for row in sheet(comparison).table.rows if row[0].value == "derived.mac_busy_percent")
    assert "(n/c)" in shown[2].text


def test_calls_of_the_delegate_are_no_inferences() -> None:
    calls = (
        "I [executorch:arm_executor_runner.cpp:489 main()] PTE in 0x70000000 < Size: 4096 bytes\n"
        "I [executorch:arm_executor_runner.cpp:514 main()] PTE Model data loaded. Size: 4096 bytes.\n"
        "I [executorch:arm_perf_monitor.cpp:133 StopMeasurements()] NPU Inferences : 3\n"
        "I [executorch:arm_perf_monitor.cpp:181 StopMeasurements()] ethosu_pmu_cycle_cntr : 9000\n"
        "I [executorch:arm_executor_runner.cpp:874 main()] Program complete, exiting.\n"
    )
    once = calls.replace("NPU Inferences : 3", "NPU Inferences : 1").replace("9000", "6000")
    comparison = compare([side(name, read_capture("x", name.encode()).runs[0]) for name in (once, calls)])
    assert metric(comparison, "pmu.npu_cycles").ratios == (1.0, 1.5)
    assert metric(comparison, "pmu.npu_cycles_per_inference").values == (6000, 9000)
    assert metric(comparison, "cycles.delegations").values == (1, 3)
