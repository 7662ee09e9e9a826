"""How fast `ethosu-tui analyze` reads nights of genuine runs, failed ones and such with ETDumps included.

    python benchmarks/scan_genuine.py [--size-mb 100] [--rounds 3] [--logs etd_plain u55_nobackend ...] [--jsonl]

Each capture is one of `sample_logs/` repeated with other figures each time (cycles, sizes, outputs, the ticks of its ETDump),
or for `mixed` all of them in turns at random, a tenth of the runs cut short.  `vela` and `build` are text without runs, in
which no line is like another: what Vela says of its operators and commands, and the steps of a build.  It is read whole by
grep, mawk and `analyze` as in `scan_speed.py`.  Before that, the scanner must find as many runs as were written.
"""

from __future__ import annotations

import argparse
import base64
import os
import random
import re
import statistics
import struct
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from scan_speed import measure  # type: ignore[import-not-found]

from ethosu_tui.analysis.etdump.decode import decode
from ethosu_tui.analysis.etdump.reader import ProfileEvent
from ethosu_tui.analysis.scan import Scanner

LOGS = Path(__file__).resolve().parents[1] / "sample_logs"
DEFAULT = (
    "mobilenet_v2_corstone320", "u55_nobackend", "method_small_load", "corrupt_bad_magic", "missing_op_softmax",
    "temp_small_topk", "etd_plain", "dbg_mnist", "softmax", "mixed", "vela", "build",
)  # fmt: skip
CUT = 0.1
_FIGURE = re.compile(rb"(?<=data loaded. Size: )\d+|(?<=runtime: )\d+|(?<=cntr : )\d{4,}|(?<=\]: )-?\d+\.\d+")
_ECHO = re.compile(rb'(?<=echo ")[^"]+')


def _other_figure(rng: random.Random, found: re.Match[bytes]) -> bytes:
    if b"." in found[0]:
        return b"%.6f" % rng.uniform(-2, 2)
    return b"%d" % (int(found[0]) + rng.randrange(500))


def _later(rng: random.Random, found: re.Match[bytes]) -> bytes:
    """An ETDump all of whose ticks are later, in other steps."""
    data = base64.b64decode(found[0])
    events = [event for run in decode(data).runs for event in run.events if isinstance(event, ProfileEvent)]
    by = rng.randrange(1, 50)
    for tick in sorted({tick for event in events for tick in (event.start_ticks, event.end_ticks)}, reverse=True):
        data = data.replace(struct.pack("<Q", tick), struct.pack("<Q", tick + tick // 100 * by // 50 + by))
    return base64.b64encode(data)


def runs_of(name: str, rng: random.Random) -> Iterator[bytes]:
    """Runs without end."""
    names = [path.stem for path in sorted(LOGS.glob("*.log"))] if name == "mixed" else [name]
    logs = [(LOGS / f"{one}.log").read_bytes().rstrip(b"\n") + b"\n" for one in names if not one.startswith("host_")]
    while True:
        run = _ECHO.sub(partial(_later, rng), _FIGURE.sub(partial(_other_figure, rng), rng.choice(logs)))
        if name == "mixed" and rng.random() < CUT:
            lines = run.splitlines(keepends=True)
            run = b"".join(lines[: rng.randrange(min(4, len(lines) - 1), len(lines))])
        yield run


def other_text(name: str, rng: random.Random) -> Iterator[bytes]:
    """Lines without end, no two of which are alike."""
    kinds = ("CONV2D", "DEPTHWISE_CONV2D", "RESCALE", "MAX_POOL2D", "TRANSPOSE_CONV2D")
    while True:
        words = ["".join(rng.choices("aeionrstlmdc_", k=rng.randrange(3, 12))) for _ in range(3)]
        number, at = (f"{rng.randrange(1 << rng.randrange(2, 40))}" for _ in range(2))
        if name == "build":
            yield f"[{number}/{at}] Building CXX object {'/'.join(words)}.dir/{words[1]}.o\n".encode()
            continue
        yield f" {rng.choice(kinds):20} Conv2D NPU {number} 62.4 {at} 1.5 37 9 0 0 481 {number} {words[0]}\n".encode()
        yield f"0x{rng.randrange(1 << 24):06x}: {rng.randrange(1 << 16):04x} 0115 - NPU_SET_{words[1].upper()} {at}\n".encode()
        yield f"{number} {words[0]} {rng.choice(kinds).title()} tosa_{'_'.join(words)}_{at}\n".encode()


def write(path: Path, name: str, size_bytes: int) -> int:
    """A capture of about this size, of a few hundred different runs again and again; how many runs it has."""
    rng = random.Random(11)
    if name in ("vela", "build"):
        with path.open("wb") as file:
            lines = other_text(name, rng)
            while file.tell() < size_bytes:
                file.write(next(lines))
        return 0
    source = runs_of(name, rng)
    runs = [next(source) for _ in range(600)]
    size = count = 0
    with path.open("wb") as file:
        while size < size_bytes:
            run = runs[rng.randrange(len(runs))]
            file.write(run)
            size, count = size + len(run), count + 1
    return count


def found(path: Path) -> int:
    """The runs that the scanner finds."""
    scanner = Scanner(path.name)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            scanner.feed(block)
            scanner.rows()
    scanner.finish()
    return scanner.run_count


def main() -> int:
    """Print the ratios; the exit code is 1 where runs are not found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size-mb", type=float, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--logs", nargs="+", default=DEFAULT)
    parser.add_argument("--jsonl", action="store_true", help="measure --jsonl as well")
    given = parser.parse_args()
    good = True
    print(f"{given.size_mb:g} MB each, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory(prefix="ethosu-tui-benchmark-") as scratch:
        path = Path(scratch) / "night.log"
        for name in given.logs:
            written = write(path, name, int(min(given.size_mb, 10) * 1e6))
            seen = found(path)
            if seen != written and name != "mixed":  # what was cut before its first line counts as part of another
                print(f"{name}: {seen} RUNS FOUND OF {written}")
                good = False
            write(path, name, int(given.size_mb * 1e6))
            taken = measure(path, given.rounds, given.jsonl)
            cpu = {one: statistics.median(spent.cpu_seconds for spent in all_of) for one, all_of in taken.items()}
            words = [f"{name:25} grep {path.stat().st_size / 1e6 / cpu['grep']:5.0f} MB/s"]
            words += [
                f"{one} {cpu[one] / cpu['grep']:5.1f}x ({path.stat().st_size / 1e6 / cpu[one]:.0f} MB/s)"
                for one in ("mawk", "analyze", "jsonl")
                if one in cpu
            ]
            print(" | ".join(words), flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
