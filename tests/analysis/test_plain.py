"""A row that is walked and a row that has its regex say the same, of any message."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis.lines import clean
from ethosu_tui.analysis.patterns import PATTERNS, TABLE
from ethosu_tui.analysis.patterns.literals import Literals, word_of
from ethosu_tui.analysis.patterns.table import _MOST_KEPT, WALKS, Pattern, PatternTable, _Row

ROWS = [pattern for pattern in PATTERNS if not pattern.anywhere]
SAMPLES = [clean(sample) for pattern in PATTERNS for sample in pattern.samples]


def compiled(pattern: Pattern) -> _Row:
    row = _Row(pattern)
    words = word_of(pattern.template)
    for _ in range(WALKS):
        row.match(words)
    assert row._regex is not None
    return row


def found(row: _Row, message: str) -> bool:
    """Whether the regex alone matches, whatever words the message has."""
    assert row._regex is not None
    return (row._regex.search if row.pattern.anywhere else row._regex.match)(message) is not None


def walked(pattern: Pattern) -> _Row:
    return _Row(pattern)


@pytest.mark.parametrize("pattern", ROWS, ids=lambda p: p.template[:60])
def test_a_walk_reads_the_samples_as_the_regex_does(pattern: Pattern) -> None:
    regex = compiled(pattern)
    for sample in (clean(sample) for sample in pattern.samples):
        for message in (
            sample,
            f"{sample}  ",
            f"{sample}x",
            sample[:-1],
            sample.replace(" ", ""),
            sample.replace(" ", "  "),
        ):
            wanted = regex.match(message)
            assert (wanted is not None) == found(regex, message), message
            got = walked(pattern).match(message)
            assert got == wanted or (got is not None and wanted is not None and repr(got) == repr(wanted)), message


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(ROWS),
    st.sampled_from(SAMPLES),
    st.text(alphabet="0123456789abcx-.:,()[]{}%/ =", max_size=6),
    st.integers(0, 60),
)
def test_and_of_any_other_message(pattern: Pattern, sample: str, noise: str, at: int) -> None:
    own = clean(pattern.samples[at % len(pattern.samples)])
    regex = compiled(pattern)
    for message in (own[:at] + noise + own[at:], own[:at] + noise + own[at + len(noise) :], own[:at] + sample[at:]):
        assert repr(walked(pattern).match(message[:300])) == repr(regex.match(message[:300])), message
        assert (regex.match(message[:300]) is not None) == found(regex, message[:300]), message


@pytest.mark.parametrize(
    "pattern", [pattern for pattern in PATTERNS if pattern.anywhere], ids=lambda p: p.template[:60]
)
def test_rows_that_match_anywhere_ask_for_no_word_that_a_message_lacks(pattern: Pattern) -> None:
    row = compiled(pattern)
    for sample in (clean(sample) for sample in pattern.samples):
        for message in (sample, f"x: {sample}", sample.replace(" ", "  "), sample.replace(" ", "")):
            assert (row.match(message) is not None) == found(row, message), message


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(SAMPLES), st.sampled_from(SAMPLES), st.integers(0, 80), st.sampled_from(("", " ", "  ", "x", "\t"))
)
def test_literals_are_found_as_one_by_one(one: str, other: str, at: int, between: str) -> None:
    texts = [literal for literal, _ in TABLE._anywhere]
    message = one[:at] + between + other[at // 2 :]
    assert Literals(texts).places(message) == [place for place, text in enumerate(texts) if text in message]


def test_a_message_without_a_meaning_is_known_when_it_comes_again() -> None:
    table = PatternTable([Pattern("started", "Started {name:name}")])
    assert [table.match(message, 1) is None for message in ("Stopped", "Stopped", "Started a")] == [True, True, False]
    for number in range(3 * _MOST_KEPT):
        assert table.match(f"Stopped {number}", 1) is None
    assert len(table._unknown) <= _MOST_KEPT
