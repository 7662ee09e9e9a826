"""Whether repeats separate: the rank test against tables and against every way to share out the values, and what is said of few."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.comparing.comparison import Comparison, Metric, compare
from ethosu_tui.analysis.comparing.rank import least_p, mann_whitney_p, median_interval
from ethosu_tui.analysis.comparing.samples import CONSTANT, sample, verdict
from ethosu_tui.analysis.comparing.sides import Side
from ethosu_tui.analysis.comparing.tables import metric_cells, sheet
from ethosu_tui.analysis.report import Cycles, Pmu, Run, Target


def run(npu_cycles: int, *, inferences: int = 1, platform: str = "board") -> Run:
    return Run(
        1, 1, 9, "passed", "complete", target=Target(npu="ethos-u55", platform=platform),
        cycles=Cycles(inferences=inferences, inference=10 * npu_cycles), pmu=Pmu(npu_cycles=npu_cycles),
    )  # fmt: skip


def series(label: str, *cycles: int, **kind: str) -> Side:
    runs = tuple(run(one, **kind) for one in cycles)  # type: ignore[arg-type]
    return Side(label, f"{label}.log", "run", run=runs[0], repeats=runs if len(runs) > 1 else ())


def cycles_of(comparison: Comparison) -> Metric:
    return next(metric for metric in comparison.metrics if metric.name == "pmu.npu_cycles")


def by_counting(one: list[float], other: list[float]) -> float:
    """The p of the rank sum, every way to choose looked at."""
    values = [*one, *other]
    ranks = [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values
    ]
    middle = len(one) * (len(values) + 1) / 2
    distance = abs(sum(ranks[: len(one)]) - middle)
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, len(one))]
    return sum(abs(total - middle) >= distance - 1e-9 for total in sums) / len(sums)


class TestRankTest:
    def test_the_least_p_of_published_tables(self) -> None:
        # all of one side above the other: 2 / C(10, 5) = 2 / 252; the tables of U give 4 against 4 as the fewest for 5 %
        assert mann_whitney_p([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) == (pytest.approx(2 / 252), True)
        assert least_p(3, 3) == pytest.approx(0.1) and least_p(4, 4) == pytest.approx(2 / 70)
        assert least_p(1, 38) > 0.05 > least_p(1, 40)

    @given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.lists(st.integers(0, 6), min_size=1, max_size=5))
    def test_it_is_what_counting_gives_also_with_ties(self, one: list[int], other: list[int]) -> None:
        p, exact = mann_whitney_p(one, other)
        assert exact and p == pytest.approx(by_counting([float(x) for x in one], [float(x) for x in other]))
        assert p == pytest.approx(mann_whitney_p(other, one)[0])

    def test_many_values_are_approximated_close_to_the_exact_figure(self) -> None:
        dice = random.Random(4)
        one = [dice.gauss(100, 3) for _ in range(20)]
        other = [dice.gauss(102, 3) for _ in range(20)]
        exact, was_exact = mann_whitney_p(one, other)
        assert was_exact
        doubled, approximated = mann_whitney_p(one * 2, other * 2)
        assert not approximated and doubled < exact
        alike, _ = mann_whitney_p([5.0] * 30, [5.0] * 30)
        assert alike == 1.0

    def test_intervals_of_the_median(self) -> None:
        assert median_interval([1, 2, 3, 4, 5]) is None, "of five values no pair holds the median in 95 %"
        assert median_interval([6, 1, 5, 2, 4, 3]) == (1, 6, 1 - 2 / 64)
        low, high, confidence = median_interval(range(1, 21)) or (0, 0, 0)
        assert (low, high) == (6, 15) and confidence == pytest.approx(0.9586, abs=1e-4)  # as in tables for n = 20

    def test_intervals_of_many_values_take_no_time(self) -> None:
        for n in (501, 777, 2000):  # the chance that so many of n values lie below the median, in whole numbers
            low, high, confidence = median_interval(range(1, n + 1)) or (0, 0, 0)
            outside = sum(math.comb(n, k) for k in range(int(low))) / 2**n
            assert low + high == n + 1 and confidence == pytest.approx(1 - 2 * outside, abs=1e-9)
            assert 1 - 2 * (outside + math.comb(n, int(low)) / 2**n) < 0.95 <= confidence
        low, high, confidence = median_interval(range(1, 300_001)) or (0, 0, 0)
        assert (low, high) == (149_463, 150_538) and confidence == pytest.approx(0.95, abs=1e-3)

    def test_no_values_are_refused(self) -> None:
        with pytest.raises(ValueError, match="both sides"):
            mann_whitney_p([], [1])


class TestVerdicts:
    def test_single_runs_have_none(self) -> None:
        one, other = sample([1.0]), sample([2.0])
        assert one is not None and other is not None and verdict(one, other) is None and sample([]) is None

    def test_too_few_say_how_few_they_are(self) -> None:
        ours, base = sample([1.0, 2.0, 3.0]), sample([7.0, 8.0, 9.0])
        assert ours is not None and base is not None
        said = verdict(ours, base)
        assert said is not None and not said.separates
        assert "3 against 3 values are too few" in said.reason and "p = 0.100" in said.reason

    def test_a_figure_that_does_not_vary_needs_no_test(self) -> None:
        ours, base, short = sample([5.0] * 3), sample([4.0] * 4), sample([5.0] * 2)
        assert ours is not None and base is not None and short is not None
        said = verdict(ours, base)
        assert said is not None and said.separates and said.test == CONSTANT and said.p is None
        again = verdict(ours, ours)
        assert again is not None and not again.separates
        few = verdict(short, base)
        assert few is not None and not few.separates, "two that agree may do so by chance"

    def test_a_single_run_beside_a_series(self) -> None:
        base = sample([float(value) for value in range(100, 110)])
        one = sample([150.0])
        assert base is not None and one is not None
        said = verdict(one, base)
        assert said is not None and not said.separates and "1 against 10 values are too few" in said.reason
        many = sample([float(value) for value in range(100, 150)])
        assert many is not None
        outside = verdict(one, many)
        assert outside is not None and outside.separates


class TestColumns:
    def test_medians_spread_and_the_mark(self) -> None:
        near = [series("a", 100, 103, 101, 104, 102, 105), series("b", 101, 104, 102, 105, 103, 100)]
        comparison = compare([*near, series("c", 50, 51, 52, 53, 54, 55)])
        metric = cycles_of(comparison)
        assert metric.values == (102.5, 102.5, 52.5)
        assert metric.ratios == (1.0, 1.0, 52.5 / 102.5)
        assert [metric.separates(i) for i in range(3)] == [True, False, True]
        assert metric.best == (2,)
        texts = [cell.text for cell in metric_cells(comparison, metric, "both")]
        assert texts == ["102.50 \xb12.4%", "102.50 (1.00x) \xb12.4%", "52.50 (0.51x) \xb14.8%"]
        document = next(one for one in comparison.to_dict()["metrics"] if one["name"] == "pmu.npu_cycles")
        assert document["spread"][0] == {
            "n": 6, "median": 102.5, "min": 100, "max": 105, "interval_low": 100, "interval_high": 105,
            "interval_confidence": 1 - 2 / 64, "interval_method": "order statistics",
        }  # fmt: skip
        assert document["significance"][0] is None
        assert document["significance"][1]["separates"] is False
        assert document["significance"][2]["p"] == pytest.approx(2 / 924)
        assert document["significance"][2]["test"] == "Mann-Whitney U, two-sided, exact"

    def test_what_does_not_separate_has_no_star_and_is_no_difference(self) -> None:
        comparison = compare([series("a", 100, 103, 101, 104, 102), series("b", 100, 102, 101, 104, 99)])
        metric = cycles_of(comparison)
        assert metric.values[0] != metric.values[1] and metric.best == ()
        cells = metric_cells(comparison, metric, "ratio")
        assert cells[1].text.endswith("x ~")
        shown = sheet(comparison, "ratio", differences=True).rows
        assert metric not in shown

    def test_the_best_must_separate_from_the_next_best(self) -> None:
        apart = compare([series("a", *range(100, 110)), series("b", *range(50, 60)), series("c", *range(51, 61))])
        assert cycles_of(apart).best == ()
        assert all(cycles_of(apart).separates(i) for i in range(3))

    def test_comparisons_without_repeats_say_nothing_of_them(self) -> None:
        document = compare([series("a", 1), series("b", 2)]).to_dict()
        assert all("spread" not in metric and "significance" not in metric for metric in document["metrics"])
        assert all("repeats" not in column for column in document["columns"])

    def test_repeats_on_a_simulator_are_as_little_time_as_one_run(self) -> None:
        comparison = compare([series("a", 1, 2, 3, platform="fvp"), series("b", 4, 5, 6, platform="fvp")])
        cpu = next(metric for metric in comparison.metrics if metric.name == "cycles.inference")
        assert cpu.comparable == (False, False) and cpu.verdicts == (None, None)
        assert "FVP" in str(cpu.reason)

    def test_repeats_of_different_kinds_are_not_taken_for_one(self) -> None:
        mixed = Side("m", "m.log", "run", run=run(1), repeats=(run(1), run(3, inferences=3)))
        metric = cycles_of(compare([series("a", 1, 2), mixed]))
        assert metric.comparable == (True, False) and "inferences" in str(metric.reason)
