"""Stamps without a year: over New Year they are put in order only where the lines of one input tell how they follow."""

from __future__ import annotations

import pytest

from .test_post_mortem import failed, row, tables

DAYS = [f"Dec {day} 00:00:00" for day in range(20, 32)] + [f"Jan {day:2d} 00:00:00" for day in range(1, 13)]
STEPS = [1_000_000 + 500_000 * (day.startswith("Jan")) + at for at, day in enumerate(DAYS)]


def trends(days: list[str], source: str) -> list[str]:
    rows = [row(at, at=day, npu_cycles=STEPS[at], source=source.format(at)) for at, day in enumerate(days)]
    return [cells[-1].text for cells in tables(rows)["Trends"].rows]


def test_a_step_at_new_year_is_told_the_right_way_round() -> None:
    (words,) = trends(DAYS, "night.log")
    assert words.startswith("jumps by 50.0%") and "Jan  1" in words


@pytest.mark.parametrize("days", [DAYS, DAYS[12:] + DAYS[:12]], ids=["december", "january"])
def test_inputs_of_both_ends_of_a_year_are_not_put_in_order(days: list[str]) -> None:
    assert trends(days, "{}.log") == []


def test_inputs_of_one_half_of_a_year_are() -> None:
    (words,) = trends(
        [day.replace("Dec", "Apr").replace("Jan", "May").replace("Apr 31", "Apr 30") for day in DAYS], "{}.log"
    )
    assert words.startswith("jumps by 50.0%") and "May" in words


def test_the_first_failure_over_new_year_is_the_first_that_was_read() -> None:
    for first, second, where in (
        ("Dec 31 23:00:00", "Jan 01 01:00:00", "a.log"),
        ("Mar  2 1:00:00", "Mar  1 1:00:00", "b.log"),
    ):
        rows = [failed(0, at=first, source="a.log"), failed(1, at=second, source="b.log")]
        assert tables(rows)["Why runs did not pass"].rows[0][2].text == where
