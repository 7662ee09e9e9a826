"""Theme and keymap files that would break a style sheet, or take every key: told, left out, and never in the way of leaving."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.tui.app import EthosuApp
from ethosu_tui.tui.key_list import known_keys
from ethosu_tui.tui.theme_variables import wrong_variable

from .pseudo_terminal import PseudoTerminal, dashboard, surroundings

THEMES = (
    'primary = "#ff0000"\n[variables]\nborder = "} Screen { display: none; } X {"\n',
    'primary = "#ff0000"\n[variables]\nunused = "}"\n',
    'primary = "\\u001b[31m"\n',
)


@pytest.mark.parametrize("text", THEMES)
def test_a_theme_that_is_asked_for_and_cannot_be_used_is_left_out(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "settings" / "themes"
    folder.mkdir(parents=True)
    (folder / "evil.toml").write_text(text)
    settings = {"ETHOSU_TUI_CONFIG": str(folder.parent / "config.toml")}
    with PseudoTerminal(dashboard("--theme", "evil"), surroundings(tmp_path / "home", **settings)) as terminal:
        terminal.wait(b"left out")
        terminal.send(b"q")
        assert terminal.wait_ended() == 0


def test_ctrl_c_leaves_whatever_a_keymap_says(tmp_path: Path) -> None:
    folder = tmp_path / "settings" / "keymaps"
    folder.mkdir(parents=True)
    names = {key.name for key in known_keys(EthosuApp)}
    (folder / "default.toml").write_text("[keys]\n" + "".join(f'"{name}" = "f9"\n' for name in sorted(names)))
    settings = {"ETHOSU_TUI_CONFIG": str(folder.parent / "config.toml")}
    with PseudoTerminal(dashboard(), surroundings(tmp_path / "home", **settings)) as terminal:
        terminal.wait(b"the keymap gives f9")
        terminal.send(b"\x03")
        assert terminal.wait_ended() == 0
        assert terminal.left_on() == []


def test_a_variable_stays_of_its_kind() -> None:
    known = {"border": "#123456", "text": "auto 87%", "link-style": "bold not underline", "link-background": "initial"}
    for name, value in (("border", "red"), ("text", "auto"), ("link-style", "underline"), ("link-background", "#fff")):
        assert wrong_variable({name: value}, known) is None
    for name, value in (("border", "bold"), ("border", 5), ("link-style", "#fff"), ("x", "red"), ("text", "red;")):
        assert name in (wrong_variable({name: value}, known) or "")
