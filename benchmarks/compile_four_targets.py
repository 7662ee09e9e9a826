"""Compile time of four targets: `ethosu-tui compile` against four runs of ExecuTorch's own script, in the same run.

    python benchmarks/compile_four_targets.py [MODEL] [--rounds N]

Both sides are whole processes from start to end, with the same options, on the same machine; the sides alternate, and
the programs that they make are compared byte by byte.  The aim is a ratio of at least 2.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ethosu_tui.runners.compile.check import resolve_model
from ethosu_tui.runners.compile.plan import AOT_MODULE
from ethosu_tui.runners.interpreters import find_interpreter

TARGETS = ("ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u85-256")
AIM = 2.0


def ours(model: str, scratch: Path) -> tuple[float, dict[str, str]]:
    """One `ethosu-tui compile` of all targets: seconds, and the digest of each program."""
    command = [sys.executable, "-m", "ethosu_tui.tui.cli", "compile", model, "--json"]
    for target in TARGETS:
        command += ["--target", target]
    environment = os.environ | {"ETHOSU_TUI_WORKSPACE": str(scratch / "runs"), "ETHOSU_TUI_WARM": "0"}
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - began
    return seconds, {job["target"]: job["sha256"] for job in json.loads(done.stdout)["jobs"]}


def theirs(model: str, scratch: Path) -> tuple[float, dict[str, str]]:
    """ExecuTorch's own script, once for each target."""
    digests: dict[str, str] = {}
    began = time.perf_counter()
    for target in TARGETS:
        program = scratch / f"{target}.pte"
        options = [f"--model_name={model}", "--delegate", "--quantize", f"--target={target}", f"--output={program}"]
        subprocess.run([sys.executable, "-m", AOT_MODULE, *options], capture_output=True, check=True)
        digests[target] = hashlib.sha256(program.read_bytes()).hexdigest()
    return time.perf_counter() - began, digests


def main() -> int:
    """Print the times and their ratio; the exit code is 1 when the aim is missed or the programs differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default="bundled:mnist")
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    path, _ = resolve_model(given.model, find_interpreter())
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    same = True
    for number in range(1, given.rounds + 1):
        with tempfile.TemporaryDirectory(prefix="ethosu-tui-benchmark-") as scratch:
            own, own_digests = ours(given.model, Path(scratch))
            peer, peer_digests = theirs(path, Path(scratch))
        same = same and own_digests == peer_digests
        times["ours"].append(own)
        times["theirs"].append(peer)
        print(f"round {number}: ethosu-tui compile {own:.1f} s, four runs of the script {peer:.1f} s", flush=True)
    own, peer = (statistics.median(times[side]) for side in ("ours", "theirs"))
    print(f"{given.model}, {len(TARGETS)} targets, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print(f"median: {own:.1f} s against {peer:.1f} s = {peer / own:.2f}x faster (aim: {AIM:.0f}x)")
    print(f"programs: {'byte-identical' if same else 'DIFFERENT'}")
    return 0 if same and peer / own >= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
