"""Whether a process that once wrote something down is still the same living process, also after a reboot."""

from __future__ import annotations

import os
import time
from pathlib import Path


def process_started(pid: int) -> str | None:
    """A mark of this very process (its start time), None when no such process lives.

    Process ids are reused; the pair of id and start time is not, within one boot.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except FileNotFoundError:
        if os.path.isdir("/proc/self"):
            return None
        return "unknown" if _answers(pid) else None
    except OSError:
        return None
    state, *rest = stat.rpartition(")")[2].split()  # the command name may hold blanks and brackets
    return None if state in "ZX" or len(rest) < 19 else rest[18]


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def up_seconds() -> float:
    """How long this machine is up: unlike its clock, nobody sets it."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)  # which goes on while a laptop sleeps
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def boot_id() -> str:
    """A mark of this boot of the machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "unknown"
