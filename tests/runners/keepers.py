"""What tests do with runs that last: wait for them, look at their processes, and leave none behind."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ethosu_tui.runners.job import JobError
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.runs.folder import RunFolder, list_runs

PATIENCE_SECONDS = 60.0


def wait_for(condition: Callable[[], Any], what: str = "") -> Any:
    """What the condition gives, once it gives something."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, what or "waited in vain"
        time.sleep(0.01)
    return found


def only_run(root: Path) -> RunFolder:
    """The one run there, read anew."""
    (folder,) = list_runs(root)
    return folder


def wait_over(root: Path) -> RunFolder:
    """The one run there, once it is over."""
    return wait_for(lambda: only_run(root) if only_run(root).state not in ("queued", "running") else None)  # type: ignore[no-any-return]


def wait_said(folder: RunFolder, text: str) -> None:
    """Until the console of the run has this text."""
    wait_for(lambda: folder.console_path.exists() and text.encode() in folder.console_path.read_bytes(), text)


def child_of(folder: RunFolder) -> int:
    """The process that the run started."""
    child = wait_for(lambda: RunFolder.open(folder.path).manifest.get("child_pid"))
    assert isinstance(child, int)
    return child


def wait_gone(pid: int) -> None:
    """Until no such process lives."""
    wait_for(lambda: process_started(pid) is None, f"process {pid} stays")


def end_all(*roots: Path) -> None:
    """Kill what still carries out a run below these."""
    for root in roots:
        with contextlib.suppress(JobError):
            for folder in list_runs(root):
                pid = folder.manifest.get("pid")
                if folder.manifest.get("keeper") and folder.state in ("queued", "running") and pid != os.getpid():
                    os.kill(pid, signal.SIGKILL)
                    wait_gone(pid)
