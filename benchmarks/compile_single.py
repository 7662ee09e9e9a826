"""One compile with `ethosu-tui compile` against ExecuTorch's own script, cold and warm, in the same run.

    python benchmarks/compile_single.py [MODEL] [--target T] [--rounds N]

All are whole processes from start to end with the same options, by turns: the script; ours with nothing running before;
ours once more, served by the worker that the one before left.  The programs are compared byte by byte.  Processor time
counts children that ended; for the warm one, whose worker is no child, what it took is wall-clock time only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ethosu_tui.runners.compile_check import resolve_model
from ethosu_tui.runners.compile_plan import AOT_MODULE
from ethosu_tui.runners.interpreters import find_interpreter

COLD_AIM, WARM_AIM = 0.7, 0.35


class Took(NamedTuple):
    """Time of one process with its children."""

    wall_seconds: float
    processor_seconds: float


def timed(command: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[Took, str]:
    """Run a command to its end: its times, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    done.check_returncode()
    return Took(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), done.stdout


def main() -> int:
    """Print times and ratios; the exit code is 1 when the programs differ or the cold aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default="bundled:mnist")
    parser.add_argument("--target", default="ethos-u55-128")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    interpreter = find_interpreter()
    path, _ = resolve_model(given.model, interpreter)
    options = [f"--model_name={path}", "--delegate", "--quantize", f"--target={given.target}"]
    ours = [
        sys.executable,
        "-m",
        "ethosu_tui.tui.cli",
        "compile",
        given.model,
        "--target",
        given.target,
        "--no-cache",
        "--json",
    ]
    sides: dict[str, list[Took]] = {"script": [], "cold": []}
    same = True
    for number in range(1, given.rounds + 1):
        with tempfile.TemporaryDirectory(prefix="ethosu-tui-benchmark-") as folder:
            program = Path(folder) / "theirs.pte"
            environment = os.environ | {"ETHOSU_TUI_WORKSPACE": str(Path(folder) / "runs")}
            peer, _ = timed([sys.executable, "-m", AOT_MODULE, *options, f"--output={program}"])
            wanted = hashlib.sha256(program.read_bytes()).hexdigest()
            cold, out = timed(ours, environment)
            digests = {json.loads(out)["jobs"][0]["sha256"]}
        same = same and digests == {wanted}
        for side, took in (("script", peer), ("cold", cold)):
            sides[side].append(took)
        print(
            f"round {number}: the script {peer.wall_seconds:.1f} s (processor {peer.processor_seconds:.1f} s), "
            f"ours cold {cold.wall_seconds:.1f} s (processor {cold.processor_seconds:.1f} s)",
            flush=True,
        )
    print(f"{given.model}, {given.target}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    medians = {
        side: (
            statistics.median(took.wall_seconds for took in all_),
            statistics.median(took.processor_seconds for took in all_),
        )
        for side, all_ in sides.items()
    }
    wall = medians["cold"][0] / medians["script"][0]
    processor = medians["cold"][1] / medians["script"][1]
    print(f"cold: {wall:.2f} of the script, {processor:.2f} by processor time (aim: {COLD_AIM})")
    print(f"programs: {'byte-identical' if same else 'DIFFERENT'}")
    return 0 if same and processor <= COLD_AIM else 1


if __name__ == "__main__":
    sys.exit(main())
