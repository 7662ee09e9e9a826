"""How fast `ethosu-tui analyze` reads long captures, against grep and mawk in the same run.

    python benchmarks/scan_speed.py [--size-mb 1000] [--rounds 3] [--kinds dense heavy noisy] [--eras classic current]

Whole processes on a warm cache, by turns: `grep -a -c '\\[executorch:'` (its output to a file, or it stops at the first
match), a mawk script that extracts the same figures, `analyze` with its default summary, the same with `--jobs 1` (large
files are read by two processes otherwise), and `analyze --jsonl`.  Before a speed is quoted, the scanner must come to the
sums of the generator at several block sizes.  The aims are those for captures of 1 GB: in smaller ones, loading the program
and learning what most runs look like weigh more.  Ratios are of medians, once by the clock and once by processor time (which
others on the machine disturb less); only ratios travel between machines.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from captures import ERAS, KINDS, Sums, write  # type: ignore[import-not-found]

from ethosu_tui.analysis.scan import Scanner

AIMS = {"dense": 12.0, "heavy": 5.0, "noisy": 14.0}
"""Times grep that `analyze` may take; `--jsonl` may take twice that."""
BLOCKS = (1 << 18, 1 << 20, 100_003)
_MAWK = r"""
/Program complete/ { n++ }
/PTE Model data loaded|Model PTE file loaded/ { size += $(NF - 1) }
/ethosu_pmu_cycle_cntr/ { sub(/.*cntr : /, ""); npu += $1 }
/Inference runtime/ { sub(/.*runtime: /, ""); cpu += $1 }
/ethosu_pmu_cntr/ { sub(/.*cntr[0-9]+ : /, ""); counters += $1 }
/method_allocator_used/ { sub(/.*used: +/, ""); used += $1 }
/method_allocator_input/ { sub(/.*input: +/, ""); given += $1 }
/cpu_wait_for_npu/ { sub(/.*cntr : /, ""); wait += $1 }
/^Output\[0\]\[0\]|\] Output\[0\]\[0\]/ { first += $NF }
END { printf "%d %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.3f\n", n, size, npu, cpu, counters, used, given, wait, first }
"""


class Spent(NamedTuple):
    """What one process took."""

    seconds: float
    cpu_seconds: float


def spent(command: list[str], out: Path) -> Spent:
    """Run a command with its output in a file."""
    with out.open("wb") as sink:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=sink, stderr=subprocess.DEVNULL, env=os.environ | {"LC_ALL": "C"})
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        return Spent(time.perf_counter() - began, usage.ru_utime + usage.ru_stime)


def sums_of(path: Path, block_bytes: int) -> Sums:
    """What the scanner adds up to, at this block size."""
    scanner = Scanner(path.name)
    total = Sums()
    with path.open("rb") as file:
        while block := file.read(block_bytes):
            scanner.feed(block)
            total = _added(total, scanner)
    scanner.finish()
    return _added(total, scanner)


def _added(total: Sums, scanner: Scanner) -> Sums:
    for row in scanner.rows():
        if row.status != "passed":
            total = total._replace(cut=total.cut + 1)
            continue
        figures = (row.npu_cycles, row.inference_cycles, row.method_used_bytes, row.pte_bytes)
        total = Sums(total.runs + 1, total.cut, *(a + (b or 0) for a, b in zip(total[2:], figures, strict=True)))
    return total


def measure(path: Path, rounds: int, jsonl: bool) -> dict[str, list[Spent]]:
    """All commands, by turns."""
    program = str(Path(sys.executable).parent / "ethosu-tui")
    commands = {
        "grep": ["grep", "-a", "-c", r"\[executorch:", str(path)],
        "mawk": ["mawk", _MAWK, str(path)],
        "analyze": [program, "analyze", str(path)],
        "alone": [program, "analyze", "--jobs", "1", str(path)],
    }
    if jsonl:
        commands["jsonl"] = [program, "analyze", "--jsonl", str(path)]
    if shutil.which("mawk") is None:
        del commands["mawk"]
    taken: dict[str, list[Spent]] = {name: [] for name in commands}
    out = path.with_suffix(".out")
    for command in commands.values():
        if command is not commands.get("jsonl"):
            spent(command, out)
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(spent(command, out))
    return taken


def main() -> int:
    """Print the ratios; the exit code is 1 where the sums are wrong or an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size-mb", type=float, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--eras", nargs="+", choices=ERAS, default=ERAS)
    parser.add_argument("--jsonl", action="store_true", help="measure --jsonl as well")
    given = parser.parse_args()
    good = True
    print(f"{given.size_mb:g} MB each, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory(prefix="ethosu-tui-benchmark-") as scratch:
        path = Path(scratch) / "capture.log"
        for kind in given.kinds:
            for era in given.eras:
                expected = write(path, kind, int(min(given.size_mb, 20) * 1e6), era)
                wrong = [size for size in BLOCKS if sums_of(path, size)[2 - 2 * (not expected.cut) :] != expected[2 - 2 * (not expected.cut) :]]  # fmt: skip
                if wrong:
                    print(f"{kind} {era}: WRONG SUMS at blocks of {wrong}")
                    good = False
                write(path, kind, int(given.size_mb * 1e6), era)
                good &= report(kind, era, path, measure(path, given.rounds, given.jsonl))
    return 0 if good else 1


def report(kind: str, era: str, path: Path, taken: dict[str, list[Spent]]) -> bool:
    """One line of figures; False where the aim is missed."""
    clock = {name: statistics.median(one.seconds for one in all_of) for name, all_of in taken.items()}
    cpu = {name: statistics.median(one.cpu_seconds for one in all_of) for name, all_of in taken.items()}
    megabytes = path.stat().st_size / 1e6
    words = [f"{kind:6} {era:8} grep {megabytes / clock['grep']:5.0f} MB/s"]
    for name in ("mawk", "analyze", "alone", "jsonl"):
        if name in clock:
            words.append(
                f"{name} {clock[name] / clock['grep']:5.1f}x ({cpu[name] / cpu['grep']:.1f}x cpu, "
                f"{megabytes / clock[name]:.0f} MB/s)"
            )
    ratio = clock["analyze"] / clock["grep"]
    slower = kind == "dense" and "mawk" in clock and clock["analyze"] > clock["mawk"]
    missed = ratio > AIMS[kind] or slower or clock.get("jsonl", 0.0) / clock["grep"] > 2 * AIMS[kind]
    print(" | ".join(words), f"| aim {AIMS[kind]:g}x", "MISSED" if missed else "", flush=True)
    return not missed


if __name__ == "__main__":
    sys.exit(main())
