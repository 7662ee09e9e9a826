"""Peak memory of `ethosu-tui analyze` on long captures: with the summary (every run kept as columns) and with --jsonl.

    python benchmarks/scan_memory.py [--sizes-mb 50 200] [--kinds dense heavy]

Prints the peak resident size of the whole process for each size; streamed output must not grow with the capture.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from captures import KINDS, write  # type: ignore[import-not-found]

STREAMED_AIM_MB = 64
KEPT_AIM_MB = 200


def peak_mb(command: list[str]) -> float:
    """Peak resident size of a process, in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_maxrss * 1024 / 1e6


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
