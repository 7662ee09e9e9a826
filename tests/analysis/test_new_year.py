"""Stamps without a year: over New Year they are put in order only where the lines of one input tell how they follow."""

from __future__ import annotations

import pytest

from ethosu_tui.tui.commands.summary import print_post_mortem

from .test_post_mortem import failed, row, store_of, tables

DAYS = [f"Dec {day} 00:00:00" for day in range(20, 32)] + [f"Jan {day:2d} 00:00:00" for day in range(1, 13)]
STEPS = [1_000_000 + 500_000 * (day.startswith("Jan")) + at for at, day in enumerate(DAYS)]


def trends(days: list[str], source: str) -> list[str]:
    rows = [row(at, at=day, npu_cycles=STEPS[at], source=source.format(at)) for at, day in enumerate(days)]
    return [cells[-1].text for cells in tables(rows)["Trends"].rows]


def test_a_step_at_new_year_is_told_the_right_way_round() -> None:
    (words,) = trends(DAYS, "night.log")
    assert words.startswith("jumps by 50.0 %") and "Jan  1" in words


@pytest.mark.parametrize("days", [DAYS, DAYS[12:] + DAYS[:12]], ids=["december", "january"])
def test_inputs_of_both_ends_of_a_year_are_not_put_in_order(days: list[str]) -> None:
    assert trends(days, "{}.log") == []


def test_inputs_of_one_half_of_a_year_are() -> None:
    (words,) = trends(
        [day.replace("Dec", "Apr").replace("Jan", "May").replace("Apr 31", "Apr 30") for day in DAYS], "{}.log"
    )
    assert words.startswith("jumps by 50.0 %") and "May" in words


def test_the_first_failure_over_new_year_is_the_first_that_was_read() -> None:
    for first, second, where in (
        ("Dec 31 23:00:00", "Jan 01 01:00:00", "a.log"),
        ("Mar  2 1:00:00", "Mar  1 1:00:00", "b.log"),
    ):
        rows = [failed(0, at=first, source="a.log"), failed(1, at=second, source="b.log")]
        assert tables(rows)["Why runs did not pass"].rows[0][2].text == where


NIGHTS = [row(at, at=f"Nov {at + 1:2d} 10:00:00", npu_cycles=STEPS[at], source=f"{at}.log") for at in range(24)]
STRAY = row(24, at="Jan  1 00:00:12", npu_cycles=STEPS[0], source="stray.log")


@pytest.mark.parametrize("place", [0, 7, 24])
def test_a_stray_date_is_left_out_of_a_trend_and_that_is_said(place: int) -> None:
    plain = tables(NIGHTS)["Trends"]
    found = tables([*NIGHTS[:place], STRAY, *NIGHTS[place:]])["Trends"]
    assert [cells[-1].text for cells in found.rows] == [cells[-1].text for cells in plain.rows] and len(found.rows) == 1
    assert "Left out: 1 passed run whose order is not known: dates without a year" in found.note


def test_a_stray_date_of_another_kind_of_run_changes_nothing() -> None:
    other = STRAY._replace(target="ethos-u85-256")
    assert tables([*NIGHTS, other])["Trends"].rows == tables(NIGHTS)["Trends"].rows


def test_where_failures_began_is_told_beside_a_stray_date() -> None:
    bad = [failed(at, at=f"Nov {at + 1:2d} 10:00:00", source=f"{at}.log") for at in range(16, 24)]
    good = [night._replace(npu_cycles=1_000_000) for night in NIGHTS[:16]]
    (words,) = [cells[-1].text for cells in tables([STRAY, *good, *bad])["Trends"].rows]
    assert words.startswith("8 of 8 failed since Nov 17")
    rows = tables([failed(30, at="Jan  1 00:00:09", source="boot.log"), *NIGHTS[:12], *bad])[
        "Why runs did not pass"
    ].rows
    assert rows[0][2].text == "boot.log", "one of few may be the first as well as the last"


@pytest.mark.parametrize("fails", [False, True])
def test_that_the_year_is_not_known_is_said_where_trends_would_stand(
    fails: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = failed if fails else row
    print_post_mortem(
        store_of(
            [kind(at, at=day, source=f"{at}.log") for at, day in enumerate(DAYS[:12])]
            + [row(at + 12, at=day, source=f"{at + 12}.log") for at, day in enumerate(DAYS[12:])]
        )
    )
    said = capsys.readouterr().out.partition("\nTrends\n")[2]
    what = "Failures of 1 target" if fails else "Kinds of runs: 1"
    assert f"{what} cannot be put in order: dates without a year, more than half a year apart." in said
