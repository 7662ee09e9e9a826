"""What one run keeps of lines that come ten thousand times, each with a number of its own."""

from __future__ import annotations

import tracemalloc

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.scan import Scanner

from .port_logs import LOADED

LINES = {
    "OutputX": "OutputX %d: tensor(sizes=[2, 2], [0.5, 0.5, 0.5, 0.5])\n",
    "raw": "Output[%d]: dtype=6, numel=1, nbytes=4\n",
    "planned": "Setting up planned buffer %d, size 752640.\n",
}


def _kept_bytes(template: str, count: int) -> int:
    scanner = Scanner("x", full_runs=3)
    tracemalloc.start()
    try:
        scanner.feed(LOADED.encode())
        for first in range(0, count, 1000):
            scanner.feed("".join(template % number for number in range(first, first + 1000)).encode())
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", LINES)
def test_a_run_does_not_grow_with_the_numbers_in_its_lines(kind: str) -> None:
    kept_bytes = _kept_bytes(LINES[kind], 20_000)
    assert kept_bytes < 6_500_000, f"{kept_bytes / 20_000:.0f} bytes a line"


def test_values_without_a_number_are_of_the_output_that_was_named_last() -> None:
    dump = "Output[0]: dtype=3, numel=1, nbytes=4\n[0]=%d (int raw)\nOutput[1]: dtype=3, numel=1, nbytes=4\n[0]=%d (int raw)\n"
    (run,) = read_capture("x", (LOADED + dump % (1, 2) + dump % (3, 4)).encode()).runs
    assert [(tensor.index, tensor.first) for tensor in run.outputs] == [(0, (3,)), (1, (4,))]
