"""A post-mortem over several captures in one process and in two, alternating in one run.

    python benchmarks/post_mortem_jobs.py [--file-mb 25 100]

Aim: two processes at least 1.7 times as fast as one, on a machine with two free cores.  Only the ratio travels between
machines, and it says nothing where something else is running: the load is printed beside it.  What both pay once (loading
the program, printing) weighs less in larger files.
"""

from __future__ import annotations

import argparse
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
CYCLES = b"153427"
SAMPLE = Path(__file__).resolve().parent.parent / "sample_logs" / "mnist_q.log"


def write_captures(folder: Path, size_bytes: int) -> None:
    """Captures whose figures differ from run to run."""
    report = SAMPLE.read_bytes()
    assert CYCLES in report
    numbers = random.Random(1)
    for position in range(FILES):
        with open(folder / f"{position}.log", "wb") as file:
            for _ in range(size_bytes // len(report)):
                file.write(report.replace(CYCLES, str(100_000 + numbers.randrange(90_000)).encode()))


def seconds(folder: Path, jobs: int) -> float:
    """One whole command."""
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--jobs", str(jobs), str(folder)]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def compare(size_bytes: int) -> None:
    """Print what two processes gain on files of this size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_captures(folder, size_bytes)
        seconds(folder, 1)  # warms the cache
        load = os.getloadavg()[0]
        pairs = [(seconds(folder, 1), seconds(folder, 2)) for _ in range(ROUNDS)]
    ratio = statistics.median(one / two for one, two in pairs)
    speed = FILES * size_bytes / 1e6 / min(one for one, _ in pairs)
    print(
        f"{FILES} captures of {size_bytes / 1e6:.0f} MB: one process {speed:.0f} MB/s, "
        f"two processes {ratio:.2f}x (aim: 1.7x; load before: {load:.1f} on {os.cpu_count()} cores)",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file-mb", type=float, nargs="+", default=[25, 100], help="sizes of the captures")
    for megabytes in parser.parse_args().file_mb:
        compare(int(megabytes * 1e6))


if __name__ == "__main__":
    main()
