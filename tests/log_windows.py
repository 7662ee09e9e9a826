"""A `LogWindow` on a whole file, counted at once: the app's are counted while somebody reads."""

from __future__ import annotations

import os
from pathlib import Path

from ethosu_tui.runners.reading.window import LineCounter, LogWindow


def window_of(path: Path) -> LogWindow:
    """With all lines of the file."""
    counter = LineCounter()
    counter.feed(path.read_bytes())
    counter.finish()
    window = LogWindow(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    window.grow(counter.take())
    return window
