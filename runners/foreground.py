"""A program that takes the terminal over for a while, and its keys and signals with it."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO


def take_over(argv: Sequence[str], *, stdin: IO[bytes] | None = None, env: Mapping[str, str] | None = None) -> int:
    """Run a program on our terminal until it ends; Ctrl-C is for it alone meanwhile.  OSError: it cannot be started."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with subprocess.Popen(argv, stdin=stdin, env=env) as process:
            return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
