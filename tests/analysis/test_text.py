"""Numbers and tables as text: absent is a dash, columns line up, too narrow is cut and not broken."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.tables import Cell, Column, Table
from ethosu_tui.analysis.tables.text import below_each_other, render, width
from ethosu_tui.analysis.units import (
    format_age,
    format_bytes,
    format_count,
    format_hz,
    format_percent,
    format_ratio,
    format_seconds,
    format_span,
    format_stamp,
)


@pytest.mark.parametrize("write", [format_bytes, format_count, format_hz, format_percent, format_ratio, format_seconds])
def test_absent_is_a_dash_and_zero_is_not(write: object) -> None:
    assert write(None) == "-"  # type: ignore[operator]
    assert "0" in write(0)  # type: ignore[operator]


def test_ratios_and_time_stamps() -> None:
    assert (format_ratio(0.514), format_ratio(37632.25), format_ratio(None)) == ("0.51x", "37,632x", "-")
    assert (format_stamp("[2026-01-05 18:00:00] "), format_stamp("[]"), format_stamp(None)) == (
        "2026-01-05 18:00:00",
        "-",
        "-",
    )


def test_numbers() -> None:
    assert format_count(1355722) == "1,355,722"
    assert format_bytes(752640) == "735.0 KiB"
    assert format_bytes(966) == "966 B"
    assert format_percent(99.99) == "99.99 %"
    assert format_hz(5e8) == "500 MHz"
    assert [format_seconds(s) for s in (75, 1.5, 0.00494, 0.000278, 3e-9)] == [
        "1 min 15 s",
        "1.5 s",
        "4.94 ms",
        "278 us",
        "3 ns",
    ]
    assert [format_span(s) for s in (-1, 59.4, 187, 7500)] == ["0 s", "59 s", "3 min 07 s", "2 h 05 min"]
    assert [format_seconds(s) for s in (3599.9, 3600, 34_560_000, -5, -0.0)] == [
        "59 min 59 s",
        "1 h 0 min",
        "9,600 h 0 min",
        "-5 s",
        "0 s",
    ]
    assert [format_age(s) for s in (-1, 59.9, 60, 7199, 90_000)] == ["now", "now", "1 min", "1 h", "1 d"]
    assert [format_age(s) for s in (-3 * 3600, -59, 729 * 86_400, 56.5 * 31_557_600)] == [
        "in 3 h",
        "now",
        "729 d",
        "56 y",
    ]


TABLE = Table(
    "Title", (Column("Name"), Column("Cycles", "right")),
    ((Cell("a long name indeed"), Cell("1,000", 1000, None, "best")), (Cell("\u7d05\u8272"), Cell("-"))), "A note.",
)  # fmt: skip


def test_columns_line_up_also_with_wide_characters() -> None:
    lines = render(TABLE).splitlines()
    assert lines[0] == "Title"
    assert lines[-1] == "A note."
    assert {width(line) for line in lines[1:5]} == {27}
    assert lines[3].endswith("1,000 *")


def test_a_narrow_terminal_cuts_the_widest_text() -> None:
    lines = render(TABLE, 24).splitlines()
    assert all(width(line) <= 24 for line in lines[:-1])
    assert "\u2026" in lines[3]


def test_a_column_that_must_stay_legible_gives_way_last() -> None:
    columns = (Column("Event", least=20), Column("Counts"))
    table = Table("", columns, ((Cell("E" * 20), Cell("c" * 40)),), "a note of several words that is too long")
    rows = render(table, 40).splitlines()
    assert "E" * 20 in rows[2] and rows[2].endswith("\u2026") and max(map(len, rows)) <= 40
    assert rows[3:] == ["a note of several words that is too long"]
    narrow = render(table, 30).splitlines()
    assert max(map(len, narrow)) <= 30 and narrow[3:] == ["a note of several words that", "is too long"]


def test_columns_that_do_not_fit_stand_below_the_others() -> None:
    names = ("Metric", "one", "two", "three")
    table = Table("Comparison", tuple(Column(name, "right") for name in names), (tuple(map(Cell, "mabc")),), "Note.")
    (whole,) = below_each_other(table, None)
    assert whole == table
    first, second = below_each_other(table, 18)
    assert [[c.name for c in part.columns] for part in (first, second)] == [
        ["Metric", "one", "two"],
        ["Metric", "three"],
    ]
    assert [cell.text for cell in second.rows[0]] == ["m", "c"]
    assert (first.title, first.note, second.title, second.note) == ("Comparison", "", "", "Note.")
    assert len(below_each_other(table, 5)) == 3, "one at least"


def test_one_endless_name_does_not_widen_every_row() -> None:
    rows = tuple((Cell(name), Cell("1")) for name in ("x" * 60_000, *"abc"))
    text = render(Table("", (Column("Name"), Column("Value", "right")), rows))
    assert len(text) < 10_000
    assert "\u2026  " in text


def test_a_column_may_keep_its_end_where_it_is_cut() -> None:
    cells = (Cell("features.17.layers.1.0"), Cell("mobilenet_v2.py:50"))
    table = Table("", (Column("Module", kept="end"), Column("Source", kept="end")), (cells,))
    assert render(table, 28).splitlines()[-1] == "\u20267.layers.1.0  \u2026net_v2.py:50"
    assert render(table).splitlines()[-1] == "features.17.layers.1.0  mobilenet_v2.py:50"
