"""A capture read by a child process: the same as read here, and an end that is told whatever ends it."""

from __future__ import annotations

import bz2
import gzip
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from ethosu_tui.analysis.scan import Scanner
from ethosu_tui.runners.reading import background as reading
from ethosu_tui.runners.reading.background import BackgroundReading, is_huge, run_bytes


@pytest.fixture
def night(samples: Path) -> bytes:
    one = (samples / "mnist_q.log").read_bytes() + (samples / "missing_op_softmax.log").read_bytes()
    return one * 40


def rows_of(data: bytes, name: str) -> list[object]:
    scanner = Scanner(name)
    scanner.feed(data)
    scanner.finish()
    return list(scanner.rows())


def whole(path: Path) -> BackgroundReading:
    background = BackgroundReading(str(path))
    background.follow()
    return background


@pytest.mark.parametrize(
    "pack",
    [
        bytes,
        gzip.compress,
        bz2.compress,
        lambda data: data.decode().encode("utf-16"),
        lambda data: data.replace(b"\r", b"").replace(b"\n", b"\r"),
    ],
    ids=["plain", "gz", "bz2", "utf-16", "returns"],
)
def test_what_a_child_reads_is_what_we_read(tmp_path: Path, night: bytes, pack: object) -> None:
    path = tmp_path / "night.log"
    path.write_bytes(pack(night))  # type: ignore[operator]
    there = whole(path)
    try:
        assert there.done is not None and there.done.capture is not None and not there.done.problem
        right = rows_of(night, str(path))
        got = [there.rows.row(i) for i in range(there.rows.count)]
        same = ("index", "first_line", "last_line", "status", "cause", "npu_cycles")
        assert [[getattr(r, n) for n in same] for r in got] == [[getattr(r, n) for n in same] for r in right]
        assert there.window is not None and there.window.total == night.count(b"\n")
        middle = there.window.total // 2
        assert there.window.line(middle).text == night.split(b"\n")[middle - 1].decode().replace("\r", "").rstrip()
        row = got[3]
        data, cut = run_bytes(str(path), row.start_byte, row.end_byte, 0)
        text = data.decode("utf-16") if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data.decode()
        assert not cut and text.splitlines()[0].strip() == there.window.line(row.first_line).text
    finally:
        there.close()


def test_a_killed_child_is_told_and_what_was_read_stays(tmp_path: Path, night: bytes) -> None:
    path = tmp_path / "night.log"
    path.write_bytes(night * 300)  # long enough not to be over when the first rows are seen
    background = BackgroundReading(str(path))
    thread = threading.Thread(target=background.follow)
    thread.start()
    while not background.rows.count and background.done is None:
        time.sleep(0.01)
    os.kill(background.pid, signal.SIGKILL)
    thread.join(60)
    assert background.done is not None and background.done.capture is None
    assert "signal 9" in background.done.problem and str(path) in background.done.problem and background.done.hint
    assert background.rows.row(0).status == "passed"
    background.close()


def test_closing_ends_the_child(tmp_path: Path, night: bytes) -> None:
    path = tmp_path / "night.log"
    path.write_bytes(night * 40)
    background = BackgroundReading(str(path))
    thread = threading.Thread(target=background.follow)
    thread.start()
    background.close()
    thread.join(60)
    assert not thread.is_alive() and background.done is not None and not background.done.problem


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"nothing of ours\n" * 400_000, "no line from a runner"),
        (
            b"Loading model ...\nx.py:1: FutureWarning\n",
            "though 1 line could belong to one",
        ),
        (("The door of the lab is closed.\r\n" * 9).encode("utf-16"), "no line from a runner"),
        (("构建完成\n" * 900).encode(), "no line from a runner"),
        (bytes(range(256)) * 40, "binary data"),
        (b"\0\1\2\3" * 900, "binary data"),
        ("板子没有响应，请重新插拔电源\n".encode("gbk") * 40, "another encoding"),
        (b"\xff\xfe", "nothing recognised"),
        (b"", "is empty"),
    ],
    ids=["others", "prepared", "wide", "chinese", "binary", "controls", "encoding", "mark", "empty"],
)
def test_an_input_without_a_run_says_so(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "other.log"
    path.write_bytes(data)
    background = whole(path)
    background.close()
    assert background.done is not None and said in background.done.problem and background.done.hint


def test_a_damaged_archive_keeps_what_came_before_the_damage(tmp_path: Path, night: bytes) -> None:
    path = tmp_path / "night.log.gz"
    packed = gzip.compress(night * 4)
    path.write_bytes(packed[: len(packed) * 2 // 3])
    background = whole(path)
    assert background.rows.count > 5
    assert background.done is not None and "damaged" in background.done.problem
    background.close()


def test_what_is_huge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "HUGE_BYTES", 10_000)
    monkeypatch.setattr(reading, "HUGE_COMPRESSED_BYTES", 100)
    for name, data, huge in (
        ("a.log", b"x" * 10_000, True),
        ("b.log", b"x" * 9_999, False),
        ("c.log.gz", gzip.compress(os.urandom(500)), True),
        ("d.csv", b"x" * 20_000, False),
        ("e.log.gz", b"x" * 500, False),
    ):
        (tmp_path / name).write_bytes(data)
        assert is_huge(str(tmp_path / name)) is huge, name
    (tmp_path / "f").mkdir()
    os.mkfifo(tmp_path / "g")
    assert not any(is_huge(str(tmp_path / name)) for name in ("f", "g", "missing"))


def test_a_run_that_is_too_long_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "RUN_BYTES", 100)
    (tmp_path / "a.log").write_bytes(b"0123456789" * 100)
    assert run_bytes(str(tmp_path / "a.log"), 5, 905, 50) == (b"5678901234" * 10, True)
    assert run_bytes(str(tmp_path / "a.log"), 990, 1000, 50) == (b"0123456789", False)


def test_the_first_runs_are_told_long_before_the_first_block_is_read(tmp_path: Path, night: bytes) -> None:
    path = tmp_path / "night.log"
    path.write_bytes(night * 20)
    background = BackgroundReading(str(path))
    told: list[tuple[int, int]] = []
    take = background._take

    def noting(news: reading.News) -> None:
        take(news)
        told.append((news.bytes_done, background.rows.count))

    background._take = noting  # type: ignore[method-assign]
    try:
        background.follow()
        first_bytes, first_runs = next(one for one in told if one[1])
        assert first_bytes <= 1 << 18 < path.stat().st_size
        assert 0 < first_runs < background.rows.count == len(rows_of(night * 20, str(path)))
    finally:
        background.close()


def test_only_what_is_large_is_begun_before_there_is_a_screen(tmp_path: Path, night: bytes) -> None:
    small, large = tmp_path / "small.log", tmp_path / "large.log"
    small.write_bytes(night)
    large.write_bytes(night * (reading.HUGE_BYTES // len(night) + 1))
    assert reading.begin(str(small)) is None and reading.begin(str(tmp_path / "none.log")) is None
    begun = reading.begin(str(large))
    assert begun is not None
    begun.close()
    begun.follow()
    assert begun.done is not None and not begun.done.problem  # it was given up, which is no failure
