"""Runs on a machine reached over SSH, for the tests of them: how they are asked for, and what they leave."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ethosu_tui.runners.job import Exit, Progress
from ethosu_tui.runners.liveness import process_started
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.runners.session import Session
from ethosu_tui.runners.target import Target

from .board import Board
from .direct import direct

COMMAND = [sys.executable, "-m", "ethosu_tui.tui.cli"]


def nothing_left(sshd: Board) -> None:
    """No file and no process of a run is left on the board, whose own commands are put back."""
    for path in sshd.bin.iterdir():
        path.unlink()
    assert sshd.left() == []
    patience = time.monotonic() + 20
    while left := [line for line in commands() if f"{sshd.tmp}/" in line or line == "sleep 630"]:
        assert time.monotonic() < patience, left
        time.sleep(0.02)


def commands() -> list[str]:
    """The command lines of all processes."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(os.fsdecode(path.read_bytes().replace(b"\0", b" ").strip()))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def ssh_request(board: Board, *argv: str, host: str = "board", **options: object) -> RunRequest:
    """A run of these words on the board."""
    place = Target(remote_folder=str(board.tmp), fetch=tuple(options.pop("fetch", ())))  # type: ignore[arg-type]
    return RunRequest(f"ssh:{host}", argv=argv, place=place, **options)  # type: ignore[arg-type]


class Done:
    """A run that was carried out."""

    def __init__(
        self, request: RunRequest, on: Callable[[Session, object], object] = lambda session, event: None
    ) -> None:
        self.session = direct(request)
        self.events: list[object] = []
        for event in self.session.events():
            self.events.append(event)
            on(self.session, event)
        end = self.events[-1]
        assert isinstance(end, Exit) and self.session.folder is not None
        self.end, self.folder = end, self.session.folder

    @property
    def log(self) -> bytes:
        return self.folder.console_path.read_bytes()

    @property
    def steps(self) -> list[str]:
        return list(dict.fromkeys(event.stage for event in self.events if isinstance(event, Progress)))


def cli(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=cwd)


def gone(pid: int) -> bool:
    """Whether the process ends, within a minute."""
    patience = time.monotonic() + 60
    while process_started(pid) is not None:
        if time.monotonic() > patience:
            return False
        time.sleep(0.02)
    return True


def number_in(path: Path) -> int:
    """The number that somebody writes there, once it stands."""
    patience = time.monotonic() + 60
    while not path.exists() or not path.read_text().endswith("\n"):
        assert time.monotonic() < patience
        time.sleep(0.02)
    return int(path.read_text())
