"""The signal that ended a process, by name: Python gives it as a negative exit code."""

from __future__ import annotations

import signal


def signal_name(code: int) -> str:
    """The name of the signal of a negative exit code.

    Example:
        >>> signal_name(-15), signal_name(-200)
        ('SIGTERM', 'signal 200')
    """
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
