"""Texts that end a run are found however the bytes are cut, on what a person sees of a line, and never across lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.lines import clean
from ethosu_tui.runners.until import Until

PIECES = (
    b"do",
    b"ne",
    b"done",
    b"\n",
    b"\r",
    b"\x1b[0m",
    b"\x1b[1;3",
    b"2m",
    b"\t",
    b" ",
    b"\xc3",
    b"\xa9",
    b"\0",
    b"x",
)


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_found_exactly_where_a_cleaned_line_has_it(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    lines = [clean(line.decode("utf-8", "replace")) for line in whole.replace(b"\r", b"\n").split(b"\n")]
    there = any("done" in line or "\u00e9 x" in line for line in lines)
    assert (Until(["done", "\u00e9 x"]).feed(whole) is not None) == there
    until = Until(["done", "\u00e9 x"])
    found = any([until.feed(piece) is not None for piece in pieces])
    assert found or not there


@pytest.mark.parametrize("texts", [[], [""]])
def test_no_text_is_never_found(texts: list[str]) -> None:
    assert Until(texts).feed(b"anything") is None


def test_a_line_without_end_is_kept_bounded() -> None:
    until = Until(["never"])
    for _ in range(100):
        assert until.feed(b"\xff" * 5000) is None
    assert len(until._kept) <= 8192
    assert until.feed(b"ne") is None and until.feed(b"ver") == "never"
