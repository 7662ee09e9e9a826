"""A real terminal for tests: tmux on a private socket, fixed in size, driven by keys alone, gone afterwards."""

from __future__ import annotations

import os
import secrets
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path


class Terminal:
    """One program in one tmux window."""

    def __init__(self, argv: list[str], environment: Mapping[str, str], size: tuple[int, int] = (80, 24)) -> None:
        self._socket = f"ethosu-tui-{os.getpid()}-{secrets.token_hex(4)}"
        width, height = size
        settings = [f"{name}={value}" for name, value in environment.items()]
        # pytest exports its own idea of the size, which would win over that of the terminal
        command = shlex.join(["env", "-u", "COLUMNS", "-u", "LINES", *settings, *argv])
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", str(width), "-y", str(height), command)
        self._tmux("set-option", "-g", "remain-on-exit", "on")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-L", self._socket, *words], capture_output=True, text=True, timeout=60)
        return done.stdout

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server")

    @property
    def screen(self) -> str:
        """What the terminal shows."""
        return self._tmux("capture-pane", "-p")

    def ask(self, form: str) -> str:
        """What tmux knows of the window, as `#{pane_pid}`."""
        return self._tmux("display-message", "-p", form).strip()

    def press(self, *keys: str, gap: float = 0.05) -> None:
        """Send keys by their tmux names."""
        for key in keys:
            self._tmux("send-keys", key)
            time.sleep(gap)

    def type(self, text: str) -> None:
        """Send a text as it is."""
        self._tmux("send-keys", "-l", text)

    def wait(self, *texts: str, limit: float = 90.0) -> str:
        """Wait until all texts stand on the screen, and return it."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            screen = self.screen
            if all(text in screen for text in texts):
                return screen
            time.sleep(0.05)
        raise AssertionError(f"{texts} did not appear within {limit} s on\n{self.screen}")

    def wait_gone(self, limit: float = 90.0) -> int:
        """Wait until the program has ended, and return its exit code."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            dead, _, code = (
                self._tmux("display-message", "-p", "#{pane_dead} #{pane_dead_status}").strip().partition(" ")
            )
            if dead == "1":
                return int(code or 0)
            time.sleep(0.05)
        raise AssertionError(f"the program did not end within {limit} s; the screen is\n{self.screen}")


def environment(home: Path) -> dict[str, str]:
    """A home and a workspace of the test's own."""
    home.mkdir(exist_ok=True)
    return {"HOME": str(home), "ETHOSU_TUI_WORKSPACE": str(home / "runs"), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def dashboard(*paths: str) -> list[str]:
    """The command that opens the dashboard."""
    return [sys.executable, "-m", "ethosu_tui.tui", *(["open", *paths] if paths else [])]
