"""`ethosu-tui analyze` on a 5 KB log against bare `python -c pass`, whole processes, alternating in one run.

Aim: under 3x.  Prints the median of each and the median of the pairwise ratios; only the ratio travels between machines.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 25
LOG = Path(__file__).resolve().parent.parent / "sample_logs" / "mnist_q.log"


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    ours = [str(Path(sys.executable).parent / "ethosu-tui"), "analyze", str(LOG)]
    peer = [sys.executable, "-c", "pass"]
    seconds(ours), seconds(peer)
    pairs = [(seconds(ours), seconds(peer)) for _ in range(ROUNDS)]
    ratio = statistics.median(a / b for a, b in pairs)
    print(
        f"analyze {LOG.name} ({LOG.stat().st_size} bytes): median {statistics.median(a for a, _ in pairs) * 1000:.1f} ms"
    )
    print(f"python -c pass: median {statistics.median(b for _, b in pairs) * 1000:.1f} ms")
    print(f"ratio: {ratio:.2f}x (aim: under 3x)")


if __name__ == "__main__":
    main()
