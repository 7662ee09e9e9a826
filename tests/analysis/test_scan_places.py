"""The bytes and the stamp of a run are those of its own lines, whichever boards spoke between them."""

from __future__ import annotations

import random
from bisect import bisect_left
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import scan
from ethosu_tui.analysis.fast.layouts import Layouts
from ethosu_tui.analysis.fast.line_places import LinePlaces

from .test_scan import EVERY, scanned

BOARDS = ("uart0: ", "uart1: ", "fpga_b: ", "")
RUNS = ("mnist_q.log", "softmax.log", "temp_small_topk.log", "method_small_load.log", "hang_u55_no_npu.log")


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)


def _spoken(rng: random.Random, samples: Path, boards: int) -> bytes:
    """Runs of several boards in one file, a line of one and a line of another, each with its board and a stamp."""
    queues: list[list[bytes]] = [[] for _ in range(boards)]
    for board in range(boards):
        for _ in range(3):
            queues[board] += (samples / rng.choice(RUNS)).read_bytes().splitlines()
    lines = []
    while any(queues):
        board = rng.choice([at for at, queue in enumerate(queues) if queue])
        for _ in range(rng.choice((1, 1, 3, 40))):
            if queues[board]:
                stamp = f"[2026-01-01 {len(lines) // 3600:02d}:{len(lines) // 60 % 60:02d}:{len(lines) % 60:02d}.000] "
                lines.append(stamp.encode() + BOARDS[board].encode() + queues[board].pop(0))
    return b"\n".join(lines) + b"\n"


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 30), boards=st.integers(1, 4), size=st.sampled_from((61, 977, 1 << 12, 1 << 18)))
def test_runs_of_boards_that_alternate_have_their_own_places(samples: Path, seed: int, boards: int, size: int) -> None:
    data = _spoken(random.Random(seed), samples, boards)
    starts = [0, *(at + 1 for at, byte in enumerate(data) if byte == 0x0A)]
    for full_runs in (EVERY, 2):
        rows = scanned(data, full_runs, size)[0]
        assert rows
        for row in rows:
            assert row.start_byte == starts[row.first_line - 1]
            assert row.end_byte == starts[row.last_line]
            assert row.at == data[row.start_byte : row.start_byte + 25].decode()


def test_no_place_of_a_block_is_lost() -> None:
    blocks = [b"ab\ncd\n\nef", b"gh\n", b"\n", b"ij\nkl\nmn\n" * 40, b"op"]
    starts = [0, *(at + 1 for at, byte in enumerate(b"".join(blocks)) if byte == 0x0A)]
    places = LinePlaces()
    seen = 0
    for block in blocks:
        before = bisect_left(starts, seen)  # the first line that begins in the block
        places.open(block)
        seen += len(block)
        after = bisect_left(starts, seen)
        for at in sorted(range(before, after), key=lambda place: (place * 7) % 11):
            assert places.start_of(at + 1) == starts[at]
        places.close()
    places.open(b"")
    assert places.start_of(len(starts) + 1) == -1
    assert places.start_of(3) == -1


def test_a_line_that_begins_a_run_only_behind_another_one_is_no_mark() -> None:
    over = b"I [executorch:arm_executor_runner.cpp:61 main()] X The job running on agent pool-3 ran longer than the maximum time of 90 minutes.\n"
    begins = b"I [executorch:arm_executor_runner.cpp:61 main()] Model in 0x70000000 $\n"
    layouts = Layouts("x")
    for times, raw, count in ((2, over, 0), (2, begins, 1)):
        for _ in range(times):
            layouts.note_start(raw)
        assert layouts.start_count == count
