"""Dumps of outputs, which are most of many captures, are passed over and still counted right."""

from __future__ import annotations

import time

import pytest

from ethosu_tui.analysis import read_capture, scan
from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.fast.elements import find_elements
from ethosu_tui.analysis.scan import Scanner

from . import test_scan as scans
from .test_scan import BOUND_SECONDS, EVERY, agree, made, scanned

_small_pieces = scans._small_pieces


def test_outputs_cut_by_a_block_edge_and_a_torn_run_before_them() -> None:
    """What earlier scanners got wrong: first outputs lost at an edge, and a torn run that took the next run's."""
    runs = list(scans._dense({}))
    runs[9] = runs[9][: len(runs[9]) // 2]
    runs[20] = runs[20][: runs[20].index(b"Output[0][4]")]
    data = b"".join(runs)
    agree(data, 61, 1009, len(runs[0]) - 1, len(runs[0]), len(runs[0]) + 1)


def test_dumps_are_counted_over_any_block_edge() -> None:
    data = made("heavy", "current", 400_000, 2)
    whole = read_capture("night.log", data)
    for size in (333, 5000, 1 << 17):
        _, _, capture, _ = scanned(data, EVERY, size)
        assert capture == whole


_STARTED = b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n"
_OVER = b"I executorch:arm_executor_runner.cpp:177] Program complete, exiting.\n"


@pytest.mark.parametrize("before", [b"", _STARTED, _STARTED * 2, _STARTED + _OVER, _STARTED + _OVER + b"\x04\n"])
@pytest.mark.parametrize("after", [b"", _OVER, b"Output[0][1]: 2.5\nOutput[0][2]: 2.5"])
@pytest.mark.parametrize(
    "dump",
    [
        b"Output[0][0]: 0.5\n", b"Output[2][7]: (char) 5\r\n", b"Input[0][0]: (float) 1.25\nInput[0][1]: (float) -1\n",
        b"".join(b"Output[0][%d]: %d.5\n" % (i, i) for i in range(11)), b"\x1b[0;32mOutput[0][0]: 0.5\x1b[0m\n",
    ],
)  # fmt: skip
def test_a_dump_that_comes_again_and_again_is_read_as_line_by_line(before: bytes, after: bytes, dump: bytes) -> None:
    for times in (31, 33, 131):
        data = before + dump * times + after
        reader = CaptureReader("night.log")
        for line in data.splitlines(keepends=True):
            reader.feed(line)
        whole = reader.finish()
        for size in (1 << 18, 301):
            rows, _, capture, _ = scanned(data, EVERY, size)
            assert capture == whole
            assert [(row.index, row.first_line, row.last_line) for row in rows] == [
                (run.index, run.first_line, run.last_line) for run in whole.runs
            ]


def test_a_dump_that_comes_again_and_again_is_not_read_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1 << 15)
    data = _STARTED + b"".join(b"Output[0][%d]: 1.5\n" % i for i in range(10)) * 50_000
    scanner = Scanner("night.log", full_runs=0)
    began = time.process_time()
    for at in range(0, len(data), 1 << 18):
        scanner.feed(data[at : at + (1 << 18)])
    scanner.finish()
    assert (scanner.run_count, scanner.capture().lines) == (1, 500_001)
    assert time.process_time() - began < BOUND_SECONDS / 10


def test_a_dump_with_a_hole_is_not_counted_over() -> None:
    lines = [b"Output[0][%d]: %d.5\n" % (index, index) for index in range(5000)]
    found = find_elements(b"".join(lines[:3000] + lines[3001:]), 0)
    assert found is not None and found.count == 3000
    assert find_elements(b"".join(b"Output[0][0]: 1.5\n" for _ in range(5000)), 0) is None
