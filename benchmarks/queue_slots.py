"""64 queued runs of the stand-in FVP on 8 slots: how long a slot stands empty between two runs.

Aim: no slot idle over 50 ms.  Idle is from the moment at which the ended run gave its slot back to the moment at which the
simulator of the next run had been started, counted where that next run was waiting already.
`queue_slots.py [RUNS [SLOTS]]`.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "runners"))

RUNS, SLOTS = 64, 8
LINE_SECONDS = 0.1
NAME = "FVP_Corstone_SSE-300_Ethos-U55"


def main() -> None:
    import standin_fvp

    from ethosu_tui.runners.launch import launch
    from ethosu_tui.runners.run_request import RunRequest
    from ethosu_tui.runners.runs.folder import list_runs

    runs, slots = (*map(int, sys.argv[1:3]), *(RUNS, SLOTS)[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        os.environ["ETHOSU_TUI_LOCKS"] = str(place / "locks")
        log = (HERE.parent / "sample_logs" / "softmax.log").read_bytes()
        exe = standin_fvp.write(place / "fvp", NAME, log, line_seconds=LINE_SECONDS)
        elf = standin_fvp.elf(place / "runner.elf")
        root = place / "runs"
        request = RunRequest("fvp", str(elf), "ethos-u55-128", fvp=str(exe), slots=slots)
        began = time.perf_counter()
        for _ in range(runs):
            launch(request, root)
        started = time.perf_counter() - began
        while any(folder.state in ("queued", "running") for folder in list_runs(root)):
            time.sleep(1.0)
        took = time.perf_counter() - began
        folders = [folder.manifest for folder in list_runs(root)]
    passed = sum(facts["status"] == "passed" for facts in folders)
    idle, taking = gaps(folders, "started_at"), gaps(folders, "taken_at")
    print(f"{passed} of {runs} passed in {took:.1f} s ({started:.1f} s of it to start their keepers)")
    print(f"load of this machine now: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(
        f"{len(idle)} times a slot went on to a waiting run: idle median {statistics.median(idle) * 1000:.1f} ms, "
        f"longest {max(idle) * 1000:.1f} ms, {sum(gap > 0.05 for gap in idle)} over 50 ms (aim: none)"
    )
    print(
        f"of that until the slot was taken: median {statistics.median(taking) * 1000:.1f} ms, longest "
        f"{max(taking) * 1000:.1f} ms; the rest is starting the simulator"
    )


def gaps(folders: list[dict[str, Any]], until: str) -> list[float]:
    """Seconds between two runs in one slot, where the second had been waiting, up to that moment of the second."""
    by_slot = defaultdict(list)
    for facts in folders:
        by_slot[facts["slot"]["number"]].append(facts)
    found = []
    for taken in by_slot.values():
        taken.sort(key=lambda facts: facts["slot"]["taken_at"])
        for before, after in zip(taken, taken[1:], strict=False):
            if after.get("queued_at", float("inf")) < before["slot"]["freed_at"]:
                found.append(after["slot"][until] - before["slot"]["freed_at"])
    return found


if __name__ == "__main__":
    main()
