"""A run that prints 20,000 lines a second while somebody watches: how long keys wait, what the terminal gets, what it takes.

The run is a real one, carried out by its keeper; the dashboard stands in a pseudo-terminal of 120x40.  A key counts as
answered when what it must change has arrived.  Memory is that of the dashboard after a third and at the end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from _terminal import OURS, PEER, PEER_READY, Aims, Terminal, p95, python, surroundings

KEY_SECONDS = 0.100
SENT_BYTES = 30_000
GROWTH_BYTES = 8 << 20
WATCH = """
import sys
from pathlib import Path
from ethosu_tui.tui import messages
from ethosu_tui.tui.app import build_app
async def watch(pilot):
    pilot.app.post_message(messages.AttachRun(sys.argv[1]))
build_app(root=Path(sys.argv[1]).parent).run(auto_pilot=watch)
"""
SOURCE = """
import sys, time
rate, seconds = int(sys.argv[1]), float(sys.argv[2])
step = rate // 50
began = time.monotonic()
write = sys.stdout.write
write("I [executorch:arm_executor_runner.cpp:860] Model executed, %d lines a second\\n" % rate)
number = 0
while (now := time.monotonic()) - began < seconds:
    due = int((now - began) * rate)
    lines = []
    while number < due:
        number += 1
        if number % 4:
            lines.append(f"Output[0][{number % 1000}]: (float) {number * 0.618 % 1:.6f}")
        else:
            lines.append(f"I [executorch:arm_perf_monitor.cpp:{number % 300}] step {number} of the run, {number * 7919 % 100003} cycles")
    write("\\n".join(lines) + "\\n")
    sys.stdout.flush()
    time.sleep(max(0, began + (number + step) / rate - time.monotonic()))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=20_000, help="lines a second (default 20000)")
    parser.add_argument("--seconds", type=float, default=30, help="how long it is watched (default 30)")
    options = parser.parse_args()
    aims = Aims()
    with tempfile.TemporaryDirectory() as home:
        environment = surroundings(home)
        with Terminal(python(PEER), environment, rows=40, columns=120) as peer:
            peer.ready(PEER_READY)
            peer.settle()
            answers = [peer.answer(b"\x1b[B").last_seconds * 1000 for _ in range(30)]
            print(f"{'minimal Textual app, arrow key, p95':44} {p95(answers):9.1f} ms")
        source = Path(home) / "prints.py"
        source.write_text(SOURCE)
        printing = [sys.executable, str(source), str(options.rate), str(options.seconds + 60)]
        run = [*python(OURS), "run", "--on", "command", "--detach", "--", *printing]
        subprocess.run(run, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (folder,) = (path for path in (Path(home) / "runs").iterdir() if path.is_dir())
        with Terminal(python(WATCH, str(folder)), environment, rows=40, columns=120) as ours:
            ours.ready("Figures so far")
            ours.rest(4.0)
            third = options.seconds / 3
            waited: list[float] = []
            memory: list[int] = []
            sent = 0
            computed = ours.processor_seconds()
            for _ in range(3):
                sent += ours.rest(third / 2)
                for _ in range(8):
                    waited.append(ours.press(b"/", "filter: text"))
                    ours.rest(0.13)
                    waited.append(ours.press(b"\t", "Follow"))
                    ours.rest(0.17)
                sent += ours.rest(third / 2)
                memory.append(ours.memory_bytes())
            computed = ours.processor_seconds() - computed
            rate = sent / options.seconds
            milliseconds = sorted(second * 1000 for second in waited)
            more = f"p50 {milliseconds[len(waited) // 2]:.0f}, p95 {p95(milliseconds):.0f}, {len(waited)} keys"
            aims.told(
                f"{options.rate:,} lines/s: a key waits at most", milliseconds[-1], KEY_SECONDS * 1000, "ms", more
            )
            aims.told("sent to the terminal, a second", rate, SENT_BYTES, "B")
            grown = memory[-1] - memory[0]
            aims.told("growth of memory", grown / 1e6, GROWTH_BYTES / 1e6, "MB", f"from {memory[0] / 1e6:.0f} MB")
            print(f"{'processor':44} {100 * computed / (options.seconds + 3 * 8 * 0.3):9.0f} % of a core")
        stop = [*python(OURS), "runs", "stop", folder.name]
        subprocess.run(stop, env=environment, check=True, stderr=subprocess.DEVNULL)
    return 0 if aims.met else 1


if __name__ == "__main__":
    sys.exit(main())
