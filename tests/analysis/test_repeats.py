"""The spread of repeats, against figures worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.comparing.repeats import (
    HOST_SECONDS,
    Figure,
    Member,
    member,
    notes,
    repeats,
    repeats_table,
    spread,
)


def _run(number: int, value: float | None, *, warm_up: bool = False, status: str = "passed") -> Member:
    figures = () if value is None else (Figure("pmu.npu_cycles", "cycles", value),)
    return Member(f"run-{number}", number, warm_up, status, figures, 1)


def test_mean_median_and_deviation_of_a_sample() -> None:
    # squares of the distances to the mean 5: 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32; 32 / 7 = 4.571428...
    one = spread("x", "cycles", [2, 4, 4, 4, 5, 5, 7, 9])
    assert (one.n, one.mean, one.median, one.least, one.most) == (8, 5.0, 4.5, 2, 9)
    assert one.standard_deviation == pytest.approx(math.sqrt(32 / 7)) and not one.equal
    assert one.relative_spread_percent == pytest.approx(42.7618, abs=1e-4)
    two = spread("x", "cycles", [1000, 1200, 1100])  # distances 100, 100, 0: 20000 / 2 = 10000
    assert (two.mean, two.median, two.standard_deviation) == (1100, 1100, 100.0)
    assert two.relative_spread_percent == pytest.approx(100 / 11)


def test_a_single_value_has_no_spread_and_equal_ones_have_none() -> None:
    alone = spread("x", "cycles", [7])
    assert (alone.mean, alone.standard_deviation, alone.relative_spread_percent, alone.equal) == (7, None, None, False)
    same = spread("x", "seconds", [0.1, 0.1, 0.1])
    assert (same.mean, same.standard_deviation, same.relative_spread_percent, same.equal) == (0.1, 0.0, 0.0, True)
    around_zero = spread("x", "cycles", [-1, 1])
    assert around_zero.standard_deviation == pytest.approx(math.sqrt(2)) and around_zero.relative_spread_percent is None
    with pytest.raises(ValueError, match="no value"):
        spread("x", "cycles", [])


def test_only_repeats_that_passed_and_have_the_figure_count() -> None:
    series = repeats(
        5,
        1,
        [_run(1, 9, warm_up=True), _run(1, 10), _run(2, None), _run(3, 0), _run(4, 99, status="timeout"), _run(5, 20)],
    )
    (one,) = series.spreads
    assert (one.n, one.mean, one.least, one.most, one.standard_deviation) == (3, 10, 0, 20, 10.0)
    told = series.to_dict()
    assert [entry["used"] for entry in told["members"]] == [False, True, True, True, False, True]
    assert told["figures"][0]["min"] == 0 and told["ended_early"] is None and told["requested"] == 5
    table = repeats_table(series)
    assert "4 of 5 runs passed" in table.title and "1 warm-up left out" in table.note and "1 timeout" in table.note


def test_the_table_says_equal_where_all_runs_agree() -> None:
    both = repeats(2, 0, [_run(1, 1355722), _run(2, 1355722)])
    (row,) = repeats_table(both).rows
    assert row[2].text == "1,355,722" and row[-1].text == "equal in 2 runs"
    assert "Std. deviation" not in repeats_table(both).note
    (row,) = repeats_table(repeats(1, 0, [_run(1, 5)])).rows
    assert [cell.text for cell in row[-2:]] == ["-", "-"]


def test_figures_come_from_the_console_and_the_host(samples: Path) -> None:
    capture = read_capture("x", (samples / "mobilenet_v2_corstone320.log").read_bytes())
    one = member("a", 1, warm_up=False, status="passed", seconds=1.5, capture=capture)
    found = {figure.name: figure.value for figure in one.figures}
    assert found[HOST_SECONDS] == 1.5 and found["pmu.npu_cycles"] == 5920305 and found["cycles.inference"] == 6925114
    assert "cpu_seconds" not in "".join(found)
    twice = read_capture("x", (samples / "mnist_q.log").read_bytes() * 2)
    assert len(twice.runs) == 2
    other = member("b", 2, warm_up=False, status="passed", seconds=None, capture=twice)
    assert other.figures == () and "repeat 2 printed several runs" in " ".join(notes(repeats(1, 0, [other])))
