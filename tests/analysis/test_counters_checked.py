"""Where exactly a counter cannot be right any more, and what a list of events that lost something still tells."""

from __future__ import annotations

from typing import Any

import pytest

from ethosu_tui.analysis import read_capture

from .perf_log import DOUBTED, GOOD, U55, U85, read, render

PREPARED = {name: value for name, value in GOOD.items() if name != "cycles.delegations"}
"""A run of a release that does not count delegations."""
IDLE_PORTS = {"pmu.counters.0": 0, "pmu.counters.1": 0, "pmu.counters.2": 0}


def kit(*lines: str) -> tuple[set[str], list[str | None]]:
    """The doubts about a profile of the evaluation kit, and the events of its counters."""
    text = "".join(f"INFO - NPU {line}\n" for line in lines)
    capture = read_capture("x", b"INFO - Profile for Inference:\n" + text.encode())
    pmu = capture.runs[0].pmu
    return {f.rule for f in capture.findings} & DOUBTED, [c.event for c in pmu.counters] if pmu is not None else []


@pytest.mark.parametrize(("beats", "doubted"), [(28_660, False), (28_661, True)])
def test_a_port_may_exceed_the_cycles_by_a_little(beats: int, doubted: bool) -> None:
    assert ("counter-impossible" in read({**GOOD, "pmu.counters.0": beats})[1]) is doubted


@pytest.mark.parametrize(("delegations", "doubted"), [(1, True), (2, False)])
def test_a_counter_holds_32_bits_for_each_delegation(delegations: int, doubted: bool) -> None:
    figures = {**GOOD, "cycles.delegations": delegations, "pmu.counters.3": 1 << 32}
    assert ("impossible-figure" in read(figures)[1]) is doubted
    figures = {**GOOD, "cycles.delegations": delegations, "pmu.npu_cycles": 1 << 32}
    assert ("counters-may-have-wrapped" in read(figures)[1]) is doubted


def test_a_value_that_no_counter_holds_is_left_out_and_doubted_once() -> None:
    run, doubts = read({**GOOD, "pmu.counters.0": 2 << 32})
    assert run.pmu is not None and [counter.index for counter in run.pmu.counters] == [1, 2, 3]
    assert set(doubts) == {"impossible-figure"}


@pytest.mark.parametrize(("total", "doubted"), [(1_016, False), (1_017, True), (984, False), (983, True)])
def test_active_and_idle_may_miss_the_total_by_a_few_cycles(total: int, doubted: bool) -> None:
    assert bool(kit("ACTIVE: 900 cycles", "IDLE: 100 cycles", f"TOTAL: {total} cycles")[0]) is doubted


@pytest.mark.parametrize("only", ["ACTIVE", "IDLE"])
def test_one_part_alone_is_only_too_large_for_its_total(only: str) -> None:
    assert not kit(f"{only}: 400 cycles", "TOTAL: 1000 cycles")[0]
    assert kit(f"{only}: 1016 cycles", "TOTAL: 1000 cycles")[0] == set()
    assert kit(f"{only}: 1017 cycles", "TOTAL: 1000 cycles")[0] == {"npu-cycles-sum"}


def test_parts_without_a_total_contradict_nothing() -> None:
    assert not kit("ACTIVE: 900 cycles", "IDLE: 100 cycles")[0]


def test_a_counter_of_the_kit_whose_name_lost_its_middle_is_none() -> None:
    _, events = kit(
        "ACTIVE: 900 cycles", "AXI0_RD_DATA_BEAT_WRITTEN: 5 beats", "IDLE: 100 cycles", "TOTAL: 1000 cycles"
    )
    assert events == ["ETHOSU_PMU_NPU_ACTIVE", "ETHOSU_PMU_NPU_IDLE"]


@pytest.mark.parametrize("proof", ["cycles.operators.0", "cycles.cpu_wait_for_npu"])
def test_inferences_are_calls_where_delegations_are_not_counted(proof: str) -> None:
    proved = {name: value for name, value in PREPARED.items() if not name.startswith("cycles.")}
    proved |= {"cycles.inferences": 2, proof: 30_000, "pmu.npu_cycles": 0, **IDLE_PORTS, "pmu.counters.3": 0}
    assert "after 2 calls" in read(proved)[1]["npu-cycles-zero"]


@pytest.mark.parametrize("calls", [{}, {"cycles.delegations": 0}])
def test_an_npu_that_nothing_is_seen_to_call_may_have_worked_for_no_cycle(calls: dict[str, int]) -> None:
    bare = {name: value for name, value in PREPARED.items() if not name.startswith("cycles.")}
    bare |= {"cycles.inferences": 2, "pmu.npu_cycles": 0, **IDLE_PORTS, "pmu.counters.3": 0, **calls}
    capture = read_capture("x", render(bare, U55))
    assert not {"npu-cycles-zero", "npu-traffic-zero"} & {f.rule for f in capture.findings}
    assert capture.runs[0].pmu is not None and capture.runs[0].pmu.npu_cycles == 0


def test_zero_is_no_wonder_in_a_run_that_failed() -> None:
    failed = "E [executorch:method.cpp:1311] CALL_DELEGATE execute failed at instruction 0: 0x1"
    text = "\n".join((
        "NPU Inferences : 1", "NPU delegations: 1", "ethosu_pmu_cycle_cntr : 0",
        "ethosu_pmu_cntr0 : 0", "ethosu_pmu_cntr1 : 0", failed, "Model run: 0", "",
    ))  # fmt: skip
    capture = read_capture("x", f"Ethos-U backend registered successfully\n{text}".encode())
    assert capture.runs[0].status == "failed"
    assert "npu-cycles-zero" not in {f.rule for f in capture.findings}
    assert capture.runs[0].pmu is not None and capture.runs[0].pmu.npu_cycles == 0


def test_ports_without_traffic_need_cycles_beside_them() -> None:
    without = {name: value for name, value in GOOD.items() if name != "pmu.npu_cycles"}
    assert read({**without, **IDLE_PORTS})[1] == {}


def test_one_port_without_traffic_proves_nothing() -> None:
    names = (U55[0], U55[3], "ETHOSU_PMU_MAC_ACTIVE", "ETHOSU_PMU_AO_ACTIVE")
    assert read({**GOOD, "pmu.counters.0": 0}, names)[1] == {}


def events_of(names: tuple[str, ...], figures: dict[str, Any] | None = None) -> list[str | None]:
    run, doubts = read(figures or GOOD, names)
    assert run.pmu is not None and "counter-list-mismatch" in doubts
    return [counter.event for counter in run.pmu.counters]


def test_a_list_without_its_last_name_names_the_others() -> None:
    assert events_of(U55[:3]) == [*U55[:3], None]


def test_an_unknown_name_in_a_list_that_lost_something_is_none() -> None:
    assert events_of((*U55, "ETHOSU_PMU_WHATEVER")) == [*U55]
    assert events_of((U55[0], "ETHOSU_PMU_WHATEVER", *U55[1:])) == [U55[0], None, *U55[1:3]]


def test_a_name_that_lost_its_middle_is_none_in_a_list_of_the_right_length() -> None:
    torn = f"{U55[1][:-9]}{U55[2][-4:]}"
    run, doubts = read(GOOD, (U55[0], torn, *U55[2:]))
    assert run.pmu is not None and doubts == {}
    assert [counter.event for counter in run.pmu.counters] == [U55[0], None, *U55[2:]]


@pytest.mark.parametrize(
    ("before", "doubted"),
    [
        ("Running a/arm_executor_runner for ethos-u55-128 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs:128", False),
        ("Running a/arm_executor_runner for ethos-u85-256 run with FVP:FVP_Corstone_SSE-320 num_macs:256", True),
        ("[ET] Ethos-U85 initialized at 0x49042000", True),
        ("Running a/arm_executor_runner for cortex-m55+int8 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs:128", False),
    ],
)  # fmt: skip
def test_events_are_held_against_the_npu_that_the_target_has(before: str, doubted: bool) -> None:
    assert ("counter-names-of-other-npu" in read(GOOD, U55, before=before)[1]) is doubted


def test_an_event_of_no_known_npu_does_not_tell_that_the_list_is_of_another() -> None:
    before = "Running a/arm_executor_runner for ethos-u55-128 run with FVP:FVP_Corstone_SSE-300_Ethos-U55 num_macs:128"
    assert read(GOOD, (*U55[:3], "ETHOSU_PMU_WHATEVER"), before=before)[1] == {}
    assert read({**GOOD, **{f"pmu.counters.{n}": 9 for n in (4, 5, 6)}}, U85)[1] == {}


@pytest.mark.parametrize(("each", "cycles", "kept"), [(False, None, [0, 1, 2, 3]), (True, 28_000, [1, 3])])
def test_cycles_below_two_counters_are_doubted_unless_their_share_confirms_them(
    each: bool, cycles: int | None, kept: list[int]
) -> None:
    (run,) = read_capture(
        "x", render({**GOOD, "pmu.counters.0": 90_000, "pmu.counters.2": 80_000}, U55, each=each)
    ).runs
    assert run.pmu is not None and run.pmu.npu_cycles == cycles
    assert [counter.index for counter in run.pmu.counters] == kept
