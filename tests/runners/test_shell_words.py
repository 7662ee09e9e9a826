"""Command lines that people copy: a shell makes the same words of them, and no terminal obeys anything in them."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from ethosu_tui.analysis.lines import clean
from ethosu_tui.runners.shell_words import command_line

WORDS = (
    "plain.log", "two words", "it's", "\\", "", "-x", "$HOME `id` $(id)", "字 é", "a\nrm -rf x\n", "\x1b[201~\rid\r", "\u202egol.x",
    "\x1b]52;c;AAAA\x07'\\x41", "tab\tnbsp\xa0", os.fsdecode(b"\xff\xfe\x1bx"), "\x9b31m0",
)  # fmt: skip


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_a_shell_gets_the_same_words_and_a_terminal_nothing_to_obey() -> None:
    line = command_line(WORDS)
    assert clean(line) == line and "\n" not in line
    said = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True).stdout
    assert said.split(b"\0")[:-1] == [os.fsencode(word) for word in WORDS]


def test_half_a_character_is_no_obstacle() -> None:
    assert command_line(["a\ud800"]) == "$'a\\x3f'"
