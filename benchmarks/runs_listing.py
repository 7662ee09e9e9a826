"""`ethosu-tui runs` with 1,000 stored runs against `ls -l` of the same folder plus `python -c pass`, whole processes.

Aim: under 2x.  The three alternate; told are the medians of the processor time, and of the ratios of each round.  The first
list makes the index and is told apart.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from _processes import timed

RUNS, ROUNDS = 1000, 25


def main() -> None:
    from ethosu_tui.runners.runs.folder import RunFolder

    with tempfile.TemporaryDirectory() as name:
        report = json.dumps({"captures": [{"runs": [{"pmu": {"npu_cycles": 123456}}]}]})
        for number in range(RUNS):
            folder = RunFolder.create(
                Path(name), "run", f"model {number} on ethos-u55-128", durable=False, target="ethos-u55-128", keeper="ready",
                argv=["FVP_Corstone_SSE-300_Ethos-U55", *["-C", "a.parameter.of.it=1"] * 8], hashes={"runner.elf": "0" * 64},
            )  # fmt: skip
            folder.report_path.write_text(report)
            folder.finish("passed", exit_code=0, reason="ended", text="", seconds=1.5)
        environment = {**os.environ, "ETHOSU_TUI_WORKSPACE": name}
        ours = [str(Path(sys.executable).parent / "ethosu-tui"), "runs"]
        first, listed = timed(ours, environment)
        assert listed.count("passed") == RUNS
        rounds = []
        for _ in range(ROUNDS):
            took = [
                timed(command, environment)[0] for command in (ours, ["ls", "-l", name], [sys.executable, "-c", "pass"])
            ]
            rounds.append(took)
    print(f"the first list, which makes the index: {first.processor_seconds * 1000:.0f} ms of processor time")
    for position, what in enumerate(("ethosu-tui runs", "ls -l", "python -c pass")):
        wall = statistics.median(took[position].wall_seconds for took in rounds)
        processor = statistics.median(took[position].processor_seconds for took in rounds)
        print(f"{what}: {processor * 1000:.1f} ms of processor time, {wall * 1000:.1f} ms until it ended")
    for what in ("processor_seconds", "wall_seconds"):
        ratio = statistics.median(getattr(a, what) / (getattr(b, what) + getattr(c, what)) for a, b, c in rounds)
        print(f"ratio of {what.replace('_', ' ')}: {ratio:.2f}x (aim: under 2x)")


if __name__ == "__main__":
    main()
