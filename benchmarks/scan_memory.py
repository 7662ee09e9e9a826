"""Peak memory of `ethosu-tui analyze` on long captures: with the summary (every run kept as columns) and with --jsonl.

    python benchmarks/scan_memory.py [--sizes-mb 50 200] [--kinds dense heavy]

Prints for each size the most memory that all processes had together (pages that they share are counted once); streamed output
must not grow with the capture.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from captures import KINDS, write  # type: ignore[import-not-found]

STREAMED_AIM_MB = 64
KEPT_AIM_MB = 200


def peak_mb(command: list[str]) -> float:
    """The most that a process and those that it starts had at once, in MB: as was seen 50 times a second, or by one alone."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0
    while True:
        pid, _, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        most = max(most, sum(map(_share_kb, tree(process.pid))))
        time.sleep(0.02)
    process.returncode = 0
    return max(most, usage.ru_maxrss) * 1024 / 1e6


def tree(pid: int) -> list[int]:
    """A process and all that come of it."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in tree(int(child)))]


def _share_kb(pid: int) -> int:
    """The proportional set size of a process; 0 where it has gone."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0)


def main() -> int:
    """Print the peaks; the exit code is 1 where an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes-mb", type=float, nargs="+", default=[50, 200])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["dense", "heavy"])
    given = parser.parse_args()
    program = str(Path(sys.executable).parent / "ethosu-tui")
    good = True
    with tempfile.TemporaryDirectory(prefix="ethosu-tui-benchmark-") as scratch:
        path = Path(scratch) / "capture.log"
        for kind in given.kinds:
            for size in given.sizes_mb:
                sums = write(path, kind, int(size * 1e6))
                kept = peak_mb([program, "analyze", str(path)])
                streamed = peak_mb([program, "analyze", "--jsonl", str(path)])
                good &= kept < KEPT_AIM_MB and streamed < STREAMED_AIM_MB
                print(
                    f"{kind:6} {size:5g} MB, {sums.runs:6} runs: summary {kept:.0f} MB (aim {KEPT_AIM_MB}), "
                    f"--jsonl {streamed:.0f} MB (aim {STREAMED_AIM_MB})",
                    flush=True,
                )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
