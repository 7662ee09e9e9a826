"""Logs that show each rule, made from the format strings of the releases; a test holds every rule to its samples.

Nothing of this is imported when a log is read.  A log is written down in a short form, one line each: `E file.cpp:12 fn | text`
is a line with ExecuTorch's prefix, which `render()` prints as an era does, and `| text` is a line without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

PREFIXES = {
    "0.1": "{level} executorch:{file}:{line}] {text}",
    "0.4": "{level} [executorch:{file}:{line}] {text}",
    "1.0": "{level} [executorch:{file}:{line} {function}()] {text}",
    "main": "{level} [executorch:{file}:{line} {function}()] {text}",
    "zephyr": "{level} [executorch:{file}] {text}",
    "linux": "{level} 00:00:00.000193 executorch:{file}:{line}] {text}",
    "cm33": "{level} [{file}:{line}] {text}",
    "bare": "{text}",
}
"""How the eras and ports print a line (`log-formats`: prefix and levels)."""


class Sample(NamedTuple):
    """A log, the rule that must come first in it, and words that the finding must hold."""

    rule: str
    era: str
    log: str
    words: tuple[str, ...] = ()
    severity: str = "error"
    rows: tuple[int, ...] = ()
    """Numbers of the recurring failures that this log shows."""


def render(sample: Sample, era: str | None = None) -> str:
    """The log as that era prints it."""
    return "\n".join(_lines(sample.log, PREFIXES[era or sample.era])) + "\n"


def _lines(short: str, prefix: str) -> Iterator[str]:
    for line in short.strip("\n").splitlines():
        head, bar, text = line.partition("| ")
        if not bar:
            yield line.removesuffix("|")
            continue
        if not head.strip():
            yield text
            continue
        level, place, *function = head.split()
        file, _, number = place.partition(":")
        yield prefix.format(
            level=level, file=file, line=number, function=function[0] if function else "main", text=text
        )


OPEN_04 = """
I arm_executor_runner.cpp:288 | Model in 0x70000000 $
I arm_executor_runner.cpp:290 | Model PTE file loaded. Size: 4425968 bytes.
I arm_executor_runner.cpp:300 | Model buffer loaded, has 1 methods
I arm_executor_runner.cpp:308 | Running method forward
I arm_executor_runner.cpp:325 | Setup Method allocator pool. Size: 1048576 bytes.
I arm_executor_runner.cpp:336 | Setting up planned buffer 0, size 752640.
"""
OPEN_10 = """
I arm_executor_runner.cpp:1211 main | PTE @ 0x70000000 [----ET12]
I arm_executor_runner.cpp:578 runner_init | PTE Model data loaded. Size: 3809584 bytes.
I arm_executor_runner.cpp:593 runner_init | Model buffer loaded, has 1 methods
I arm_executor_runner.cpp:603 runner_init | Running method forward
I arm_executor_runner.cpp:614 runner_init | Setup Method allocator pool. Size: 62914560 bytes.
I arm_executor_runner.cpp:631 runner_init | Setting up planned buffer 0, size 752640.
"""
OPEN_MAIN = """
I arm_executor_runner.cpp:1523 main | PTE @ 0x70000000 [----ET12]
I arm_executor_runner.cpp:677 runner_init | PTE Model data loaded. Size: 3809584 bytes.
I arm_executor_runner.cpp:693 runner_init | Model buffer loaded, has 1 methods
I arm_executor_runner.cpp:703 runner_init | Running method forward
I arm_executor_runner.cpp:714 runner_init | Setup Method allocator pool. Size: 62914560 bytes.
I arm_executor_runner.cpp:740 runner_init | Setting up planned buffer with mem_id=1, size 752640.
"""
OPEN_ZEPHYR = """
| *** Booting Zephyr OS build v4.4.0 ***
I main.cpp:1 main | Ethos-U backend registered successfully
I main.cpp:2 main | Model PTE at 0x800774a0, Size: 3380576 bytes
I main.cpp:3 main | Model loaded, has 1 methods
I main.cpp:4 main | Running method: forward
I main.cpp:5 main | Method allocator pool size: 262144 bytes.
I main.cpp:6 main | Setting up planned buffer 0, size 752640.
"""
DELEGATE = """
I EthosUBackend.cpp:101 init | data:0x70000070
I arm_executor_runner.cpp:744 runner_init | Method 'forward' loaded.
I arm_executor_runner.cpp:746 runner_init | Preparing inputs...
I arm_executor_runner.cpp:800 runner_init | Input prepared.
I arm_executor_runner.cpp:1050 run_model | Starting running 1 inferences...
"""
BANNER = """
| telnetterminal0: Listening for serial connection on port 5000
| telnetterminal1: Listening for serial connection on port 5001
|
|     Ethos-U rev 136b7d75 --- Apr 12 2023 13:44:01
|     (C) COPYRIGHT 2019-2023 Arm Limited
|     ALL RIGHTS RESERVED
"""
TRAP = """
| Hard fault. irq=-13, pc=0x10000620, lr=0x1000cd8f, xpsr=0x01100000, sp=0x3007fbf8
|             cfsr=0x00010000 bfar=0x00000000 mmfar=0x00000000
| Application exit code: 1.
"""
LOAD_FAILED = """
I arm_executor_runner.cpp:869 runner_init | Loading of method forward failed with status {status}
I arm_executor_runner.cpp:877 runner_init | Method 'forward' loaded.
I arm_executor_runner.cpp:879 runner_init | Preparing inputs...
F result.h:170 CheckOk | In function CheckOk(), assert failed: hasValue_
"""
COMPLETE = """
I arm_executor_runner.cpp:1238 main | Program complete, exiting.
"""


def load_failed(status: str) -> str:
    """How a runner goes on after the method failed to load."""
    return LOAD_FAILED.format(status=status)
