"""Captures made of a sample log's report with other figures in each run: shared by the benchmarks of large captures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent.parent / "sample_logs" / "mobilenet_v2_corstone320.log"


def reports() -> Iterator[bytes]:
    """One run after the other without end, one in fifty cut short."""
    text = SAMPLE.read_bytes().rstrip(b"\n") + b"\n"
    cycles = re.search(rb"ethosu_pmu_cycle_cntr : (\d+)", text)
    assert cycles is not None
    before, after = text[: cycles.start(1)], text[cycles.end(1) :]
    for run in count(1):
        one = b"%s%d%s" % (before, int(cycles[1]) + run * 7919 % 100_003, after)
        yield one if run % 50 else one[: len(one) // 2].rpartition(b"\n")[0] + b"\n"


def many_bytes(path: Path, size: int) -> int:
    """Write a capture of about so many bytes; gives the number of runs in it."""
    with path.open("wb") as file:
        for run, one in enumerate(reports(), 1):
            file.write(one)
            if file.tell() >= size:
                return run
    raise AssertionError


def many_runs(path: Path, runs: int) -> None:
    """Write a capture of so many runs."""
    with path.open("wb") as file:
        for _, one in zip(range(runs), reports(), strict=False):
            file.write(one)
