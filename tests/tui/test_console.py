"""`ethosu-tui console` in a real terminal (tmux) with a board on a pseudo-terminal: keys go through, the menu does not."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..runners.boards import Board, wait_until
from .terminal import Terminal, environment

pytest.importorskip("serial")
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")

CTRL_T, LEAVE = "C-t", "C-]"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    one = Board(tmp_path / "port")
    yield one
    one.close()


def console(board: Board, home: Path, *arguments: str) -> Terminal:
    shell = f"{sys.executable} -m ethosu_tui.tui.cli console {board.link} {' '.join(arguments)}; echo code $?; cat"
    return Terminal(["/bin/sh", "-c", shell], environment(home))


def test_keys_go_to_the_board_and_its_prompt_shows_without_an_end(board: Board, tmp_path: Path) -> None:
    with console(board, tmp_path) as terminal:
        terminal.wait("8N1")
        board.say(b"\x1b[1;32muart:~$ \x1b[m")
        terminal.wait("uart:~$")
        terminal.type("kernel version")
        terminal.press("Enter", "C-c", CTRL_T, CTRL_T)
        assert board.hear(17) == b"kernel version\r\x03\x14"
        board.say(b"kernel version\r\nZephyr 4.2\r\nuart:~$ ")
        terminal.wait("Zephyr 4.2")
        assert "uart:~$ kernel version" in terminal.screen
        terminal.press(LEAVE)
        screen = terminal.wait("kept as run", "code 0")
        assert "\x1b" not in screen
        terminal.type("typed again")
        terminal.press("Enter")
        terminal.wait("typed again\ntyped again")  # echo and lines are back: the terminal is as before
    (folder,) = (tmp_path / "runs").iterdir()
    assert (folder / "console.log").read_bytes() == (
        b"\x1b[1;32muart:~$ \x1b[mkernel version\r\nZephyr 4.2\r\nuart:~$ "
    )
    assert json.loads((folder / "manifest.json").read_text())["state"] == "stopped"


def test_the_menu_helps_shows_times_and_leaves(board: Board, tmp_path: Path) -> None:
    with console(board, tmp_path) as terminal:
        terminal.wait("8N1")
        terminal.press(CTRL_T, "?")
        terminal.wait("Ctrl-T r  reset the board", "leave")
        terminal.press(CTRL_T, "t", CTRL_T, "r")
        terminal.wait("timestamps on", "no way to reset this board was given")
        board.say(b"one\r\n\x1b[2Jtwo\r\n")
        screen = terminal.wait("two")
        assert "[ethosu-tui: timestamps on]" in screen, "the board cannot clear the screen"
        lines = [line for line in screen.splitlines() if line.endswith(("one", "two"))]
        assert len(lines) == 2 and all(line.startswith("[") and " +" in line for line in lines)
        terminal.press(CTRL_T, "l")
        terminal.wait("the log is", ".log]")  # its path is wrapped where the terminal ends
        terminal.press(CTRL_T, "e")
        terminal.wait("escape sequences shown")
        board.say(b"\x1b[2J\x1b[Hafter\r\n")
        wait_until(lambda: terminal.screen.startswith("after"), "the board has cleared the screen")
        terminal.press(CTRL_T, "q")
        terminal.wait("code 0")


def test_a_board_that_is_pulled_and_comes_back_is_told_and_gone_on_with(board: Board, tmp_path: Path) -> None:
    with console(board, tmp_path, "--appear", "60") as terminal:
        terminal.wait("8N1")
        board.vanish()
        terminal.wait("went away", "waiting up to 60 s")
        terminal.type("x")
        terminal.wait("is not connected")
        board.appear()
        terminal.wait("back:")
        board.say(b"hello again\r\n")
        terminal.wait("hello again")
        terminal.press(LEAVE)
        terminal.wait("code 0")


def test_a_run_is_told_of_the_console_that_has_its_port(board: Board, tmp_path: Path) -> None:
    import os
    import subprocess

    argv = [sys.executable, "-m", "ethosu_tui.tui.cli", "run", "--on", f"serial:{board.link}", "--timeout", "0.1"]
    home = {**os.environ, **environment(tmp_path)}
    with console(board, tmp_path) as terminal:
        terminal.wait("8N1")
        (folder,) = (tmp_path / "runs").glob("*console*")
        done = subprocess.run(argv, env=home, capture_output=True, text=True, timeout=60)
        assert done.returncode == 4 and folder.name in done.stderr
        terminal.press(LEAVE)
        terminal.wait("code 0")
        done = subprocess.run(argv, env=home, capture_output=True, text=True, timeout=60)
        assert done.returncode == 124, done.stderr


def test_without_a_terminal_it_says_what_to_use(board: Board, tmp_path: Path) -> None:
    import subprocess

    argv = [sys.executable, "-m", "ethosu_tui.tui.cli", "console", str(board.link)]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "--on serial:PORT" in done.stderr
