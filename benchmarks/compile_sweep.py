"""Many configurations of a model with `ethosu-tui compile` against ONE run of ExecuTorch's own script, in the same run.

    python benchmarks/compile_sweep.py [MODEL] [--memory-mode M ...] [--system-config S ...] [--rounds N] [--check N]

Both sides are whole processes from start to end on the same machine, by turns: first the script, once for ethos-u55-128,
then all targets (and memory modes, system configs) at once.  Wall-clock and processor time are both given, children
included, because the machine may be busy.  `--check N` also compares N of the programs that were made of shared graphs
with the script's own, outside of the times.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from _processes import Took, timed

from ethosu_tui.runners.compile.check import resolve_model
from ethosu_tui.runners.compile.plan import AOT_MODULE
from ethosu_tui.runners.interpreters import find_interpreter

REPEAT_SECONDS, REPEAT_SECONDS_EACH = 1.0, 0.002
"""What a second, identical sweep may take: so much, and so much more for each configuration."""
MEMORY_AIM = 1.3


def script(model: str, job: Mapping[str, Any] | None, scratch: Path) -> tuple[Took, str]:
    """ExecuTorch's own script for the configuration of this job: its times, and its program's digest."""
    program = scratch / "theirs.pte"
    command = [sys.executable, "-m", AOT_MODULE, f"--model_name={model}", "--delegate", "--quantize"]
    if job is None:
        command.append("--target=ethos-u55-128")
    else:
        command += [f"--{name}={job[name]}" for name in ("target", "system_config", "memory_mode")]
    took, _ = timed([*command, f"--output={program}"])
    return took, hashlib.sha256(program.read_bytes()).hexdigest()


def main() -> int:
    """Print times, ratio and, when asked, whether programs are equal; the exit code is 1 when one differs or failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default="bundled:mnist")
    parser.add_argument("--memory-mode", action="append", default=[])
    parser.add_argument("--system-config", action="append", default=[])
    parser.add_argument("--all", action="store_true", help="every memory mode and system config")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--check", type=int, default=0)
    given = parser.parse_args()
    path, _ = resolve_model(given.model, find_interpreter())
    command = [
        sys.executable,
        "-m",
        "ethosu_tui.tui.cli",
        "compile",
        given.model,
        "--target",
        "all",
        "--json",
        "--no-warm",
    ]
    command += ["--memory-mode=all", "--system-config=all"] if given.all else []
    command += [f"--memory-mode={mode}" for mode in given.memory_mode]
    command += [f"--system-config={config}" for config in given.system_config]
    walls, processors, memories = [], [], []
    good = True
    for number in range(1, given.rounds + 1):
        with tempfile.TemporaryDirectory(prefix="ethosu-tui-benchmark-") as folder:
            scratch = Path(folder)
            one, _ = script(path, None, scratch)
            environment = os.environ | {"ETHOSU_TUI_WORKSPACE": str(scratch / "runs")}
            all_, out = timed(command, environment)
            jobs = json.loads(out)["jobs"]
            again, found = timed(command, environment)
            good = good and all(job["cached"] for job in json.loads(found)["jobs"])
            shared = [job for job in jobs if job["route"] == "shared"]
            step = max(1, len(shared) // given.check) if given.check else 1
            for job in shared[::step][: given.check]:
                same = script(path, job, scratch)[1] == job["sha256"]
                good = good and same
                configuration = f"{job['target']} {job['system_config']} {job['memory_mode']}"
                print(f"{configuration}: {'byte-identical' if same else 'DIFFERENT'}")
        good = good and all(job["status"] == "ok" for job in jobs)
        walls.append(all_.wall_seconds / one.wall_seconds)
        processors.append(all_.processor_seconds / one.processor_seconds)
        memories.append(all_.memory_bytes / one.memory_bytes)
        print(f"round {number}: the script once {one.wall_seconds:.1f} s (processor {one.processor_seconds:.1f} s)")
        print(
            f"round {number}: {len(jobs)} configurations, {len(shared)} of shared graphs, "
            f"{all_.wall_seconds:.1f} s (processor {all_.processor_seconds:.1f} s)",
            flush=True,
        )
        allowed = REPEAT_SECONDS + REPEAT_SECONDS_EACH * len(jobs)
        print(
            f"round {number}: once more {again.wall_seconds:.2f} s, processor {again.processor_seconds:.2f} s "
            f"(aim {allowed:.2f} s); largest process {all_.memory_bytes >> 20} MiB against {one.memory_bytes >> 20} MiB",
            flush=True,
        )
    print(f"{given.model}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print(
        f"median: {statistics.median(walls):.2f} runs of the script, {statistics.median(processors):.2f} by processor time; "
        f"{statistics.median(memories):.2f} of its memory (aim {MEMORY_AIM})"
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
