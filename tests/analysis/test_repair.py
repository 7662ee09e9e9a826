"""Figures that a log prints wrong: what is repaired, what is left out, and that what is fine stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from ethosu_tui.analysis import Run, read_capture
from ethosu_tui.analysis.rules.doubts import DOUBTS

from .perf_log import GOOD, U55, U85, render

RULES = {doubt.rule for doubt in DOUBTS}
EACH = "{}.per_inference"


def read(figures: dict[str, Any], names: tuple[str, ...] = U55, **options: Any) -> tuple[Run, dict[str, str]]:
    """The run of a rendered log, and the details of its doubts by rule."""
    capture = read_capture("x", render(figures, names, **options))
    (run,) = capture.runs
    assert run.status == "passed"
    assert all(f.severity != "error" for f in capture.findings)
    return run, {f.rule: f.detail for f in capture.findings if f.rule in RULES}


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
    assert not {f.rule for f in read_capture("x", log % 405608).findings} & RULES
    assert "npu-cycles-sum" in {f.rule for f in read_capture("x", log % 405680).findings}


def test_pool_is_repaired_from_its_parts() -> None:
    run, doubts = read({**GOOD, "memory.pools.method.used_bytes": 135_572})
    assert run.memory.pools["method"] == (1_355_722, 61_558_838, 62_914_560)
    assert "135572 used of 62914560" in doubts["pool-sum"]


def test_a_damaged_pool_without_parts_is_left_out() -> None:
    figures = {path: value for path, value in GOOD.items() if not path.endswith(("planned_bytes", "loaded_bytes"))}
    run, doubts = read({**figures, "memory.pools.method.used_bytes": 1_365_722})  # 2 %, like the right one
    assert "method" not in run.memory.pools
    assert set(doubts) == {"pool-sum"}
    assert "method_pool_use_percent" not in run.derived


def test_a_damaged_pool_is_repaired_by_its_percentage() -> None:
    figures = {path: value for path, value in GOOD.items() if not path.endswith(("planned_bytes", "loaded_bytes"))}
    figures["memory.pools.method.used_bytes"] = 1_355
    run, doubts = read(figures)  # 2 % of what the pool is said to hold can only be its capacity less what is free
    assert run.memory.pools["method"] == (1_355_722, 61_558_838, 62_914_560)
    assert "1355 used of 62914560" in doubts["pool-sum"]
    assert "1355722 used, by the percentage" in doubts["pool-sum"]


def peak_temp(*lines: str) -> tuple[Run, set[str]]:
    """The run of the log of a runner with these lines, and the rules of its findings."""
    log = "".join(
        f"I [executorch:arm_executor_runner.cpp:7 f()] {line}\n" for line in ("Running method forward", *lines)
    )
    capture = read_capture("x", log.encode())
    return capture.runs[0], {f.rule for f in capture.findings}


def test_a_peak_stands_beside_what_is_free_now() -> None:
    run, rules = peak_temp("peak_temp_allocator:       64 / 2097152 free: 2097152 ( used: 0 % )")
    assert run.memory.pools["temp"] == (64, 2_097_152, 2_097_152)
    assert "pool-sum" not in rules
    run, rules = peak_temp("peak_temp_allocator:       1000 / 2000 free: 1500 ( used: 50 % )")
    assert run.memory.pools["temp"] == (1_000, 1_500, 2_000)
    assert "pool-sum" not in rules


@pytest.mark.parametrize("figures", ["3000 / 2000 free: 1500 ( used: 150 % )", "1000 / 2000 free: 1500 ( used: 5 % )"])
def test_a_peak_beyond_its_bounds_is_no_measurement(figures: str) -> None:
    run, rules = peak_temp(f"peak_temp_allocator:       {figures}")
    assert "temp" not in run.memory.pools
    assert "pool-sum" in rules


def test_parts_larger_than_their_pool_are_left_out() -> None:
    run, doubts = read({**GOOD, "memory.input_bytes": 6_021_160})
    assert run.memory.pools["method"].used_bytes == 1_355_722
    assert run.memory.input_bytes is None
    assert "6021160" in doubts["allocator-sum"]


def test_what_a_port_takes_beside_the_parts_is_no_damage_of_theirs() -> None:
    run, doubts = read({**GOOD, "memory.input_bytes": 0})
    assert run.memory.planned_bytes == 752_640
    assert run.memory.input_bytes == 0
    assert "allocator-sum" in doubts
    assert (
        "allocator-sum" in read({**GOOD, "memory.loaded_bytes": 964})[1]
    )  # Arm's own measures differences: none is lost


def test_planned_buffers_in_a_memory_of_their_own() -> None:
    before = "I [executorch:arm_executor_runner.cpp:740] Setting up planned buffer 0, size 752640."
    figures = {**GOOD, "memory.pools.method.used_bytes": 603_082, "memory.pools.method.free_bytes": 62_311_478}
    run, doubts = read(figures, before=before)
    assert doubts == {}
    assert run.memory.planned_bytes == 752_640
    assert "allocator-sum" in read(figures)[1]


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


BUFFER = "I [executorch:arm_executor_runner.cpp:740] Setting up planned buffer 0, size 752640."
SET_UP = "I [executorch:arm_executor_runner.cpp:719] Setup Method allocator pool. Size: 62914560 bytes."


@pytest.mark.parametrize("printed", [75_264, 7_526_400])
def test_what_was_planned_is_repaired_by_the_planned_buffers(printed: int) -> None:
    run, doubts = read({**GOOD, "memory.planned_bytes": printed}, before=BUFFER)
    assert (run.memory.planned_bytes, run.memory.loaded_bytes, run.memory.input_bytes) == (752_640, 966, 602_116)
    assert f"{printed} + 966" in doubts["allocator-sum"] and "repaired: 752640 planned" in doubts["allocator-sum"]
    run, doubts = read({**GOOD, "memory.planned_bytes": 752_650}, before=BUFFER)
    assert "repaired" not in doubts["allocator-sum"], "the buffers confirm what was planned"
    run, doubts = read({**GOOD, "memory.input_bytes": 602_000}, before=BUFFER)
    assert run.memory.input_bytes == 602_000 and "repaired" not in doubts["allocator-sum"], "which part, nothing tells"


@pytest.mark.parametrize(("part", "printed"), [("free", 61_558_839), ("capacity", 62_914_561)])
def test_a_pool_is_repaired_by_the_size_that_it_was_set_up_with(part: str, printed: int) -> None:
    figures = {**GOOD, f"memory.pools.method.{part}_bytes": printed}
    run, doubts = read(figures, before=SET_UP)
    assert run.memory.pools["method"] == (1_355_722, 61_558_838, 62_914_560)
    assert f"{part}, by the size that it was set up with" in doubts["pool-sum"]
    assert f"{printed}" in doubts["pool-sum"]
    assert read(figures)[0].memory.pools["method"][0] == 1_355_722, "without that line, only the parts tell"


def test_a_value_per_inference_of_a_wrapped_total_is_none_of_its_own() -> None:
    wrapped = float((1 << 64) - (1 << 32) + 40_000) / 2
    figures = dict(GOOD)
    for path in ("cycles.operators.0", "cycles.operators_total"):
        figures[EACH.format(path)] = wrapped
    run, doubts = read(figures, each=True)
    assert [(o.cycles, o.per_inference) for o in run.cycles.operators] == [(40_000, 20_000.0)]
    assert f"{wrapped:.2f} per inference" in doubts["cycle-counter-wrapped"]


MEMORY = "I [executorch:arm_executor_runner.cpp:481] "


def of_pool(*sizes: int, planned: int, capacity: int = 65_536, uses: int = 1) -> tuple[Run, dict[str, str]]:
    """A run with these planned buffers, of whose pool this much is said to be planned."""
    used = planned + 3_200
    use = f"{MEMORY}method_allocator_used: {used} / {capacity} free: {65_536 - used} ( used: {used // 655} % )\n"
    text = (
        f"{MEMORY}Setup Method allocator pool. Size: 65536 bytes.\n"
        + "".join(f"{MEMORY}Setting up planned buffer {i}, size {size}.\n" for i, size in enumerate(sizes))
        + use * uses
        + f"{MEMORY}method_allocator_planned: {planned} bytes\n{MEMORY}method_allocator_loaded: 2000 bytes\n"
        + f"{MEMORY}method_allocator_input: 1200 bytes\n{MEMORY}method_allocator_executor: 0 bytes\n"
        + f"{MEMORY}Program complete, exiting.\n"
    )
    capture = read_capture("x", text.encode())
    (run,) = capture.runs
    return run, {f.rule: f.detail for f in capture.findings if f.rule in RULES}


@pytest.mark.parametrize(("sizes", "planned"), [((9_600,), 9_600), ((9_601, 33), 9_648), ((), 9_600)])
def test_planned_buffers_that_the_allocator_confirms_are_kept(sizes: tuple[int, ...], planned: int) -> None:
    run, doubts = of_pool(*sizes, planned=planned)
    assert (run.memory.planned_buffers, doubts) == (sizes, {})


@pytest.mark.parametrize("sizes", [(960,), (96_000,), (9_600, 512)])
def test_planned_buffers_that_the_allocator_contradicts_are_left_out(sizes: tuple[int, ...]) -> None:
    run, doubts = of_pool(*sizes, planned=9_600)
    assert run.memory.planned_buffers == ()
    assert list(doubts) == ["planned-buffers-sum"]
    assert run.memory.planned_bytes == 9_600
    assert not any(path.startswith("memory.planned_buffers") for path in run.lines)


def test_a_line_of_use_that_came_twice_is_no_witness_of_its_own_size() -> None:
    run, doubts = of_pool(9_600, planned=9_600, capacity=95_536, uses=2)
    assert "repaired: 65536 capacity" in doubts["pool-sum"]
    assert run.memory.pools["method"] == (12_800, 52_736, 65_536)


def test_the_total_of_the_only_operator_is_its_own() -> None:
    run, doubts = read({**GOOD, "cycles.operators_total": 44_000})
    assert "which is the same figure" in doubts["cpu-cycles-inconsistent"]
    assert (run.cycles.operators[0].cycles, run.cycles.operators_total) == (None, None)


@pytest.mark.parametrize("cycles", [10_000, 0])
@pytest.mark.parametrize("each", [False, True])
def test_a_runtime_that_its_ratio_contradicts_has_not_wrapped(each: bool, cycles: int) -> None:
    run, doubts = read({**GOOD, "cycles.inference": cycles}, each=each)
    assert list(doubts) == ["cpu-cycles-inconsistent"]
    assert (run.cycles.inference, run.cycles.npu_ratio_percent) == (None, 30.0)
    assert run.cycles.operators[0].cycles == 40_000
