"""One thing to have, and how a program is asked for what it is."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..simulator import scratch_directories

ANSWER_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing to have: whether it is there, what exactly, what it is for, and how to get it."""

    name: str
    found: bool
    detail: str
    needed_for: str
    install: str = ""
    """The line to type; empty when nothing needs doing."""

    def to_dict(self) -> dict[str, Any]:
        """The tool as JSON."""
        return asdict(self)


def program(name: str, what: str, install: str, *asking: str) -> Tool:
    """A program on PATH or among the tools of an ExecuTorch checkout; one that does not answer is not there."""
    in_scratch = (str(p) for d in scratch_directories() for p in d.glob(f"*/bin/{name}"))
    path = shutil.which(name) or next(iter(sorted(in_scratch)), None)
    if path is None:
        return Tool(name, False, "not on PATH", what, install)
    said = ask([path, *(asking or ("--version",))])
    if said is None:
        return Tool(name, False, f"{path} does not answer", what, install)
    number = re.search(r"\d+\.\d+[\w.]*", said.partition("\n")[0])
    return Tool(name, True, f"{number[0]}, {path}" if number else path, what)


def ask(argv: list[str], env: dict[str, str] | None = None) -> str | None:
    """What a program says; None when it cannot be run, crashes or does not answer."""
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            timeout=ANSWER_SECONDS,
            cwd=Path(argv[0]).parent,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode < 0:  # it was killed, or has crashed
        return None
    return done.stdout.decode("utf-8", "replace")
