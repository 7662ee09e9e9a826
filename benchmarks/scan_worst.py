"""Captures made to hurt, against a noisy one of the same size: `analyze` must stay linear, and within 3x of it per byte.

    python benchmarks/scan_worst.py [--size-mb 4]

Each case is read at two sizes, so that what grows faster than its input is seen.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from captures import write  # type: ignore[import-not-found]

AIM = 3.0
LINEAR = 3.0
"""Twice the input may take this many times as long, start-up included."""
_START = b"I [executorch:arm_executor_runner.cpp:364] Model in 0x70000000 $\n"
CASES: dict[str, Callable[[int], bytes]] = {
    "boot loop of start lines": lambda size: _START * (size // len(_START)),
    "no line end": lambda size: b"x" * size,
    "NULs": lambda size: b"\0" * size,
    "one huge line, ended": lambda size: b"I [executorch:a.cpp:1] " + b"y " * (size // 2) + b"\n",
    "a dump without end": lambda size: _START + b"".join(b"Output[0][%d]: 0.123456\n" % i for i in range(size // 25)),
    "the same under time stamps": lambda size: (
        b"[2026-01-01 00:00:00.000] "
        + _START
        + b"".join(
            b"[2026-01-01 %02d:%02d:%02d.%03d] Output[0][%d]: 0.123456\r\n"
            % (i // 3_600_000 % 24, i // 60_000 % 60, i // 1000 % 60, i % 1000, i)
            for i in range(size // 54)
        )
    ),
    "the first element for ever": lambda size: _START + b"Output[0][0]: 0.123456\n" * (size // 23),
    "half a block of base64": lambda size: b'echo "' + b"QUJD" * (size // 4),
    "base64 with dots, not closed": lambda size: (b'echo "' + (b"A" * 16 + b".") * 3840 + b'" no\n') * (size // 65288),
    "a tensor of blanks": lambda size: (
        (b"Output 0: tensor(sizes=[1, 3], [" + b"\t" * 65000 + b"no\n") * (size // 65035)
    ),
    "digits before a word that follows one": lambda size: (b"1" * 1880 + b" input(s), \n") * (size // 1892),
    "line ends as text": lambda size: (rb"\r" * 32760 + b"a\n" + b"^M" * 32760 + b"x^M\n") * (size // 131048),
    "other programs' lines alone": lambda size: b"".join(
        b"[%9d.%06d] usb 1-%d: device %d at 0x%08x\n"
        % (i, i * 7 % 1_000_000, i % 9, i % 128, i * 2_654_435_761 % (1 << 32))
        for i in range(size // 53)
    ),
    "words in any order": lambda size: _words(size),
}


def _words(size: int) -> bytes:
    """Lines of which hardly two have the same words."""
    choose = random.Random(1).choices
    words = b"the camera frame dropped sensor value retry link up net ok".split()
    lines, made = [], 0
    while made < size:
        lines.append(b" ".join(choose(words, k=8)) + b"\n")
        made += len(lines[-1])
    return b"".join(lines)


def seconds(path: Path) -> float:
    """How long `analyze` takes, the better of two."""
    command = [str(Path(sys.executable).parent / "ethosu-tui"), "analyze", str(path)]
    times = []
    for _ in range(2):
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> int:
    """Print the ratios; the exit code is 1 where one is too high."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size-mb", type=float, default=4)
    given = parser.parse_args()
    size = int(given.size_mb * 1e6)
    good = True
    with tempfile.TemporaryDirectory(prefix="ethosu-tui-benchmark-") as scratch:
        path = Path(scratch) / "capture.log"
        write(path, "noisy", size)
        noisy = seconds(path)
        print(f"noisy: {size / noisy / 1e6:.1f} MB/s")
        for name, make in CASES.items():
            path.write_bytes(make(size // 2))
            half = seconds(path)
            path.write_bytes(make(size))
            whole = seconds(path)
            well = whole < AIM * noisy and whole < LINEAR * half
            good &= well
            print(
                f"{name:28} {size / whole / 1e6:7.1f} MB/s, {whole / noisy:5.2f}x noisy (aim {AIM:g}x), "
                f"{whole / half:.2f}x of half the size {'' if well else 'MISSED'}",
                flush=True,
            )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
