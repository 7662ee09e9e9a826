"""A row that is walked and a row that has its regex say the same, of any message."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis.lines import clean
from ethosu_tui.analysis.patterns import PATTERNS
from ethosu_tui.analysis.patterns.table import WALKS, Pattern, _Row

ROWS = [pattern for pattern in PATTERNS if not pattern.anywhere]
SAMPLES = [clean(sample) for pattern in PATTERNS for sample in pattern.samples]


def compiled(pattern: Pattern) -> _Row:
    row = _Row(pattern)
    for _ in range(WALKS):
        row.match("")
    assert row._regex is not None
    return row


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
