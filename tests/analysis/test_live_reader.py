"""The live reader gives the lines and the report of the reader for everything, however the bytes come."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import CaptureReader, Outcome
from ethosu_tui.analysis.lines import Line
from ethosu_tui.analysis.report import Capture
from ethosu_tui.analysis.watching.live_reader import LiveReader

from .test_scan import made


def _read(reader: CaptureReader, data: bytes, sizes: list[int]) -> tuple[list[Line], Capture, int]:
    lines: list[Line] = []
    at, number, recognised = 0, 0, 0
    while at < len(data):
        size = sizes[number % len(sizes)]
        lines += reader.feed(data[at : at + size], float(number))
        at, number = at + size, number + 1
        if number % 7 == 0:
            reader.snapshot()
    recognised = reader.recognised
    lines += reader.flush()
    return lines, reader.finish(Outcome("ended", 0, "", "serial")), recognised


def _same(data: bytes, sizes: list[int]) -> None:
    assert _read(LiveReader("x"), data, sizes) == _read(CaptureReader("x"), data, sizes)


@pytest.mark.parametrize("era", ["classic", "current"])
@pytest.mark.parametrize("kind", ["heavy", "noisy", "dense"])
def test_whatever_the_pieces_are(kind: str, era: str) -> None:
    data = made(kind, era, 80_000)[:80_000]
    for sizes in ([3000], [700, 5, 16_384, 1], [65_536]):
        _same(data, sizes)


def test_lines_of_a_dump_are_not_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The point of it: nearly all elements are passed over."""
    data = made("heavy", "classic", 100_000)
    read: list[int] = []
    feed = CaptureReader.feed
    monkeypatch.setattr(
        CaptureReader, "feed", lambda self, data, at=None: (read.append(data.count(b"\n")), feed(self, data, at))[1]
    )
    _read(LiveReader("x"), data, [3000])
    assert sum(read) < data.count(b"\n") / 5


@settings(max_examples=40)
@given(st.data())
def test_damaged_dumps(data: st.DataObject) -> None:
    """Lines lost, doubled, torn or changed, ends of lines of both kinds, prompts in between."""
    rng = random.Random(data.draw(st.integers(0, 1 << 32)))
    end = b"\r\n" if rng.random() < 0.5 else b"\n"
    kind = rng.choice([b"Output", b"Input"])
    dtype = rng.choice([b"", b"(float) ", b"(char) "])
    lines = [b"I executorch:arm_executor_runner.cpp:152] Model executed successfully.", b"I executorch:arm_executor_runner.cpp:156] 2 outputs:"]  # fmt: skip
    for tensor in range(2):
        lines += [b"%s[%d][%d]: %s%d.%d" % (kind, tensor, n, dtype, rng.randrange(9), rng.randrange(999)) for n in range(rng.randrange(200))]  # fmt: skip
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(lines))
        lines[place : place + 1] = rng.choice(
            [[], [lines[place]] * 2, [lines[place][:7]], [lines[place][:9] + b"\x1b[0m" + lines[place][9:]], [b"uart:~$ "],
             [b"", lines[place]], [lines[place] + b"\xff"], [b"E " + lines[place]]]
        )  # fmt: skip
    text = end.join(lines) + rng.choice([end, b"", b"\r"])
    _same(text, [rng.randrange(1, 5000) for _ in range(5)])


def test_a_dump_that_begins_a_capture_and_one_that_is_torn_by_the_end(samples: Path) -> None:
    rows = b"".join(b"Output[0][%d]: 0.5\n" % n for n in range(300))
    _same(rows, [1 << 16])
    _same(rows[:-9], [1 << 16])
    _same(b"\xff\xfe" + rows.decode().encode("utf-16-le"), [1000])
    _same((samples / "softmax.log").read_bytes() + rows, [4096])
