"""A board's raw console from the dashboard, in a real terminal and on a real pseudo-terminal as the port."""

from __future__ import annotations

import os
import shutil
import termios
import time
import tty
from pathlib import Path

import pytest

from ethosu_tui.runners.runs.folder import list_runs

from .terminal import Terminal, dashboard, environment

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (apt install tmux)")


def test_keys_go_to_the_board_until_it_is_left(tmp_path: Path) -> None:
    board, port = os.openpty()
    tty.setraw(port, termios.TCSANOW)
    name = os.ttyname(port)
    os.close(port)  # two readers would share the bytes, and the console says so
    home = tmp_path / "home"
    with Terminal(dashboard(), environment(home)) as terminal:
        terminal.wait("? Help", "Sample logs (")
        terminal.press("C-p")
        terminal.wait("Search for commands")
        terminal.type("console")
        terminal.wait("keyboard passed through")
        terminal.press("Enter")
        terminal.wait("Console of which board?")
        terminal.type(name)
        terminal.press("Enter")
        terminal.wait("Ctrl-]")
        os.write(board, b"board> ")
        terminal.wait("board>")
        terminal.type("hello q")  # `q` would leave the dashboard
        seen = b""
        deadline = time.monotonic() + 60
        while b"hello q" not in seen and time.monotonic() < deadline:
            seen += os.read(board, 100)
        assert seen == b"hello q"
        terminal.press("C-]")
        terminal.wait("? Help", "Runs (1)")  # the samples give way to it
        assert "Console of which board" not in terminal.screen
    (run,) = list_runs(home / "runs")
    assert run.console_path.read_bytes() == b"board> "
    os.close(board)
