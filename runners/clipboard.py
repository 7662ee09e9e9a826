"""Text for other programs on this terminal: tmux's buffer, and a file that is there whatever the terminal does.

OSC 52, which the terminal's own driver sends, is never answered: whether a terminal took it cannot be known, and many cut or
drop what is long.  tmux ignores it from programs inside of it unless it is told otherwise, so there its own command is used.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .storage import replace_file

LIMIT_BYTES = 74_994
"""Longest text that is sent: terminals give up beyond 100,000 characters of base64 in a sequence."""
COPIED = "copied.txt"
_DEAF = ("linux", "vt", "dumb", "ansi", "cons25", "sun")
_SECONDS = 5.0


def takes_osc52(environment: Mapping[str, str]) -> bool:
    """Whether the terminal may know OSC 52; False for those of which it is known that they do not."""
    if environment.get("TERM", "").startswith(_DEAF) or environment.get("TERM_PROGRAM") == "Apple_Terminal":
        return False
    return not environment.get("STY")  # GNU screen keeps it to itself


def to_tmux(text: str, environment: Mapping[str, str]) -> bool:
    """Put it into the newest buffer of the tmux around us, which hands it on to its terminal; False where there is none."""
    if not environment.get("TMUX"):
        return False
    for options in (("-w",), ()):  # before 3.2 it cannot hand on
        try:
            done = subprocess.run(
                ["tmux", "load-buffer", *options, "-"],
                input=text.encode("utf-8", "replace"),
                capture_output=True,
                timeout=_SECONDS,
            )
        except (OSError, subprocess.SubprocessError):
            return False
        if done.returncode == 0:
            return True
    return False


def keep_copy(root: Path, text: str) -> Path | None:
    """Write it to the file of the workspace for that, which only its owner can read; None where that fails."""
    path = root / COPIED
    with contextlib.suppress(OSError):
        root.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode("utf-8", "replace"), durable=False)
        os.chmod(path, 0o600)
        return path
    return None
