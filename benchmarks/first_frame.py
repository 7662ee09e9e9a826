"""Time from exec to the first full frame, against a minimal Textual app in the same run.

All run in a real pseudo-terminal of 80x24, by turns; a frame counts as full when the last text of it (the key line of ours,
the only text of the peer) and what it is to show have arrived.  Medians are compared, so that one disturbed start does
not decide.  The dashboard starts on an empty workspace, and on one with stored runs; a capture of many runs opens on its
table while it is still read.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from _captures_of_runs import many_runs
from _terminal import OURS, PEER, PEER_READY, Aims, Terminal, python, surroundings

EMPTY_AIM = 1.5
FILLED_AIM = 2.0
TABLE_AIM = 2.0


def first_frame(command: list[str], told: str | Callable[[str], bool], environment: dict[str, str]) -> float:
    """Seconds until that stands on the terminal."""
    with Terminal(command, environment) as terminal:
        return terminal.ready(told)


def store_runs(root: Path, count: int) -> None:
    """Fill a workspace, so that the dashboard has something to show."""
    from ethosu_tui.runners.runs.folder import RunFolder

    for number in range(count):
        RunFolder.create(root, "run", f"run {number}", target="ethos-u85-256").finish(status="passed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9, help="starts of each (default 9)")
    parser.add_argument("--runs", type=int, default=100, help="stored runs in the workspace (default 100)")
    parser.add_argument("--rows", type=int, default=100_000, help="runs in the capture (default 100000)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        filled = surroundings(home)
        store_runs(Path(home) / "runs", options.runs)
        empty = dict(filled, ETHOSU_TUI_WORKSPACE=f"{home}/empty")
        capture = Path(home) / "runs.log"
        many_runs(capture, options.rows)
        sides: dict[str, tuple[list[str], str | Callable[[str], bool], dict[str, str]]] = {
            "minimal Textual app": (python(PEER), PEER_READY, empty),
            "dashboard, empty workspace": (python(OURS), "Help", empty),
            f"dashboard, {options.runs} stored runs": (
                python(OURS),
                lambda text: "Help" in text and "passed" in text,
                filled,
            ),
            f"open, a capture of {options.rows:,} runs": (
                python(OURS, "open", str(capture)),
                lambda text: "Help" in text and re.search(r"\d  [✓✗!] [a-z]", text) is not None,
                empty,
            ),
        }
        took: dict[str, list[float]] = {name: [] for name in sides}
        for turn in range(options.times + 1):
            for name, side in sides.items():
                seconds = first_frame(*side)
                if turn:  # the first turn of each warms the caches
                    took[name].append(seconds)
    aims = Aims()
    peer, *ours = took
    base = statistics.median(took[peer])
    print(f"{peer:44} {base * 1000:9.0f} ms   (min {min(took[peer]) * 1000:.0f}), {options.times} starts each")
    for name, aim in zip(ours, (EMPTY_AIM, FILLED_AIM, TABLE_AIM), strict=True):
        middle = statistics.median(took[name])
        aims.told(name, middle / base, aim, "x", f"{middle * 1000:.0f} ms, min {min(took[name]) * 1000:.0f}")
    return 0 if aims.met else 1


if __name__ == "__main__":
    sys.exit(main())
