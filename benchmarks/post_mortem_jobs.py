"""A post-mortem over several captures in one process and in two, alternating in one run.

    python benchmarks/post_mortem_jobs.py [--file-mb 25 100 400] [--rounds 9]

Aim: two processes at least 1.7 times as fast as one, on a machine with two free cores.  Only the ratio travels between
machines, and it says nothing where something else is running, or where two processes slow each other (shared caches, other
guests of the host): beside it stands what two separate commands with half of the captures each gain, measured by turns in
the same run, and the load.  What both pay once (loading the program, printing) weighs less in larger files.

Two ratios are printed.  That of the medians is what this machine gives now.  That of the quickest rounds is what it gives
while nothing else runs on it, which the aim is about: others on it only ever add time, and they add more to what needs two
cores at once.  It needs enough rounds for a quiet one of each.
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


def seconds(jobs: int, *commands: list[Path]) -> float:
    """Whole commands at once, each with its inputs."""
    words = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--jobs", str(jobs)]
    start = time.perf_counter()
    begun = [subprocess.Popen([*words, *map(str, inputs)], stdout=subprocess.DEVNULL) for inputs in commands]
    assert not any([process.wait() for process in begun])
    return time.perf_counter() - start


def compare(size_bytes: int, rounds: int) -> None:
    """Print what two processes gain on files of this size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_captures(folder, size_bytes)
        files = sorted(folder.iterdir())
        halves = files[: FILES // 2], files[FILES // 2 :]
        seconds(1, [folder])  # warms the cache
        load = os.getloadavg()[0]
        times = [(seconds(1, [folder]), seconds(2, [folder]), seconds(1, *halves)) for _ in range(rounds)]
    ones, twos, apart = zip(*times, strict=True)
    speed = FILES * size_bytes / 1e6 / statistics.median(ones)
    print(f"{FILES} captures of {size_bytes / 1e6:.0f} MB: one process {speed:.0f} MB/s")
    for name, typical in (("medians", statistics.median), ("quickest rounds", min)):
        ratio, possible = typical(ones) / typical(twos), typical(ones) / typical(apart)
        aim = "aim: 1.7x; " if typical is min else ""
        print(f"  {name}: two processes {ratio:.2f}x ({aim}two separate commands: {possible:.2f}x)")
    print(f"  {rounds} rounds; load before: {load:.1f} on {os.cpu_count()} cores", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file-mb", type=float, nargs="+", default=[25, 100, 400], help="sizes of the captures")
    parser.add_argument("--rounds", type=int, default=9, help="how often each is measured (default 9)")
    options = parser.parse_args()
    for megabytes in options.file_mb:
        compare(int(megabytes * 1e6), options.rounds)


if __name__ == "__main__":
    main()
