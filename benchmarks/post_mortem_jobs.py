"""A post-mortem over several captures in one process and in two, alternating in one run.

Aim: two processes at least 1.7 times as fast as one, on a machine with two free cores.  Only the ratio travels between
machines, and it says nothing where something else is running: the load is printed beside it.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 3
FILES = 6
FILE_BYTES = 25_000_000
CYCLES = b"153427"
SAMPLE = Path(__file__).resolve().parent.parent / "sample_logs" / "mnist_q.log"


def write_captures(folder: Path) -> None:
    """Captures whose figures differ from run to run."""
    report = SAMPLE.read_bytes()
    assert CYCLES in report
    numbers = random.Random(1)
    for position in range(FILES):
        with open(folder / f"{position}.log", "wb") as file:
            for _ in range(FILE_BYTES // len(report)):
                file.write(report.replace(CYCLES, str(100_000 + numbers.randrange(90_000)).encode()))


def seconds(folder: Path, jobs: int) -> float:
    """One whole command."""
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--jobs", str(jobs), str(folder)]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_captures(folder)
        seconds(folder, 1)  # warms the cache
        load = os.getloadavg()[0]
        pairs = [(seconds(folder, 1), seconds(folder, 2)) for _ in range(ROUNDS)]
    ratio = statistics.median(one / two for one, two in pairs)
    total = FILES * FILE_BYTES
    print(
        f"{FILES} captures of {FILE_BYTES / 1e6:.0f} MB: one process {total / 1e6 / min(p[0] for p in pairs):.0f} MB/s"
    )
    print(f"two processes: {ratio:.2f}x (aim: 1.7x; load before: {load:.1f} on {os.cpu_count()} cores)")


if __name__ == "__main__":
    main()
