"""A window on a file of any size shows the lines that the file has, and finds what a filter lets through."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from ethosu_tui.analysis.lines import parse_line
from ethosu_tui.analysis.watching.line_filter import parse_filter
from ethosu_tui.runners.reading import window as log_window
from ethosu_tui.runners.reading.window import LineCounter, LogWindow

from ..log_windows import window_of


@pytest.fixture(params=[64, 1000, 1 << 18])
def stride(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Strides shorter and longer than lines."""
    monkeypatch.setattr(log_window, "STRIDE_BYTES", request.param)
    return int(request.param)


def written(tmp_path: Path, data: bytes) -> tuple[LogWindow, list[bytes]]:
    path = tmp_path / "log"
    path.write_bytes(data)
    lines = data.split(b"\n")
    return window_of(path), lines if lines[-1] else lines[:-1]


def some_log() -> bytes:
    chance = random.Random(7)
    kinds = (
        b"I [executorch:a.cpp:%d] pmu",
        b"E [executorch:b.cpp:%d] Softmax failed",
        b"%d noise",
        b"",
        b"%d " + b"x" * 150,
    )
    return b"\n".join(kind % i if b"%d" in kind else kind for i, kind in enumerate(chance.choices(kinds, k=900)))


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"])
def test_every_line_is_the_line_of_the_file(tmp_path: Path, stride: int, end: bytes) -> None:
    window, lines = written(tmp_path, some_log() + end)
    assert window.total == len(lines)
    for number in [*range(1, len(lines) + 1), *random.Random(1).sample(range(1, len(lines)), 200)]:
        assert window.line(number) == parse_line(number, lines[number - 1]), number


@pytest.mark.parametrize("typed", ["softmax", "level:E", "level:E,F", "-noise", "file:b.cpp", "level:none noise", "x"])
def test_what_passes_is_found_forwards_and_backwards_between_any_lines(tmp_path: Path, stride: int, typed: str) -> None:
    window, lines = written(tmp_path, some_log() + b"\n")
    wanted = parse_filter(typed)
    right = [n for n, raw in enumerate(lines, 1) if wanted.passes(parse_line(n, raw))]
    assert right
    for start, end in ((1, None), (1, 2), (5, 400), (400, len(lines) + 1), (7, 7)):
        between = [n for n in right if n >= start and (end is None or n < end)]
        assert [n for found in window.matching(wanted, start, end) for n in found] == between
        backwards = [n for found in window.before(wanted, end or len(lines) + 1, start) for n in reversed(found)]
        assert backwards == between[::-1]


def test_an_escape_inside_a_word_does_not_hide_it(tmp_path: Path) -> None:
    window, _ = written(tmp_path, b"one\nsoft\x1b[31mmax\ntwo\n")
    assert [n for found in window.matching(parse_filter("softmax")) for n in found] == [2]


def test_carriage_returns_and_lines_without_end(tmp_path: Path) -> None:
    window, _ = written(tmp_path, b"10%\r50%\r100%\r\nplain\r\n" + b"y" * 3_000_000)
    assert [window.line(n).text for n in (1, 2)] == ["100%", "plain"]
    assert window.total == 3 and len(window.line(3).text) <= log_window.STRIDE_BYTES + log_window.LONGEST_BYTES


def test_a_file_that_became_shorter_gives_empty_lines(tmp_path: Path) -> None:
    window, lines = written(tmp_path, some_log())
    os.truncate(tmp_path / "log", 10)
    assert window.line(len(lines)).text == "" and list(window.matching(parse_filter("softmax")))
    window.close()
    assert window.line(1).text == ""


def test_a_window_grows_with_what_was_counted(tmp_path: Path, stride: int) -> None:
    data = some_log() + b"\n"
    path = tmp_path / "log"
    counter = LineCounter()
    path.write_bytes(b"")
    window = LogWindow(os.open(path, os.O_RDONLY))
    lines = data.split(b"\n")
    with path.open("ab", buffering=0) as file:
        for start in range(0, len(data), 333):
            file.write(data[start : start + 333])
            counter.feed(data[start : start + 333])
            window.grow(counter.take())
            for number in {1, window.total} - {0}:
                if number <= window.total:
                    assert window.line(number) == parse_line(number, lines[number - 1])
    counter.finish()
    window.grow(counter.take())
    assert window.total == len(lines) - 1 == counter.lines
