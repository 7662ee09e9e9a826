"""Coverage-guided fuzzing of the log analysis.  By hand, for an hour, on one core (needs `pip install atheris`):

    mkdir -p build/fuzz_corpus
    nice python tests/fuzz/fuzz_capture.py build/fuzz_corpus sample_logs -max_total_time=3600 -timeout=20 -artifact_prefix=build/

New inputs go to the first folder; an input that breaks a promise of `properties.py` is written as `crash-*`, and one that
takes too long as `timeout-*`: make a test of it in tests/fuzz/test_fuzz.py.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parent))

with atheris.instrument_imports(include=["ethosu_tui.analysis"]):
    from properties import check

    from ethosu_tui.analysis.patterns import PATTERNS

_PREFIXES = [b"", b"", b"I [executorch:arm_executor_runner.cpp:603 main()] ", b"E [executorch:method.cpp:85 init()] ", b"F executorch:a.cpp:1] ",
             b"[12:00:01.123] ", b"board-a  | ", b"board-b  | ", b"00> ", b"\x1b[31m", b"May  6 14:23:01 lab a[1]: "]  # fmt: skip
_ENDS = [b"\n", b"\n", b"\n", b"\r\n", b"\r\r\n", b"\r", b"", b"\0\n"]
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_ODD = [b"-1", b"-9", b"0", b"1", b"63", b"64", b"1023", b"1024", b"4095", b"4096", b"2147483647", b"2147483648", b"-2147483648", b"4294967295",
        b"4294967296", b"18446744073709551615", b"18446744073709551616", b"9" * 40, b"nan", b"inf", b"0.0", b"-0.5", b"1e308"]  # fmt: skip
"""Numbers at the edges of types and tables, and some that no program means."""
_SAMPLES = [sample.encode() for pattern in PATTERNS for sample in pattern.samples]


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Change a log as damage does: lines added, lost, doubled, moved, cut, broken into, bytes and numbers changed."""
    choice = random.Random(seed)
    lines = data.splitlines(keepends=True)
    for _ in range(choice.randint(1, 4)):
        kind = choice.randrange(11)
        at = choice.randrange(len(lines) + 1)
        span = lines[at : at + choice.randint(1, 12)]
        if kind <= 1 or not span:
            lines.insert(at, choice.choice(_PREFIXES) + choice.choice(_SAMPLES) + choice.choice(_ENDS))
        elif kind == 2:
            del lines[at : at + len(span)]
        elif kind == 3:
            lines[at:at] = span
        elif kind == 4:
            lines[at : at + len(span)] = []
            there = choice.randrange(len(lines) + 1)
            lines[there:there] = span
        elif kind == 5:
            lines[at] = lines[at][: choice.randrange(len(lines[at]) + 1)]
        elif kind == 6:
            cut = choice.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:cut] + choice.choice(_PREFIXES) + choice.choice(_SAMPLES) + b"\n" + lines[at][cut:]
        elif kind == 7:
            before = choice.choice(_PREFIXES)
            lines[at : at + len(span)] = [before + line for line in span]
        elif kind == 8:
            lines[at : at + len(span)] = [
                _NUMBER.sub(lambda number: choice.choice([number.group(), choice.choice(_ODD)]), line) for line in span
            ]
        elif kind == 9:  # lines of one program: what stands side by side in the table
            first, before, end = choice.randrange(len(_SAMPLES)), choice.choice(_PREFIXES), choice.choice(_ENDS[:4])
            lines[at:at] = [before + sample + end for sample in _SAMPLES[first : first + choice.randint(2, 8)]]
        else:
            lines[at] = bytes(atheris.Mutate(lines[at], max(len(lines[at]), min(4096, max_size))))
    mutated = b"".join(lines)
    if choice.randrange(24) == 0:
        mutated = mutated.decode("latin-1").encode(choice.choice(["utf-16", "utf-16-be", "utf-16-le"]))
    return mutated[:max_size]


def test_one_input(data: bytes) -> None:
    """The fuzz target."""
    check(data)


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input, custom_mutator=mutate)
    atheris.Fuzz()
