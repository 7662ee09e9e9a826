"""What a whole process with its children takes: shared by the benchmarks that compare processes."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Took(NamedTuple):
    """What one side took, children included; memory is that of its largest process."""

    wall_seconds: float
    processor_seconds: float
    memory_bytes: int


def timed(command: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[Took, str]:
    """Run a command to its end: what it took, and its output."""
    with tempfile.TemporaryFile("w+") as output:
        began = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        output.seek(0)
        return Took(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10), output.read()
