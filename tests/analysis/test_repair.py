"""Figures that a log prints wrong: what is repaired, what is left out, and that what is fine stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from ethosu_tui.analysis import read_capture

from .perf_log import DOUBTED, GOOD, U55, U85, read, render

EACH = "{}.per_inference"


@pytest.mark.parametrize("each", [False, True])
def test_a_consistent_run_is_left_alone(each: bool) -> None:
    run, doubts = read(GOOD, each=each)
    assert doubts == {}
    assert run.cycles.inference == 100_000
    assert run.cycles.operators[0].cycles == run.cycles.operators_total == 40_000
    assert run.cycles.cpu_wait_for_npu == 30_000
    assert (run.cycles.cpu_ratio_percent, run.cycles.npu_ratio_percent) == (70.0, 30.0)
    assert run.pmu is not None
    assert run.pmu.npu_cycles == 28_000
    assert [(c.event, c.value) for c in run.pmu.counters] == list(zip(U55, (9_000, 700, 5_000, 120), strict=True))
    assert run.memory.pools["method"] == (1_355_722, 61_558_838, 62_914_560)


@pytest.mark.parametrize(
    ("printed", "each", "right"),
    [
        (-294967296, None, 4_000_000_000),  # uint32 through %d, no value per inference beside it
        (-294967296, 2_000_000_000.0, 4_000_000_000),
        (705032704, 2_500_000_000.0, 5_000_000_000),  # more than 32 bits: only the value per inference tells
        (1_000_000_000, 500_000_000.0, 1_000_000_000),
    ],
)
def test_totals_through_percent_d(printed: int, each: float | None, right: int) -> None:
    wait = right * 3 // 10
    figures = {
        **GOOD,
        "cycles.inference": printed,
        "cycles.cpu_wait_for_npu": wait,
        "cycles.inference.per_inference": each,
    }
    figures |= {"cycles.operators.0": wait, "cycles.operators_total": wait}
    run, doubts = read(figures)
    assert run.cycles.inference == right
    assert (run.cycles.cpu_ratio_percent, run.cycles.npu_ratio_percent) == (70.0, 30.0)
    assert set(doubts) == ({"wrapped-total"} if printed != right else set())
    if printed != right:
        assert str(printed) in doubts["wrapped-total"]
        assert str(right) in doubts["wrapped-total"]


def test_the_cpu_counter_wrapped_once() -> None:
    printed = (1 << 64) - (1 << 32) + 5_000_000
    run, doubts = read(
        {**GOOD, "cycles.inference": printed, "cycles.cpu_ratio_percent": 100.0, "cycles.npu_ratio_percent": 0}
    )
    assert run.cycles.inference == 5_000_000
    assert str(printed) in doubts["cycle-counter-wrapped"]
    assert run.cycles.cpu_ratio_percent is None  # it was made of the wrapped figure
    assert run.cycles.npu_ratio_percent is None
    assert "0.0 %" in doubts["ratio-inconsistent"]


def test_the_cpu_counter_wrapped_and_went_through_percent_d() -> None:
    figures = {**GOOD, "cycles.operators.0": -4_294_940, "cycles.operators_total": -4_294_940}
    for path in ("cycles.operators.0", "cycles.operators_total"):
        figures[EACH.format(path)] = ((1 << 64) - 4_294_940) / 2
    figures["cycles.inference"] = 4_290_800_000
    figures |= {"cycles.cpu_ratio_percent": 100.0, "cycles.npu_ratio_percent": 0.0}
    run, doubts = read(figures)
    assert run.cycles.operators[0].cycles == run.cycles.operators_total == (1 << 32) - 4_294_940
    assert "-4294940" in doubts["cycle-counter-wrapped"]


def test_a_sum_inside_a_wrapped_runtime_unwraps_it() -> None:
    operator = 6_000_000_000
    figures = {**GOOD, "cycles.operators.0": operator, "cycles.operators_total": operator}
    figures |= {"cycles.inference": 6_100_000_000 - (1 << 32), "cycles.cpu_wait_for_npu": 3_050_000_000}
    figures |= {"cycles.cpu_ratio_percent": 31.04, "cycles.npu_ratio_percent": 168.96}
    run, doubts = read(figures)
    assert run.cycles.inference == 6_100_000_000
    assert run.cycles.cpu_ratio_percent is None
    assert set(doubts) == {"cycle-counter-wrapped", "ratio-inconsistent"}


@pytest.mark.parametrize("value", [-(1 << 40), 1 << 64, (1 << 63) + 5])
def test_impossible_totals_are_left_out_and_quoted(value: int) -> None:
    run, doubts = read({**GOOD, "cycles.cpu_wait_for_npu": value})
    assert run.cycles.cpu_wait_for_npu is None
    assert "cycles.cpu_wait_for_npu" not in run.lines
    assert str(value) in doubts["impossible-figure"]
    assert run.cycles.inference == 100_000


def test_a_lost_digit_shows_in_the_value_per_inference() -> None:
    run, doubts = read({**GOOD, "pmu.counters.1": 70, "pmu.counters.1.per_inference": 350.0}, each=True)
    assert run.pmu is not None
    assert [c.index for c in run.pmu.counters] == [0, 2, 3]
    assert "ethosu_pmu_cntr1 : 70 (350.00 per inference)" in doubts["per-inference-mismatch"]
    assert "counter-list-mismatch" not in doubts, "its line is there"
    assert "pmu.counters.1" not in run.lines
    assert run.pmu.counters[1].event == U55[2]


def test_a_damaged_number_of_inferences_is_repaired_by_all_the_others() -> None:
    divided = [path for path in GOOD if path.startswith(("cycles.", "pmu.")) and not path.endswith("percent")][1:]
    rendered = {EACH.format(path): GOOD[path] / 2 for path in divided}  # type: ignore[operator]
    rendered["pmu.npu_cycles_per_inference"] = 14_000.0
    run, doubts = read({**rendered, **GOOD, "cycles.inferences": 7})
    assert run.cycles.inferences == 2
    assert run.pmu is not None
    assert run.pmu.npu_cycles == 28_000
    assert set(doubts) == {"inferences-mismatch"}


def test_nan_and_inf_per_inference_mean_no_inferences() -> None:
    figures = {**GOOD, "cycles.inferences": 0, "cycles.inference.per_inference": float("inf")}
    figures["cycles.delegations.per_inference"] = float("nan")
    run, doubts = read(figures)
    assert doubts == {}
    assert run.cycles.inference == 100_000


def test_ratios_that_do_not_sum_up() -> None:
    run, doubts = read({**GOOD, "cycles.cpu_ratio_percent": 7.0})
    assert run.cycles.cpu_ratio_percent is None
    assert run.cycles.npu_ratio_percent == 30.0  # confirmed by the runtime and the wait
    assert "CPU ratio: 7.0 %" in doubts["ratio-inconsistent"]


def test_a_part_larger_than_the_whole() -> None:
    run, doubts = read({**GOOD, "cycles.operators_total": 4_000})
    assert run.cycles.operators_total is None
    assert run.cycles.operators[0].cycles is None
    assert "40000" in doubts["cpu-cycles-inconsistent"]


def test_a_wait_longer_than_the_operator_around_it_is_left_out() -> None:
    figures = {
        **GOOD,
        "cycles.cpu_wait_for_npu": 40_001,
        "cycles.cpu_ratio_percent": None,
        "cycles.npu_ratio_percent": None,
    }
    run, doubts = read(figures)
    assert (run.cycles.cpu_wait_for_npu, run.cycles.operators[0].cycles, run.cycles.inference) == (
        None,
        40_000,
        100_000,
    )
    assert "40001" in doubts["cpu-cycles-inconsistent"]
    assert read({**figures, "cycles.cpu_wait_for_npu": 40_000})[1] == {}
    run, doubts = read({**figures, "cycles.operators.0": None})
    assert (run.cycles.cpu_wait_for_npu, run.cycles.operators_total) == (None, 40_000)


def test_a_wait_longer_than_the_run_leaves_neither() -> None:
    figures = {**GOOD, "cycles.operators.0": None, "cycles.operators_total": None}
    figures |= {"cycles.cpu_ratio_percent": None, "cycles.npu_ratio_percent": None}
    run, doubts = read({**figures, "cycles.cpu_wait_for_npu": 100_001})
    assert (run.cycles.cpu_wait_for_npu, run.cycles.inference) == (None, None)
    assert "100001" in doubts["cpu-cycles-inconsistent"]
    assert read({**figures, "cycles.cpu_wait_for_npu": 100_000})[1] == {}


@pytest.mark.parametrize("path", ["pmu.npu_cycles", "pmu.counters.1"])
def test_the_npu_has_no_counter_of_32_bits_that_could_have_wrapped(path: str) -> None:
    run, doubts = read({**GOOD, path: (1 << 64) - 5_000})
    assert str((1 << 64) - 5_000) in doubts["impossible-figure"]
    assert "cycle-counter-wrapped" not in doubts
    assert path not in run.lines


def test_more_beats_than_cycles() -> None:
    run, doubts = read({**GOOD, "pmu.counters.0": 90_000}, each=True)
    assert run.pmu is not None
    assert [c.index for c in run.pmu.counters] == [1, 2, 3]
    assert "ethosu_pmu_cntr0 : 90000 (AXI0_RD_DATA_BEAT_RECEIVED) in 28000 NPU cycles" in doubts["counter-impossible"]


def test_several_counters_over_the_cycles_mean_that_the_cycles_are_damaged() -> None:
    run, doubts = read({**GOOD, "pmu.npu_cycles": 280})
    assert run.pmu is not None
    assert run.pmu.npu_cycles is None
    assert len(run.pmu.counters) == 4
    assert "counter-impossible" in doubts


def test_a_u85_has_more_ports() -> None:
    figures = {
        **GOOD,
        "pmu.counters.0": 60_000,
        "pmu.counters.4": 20,
        "pmu.counters.5": 27_000,
        "pmu.counters.6": 28_400,
    }
    assert read(figures, U85)[1] == {}
    run, doubts = read({**figures, "pmu.counters.5": 90_000}, U85)
    assert "MAC_ACTIVE" in doubts["counter-impossible"]
    assert run.pmu is not None
    assert 5 not in [c.index for c in run.pmu.counters]


def test_no_traffic_at_all_is_no_measurement() -> None:
    figures = {**GOOD, "pmu.counters.0": 0, "pmu.counters.1": 0, "pmu.counters.2": 0}
    run, doubts = read(figures)
    assert "28000 NPU cycles" in doubts["npu-traffic-zero"]
    run, doubts = read({**figures, "pmu.npu_cycles": 0, "pmu.counters.3": 0})
    assert run.pmu is not None
    assert run.pmu.npu_cycles is None
    assert "after 2 calls" in doubts["npu-cycles-zero"]
    uncounted = {
        name: value for name, value in figures.items() if name not in ("cycles.delegations", "cycles.inferences")
    }
    run, doubts = read({**uncounted, "pmu.npu_cycles": 0, "pmu.counters.3": 0})
    assert run.pmu is not None
    assert run.pmu.npu_cycles is None
    assert "CPU cycles of its delegate" in doubts["npu-cycles-zero"]
    run, doubts = read({**figures, "pmu.npu_cycles": 0, "pmu.counters.3": 0, "cycles.delegations": 0})
    assert doubts == {}  # the NPU was not used: zero is the truth
    assert run.pmu is not None
    assert run.pmu.npu_cycles == 0


def test_counters_of_a_delegation_that_takes_too_long_may_have_wrapped() -> None:
    figures = {**GOOD, "cycles.delegations": 1, "cycles.inferences": 1, "pmu.npu_cycles": 6 << 32}
    assert "counters-may-have-wrapped" in read(figures)[1]
    assert read({**GOOD, "pmu.npu_cycles": 1 << 32})[1] == {}  # two delegations share it
    assert "impossible-figure" in read({**figures, "pmu.counters.3": 1 << 32})[1]


def test_counters_without_a_list_have_no_names() -> None:
    run, doubts = read(GOOD, ())
    assert run.pmu is not None
    assert {c.event for c in run.pmu.counters} == {None}
    assert "4 counters" in doubts["counter-names-missing"]


def test_a_list_that_was_cut() -> None:
    run, doubts = read(GOOD, (*U55[:2], "ETHOSU_PMU_AXI0_WR_DA"))
    assert run.pmu is not None
    assert [c.event for c in run.pmu.counters] == [*U55[:2], None, None]
    assert "list of 3 events" in doubts["counter-list-mismatch"]


def test_names_behind_two_that_became_one_are_those_of_other_counters() -> None:
    run, _ = read(GOOD, (U55[0], f"{U55[1][:-9]}{U55[2][-4:]}", U55[3]))
    assert run.pmu is not None
    assert [c.event for c in run.pmu.counters] == [U55[0], None, None, None]


def test_events_of_another_npu_are_no_names() -> None:
    banner = "Running a/arm_executor_runner for ethos-u85-256 run with FVP:FVP_Corstone_SSE-320 num_macs:256"
    run, doubts = read(GOOD, U55, before=banner)
    assert run.pmu is not None
    assert {c.event for c in run.pmu.counters} == {None}
    assert "AXI1_RD_DATA_BEAT_RECEIVED" in doubts["counter-names-of-other-npu"]


def test_evaluation_kit_cycles_add_up() -> None:
    log = b"INFO - Profile for Inference:\nINFO - NPU ACTIVE: 404973 cycles\nINFO - NPU IDLE: 635 cycles\nINFO - NPU TOTAL: %d cycles\n"
    assert not {f.rule for f in read_capture("x", log % 405608).findings} & DOUBTED
    assert "npu-cycles-sum" in {f.rule for f in read_capture("x", log % 405680).findings}


def test_a_cpu_model_on_a_runner_that_does_not_count_delegations() -> None:
    zero: dict[str, Any] = {f"pmu.counters.{index}": 0 for index in range(4)}
    zero |= {"cycles.inferences": 1, "pmu.npu_cycles": 0, "cycles.operators.0": 0, "cycles.operators_total": 0}
    run, doubts = read({**zero, "cycles.inference": 5_000, "cycles.cpu_wait_for_npu": 0})
    assert doubts == {}
    assert run.pmu is not None
    assert run.pmu.npu_cycles == 0


def test_a_value_per_inference_that_is_off_does_not_repair_the_count_into_itself() -> None:
    text = render(GOOD, U85, each=True).decode()
    line = next(line for line in text.splitlines() if "NPU delegations" in line)
    odd = text.replace(line, line.replace("(1.00", "(0.00"))
    assert odd != text
    capture = read_capture("x", odd.encode())
    assert capture.runs[0].cycles.inferences == GOOD["cycles.inferences"]
    assert not [f for f in capture.findings if "repaired" in f.detail and "NPU Inferences" in f.detail]


KIT_IDLE_PORTS = b"""INFO - Profile for Inference:
INFO - NPU ACTIVE: 81007 cycles
INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED: 0 beats
INFO - NPU AXI0_WR_DATA_BEAT_WRITTEN: 0 beats
INFO - NPU AXI1_RD_DATA_BEAT_RECEIVED: 0 beats
INFO - NPU IDLE: 626 cycles
INFO - NPU TOTAL: 81633 cycles
"""


def test_cycles_of_the_npu_prove_that_it_worked_where_no_calls_are_counted() -> None:
    capture = read_capture("x", KIT_IDLE_PORTS)
    assert "npu-traffic-zero" in [f.rule for f in capture.findings]
    assert not [name for name in capture.runs[0].derived if "traffic" in name]
    unused = KIT_IDLE_PORTS.replace(b"ACTIVE: 81007", b"ACTIVE: 0").replace(b"IDLE: 626", b"IDLE: 81633")
    assert "npu-traffic-zero" not in [f.rule for f in read_capture("x", unused).findings]


def test_no_cycles_at_all_are_no_figure_where_the_log_ends_before_the_ratio() -> None:
    lines = [
        "Starting running 1 inferences...",
        "NPU Inferences : 1",
        "ethos-u : cycle_cnt : 0 cycles (0.00 per inference)",
        "Inference runtime: 0 CPU cycles total (0.00 per inference)",
    ]
    text = "".join(f"I [executorch:arm_perf_monitor.cpp:175 StopMeasurements()] {line}\n" for line in lines)
    (run,) = read_capture("x", text.encode()).runs
    assert run.cycles.inference is None
    ratio = "I [executorch:arm_perf_monitor.cpp:190 StopMeasurements()] Inference CPU ratio: 50.00 %\n"
    (run,) = read_capture("x", (text + ratio).encode()).runs
    assert run.cycles.inference == 0


def test_counters_are_checked_where_the_cycle_counter_was_lost() -> None:
    run, doubts = read({**GOOD, "pmu.npu_cycles": None, "pmu.counters.1": -5})
    assert run.pmu is not None and [c.index for c in run.pmu.counters] == [0, 2, 3]
    assert "impossible-figure" in doubts


def test_a_delegate_that_was_called_took_cycles_though_no_counter_is_printed() -> None:
    counters = {f"pmu.counters.{index}": None for index in range(4)}
    off = {
        "cycles.operators.0": 0,
        "cycles.operators_total": 0,
        "cycles.cpu_wait_for_npu": None,
        "pmu.npu_cycles": None,
    }
    run, doubts = read({**GOOD, **counters, **off, "cycles.cpu_ratio_percent": None, "cycles.npu_ratio_percent": None})
    assert [operator.cycles for operator in run.cycles.operators] == [None] and run.cycles.operators_total is None
    assert run.cycles.inference == 100_000 and "operator-cycles-not-counted" in doubts


@pytest.mark.parametrize("left", ["cpu", "npu"])
def test_one_ratio_alone_is_held_against_the_cycles(left: str) -> None:
    lost = {f"cycles.{'npu' if left == 'cpu' else 'cpu'}_ratio_percent": None, f"cycles.{left}_ratio_percent": 12.5}
    log = render({**GOOD, **lost}, U55, each=True)
    capture = read_capture("x", log)
    (run,) = capture.runs
    assert run.cycles.cpu_ratio_percent is None and run.cycles.npu_ratio_percent is None
    (finding,) = [f for f in capture.findings if "12.5" in f.detail]
    assert [b"ratio" in log.splitlines()[line - 1] for line in finding.lines] == [True]


def test_ratios_that_do_not_add_up_go_where_the_runtime_was_lost() -> None:
    run, _ = read({**GOOD, "cycles.inference": None, "cycles.npu_ratio_percent": 80.0}, each=True)
    assert (run.cycles.cpu_ratio_percent, run.cycles.npu_ratio_percent) == (None, None)
