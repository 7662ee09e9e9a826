"""What a typed filter shows and hides, and that its shortcuts over raw bytes agree with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.lines import Line, parse_line
from ethosu_tui.analysis.splitter import LineSplitter
from ethosu_tui.analysis.watching.line_filter import LineFilter, parse_filter

LOG = b"""I [executorch:arm_executor_runner.cpp:70 main()] Model loaded
E [executorch:method.cpp:822 resolve_operator()] Missing operator: [0] aten::_softmax.out
D [executorch:arm_perf_monitor.cpp:12 stop()] cycles
[10:00:00] F executorch:result.h:170] In function CheckOk()
Hard fault. irq=-13
"""


def lines() -> list[Line]:
    splitter = LineSplitter()
    return splitter.feed(LOG) + splitter.finish()


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("", [1, 2, 3, 4, 5]),
        ("SOFTMAX", [2]),
        ("-softmax", [1, 3, 4, 5]),
        ('"function checkok"', [4]),
        ('-"hard fault" -model', [2, 3, 4]),
        ("level:E", [2]),
        ("level:e,F", [2, 4]),
        ("level:error level:fatal", [2, 4]),
        ("-level:D", [1, 2, 4, 5]),
        ("level:none", [5]),
        ("file:perf", [3]),
        ("file:perf,method", [2, 3]),
        ("file:perf file:method", [2, 3]),
        ("-file:arm_", [2, 4, 5]),
        ("level:I,E file:method operator", [2]),
        ("level:I,E -file:method", [1]),
        ("level:", [1, 2, 3, 4, 5]),
        ("-", [1, 2, 3, 4, 5]),
        ("zzz", []),
    ],
)
def test_words_levels_and_files_combine(typed: str, numbers: list[int]) -> None:
    wanted = parse_filter(typed)
    assert [line.number for line in lines() if wanted.passes(line)] == numbers
    assert not wanted.problem


def test_a_level_that_is_none_is_named_and_the_rest_still_filters() -> None:
    wanted = parse_filter("level:X softmax")
    assert "level:x" in wanted.problem and "none" in wanted.problem
    assert [line.number for line in lines() if wanted.passes(line)] == [2]


def test_a_quoted_word_is_text_even_if_it_looks_like_more() -> None:
    assert parse_filter('"level:E"') == LineFilter(words=("level:e",))
    assert parse_filter('file:a "-b').words == ("-b",)


@given(st.text(max_size=40))
def test_anything_typed_is_a_filter(typed: str) -> None:
    wanted = parse_filter(typed)
    assert isinstance(wanted.passes(parse_line(1, b"I [executorch:a.cpp:1] x")), bool)


WORDS = st.sampled_from(
    ["softmax", "-softmax", "level:E", "level:E,F", "level:none", "-level:I", "file:perf", "cycles", "ß"]
)


@given(st.lists(WORDS, max_size=4))
def test_a_line_that_passes_holds_what_the_filter_says_all_lines_hold(typed: list[str]) -> None:
    wanted = parse_filter(" ".join(typed))
    pattern = wanted.level_pattern()
    for number, raw in enumerate(LOG.split(b"\n"), 1):
        if wanted.passes(parse_line(number, raw)):
            assert wanted.needle() in raw.lower()
            assert pattern is None or pattern.search(raw)
