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
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from _captures_of_runs import many_bytes
from _terminal import DOWN, OURS, PEER, PEER_READY, Terminal, p95, python, surroundings

FIRST_AIM_SECONDS = 1.0
KEY_AIM_SECONDS = 0.050
PAGE, SORT, HOME, RIGHT = b"\x1b[6~", b"s", b"\x1b[H", b"\x1b[C"
ARROWS, PAGES = 12, 3
BETWEEN_SECONDS = 0.03
LEAST_PRESSED = 20
"""Fewer keys pressed while it is read say nothing."""
CYCLES_COLUMN = 2
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


class Press(NamedTuple):
    """A key: what it was, how long its answer took, and whether the capture was still being read when it was pressed."""

    name: str
    seconds: float
    reading: bool


class Presses(list[Press]):
    """The keys pressed in our dashboard, in rounds: down a few rows, some pages, a sort each way and back, home."""

    def __init__(self, ours: Terminal) -> None:
        super().__init__()
        self._ours = ours

    @property
    def _rows(self) -> set[int]:
        return _rows(self._ours.screen.text)

    def press(self, name: str, key: bytes, told: Callable[[str], bool]) -> None:
        """Press it, and wait for what it must bring; then go on as somebody does who holds it down."""
        reading = "reading:" in self._ours.screen.text
        self.append(Press(name, self._ours.press(key, told), reading))
        self._ours.rest(BETWEEN_SECONDS)

    def round(self) -> None:
        """From the first row, and back to it."""
        for row in range(2, 2 + ARROWS):
            self.press("arrow key", DOWN, lambda text, n=row: n in _rows(text))  # type: ignore[misc]
        for _ in range(PAGES):
            last = max(self._rows)
            self.press("page down", PAGE, lambda text, n=last: max(self._rows, default=0) > n)  # type: ignore[misc]
        self.sort("sort")
        self.press("home", HOME, lambda text: 1 in self._rows)

    def sort(self, name: str) -> None:
        """Ascending, descending, and as it was."""
        for sign in ("▲", "▼", ""):
            self.press(name, SORT, lambda text, wanted=sign: _sort_sign(self._ours.screen.text) == wanted)  # type: ignore[misc]


def measure_ours(path: Path, environment: dict[str, str], least: int) -> tuple[float, Presses, float]:
    """First figures, the keys pressed until the capture is read and at least so many, and peak memory."""
    with Terminal(python(OURS, "open", str(path)), environment) as ours:
        ours.draws = True  # of a page that comes, only the cells that differ are sent
        first = ours.ready(lambda text: bool(re.search(r"[\d,]+ passed", text) and _ROW.search(text)))
        presses = Presses(ours)
        while len(presses) < least or presses[-1].reading:
            presses.round()
        ours.rest(1.0)
        for _ in range(CYCLES_COLUMN):
            ours.press(RIGHT, lambda text: bool(text))
            ours.rest(BETWEEN_SECONDS)
        presses.sort("sort by cycles")
        return first, presses, ours.peak_bytes() / 1e6


def _sort_sign(text: str) -> str:
    return next((sign for sign in "▲▼" if sign in text), "")


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
    parser.add_argument("--keys", type=int, default=100, help="keys pressed at least (default 100)")
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
        first, presses, memory = measure_ours(path, environment, options.keys)
    print(f"{'minimal Textual app':28} first frame {peer_first * 1000:.0f} ms")
    print(told("  arrow key", peer_keys))
    print(f"{'ethosu-tui open':28} first figures {first * 1000:.0f} ms (aim: under {FIRST_AIM_SECONDS * 1000:.0f})")
    for reading, title in ((True, "while it is read"), (False, "then")):
        print(f"  {title}")
        for name in dict.fromkeys(press.name for press in presses):
            seconds = [press.seconds for press in presses if press.name == name and press.reading == reading]
            if seconds:
                print(told(f"    {name}", seconds))
    print(f"{'  peak memory':28} {memory:.0f} MB in the dashboard")
    meanwhile = [press.seconds for press in presses if press.reading]
    if len(meanwhile) < LEAST_PRESSED:
        print(f"only {len(meanwhile)} keys were pressed while the capture was read: give more --megabytes")
        return 1
    late = p95(meanwhile)
    good = first < FIRST_AIM_SECONDS and late < KEY_AIM_SECONDS
    print(
        f"{len(meanwhile)} keys of all kinds while it is read: p95 {late * 1000:.1f} ms"
        f" (aim: under {KEY_AIM_SECONDS * 1000:.0f}), {'met' if good else 'not met'}"
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
