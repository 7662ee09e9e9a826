"""Time from exec to the first full frame of the dashboard, against a minimal Textual app in the same run.

Both run in a real pseudo-terminal of 80x24, by turns, with a fresh workspace that holds stored runs; a frame counts as
full when the last text of it (the key line of ours, the only text of the peer) has arrived.  Medians are compared, so that
one disturbed start does not decide.
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
from pathlib import Path

AIM = 1.8
PEER = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    def compose(self):
        yield Static("peer is ready")
Minimal().run()
"""
OURS = "import sys; from ethosu_tui.tui.app import open_app; sys.exit(open_app())"
_ESCAPE = re.compile(rb"\x1b\[[0-9;:<>=?$ ]*[a-zA-Z]|\x1b\].*?(?:\x07|\x1b\\)|\x1b[()][0B]|\x1b[=>78DM]", re.S)


def first_frame(code: str, marker: bytes, environment: dict[str, str], limit: float = 30.0) -> float:
    """Seconds until the marker stands on the terminal."""
    began = time.perf_counter()
    pid, fd = pty.fork()
    if pid == 0:
        os.execvpe(sys.executable, [sys.executable, "-c", code], environment)
    try:
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        seen = b""
        while time.perf_counter() - began < limit:
            ready, _, _ = select.select([fd], [], [], 0.05)
            if not ready:
                continue
            try:
                data = os.read(fd, 1 << 16)
            except OSError:
                break
            seen += data
            if marker in _ESCAPE.sub(b"", seen):
                return time.perf_counter() - began
        raise SystemExit(f"no first frame; the terminal got {seen[-500:]!r}")
    finally:
        _end(pid, fd)


def _end(pid: int, fd: int) -> None:
    os.kill(pid, signal.SIGTERM)
    deadline = time.perf_counter() + 3
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.perf_counter() > deadline:
            os.kill(pid, signal.SIGKILL)
            deadline += 60
        ready, _, _ = select.select([fd], [], [], 0.01)
        if ready:
            try:
                os.read(fd, 1 << 16)
            except OSError:
                time.sleep(0.01)
    os.close(fd)


def store_runs(root: Path, count: int) -> None:
    """Fill a workspace, so that the dashboard has something to show."""
    from ethosu_tui.runners.runs.folder import RunFolder

    for number in range(count):
        RunFolder.create(root, "run", f"run {number}", target="ethos-u85-256").finish(status="passed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9, help="starts of each program (default 9)")
    parser.add_argument("--runs", type=int, default=100, help="stored runs in the workspace (default 100)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, HOME=home, ETHOSU_TUI_WORKSPACE=f"{home}/runs", TERM="xterm-256color")
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        store_runs(Path(home) / "runs", options.runs)
        ours: list[float] = []
        peer: list[float] = []
        for turn in range(options.times + 1):
            a = first_frame(PEER, b"peer is ready", environment)
            b = first_frame(OURS, b"Help", environment)
            if turn:  # the first turn of each warms the caches
                peer.append(a)
                ours.append(b)
    ratio = statistics.median(ours) / statistics.median(peer)
    print(f"minimal Textual app  {statistics.median(peer) * 1000:6.0f} ms  (min {min(peer) * 1000:.0f})")
    print(f"ethosu-tui dashboard {statistics.median(ours) * 1000:6.0f} ms  (min {min(ours) * 1000:.0f})")
    print(f"ratio {ratio:.2f}x (aim: under {AIM}x), {options.runs} stored runs, {options.times} starts each")
    return 0 if ratio < AIM else 1


if __name__ == "__main__":
    sys.exit(main())
