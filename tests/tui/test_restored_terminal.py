"""However the dashboard ends, the terminal is as it was: settings of the line, second screen, mouse, paste, cursor, keyboard."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from .pseudo_terminal import PseudoTerminal, dashboard, surroundings

FAILING = """
import sys
from ethosu_tui.tui.screens.home import HomeScreen
def fail(self):
    raise ValueError("an odd \\x1b[31mthing " + "x" * 5000)
HomeScreen.action_reload = fail
from ethosu_tui.tui.cli import main
sys.exit(main([]))
"""


def _open(home: Path, *words: str, **settings: str) -> PseudoTerminal:
    terminal = PseudoTerminal(dashboard(*words), surroundings(home, **settings))
    terminal.wait(b"Help")
    return terminal


@pytest.mark.parametrize("term", ["xterm-256color", "linux", "screen", "vt220"])
def test_leaving_by_key_gives_everything_back(tmp_path: Path, term: str) -> None:
    with _open(tmp_path / "home", TERM=term) as terminal:
        assert "mode 1049" in terminal.left_on() and "settings of the line" in terminal.left_on()
        terminal.send(b"q")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_gives_everything_back(tmp_path: Path, number: signal.Signals) -> None:
    with _open(tmp_path / "home") as terminal:
        os.kill(terminal.pid, number)
        assert terminal.wait_ended() == 130
        assert terminal.left_on() == []
        assert b"Traceback" not in terminal.output


def test_a_mistake_of_ours_is_one_sentence_and_a_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with PseudoTerminal([sys.executable, "-c", FAILING], surroundings(home)) as terminal:
        terminal.wait(b"Help")
        drawn = len(terminal.output)
        terminal.send(b"\x1b[15~")
        assert terminal.wait_ended() == 1
        assert terminal.left_on() == []
        said = terminal.output[drawn:].rpartition(b"\x1b[?1049l")[2].decode()
    assert "ethosu-tui: stopped by a bug in HomeScreen (ValueError: an odd" in said
    assert "Traceback" not in said and len(said) < 1000 and said.count("stopped by a bug") == 1
    (kept,) = home.rglob("mishap-*.log")
    assert kept.name in said.replace("\r\n", "")
    story = kept.read_text()
    assert "in fail" in story and "x" * 5000 in story and "in: HomeScreen" in story


def test_stopped_without_a_word_and_continued(tmp_path: Path) -> None:
    """As a debugger or a limiter of processor time does: our own settings must not be taken for those to give back."""
    with _open(tmp_path / "home") as terminal:
        for _ in range(2):
            drawn = len(terminal.output)
            os.kill(terminal.pid, signal.SIGSTOP)
            os.waitpid(terminal.pid, os.WUNTRACED)
            os.kill(terminal.pid, signal.SIGCONT)
            terminal.wait(lambda drawn=drawn: b"Sample logs" in terminal.output[drawn:])  # type: ignore[misc]
        terminal.wait_quiet()
        terminal.send(b"?")
        terminal.wait(b"Help: Home")
        terminal.send(b"qq")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []


def test_ctrl_z_gives_the_terminal_to_the_shell_and_takes_it_back(tmp_path: Path) -> None:
    with _open(tmp_path / "home") as terminal:
        terminal.send(b"\x1a")
        assert os.WIFSTOPPED(os.waitpid(terminal.pid, os.WUNTRACED)[1])
        terminal.wait_quiet()
        assert terminal.left_on() == []
        drawn = len(terminal.output)
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.wait(lambda: all(text in terminal.output[drawn:] for text in (b"Sample logs", b"Help")))
        terminal.wait_quiet()
        terminal.send(b"?")
        terminal.wait(b"Help: Home")
        terminal.send(b"qq")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []


SHELL = """
import os, signal, sys, time
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
os.waitpid(child, os.WUNTRACED)
os.tcsetpgrp(0, os.getpgrp())
os.killpg(child, signal.SIGTERM)
os.killpg(child, signal.SIGCONT)
for _ in range(300):
    found, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
    if found:
        break
    time.sleep(0.05)
if found and os.WIFEXITED(status):
    sys.exit(os.WEXITSTATUS(status))
os.kill(child, signal.SIGKILL)
sys.exit("it was stopped once more")
"""
"""Runs a program in the foreground, and when it was stopped ends it as `kill %1` does."""


def test_ended_in_the_background(tmp_path: Path) -> None:
    words = [sys.executable, "-c", SHELL, *dashboard()]
    with PseudoTerminal(words, surroundings(tmp_path / "home")) as terminal:
        terminal.wait(b"Help")
        terminal.send(b"\x1a")
        assert terminal.wait_ended() == 130
        assert terminal.left_on() == []


def test_stopped_twice_at_once_is_stopped_once(tmp_path: Path) -> None:
    with _open(tmp_path / "home") as terminal:
        os.kill(terminal.pid, signal.SIGTSTP)
        terminal.read(0.02)
        os.kill(terminal.pid, signal.SIGTSTP)
        assert os.WIFSTOPPED(os.waitpid(terminal.pid, os.WUNTRACED)[1])
        drawn = len(terminal.output)
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.wait(lambda: all(text in terminal.output[drawn:] for text in (b"Sample logs", b"Help")))
        terminal.send(b"q")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []


def test_continued_again_and_again_while_it_draws(tmp_path: Path) -> None:
    """A terminal that hangs up sends the signal too: it must find us in no step that cannot be taken twice at once."""
    with _open(tmp_path / "home") as terminal:
        for _ in range(300):
            os.kill(terminal.pid, signal.SIGCONT)
            terminal.read(0.002)
        terminal.wait_quiet(1.0)
        drawn = len(terminal.output)
        terminal.send(b"?")
        terminal.wait(lambda: b"Help: " in terminal.output[drawn:])
        terminal.send(b"\x03")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []
