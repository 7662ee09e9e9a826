"""Editors and pagers that fail, hang, or leave the terminal as nobody else would: the dashboard comes back, and so does the shell's."""

from __future__ import annotations

from pathlib import Path

import pytest

from .pseudo_terminal import PseudoTerminal, dashboard, surroundings


def _tool(folder: Path, body: str) -> str:
    path = folder / "tool"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(("key", "variable"), [(b"\x1bOS", "VISUAL"), (b"V", "PAGER")])
def test_one_that_fails_and_leaves_the_terminal_raw(tmp_path: Path, samples: Path, key: bytes, variable: str) -> None:
    tool = _tool(tmp_path, "stty raw -echo </dev/tty; printf '\\033[?1003h\\033[?25l'; exit 3")
    words = dashboard("open", str(samples / "missing_op_softmax.log"))
    with PseudoTerminal(words, surroundings(tmp_path / "home", **{variable: tool})) as terminal:
        terminal.wait(b"Findings")
        terminal.send(key)
        terminal.wait(b"ended with exit code 3")
        terminal.send(b"q")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []


def test_one_that_hangs_is_interrupted_and_the_dashboard_is_not(tmp_path: Path, samples: Path) -> None:
    tool = _tool(tmp_path, "echo begun; exec sleep 1000")
    words = dashboard("open", str(samples / "missing_op_softmax.log"))
    with PseudoTerminal(words, surroundings(tmp_path / "home", VISUAL=tool)) as terminal:
        terminal.wait(b"Findings")
        terminal.send(b"\x1bOS")
        terminal.wait(b"begun")
        terminal.send(b"\x03")
        terminal.wait(b"was ended by SIGINT")
        terminal.send(b"q")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []
