"""A line of a log that is read again for a quotation: the right one, whatever the log is, and without reading all of it as text."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from ethosu_tui.runners.reading import quoted
from ethosu_tui.runners.reading.quoted import quoted_lines

WORDS = b"E [executorch:arm_memory_allocator.cpp:67 allocate()] Memory allocation failed: %dB requested, available none"


def _log(count: int, end: bytes = b"\n") -> bytes:
    return end.join(WORDS % number for number in range(1, count + 1)) + end


def _texts(path: Path | str, *numbers: int) -> dict[int, str]:
    return {number: line.text for number, line in quoted_lines(str(path), numbers).items()}


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_the_line_has_the_number_that_was_asked_for(tmp_path: Path, end: bytes) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(_log(20_000, end))
    wanted = {number: (WORDS % number).decode() for number in (1, 2, 15_000, 19_999, 20_000)}
    assert _texts(log, *wanted) == wanted
    assert _texts(log, 20_001) == _texts(log) == _texts(tmp_path / "gone.log", 1) == {}
    log.write_bytes(_log(3, end).rstrip())
    assert _texts(log, 3) == {3: (WORDS % 3).decode()}, "the last line may have no end"


def test_packed_converted_and_very_long_ones_too(tmp_path: Path) -> None:
    wanted = {2: (WORDS % 2).decode(), 9000: (WORDS % 9000).decode()}
    (tmp_path / "a.log").write_bytes(gzip.compress(_log(9000)))
    (tmp_path / "b.log").write_bytes(_log(9000).decode().encode("utf-16"))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as packed:
        packed.writestr("x.log", _log(9000))
    for log in (tmp_path / "a.log", tmp_path / "b.log", f"{tmp_path}/c.zip!x.log"):
        assert _texts(log, *wanted) == wanted
    (tmp_path / "long.log").write_bytes(b"first\n" + b"x" * (5 << 20) + b"\n" + WORDS % 3 + b"\n")
    found = _texts(tmp_path / "long.log", 2, 3)
    assert found[3] == (WORDS % 3).decode() and found[2].startswith("xxx") and len(found[2]) <= 2 << 20


def test_lines_before_it_are_counted_and_not_taken_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fed = 0

    class Counting(quoted.LineSplitter):
        def feed(self, data: bytes, at: float | None = None) -> list[quoted.Line]:
            nonlocal fed
            fed += len(data)
            return super().feed(data, at)

    monkeypatch.setattr(quoted, "LineSplitter", Counting)
    (tmp_path / "a.log").write_bytes(_log(100_000))
    assert _texts(tmp_path / "a.log", 99_990) == {99_990: (WORDS % 99_990).decode()}
    assert fed < 20_000


def test_where_reading_again_would_cost_much_nothing_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(_log(9000)))
    with tarfile.open(tmp_path / "b.tgz", "w:gz") as packed:
        member = tarfile.TarInfo("x.log")
        member.size = len(_log(9000))
        packed.addfile(member, io.BytesIO(_log(9000)))
    packed_log, address = tmp_path / "a.gz", f"{tmp_path}/b.tgz!x.log"
    assert _texts(packed_log, 9000) and _texts(address, 9000)
    monkeypatch.setattr(quoted, "MOST_UNPACKED_BYTES", 1000)
    assert _texts(packed_log, 1) and not _texts(packed_log, 9000)
    monkeypatch.undo()
    monkeypatch.setattr(quoted, "MOST_PACKED_BYTES", 1000)
    assert not _texts(address, 1)


def test_a_line_of_two_printers_is_quoted_whole_and_of_a_display_its_end(tmp_path: Path) -> None:
    broken = b"I [executorch:arm_perf_monitor.cpp:160 StopMeasuI [executorch:method.cpp:8 init()] hello"
    (tmp_path / "a.log").write_bytes(b"one\n" + broken + b"\n" + b"10%\r20%\r" + WORDS % 3 + b"\r\nfour\n")
    assert _texts(tmp_path / "a.log", 2, 3) == {2: broken.decode(), 3: (WORDS % 3).decode()}
