"""Long dumps with a time stamp on each line are passed over, and come to what the reader for every line comes to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import scan
from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.fast.stamped_elements import find_stamped
from ethosu_tui.analysis.line_forms.host_prefix import host_time
from ethosu_tui.analysis.lines import parse_line
from ethosu_tui.analysis.patterns.table import PatternTable

from .test_scan import EVERY, agree, scanned

STAMPS = (
    "[2026-01-01 00:%02d:%02d.%03d] ", "%02d:%02d:%02d ", "[%5d.%03d%03d] ", "2026-01-01T00:%02d:%02d.%03dZ ",
    "Jan  1 00:%02d:%02d board app[%03d]: ", "[2026-01-01 00:%02d:%02d.%03d]  ", "(00:%02d:%02d.%03d) ",
)  # fmt: skip
WORDS = (
    "Output[0][%d]: %d.25",
    "Output[0][%d]: (float) -%d.123456",
    "Input[3][%d]: (int) %d",
    "Output[12][%d]: (char) %d",
)


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1 << 14)


def _lines(stamp: str, word: str, count: int, end: bytes) -> list[bytes]:
    """A run that dumps one tensor."""
    texts = ["I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $"]
    texts += [word % (index, index % 9) for index in range(count)]
    texts += ["I executorch:arm_executor_runner.cpp:177] Program complete, exiting."]
    return [(stamp % (at // 60 % 60, at % 60, at * 7 % 1000) + text).encode() + end for at, text in enumerate(texts)]


def _same_as_line_by_line(data: bytes, *sizes: int) -> None:
    reader = CaptureReader("night.log")  # as the scanner here: neither has looked at the beginning
    reader.feed(data)
    whole = reader.finish()
    for size in sizes:
        rows, _, capture, _ = scanned(data, EVERY, size)
        assert capture == whole
        assert [(row.index, row.first_line, row.last_line) for row in rows] == [
            (run.index, run.first_line, run.last_line) for run in whole.runs
        ]


@pytest.mark.parametrize("stamp", STAMPS)
@pytest.mark.parametrize("word", WORDS)
def test_stamped_dumps_are_read_alike(stamp: str, word: str) -> None:
    data = b"".join(_lines(stamp, word, 150, b"\r\n") + _lines(stamp, word, 40, b"\n"))
    _same_as_line_by_line(data, 1 << 18, 977)


_WOUNDS = (
    b"", b"\n", b"\r", b"\x1b[0m", b"\x00", b"9", b"00", b" ", b"-", b"x", b"[2026-01-01 00:00:00.001] ", b"\xff",
    b"[2026-01-01 00:00:00.001] net: rx 1 bytes\n", b"[2026-01-01 00:00:00.001] Output[0][0]: 1.5\n", b"Output[0][7]: 1.5\n",
    b"[2026-01-01 00:00:00.001] I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n", b"Output[1][0]: ",
)  # fmt: skip


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@example(STAMPS[1], WORDS[0], [(0.0, b"9", 0)], 333)
@given(
    st.sampled_from(STAMPS),
    st.sampled_from(WORDS),
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(_WOUNDS), st.integers(0, 40)), max_size=4),
    st.sampled_from((333, 5000, 1 << 18)),
)
def test_wounded_stamped_dumps_are_read_alike(
    stamp: str, word: str, wounds: list[tuple[float, bytes, int]], size: int
) -> None:
    data = b"".join(_lines(stamp, word, 140, b"\n"))
    for place, put, lost in wounds:
        at = int(place * len(data))
        data = data[:at] + put + data[at + lost :]
    _same_as_line_by_line(data, size)


def test_most_lines_of_a_stamped_dump_are_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    match = PatternTable.match

    def counted(self: PatternTable, message: str, line: int) -> object:
        asked.append(message)
        return match(self, message, line)

    monkeypatch.setattr(PatternTable, "match", counted)
    data = b"".join(_lines(STAMPS[0], WORDS[0], 20_000, b"\r\n"))
    _, _, capture, _ = scanned(data, EVERY, 1 << 18)
    assert capture.runs[0].outputs[0].count == 20_000
    assert len(asked) < 500


def test_the_dump_ends_where_its_order_or_its_stamps_do() -> None:
    lines = _lines(STAMPS[0], WORDS[0], 3000, b"\n")[1:-1]
    for broken in (
        lines[:1500] + lines[1501:],
        [*lines[:1500], lines[1500].replace(b"[2026-", b"[202-"), *lines[1501:]],
    ):
        data = b"".join(broken)
        found = find_stamped(data, 0, len(data))
        assert found is not None
        assert (found.begin, found.count, found.end) == (0, 1500, sum(map(len, lines[:1500])))
        assert found.widest == max(len(line) - 1 for line in lines[:1500])
    assert find_stamped(b"".join(line[26:] for line in lines), 0, 1 << 20) is None
    assert find_stamped(b"".join(lines[:20]), 0, 1 << 20) is None


@pytest.mark.parametrize(
    "stamp", ["%02d:%02d:%02d.123 ", "%02d:%02d:%02d ", "[00:%02d:%02d.%03d] ", "176%03d%02d%02d.123 "]
)
def test_runs_with_a_stamp_before_lines_of_nothing_else_are_read_by_layouts(samples: Path, stamp: str) -> None:
    run = (samples / "corrupt_bad_magic.log").read_bytes().splitlines(keepends=True)
    assert any(not line.strip(b"\x04\r\n") for line in run)
    data = b"".join(
        (stamp % (at // 600 % 24, at // 60 % 60, at % 60)).encode() + line for at in range(60) for line in run
    )
    assert agree(data, 1 << 18, 997) > 30


@pytest.mark.parametrize("stamp", ["22:00:00.123", "22:00:00", "1767614401.123456"])
def test_a_line_of_a_stamp_alone_says_nothing(stamp: str) -> None:
    line = parse_line(1, stamp.encode() + b" \x04\r")
    assert (line.message, line.eot, host_time(line.text)) == ("", True, stamp)
