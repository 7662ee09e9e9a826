"""Nobody touches the dashboard: does it grow, what does it compute, and is anything sent although nothing changes?

Home with stored runs, the report of a log and the list of a large capture stand in pseudo-terminals of 80x24, all at once
and for an hour unless told otherwise; a minimal Textual app idles beside them.  The runs are days old, since the age of a new
one changes by itself and is sent.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from _captures_of_runs import SAMPLE, many_bytes
from _terminal import OURS, PEER, PEER_READY, Aims, Terminal, python, surroundings
from first_frame import store_runs

from ethosu_tui.runners.runs.folder import list_runs

GROWTH_BYTES = 1 << 20
PROCESSOR_PERCENT = 0.5
WARM_SECONDS = 10.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600, help="how long nobody touches it (default 3600)")
    options = parser.parse_args()
    aims = Aims()
    with tempfile.TemporaryDirectory() as home:
        environment = surroundings(home)
        store_runs(Path(home) / "runs", 100)
        days_ago = (datetime.now(timezone.utc) - timedelta(days=3.5)).isoformat()
        for folder in list_runs(Path(home) / "runs"):
            folder.update(created=days_ago)
        capture = Path(home) / "huge.log"
        many_bytes(capture, 50_000_000)
        peer = Terminal(python(PEER), environment)
        peer.ready(PEER_READY)
        terminals = {"minimal Textual app": peer}
        for name, words, told in (
            ("Home, 100 stored runs", (), "Help"),
            ("report of a log", ("open", str(SAMPLE)), "Findings"),
            ("capture of 50 MB", ("open", str(capture)), "read:"),
        ):
            terminals[name] = Terminal(python(OURS, *words), environment)
            terminals[name].ready(told, 120)
        _rest(terminals, WARM_SECONDS)
        before = {name: (t.memory_bytes(), t.processor_seconds(), t.total_bytes) for name, t in terminals.items()}
        began = time.monotonic()
        _rest(terminals, options.seconds)
        seconds = time.monotonic() - began
        print(f"idle for {seconds:.0f} s")
        for name, terminal in terminals.items():
            memory, computed, sent = before[name]
            ours = Aims() if terminal is peer else aims
            grown = max(0, terminal.memory_bytes() - memory) / 1e6
            ours.told(f"{name}: growth of memory", grown, GROWTH_BYTES / 1e6, "MB", f"from {memory / 1e6:.0f} MB")
            share = 100 * (terminal.processor_seconds() - computed) / seconds
            ours.told(f"{name}: processor", share, PROCESSOR_PERCENT, "%", "of a core")
            ours.told(f"{name}: sent", terminal.total_bytes - sent, 0, "B")
            terminal.end()
    return 0 if aims.met else 1


def _rest(terminals: dict[str, Terminal], seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for terminal in terminals.values():
            terminal.rest(0.01)
        time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
