"""The JSON documents of `ethosu-tui runs`: all of them say their schema and the folder that the runs are in."""

from __future__ import annotations

from ...runners.storage import runs_root
from .output import print_json

SCHEMA = "ethosu-tui/runs/1"


def print_document(**content: object) -> None:
    """Print what an action found or did."""
    print_json({"schema": SCHEMA, "root": str(runs_root()), **content})
