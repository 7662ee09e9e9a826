"""The few symbols that the screens draw with, in one place so that every state has a sign besides its colour."""

from __future__ import annotations

DONE = "●"
ACTIVE = "◐"
WAITING = "○"
BROKEN = "✗"
PAUSED = "‖"
PASSED = "✓"
BEST = "*"
MARKED = "●"
JUMP = "›"
MORE_LEFT = "‹"
MORE_RIGHT = "›"
UNDER = "└"
"""Before what follows from the row above."""
BASELINE = "◆"
ELLIPSIS = "…"
ASCENDING = "▲"
DESCENDING = "▼"
FILLS = ("█", "▓", "▒", "░")
"""Shades of stacked bars, so that the parts can be told apart without colour."""
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
"""The last cell of a bar that ends between two cells."""
TRACK = "·"
SPARKS = ("▁", "▂", "▃", "▅", "▆", "▇", "█")
"""Heights of a figure in a line of small bars, the lowest first; in ASCII they rise as well, so one of the eight is left out."""

FINDING_SIGNS = {"error": BROKEN, "warning": "!", "info": "i"}
"""Before a finding, and in the gutter beside the lines that it names."""

STATUS_SIGNS = {
    "passed": PASSED,
    "ok": PASSED,
    "finished": DONE,
    "failed": BROKEN,
    "timeout": BROKEN,
    "hung": BROKEN,
    "truncated": "!",
    "cut": "!",
    "not_started": "!",
    "running": ACTIVE,
    "stopped": "■",
    "lost": "!",
    "broken": BROKEN,
    "waiting": WAITING,
    "queued": WAITING,
}


def status_sign(status: str) -> str:
    """The sign that goes before a status word."""
    return STATUS_SIGNS.get(status, " ")
