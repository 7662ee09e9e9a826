"""Opening a huge capture in the dashboard: time to the first figures, and how long keys wait while it is still read.

Runs in a real pseudo-terminal of 80x24, beside a minimal Textual app in the same run.  A key counts as answered when what
it must change has arrived at the terminal (the row that the cursor went to, a page that was not in sight, the sign of the
sort order), not at the first byte, since progress is drawn meanwhile.  The capture is generated: reports of a sample log
with other figures in each run, one in fifty cut short.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from _captures_of_runs import many_bytes
from _terminal import DOWN, OURS, PEER, PEER_READY, Terminal, p95, python, surroundings

FIRST_AIM_SECONDS = 1.0
KEY_AIM_SECONDS = 0.050
PAGE, SORT = b"\x1b[6~", b"s"
_ROW = re.compile(r"(?<![\d,])([\d,]{1,9})  [✓✗!] [a-z]")


def measure_peer(environment: dict[str, str], keys: int) -> tuple[float, list[float]]:
    """First frame and key answers of the minimal app."""
    with Terminal(python(PEER), environment) as peer:
        first = peer.ready(PEER_READY)
        peer.rest(0.5)
        answers = []
        for number in range(1, keys + 1):
            answers.append(peer.press(DOWN, f"{number} "))
            peer.rest(0.03)
    return first, answers


def measure_ours(
    path: Path, environment: dict[str, str], keys: int
) -> tuple[float, dict[str, list[float]], float, bool]:
    """First figures, key answers by kind, peak memory, and whether it was still reading at the end of it."""
    with Terminal(python(OURS, "open", str(path)), environment) as ours:
        ours.draws = True  # of a page that comes, only the cells that differ are sent
        first = ours.ready(lambda text: bool(re.search(r"[\d,]+ passed", text) and _ROW.search(text)))
        ours.rest(0.7)
        answers: dict[str, list[float]] = {"down": [], "page": [], "sort": []}
        row = 1
        for _ in range(keys):
            row += 1
            answers["down"].append(ours.press(DOWN, lambda text, n=row: n in _rows(text)))  # type: ignore[misc]
            ours.rest(0.03)
        for _ in range(keys // 5):
            row = max(_rows(ours.screen.text))
            answers["page"].append(ours.press(PAGE, lambda text, n=row: max(_rows(ours.screen.text), default=0) > n))  # type: ignore[misc]
            ours.rest(0.05)
        for sign in ("▲", "▼"):
            answers["sort"].append(ours.press(SORT, sign))
            ours.rest(0.5)
        end = time.perf_counter() + 1.0
        while time.perf_counter() < end:
            ours.pump(0.05)
        return first, answers, ours.peak_bytes() / 1e6, "reading:" in ours.screen.text


def _rows(text: str) -> set[int]:
    return {int(found.replace(",", "")) for found in _ROW.findall(text) if found.strip(",")}


def told(name: str, seconds: list[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    late, most = p95(seconds) * 1000, max(seconds) * 1000
    middle = statistics.median(seconds) * 1000
    return f"{name:28} p50 {middle:6.1f} ms  p95 {late:6.1f} ms  max {most:6.1f} ms  ({len(seconds)})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200, help="size of the capture (default 200; 1000 for 1 GB)")
    parser.add_argument("--keys", type=int, default=100, help="arrow keys pressed (default 100)")
    parser.add_argument("--capture", type=Path, help="an existing capture to use instead of a generated one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        path = options.capture or Path(home) / "huge.log"
        if options.capture is None:
            runs = many_bytes(path, options.megabytes * 1_000_000)
            print(f"capture: {path.stat().st_size / 1e6:.0f} MB, {runs:,} runs")
        environment = surroundings(home)
        measure_peer(environment, 1)  # warms the caches
        peer_first, peer_keys = measure_peer(environment, options.keys)
        first, answers, memory, reading = measure_ours(path, environment, options.keys)
    print(f"{'minimal Textual app':28} first frame {peer_first * 1000:.0f} ms")
    print(told("  arrow key", peer_keys))
    print(f"{'ethosu-tui open':28} first figures {first * 1000:.0f} ms (aim: under {FIRST_AIM_SECONDS * 1000:.0f})")
    for name, text in (("down", "  arrow key"), ("page", "  page down"), ("sort", "  sort")):
        print(told(text, answers[name]))
    print(f"{'  peak memory':28} {memory:.0f} MB in the dashboard")
    if not reading:
        print("the capture was read before the keys were over: give more --megabytes")
    late = p95(answers["down"] + answers["page"])
    good = first < FIRST_AIM_SECONDS and late < KEY_AIM_SECONDS and reading
    print(f"keys p95 {late * 1000:.1f} ms (aim: under {KEY_AIM_SECONDS * 1000:.0f}), {'met' if good else 'not met'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
