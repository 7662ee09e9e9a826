"""One compile with `ethosu-tui compile` against ExecuTorch's own script, cold and warm, in the same run.

    python benchmarks/compile_single.py [MODEL] [--target T] [--rounds N]

All are whole processes from start to end with the same options, by turns: the script; ours with nothing running before;
ours once more, served by the worker that the one before left.  The programs are compared byte by byte.  Processor time
counts children; what the worker that stayed spent on the warm one is asked from the kernel and added.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import socket
import statistics
import struct
import sys
import tempfile
import time
from pathlib import Path

from _processes import Took, timed

from ethosu_tui.runners.aot.warm_process import VARIABLE
from ethosu_tui.runners.compile.check import resolve_model
from ethosu_tui.runners.compile.plan import AOT_MODULE
from ethosu_tui.runners.interpreters import find_interpreter

COLD_AIM, WARM_AIM = 0.7, 0.35
LOOK_SECONDS = 6.0


def listener(runtime: Path) -> int:
    """The process id of the worker that stayed."""
    deadline = time.monotonic() + 60
    while True:
        found = [path for path in (runtime / "ethosu-tui").glob("worker-*") if "." not in path.name]
        if found:
            break
        if time.monotonic() > deadline:
            raise SystemExit("no worker stayed")
        time.sleep(0.05)
    with socket.socket(socket.AF_UNIX) as there:
        there.connect(str(found[0]))
        pid, _, _ = struct.unpack("3i", there.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    time.sleep(LOOK_SECONDS)  # until this visit is over
    return int(pid)


def spent_on_children(pid: int) -> float:
    """Processor seconds of the children of a process that have ended, theirs included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Print times and ratios; the exit code is 1 when the programs differ or an aim is missed by processor time."""
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
    sides: dict[str, list[Took]] = {"script": [], "cold": [], "warm": []}
    same = True
    for number in range(1, given.rounds + 1):
        with tempfile.TemporaryDirectory(prefix="ethosu-tui-benchmark-") as folder:
            program = Path(folder) / "theirs.pte"
            runtime = Path(folder) / "run"
            runtime.mkdir(mode=0o700)
            environment = os.environ | {"ETHOSU_TUI_WORKSPACE": str(Path(folder) / "runs"), VARIABLE: "60"}
            environment["XDG_RUNTIME_DIR"] = str(runtime)
            peer, _ = timed([sys.executable, "-m", AOT_MODULE, *options, f"--output={program}"])
            wanted = hashlib.sha256(program.read_bytes()).hexdigest()
            cold, out = timed(ours, environment)
            digests = {json.loads(out)["jobs"][0]["sha256"]}
            keeper = listener(runtime)
            before = spent_on_children(keeper)
            warm, out = timed(ours, environment)
            digests.add(json.loads(out)["jobs"][0]["sha256"])
            time.sleep(LOOK_SECONDS)  # until the keeper has looked after its session
            warm = warm._replace(processor_seconds=warm.processor_seconds + spent_on_children(keeper) - before)
        same = same and digests == {wanted}
        for side, took in (("script", peer), ("cold", cold), ("warm", warm)):
            sides[side].append(took)
        print(
            f"round {number}: the script {peer.wall_seconds:.1f} s (processor {peer.processor_seconds:.1f} s), "
            f"ours cold {cold.wall_seconds:.1f} s (processor {cold.processor_seconds:.1f} s), "
            f"warm {warm.wall_seconds:.1f} s (processor {warm.processor_seconds:.1f} s)",
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
    reached = same
    for side, aim in (("cold", COLD_AIM), ("warm", WARM_AIM)):
        wall, processor = (ours / theirs for ours, theirs in zip(medians[side], medians["script"], strict=True))
        print(f"{side}: {wall:.2f} of the script, {processor:.2f} by processor time (aim: {aim})")
        reached = reached and processor <= aim
    print(f"programs: {'byte-identical' if same else 'DIFFERENT'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
