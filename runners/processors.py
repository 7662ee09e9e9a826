"""How many processors this process may use: in a container, or under `taskset`, fewer than the machine has."""

from __future__ import annotations

import os


def processors() -> int:
    """At least 1."""
    if hasattr(os, "sched_getaffinity"):  # only Linux has it
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
