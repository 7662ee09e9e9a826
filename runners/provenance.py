"""When and by which version something was written, for files that outlive the machine they were made on."""

from __future__ import annotations

import time
from importlib import metadata


def made_now() -> str:
    """As in "2026-03-01 09:30 UTC, ethosu-tui 0.1.0"."""
    now = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    try:
        return f"{now}, ethosu-tui {metadata.version('ethosu-tui')}"
    except metadata.PackageNotFoundError:  # run from a copy that was not installed
        return f"{now}, ethosu-tui"
