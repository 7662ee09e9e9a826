"""The few symbols that the screens draw with, in one place so that every state has a sign besides its colour."""

from __future__ import annotations

DONE = "●"
ACTIVE = "◐"
WAITING = "○"
BROKEN = "✗"
PASSED = "✓"
BEST = "*"
MARKED = "●"
JUMP = "›"
MORE_LEFT = "‹"
MORE_RIGHT = "›"
BASELINE = "◆"
ELLIPSIS = "…"
ASCENDING = "▲"
DESCENDING = "▼"
FILLS = ("█", "▓", "▒", "░")
"""Shades of stacked bars, so that the parts can be told apart without colour."""
TRACK = "·"

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
    "not_started": "!",
    "running": ACTIVE,
    "stopped": "■",
    "lost": "!",
    "broken": BROKEN,
    "waiting": WAITING,
}


def status_sign(status: str) -> str:
    """The sign that goes before a status word."""
    return STATUS_SIGNS.get(status, " ")
