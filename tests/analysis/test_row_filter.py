"""The filter of a table of figures: what is typed, what is kept, and what is said of what cannot be understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.tables import Cell
from ethosu_tui.analysis.watching.row_filter import parse_row_filter

COLUMNS = {
    "Target": "text",
    "Memory mode": "text",
    "SRAM": "bytes",
    "Time": "seconds",
    "Cycles": "count",
    "Took": "seconds",
}
ROWS = {
    "a": ("ethos-u55-128", "Shared_Sram", 512 * 1024, 0.004, 2_000_000, 1.0),
    "b": ("ethos-u85-256", "Sram_Only", 512 * 1024 - 1, 0.0041, 1_999_999, 1.0),
    "c": ("ethos-u85-256", "Dedicated_Sram", None, None, None, None),
}


def _kept(text: str) -> str:
    wanted = parse_row_filter(text, COLUMNS)  # type: ignore[arg-type]
    rows = {name: tuple(Cell("-" if v is None else str(v), v) for v in row) for name, row in ROWS.items()}
    return "".join(name for name, cells in rows.items() if wanted.passes(cells))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", "abc"),
        ("U85", "bc"),
        ("u85 -sram_only", "c"),
        ("target:u85", "bc"),
        ("-target:u85", "a"),
        ("mode:only", "b"),
        ("sram<512KiB", "b"),
        ("sram <= 512 KiB", "ab"),
        ("sram < 0.5 MiB", "b"),
        ("-sram<512KiB", "a"),  # what is not known is on neither side
        ("time>4ms", "b"),
        ("time<=4000us", "a"),
        ("cycles<2M", "b"),
        ("cycles=2,000,000", "a"),
        ("u55 sram<1", ""),
        ('"u85-256" time<1s', "b"),
    ],
)
def test_rows_that_pass(text: str, kept: str) -> None:
    assert _kept(text) == kept
    assert not parse_row_filter(text, COLUMNS).problem  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("speed<3", "speed is no column; there are Target"),
        ("t:u85", "t could be Target or Time or Took"),
        ("sram<5ms", "5ms is not a size"),
        ("time<5KiB", "5KiB is not a time"),
        ("cycles>", "nothing is not a number"),
        ("target<3", "Target is a text: write target:3"),
    ],
)
def test_what_is_not_understood_is_said_and_the_rest_still_filters(text: str, said: str) -> None:
    found = parse_row_filter(f"u55 {text}", COLUMNS)  # type: ignore[arg-type]
    assert said in found.problem
    assert _kept(f"u55 {text}") == "a"


@given(st.text(alphabet='sramtie:<>=-". 512KiBm', max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    _kept(text)
