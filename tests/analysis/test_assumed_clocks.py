"""What a user may assume of clocks, counts and boards, and what is refused."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.meaning.assumptions import Assumptions, checked, parse_count, parse_hz
from ethosu_tui.analysis.meaning.boards import BOARDS, board_named
from ethosu_tui.analysis.meaning.pmu_events import COUNTERS


@pytest.mark.parametrize(
    ("text", "hz"),
    [("400MHz", 4e8), ("400 mhz", 4e8), ("0.4G", 4e8), ("4e8", 4e8), ("32000 kHz", 32e6), ("400000000", 4e8)],
)
def test_clocks(text: str, hz: float) -> None:
    assert parse_hz(text) == pytest.approx(hz)


@pytest.mark.parametrize("text", ["", "fast", "0", "-1MHz", "nan", "inf", "1e400", "400MB", "12", "99GHz", "4_0 0"])
def test_no_clocks(text: str) -> None:
    with pytest.raises(ValueError, match="is not a clock"):
        parse_hz(text)


def test_counts() -> None:
    assert parse_count("300,836,992") == parse_count("300836992") == 300_836_992
    assert parse_count("3.5G") == 3_500_000_000
    for text in ("", "0", "-4", "many", "1e99"):
        with pytest.raises(ValueError, match="is not a count"):
            parse_count(text)


def test_boards_say_who_says_so() -> None:
    for name, board in BOARDS.items():
        assert board_named(name.upper()) is board
        assert board.npu in COUNTERS
        figures = [board.clock_hz, board.cpu_clock_hz, *(memory.size for memory in board.memories)]
        assert all(figure.source and figure.value > 0 for figure in figures if figure is not None)
        assert (board.clock_hz is None) or board.platform == "board"
    with pytest.raises(ValueError, match="alif-e8-hp"):
        board_named("alif")


@pytest.mark.parametrize(
    "given",
    [
        Assumptions(board="alif"), Assumptions(target="ethos-u85"), Assumptions(system_config="Mine"),
        Assumptions(memory_mode="Fast"), Assumptions(beat_bytes=3), Assumptions(sram_ports=0), Assumptions(ext_ports=3),
    ],
)  # fmt: skip
def test_unknown_names_are_refused_with_what_there_is(given: Assumptions) -> None:
    with pytest.raises(ValueError, match=r"\(.+\)"):
        checked(given)
