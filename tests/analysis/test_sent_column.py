"""Columns of numbers come out of their bytes as they went in, whatever those have in common."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.rows.sent_column import SentColumn
from ethosu_tui.analysis.rows.store import ABSENT

EDGES = (ABSENT, -1, 0, 1, 255, 256, 65_535, 65_536, (1 << 31) - 1)


@given(st.sampled_from("iq"), st.lists(st.one_of(st.sampled_from(EDGES), st.integers(-(1 << 31), (1 << 31) - 1))))
def test_any_numbers_arrive(typecode: str, numbers: list[int]) -> None:
    column = array(typecode, numbers)
    arrived = SentColumn.of(column).column()
    assert arrived == column
    assert arrived.typecode == typecode


@given(st.lists(st.integers(-(1 << 63), (1 << 63) - 1)))
def test_the_largest_numbers_arrive(numbers: list[int]) -> None:
    assert SentColumn.of(array("q", numbers)).column() == array("q", numbers)


@pytest.mark.parametrize(("last", "most_bytes_each"), [(200, 1), (50_000, 2), (3_000_000, 3), (1 << 40, 6)])
def test_numbers_take_as_many_bytes_as_they_need(last: int, most_bytes_each: int) -> None:
    column = array("q", (last * n // 999 for n in range(1000)))
    sent = SentColumn.of(column)
    assert sum(map(len, sent.bytes_by_place)) <= most_bytes_each * 1000 + 8
    assert sent.column() == column
