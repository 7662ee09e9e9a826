"""Opening a huge capture in the dashboard: time to the first figures, and how long keys wait while it is still read.

Runs in a real pseudo-terminal of 80x24, beside a minimal Textual app in the same run.  A key counts as answered when what
it must change has arrived at the terminal (the row that the cursor went to, a page that was not in sight, the sign of the
sort order), not at the first byte, since progress is drawn meanwhile.  The capture is generated: reports of a sample log
with other figures in each run, one in fifty cut short.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from pathlib import Path

FIRST_AIM_SECONDS = 1.0
KEY_AIM_SECONDS = 0.050
SAMPLE = Path(__file__).resolve().parent.parent / "sample_logs" / "mobilenet_v2_corstone320.log"
PEER = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    BINDINGS = [("down", "count", "")]
    number = 0
    def compose(self):
        yield Static("peer is ready", id="said")
    def action_count(self):
        self.number += 1
        self.query_one("#said").update(f"pressed {self.number} ")
Minimal().run()
"""
OURS = "import sys; from ethosu_tui.tui.cli import main; sys.exit(main(['open', sys.argv[1]]))"
DOWN, PAGE, SORT = b"\x1b[B", b"\x1b[6~", b"s"
_ESCAPE = re.compile(rb"\x1b\[[0-9;:<>=?$ ]*[a-zA-Z]|\x1b\].*?(?:\x07|\x1b\\)|\x1b[()][0B]|\x1b[=>78DM]", re.S)
_ROW = re.compile(r"(?<![\d,])([\d,]{1,9})  [✓✗!] [a-z]")


def generate(path: Path, size: int) -> int:
    """Write a capture of about so many bytes; gives the number of runs in it."""
    text = SAMPLE.read_bytes().rstrip(b"\n") + b"\n"
    cycles = re.search(rb"ethosu_pmu_cycle_cntr : (\d+)", text)
    assert cycles is not None
    before, after = text[: cycles.start(1)], text[cycles.end(1) :]
    run = 0
    with path.open("wb") as file:
        while file.tell() < size:
            run += 1
            one = b"%s%d%s" % (before, int(cycles[1]) + run * 7919 % 100_003, after)
            file.write(one if run % 50 else one[: len(one) // 2].rpartition(b"\n")[0] + b"\n")
    return run


class Terminal:
    """A program in a pseudo-terminal, and what it wrote."""

    def __init__(self, argv: list[str], environment: dict[str, str]) -> None:
        self.began = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(sys.executable, [sys.executable, "-c", *argv], environment)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = b""

    def pump(self, timeout: float) -> bool:
        """Take what has come; False when nothing did."""
        if not select.select([self.fd], [], [], timeout)[0]:
            return False
        try:
            self.seen += os.read(self.fd, 1 << 16)
        except OSError:
            raise SystemExit(f"the program ended: {self.text[-800:]}") from None
        return True

    @property
    def text(self) -> str:
        return _ESCAPE.sub(b"", self.seen).decode("utf-8", "replace")

    def until(self, told: Callable[[str], bool], since: float, limit: float = 30.0) -> float:
        """Seconds from `since` to the arrival of what makes `told` true of the text since the last call."""
        while time.perf_counter() - since < limit:
            if self.pump(0.05) and told(self.text):
                return time.perf_counter() - since
        raise SystemExit(f"it did not come within {limit} s; the terminal got {self.text[-800:]!r}")

    def press(self, key: bytes, told: Callable[[str], bool]) -> float:
        """Seconds until a key is answered."""
        self.seen = b""
        began = time.perf_counter()
        os.write(self.fd, key)
        return self.until(told, began)

    def rest(self, seconds: float) -> None:
        """Let time go by, and forget what was written meanwhile."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.pump(left)
        self.seen = b""

    def end(self) -> None:
        os.kill(self.pid, signal.SIGTERM)
        deadline = time.perf_counter() + 5
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.perf_counter() > deadline:
                os.kill(self.pid, signal.SIGKILL)
                deadline += 60
            if select.select([self.fd], [], [], 0.01)[0]:
                try:
                    os.read(self.fd, 1 << 16)
                except OSError:
                    time.sleep(0.01)
        os.close(self.fd)

    def peak_megabytes(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else float("nan")


def measure_peer(environment: dict[str, str], keys: int) -> tuple[float, list[float]]:
    """First frame and key answers of the minimal app."""
    peer = Terminal([PEER], environment)
    first = peer.until(lambda text: "peer is ready" in text, peer.began)
    peer.rest(0.5)
    answers = []
    for number in range(1, keys + 1):
        answers.append(peer.press(DOWN, lambda text, n=number: f"{n} " in text))  # type: ignore[misc]
        peer.rest(0.03)
    peer.end()
    return first, answers


def measure_ours(
    path: Path, environment: dict[str, str], keys: int
) -> tuple[float, dict[str, list[float]], float, bool]:
    """First figures, key answers by kind, peak memory, and whether it was still reading at the end of it."""
    ours = Terminal([OURS, str(path)], environment)
    first = ours.until(lambda text: bool(re.search(r"[\d,]+ passed", text) and _ROW.search(text)), ours.began)
    ours.rest(0.7)
    answers: dict[str, list[float]] = {"down": [], "page": [], "sort": []}
    row = 1
    for _ in range(keys):
        row += 1
        answers["down"].append(ours.press(DOWN, lambda text, n=row: n in _rows(text)))  # type: ignore[misc]
        ours.rest(0.03)
    for _ in range(keys // 5):
        answers["page"].append(ours.press(PAGE, lambda text, n=row: max(_rows(text), default=0) > n + 10))  # type: ignore[misc]
        row = max(_rows(ours.text))
        ours.rest(0.05)
    for sign in ("▲", "▼"):
        answers["sort"].append(ours.press(SORT, lambda text, s=sign: s in text))  # type: ignore[misc]
        ours.rest(0.5)
    ours.seen = b""
    end = time.perf_counter() + 1.0
    while time.perf_counter() < end:
        ours.pump(0.05)
    reading = "reading" in ours.text
    memory = ours.peak_megabytes()
    ours.end()
    return first, answers, memory, reading


def _rows(text: str) -> set[int]:
    return {int(found.replace(",", "")) for found in _ROW.findall(text) if found.strip(",")}


def told(name: str, seconds: list[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    middle = statistics.median(ordered) * 1000
    return (
        f"{name:28} p50 {middle:6.1f} ms  p95 {p95 * 1000:6.1f} ms  max {ordered[-1] * 1000:6.1f} ms  ({len(ordered)})"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200, help="size of the capture (default 200; 1000 for 1 GB)")
    parser.add_argument("--keys", type=int, default=100, help="arrow keys pressed (default 100)")
    parser.add_argument("--capture", type=Path, help="an existing capture to use instead of a generated one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        path = options.capture or Path(home) / "huge.log"
        if options.capture is None:
            runs = generate(path, options.megabytes * 1_000_000)
            print(f"capture: {path.stat().st_size / 1e6:.0f} MB, {runs:,} runs")
        environment = dict(os.environ, HOME=home, ETHOSU_TUI_WORKSPACE=f"{home}/runs", TERM="xterm-256color")
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
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
    keys = sorted(answers["down"] + answers["page"])
    late = keys[min(len(keys) - 1, int(len(keys) * 0.95))]
    good = first < FIRST_AIM_SECONDS and late < KEY_AIM_SECONDS and reading
    print(f"keys p95 {late * 1000:.1f} ms (aim: under {KEY_AIM_SECONDS * 1000:.0f}), {'met' if good else 'not met'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
