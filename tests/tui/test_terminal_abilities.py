"""What is sent fits the terminal: its colours, its characters, and what the user asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from textual.color import Color

from ethosu_tui.runners.job import UsageError
from ethosu_tui.tui.app import build_app
from ethosu_tui.tui.state import Start
from ethosu_tui.tui.terminal.abilities import Abilities, abilities
from ethosu_tui.tui.terminal.colours import own_themes
from ethosu_tui.tui.terminal.fitting import Looks, looks
from ethosu_tui.tui.terminal.transcription import Transcription, transcription

from .conftest import MakeApp, on_screen, until
from .pseudo_terminal import PseudoTerminal, dashboard, surroundings

COLOUR = re.compile(rb"\x1b\[[\d;]*?\b(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])\b[\d;]*m")


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "truecolor"),
        ({"TERM": "xterm-256color", "WT_SESSION": "1"}, "truecolor"),
        ({"TERM": "xterm-kitty"}, "truecolor"),
        ({"TERM": "xterm"}, "standard"),
        ({"TERM": "tmux-256color"}, "256"),
        ({"TERM": "screen.xterm-256color"}, "256"),
        ({"TERM": "screen", "COLORTERM": "truecolor", "STY": "1.pts"}, "standard"),
        ({"TERM": "linux", "COLORTERM": "truecolor"}, "standard"),
        ({"TERM": "vt220"}, "none"),
        ({"TERM": "xterm-mono"}, "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "256"),
        ({"TERM": "a-name-that-nobody-knows"}, "standard"),
        ({}, "standard"),
    ],
)
def test_colours_of_a_terminal(environment: dict[str, str], colours: str) -> None:
    assert abilities(environment).colours == colours


@pytest.mark.parametrize(
    ("environment", "encoding", "glyphs"),
    [
        ({"LANG": "de_DE.UTF-8"}, "utf-8", "unicode"),
        ({"LANG": "C.utf8"}, "utf-8", "unicode"),
        ({}, "utf-8", "unicode"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "utf-8", "ascii"),
        ({"LC_ALL": "POSIX"}, "utf-8", "ascii"),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", "ascii"),  # Python's wish, not the user's
        ({"LANG": "de_DE.ISO-8859-1"}, "iso-8859-1", "ascii"),
        ({"LANG": "de_DE.UTF-8", "TERM": "linux"}, "utf-8", "cp437"),
        ({"LANG": "de_DE.UTF-8", "TERM": "vt220"}, "utf-8", "ascii"),
    ],
)
def test_characters_of_a_terminal(environment: dict[str, str], encoding: str, glyphs: str) -> None:
    assert abilities(environment, encoding).glyphs == glyphs


@settings(max_examples=30)
@given(st.text())
@example("├─●✓ 模型 é ﬁ 👩‍🚀 ⣿ █▓▒░ \u202e \u0301")
def test_ascii_takes_the_same_cells(text: str) -> None:
    table = transcription("ascii")
    assert table is not None
    for character in text:
        told = character.translate(table)
        assert told.isascii() and cell_len(told) == cell_len(character)


def test_what_a_console_can_show_stays() -> None:
    assert "─│█░↑ ✓●é".translate(Transcription("cp437")) == "─│█░↑ +*é"


async def test_themes_can_be_chosen_while_the_app_runs(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "missing_op_softmax.log")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        for name in (*(theme.name for theme in own_themes()), "nord"):
            app.theme = name
            await pilot.pause()
        await pilot.press("7")


@pytest.mark.parametrize("theme", own_themes(), ids=lambda theme: theme.name)
def test_no_text_is_too_pale(theme: object) -> None:
    told = theme.to_color_system().generate()  # type: ignore[attr-defined]
    if theme.ansi:  # type: ignore[attr-defined]
        return  # the user's own colours
    back = Color.parse(told["background"])
    for bar in ("background", "surface", "panel"):
        below = Color.parse(told[bar])
        names = ("foreground", "foreground-muted", "text-success", "text-error", "text-warning", "text-accent")
        for name, least in [*((name, 4.5) for name in names), ("foreground-disabled", 3.5)]:
            text = below + Color.parse(told[name])
            assert _contrast(text, below) >= least, f"{name} on {bar}"
    assert _contrast(Color.parse(told["surface-lighten-2"]), back) > 1.3, "lines around panes are seen"


def _contrast(one: Color, other: Color) -> float:
    """As WCAG 2 counts."""

    def luminance(colour: Color) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


async def test_without_colours_the_cursor_is_shown_in_reverse(tmp_path: Path, samples: Path) -> None:
    start = Start((str(samples / "mnist_q.log"),), "report", looks=Looks(Abilities(colours="none"), "textual-dark"))
    app = build_app(start, root=tmp_path / "runs")
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "ReportScreen")
        await pilot.press("2")
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        styles: list[tuple[str, Style]] = [(s.text, s.style) for strip in strips for s in strip if s.style]
        assert all(style.color is None and style.bgcolor is None for _, style in styles)
        assert any(style.reverse and text.strip() == "method pool" for text, style in styles)
        assert not any(style.reverse and text.strip() == "temp pool" for text, style in styles)


def test_no_colour_and_no_other_character_reaches_the_terminal(tmp_path: Path, samples: Path) -> None:
    names = surroundings(tmp_path / "home", LC_ALL="C", NO_COLOR="1")
    with PseudoTerminal(dashboard("open", str(samples / "mobilenet_v2_corstone320.log")), names) as terminal:
        terminal.wait(b"+ passed")
        for key, said in ((b"2", b"method pool"), (b"3", b"per"), (b"5", b"Output"), (b"7", b"Log")):
            terminal.send(key)
            terminal.wait(said)
            terminal.wait_quiet()
        terminal.send(b"?")
        terminal.wait(b"Help: Report")
        terminal.send(b"\x10")  # the palette is Textual's own
        terminal.wait_quiet()
        terminal.send(b"\x03\x03")
        assert terminal.wait_ended() in (0, 130)
        assert terminal.output.isascii()
        assert COLOUR.search(terminal.output) is None


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TERM", "dumb", b"TERM=dumb"),
        ("TEXTUAL_COLOR_SYSTEM", "bogus", b"TEXTUAL_COLOR_SYSTEM is 'bogus'"),
        ("TEXTUAL_DRIVER", "bogus:x", b"TEXTUAL_DRIVER is 'bogus:x', which cannot be loaded"),
    ],
)
def test_what_it_cannot_be_drawn_with_is_told(tmp_path: Path, name: str, value: str, said: bytes) -> None:
    with PseudoTerminal(dashboard(), surroundings(tmp_path / "home", **{name: value})) as terminal:
        assert terminal.wait_ended() == 2
        assert said in terminal.output and b"\x1b" not in terminal.output and b"mistake" not in terminal.output


@pytest.mark.parametrize(("term", "size"), [("unknown", (100, 30)), ("xterm", (0, 0))])
def test_a_terminal_that_says_no_size_is_drawn_on_and_left(
    tmp_path: Path, samples: Path, term: str, size: tuple[int, int]
) -> None:
    """Nobody's word for its size is taken twice: two of them would have screens resize each other for ever."""
    environment = surroundings(tmp_path / "home", TERM=term)
    with PseudoTerminal(dashboard("open", str(samples / "mnist_q.log")), environment, size) as terminal:
        terminal.wait(b"Did it pass?")
        terminal.wait_quiet()
        terminal.resize(100, 40)
        terminal.wait_quiet()
        terminal.send(b"q")
        assert terminal.wait_ended() == 0 and not terminal.left_on()
        assert len(terminal.output) < 200_000


def test_errors_that_go_to_a_file_take_no_screen_with_them(tmp_path: Path) -> None:
    argv = ["/bin/sh", "-c", 'exec "$@" 2> "$0"', str(tmp_path / "errors"), *dashboard()]
    with PseudoTerminal(argv, surroundings(tmp_path / "home")) as terminal:
        terminal.wait(b"Home")
        terminal.wait_quiet()
        terminal.send(b"q")
        assert terminal.wait_ended() == 0 and not terminal.left_on()
    assert (tmp_path / "errors").read_bytes() == b""


def test_what_the_user_asks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config.toml"
    monkeypatch.setenv("ETHOSU_TUI_CONFIG", str(config))
    for name in ("ETHOSU_TUI_THEME", "ETHOSU_TUI_GLYPHS"):
        monkeypatch.delenv(name, raising=False)
    assert looks().theme is None and not looks().complaint, "a file that is not there says nothing"
    config.write_text('[dashboard]\ntheme = "light"\nglyphs = "ascii"\n')
    assert looks().theme == "textual-light" and looks().terminal.glyphs == "ascii" and not looks().complaint
    monkeypatch.setenv("ETHOSU_TUI_THEME", "nord")
    monkeypatch.setenv("ETHOSU_TUI_GLYPHS", "unicode")
    assert looks().theme == "nord" and looks().terminal.glyphs == "unicode"
    assert looks("dark", ascii_only=True)[:2] == (looks("dark", ascii_only=True).terminal, "textual-dark")
    assert looks("dark", ascii_only=True).terminal.glyphs == "ascii"
    with pytest.raises(UsageError, match="no theme 'lihgt'"):
        looks("lihgt")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[dashboard]\ntheme = "lihgt"', "theme = 'lihgt'"),
        ("[dashboard]\nglyphs = 3", "glyphs = 3"),
        ("dashboard = 3", "is no table"),
        ("[dashboard]\ntheem = 3", "'theem' in [dashboard]"),
        ("[dashboard", "is no TOML"),
    ],
)
async def test_what_the_file_gets_wrong_is_told_and_stops_nothing(
    tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(text)
    monkeypatch.setenv("ETHOSU_TUI_CONFIG", str(config))
    found = looks()
    assert said in found.complaint and found.theme is None
    app = build_app(Start(looks=found), root=tmp_path / "runs", samples=samples, tools=lambda: ())
    async with app.run_test(size=(80, 24)) as pilot:
        await on_screen(pilot, "HomeScreen")
        await until(pilot, lambda: any(said in note.message for note in app._notifications))
