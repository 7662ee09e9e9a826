"""One module per command of `ethosu-tui`: `configure(parser)` adds its options, `execute(options)` does it.

Importing a command may not import Textual, torch or anything slow; what a command prints on stdout is its data.
"""

from __future__ import annotations

import importlib

from ...analysis.named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

COMMANDS: dict[str, str] = {
    "open": "the dashboard on logs, folders, archives or compiled programs",
    "analyze": "what logs say: did it pass, why not, how fast, how much memory",
    "compare": "runs, logs or compiles side by side",
    "compile": "compile a model ahead of time for one or more targets",
    "build": "build a runner ELF for a target with your ExecuTorch checkout",
    "run": "run a program on a simulator, a board or this machine, and capture its console",
    "console": "a board's serial console, with the keyboard passed through",
    "inspect": "what a program, graph, profile or Vela table contains",
    "firmware": "a compiled program as C code, with pool sizes and the operators to build",
    "runs": "the runs and compiles that are stored here",
    "targets": "where programs can run: boards, simulators, machines; and what is known about them",
    "config": "the settings in force here, and where each comes from",
    "web": "the dashboard in a browser, on this machine only",
    "doctor": "what is installed, what is missing, and the command that installs it",
    "demo": "compile a bundled model for four targets, and compare them",
}
PRESENTED = frozenset(("analyze", "compare", "inspect", "runs", "targets", "config", "doctor"))
"""Commands that print tables and nothing else, which then can be had in other forms."""


def module_of(command: str) -> Any:
    """The module of a command, or of what the command line shows without one."""
    return importlib.import_module(f".{command}", __name__)
