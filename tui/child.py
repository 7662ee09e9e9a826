"""One of our commands as a child process, in whatever way this package came to be here (`runners/own_python.py`)."""

from __future__ import annotations

import sys

from .cli import main as command_line


def main(*words: str) -> None:
    """Do what these words say, and end with the exit code of that."""
    sys.exit(command_line(words))
