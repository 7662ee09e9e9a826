"""Values per inference, held against the totals beside them: they repair a total, and a total is not bent to them."""

from __future__ import annotations

import pytest

from .perf_log import GOOD, read

EACH = "{}.per_inference"


def test_a_value_per_inference_of_a_wrapped_total_is_none_of_its_own() -> None:
    wrapped = float((1 << 64) - (1 << 32) + 40_000) / 2
    figures = dict(GOOD)
    for path in ("cycles.operators.0", "cycles.operators_total"):
        figures[EACH.format(path)] = wrapped
    run, doubts = read(figures, each=True)
    assert [(o.cycles, o.per_inference) for o in run.cycles.operators] == [(40_000, 20_000.0)]
    assert f"{wrapped:.2f} per inference" in doubts["cycle-counter-wrapped"]


def test_a_wrapped_runtime_changes_nothing_of_an_operator() -> None:
    run, doubts = read({**GOOD, "cycles.inference": (1 << 64) - (1 << 32) + 5_000_000}, each=True)
    assert "cycle-counter-wrapped" in doubts
    assert [(o.cycles, o.per_inference) for o in run.cycles.operators] == [(40_000, 20_000.0)]


@pytest.mark.parametrize("each", [1_400_000_000.33, None])
def test_a_total_through_percent_d_keeps_the_value_per_inference_as_it_was_printed(each: float | None) -> None:
    total = 4_200_000_001
    figures = {**GOOD, "cycles.inferences": 3, "cycles.inference": 4_250_000_000, "cycles.operators_total": total}
    figures |= {"cycles.operators.0": total - (1 << 32), EACH.format("cycles.operators.0"): each}
    figures |= {"cycles.cpu_ratio_percent": None, "cycles.npu_ratio_percent": None}
    run, doubts = read(figures)
    assert "wrapped-total" in doubts
    assert [(o.cycles, o.per_inference) for o in run.cycles.operators] == [(total, each)]


def test_two_values_per_inference_are_too_few_to_change_the_count() -> None:
    figures = {**GOOD, "cycles.inferences": 7, "cycles.delegations": None}
    figures |= {EACH.format("cycles.inference"): 50_000.0, EACH.format("cycles.cpu_wait_for_npu"): 15_000.0}
    run, doubts = read(figures)
    assert run.cycles.inferences == 7
    assert (run.cycles.inference, run.cycles.cpu_wait_for_npu) == (None, None)
    assert "inferences-mismatch" not in doubts
    assert "50000.00 per inference" in doubts["per-inference-mismatch"]


def test_values_per_inference_that_disagree_on_the_count_do_not_change_it() -> None:
    figures = {**GOOD, "cycles.inferences": 7, EACH.format("cycles.cpu_wait_for_npu"): 10_000.0}
    figures |= {EACH.format(path): GOOD[path] / 2 for path in ("cycles.inference", "cycles.operators.0")}  # type: ignore[operator]
    run, doubts = read(figures)
    assert run.cycles.inferences == 7
    assert "inferences-mismatch" not in doubts


@pytest.mark.parametrize("count", [3, 7])
def test_rounding_of_a_value_per_inference_is_no_contradiction(count: int) -> None:
    figures = {**GOOD, "cycles.inferences": count, "cycles.delegations": count}
    assert read(figures, each=True)[1] == {}


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


def test_a_digit_that_changed_is_seen_by_the_value_per_inference() -> None:
    run, doubts = read({**GOOD, "pmu.counters.2": 5_001, "pmu.counters.2.per_inference": 2_500.0}, each=True)
    assert run.pmu is not None and [c.index for c in run.pmu.counters] == [0, 1, 3]
    assert any("5001" in detail for detail in doubts.values())
    rounded = {**GOOD, "cycles.inferences": 3, "cycles.delegations": 3}
    run, doubts = read(rounded, each=True)
    assert doubts == {} and run.pmu is not None and run.pmu.counters[2].value == 5_000, "1666.67 is rounded"


def test_32_bits_hold_nothing_below_their_least() -> None:
    run, doubts = read({**GOOD, "cycles.inference": -3_000_000_000})
    assert run.cycles.inference is None and "-3000000000" in doubts["impossible-figure"]


def test_a_value_per_inference_that_fits_nothing_is_doubted_alone() -> None:
    run, doubts = read({**GOOD, "pmu.counters.1": 5, "pmu.counters.1.per_inference": 0.5})
    assert run.pmu is not None and [c.index for c in run.pmu.counters] == [0, 2, 3] and run.cycles.inferences == 2
    assert any("0.50 per inference" in detail for detail in doubts.values())
