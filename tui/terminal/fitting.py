"""What the user wants of the looks, and the app made to fit that and the terminal.

The command line counts more than the environment, and that more than the user's `config.toml`; what was chosen in the dashboard
and is remembered comes after them, and the terminal last.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from ...runners.job import UsageError
from .abilities import GLYPHS, Abilities, abilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import App

THEME_VARIABLE = "ETHOSU_TUI_THEME"
COLOUR_SYSTEMS = ("auto", "standard", "256", "truecolor", "windows")
GLYPHS_VARIABLE = "ETHOSU_TUI_GLYPHS"


class Looks(NamedTuple):
    """What the screens are drawn with."""

    terminal: Abilities
    theme: str | None = None
    """The one that somebody asked for."""
    complaint: str = ""
    """What in the user's file cannot be used, and what to do."""

    @property
    def takes_chosen_theme(self) -> bool:
        """Whether the theme chosen the last time holds: nobody asks for another now, and the terminal has its colours."""
        return self.theme is None and self.terminal.colours in ("256", "truecolor")


def looks(theme: str | None = None, ascii_only: bool = False) -> Looks:
    """For this process's terminal, with what the command line asked for; UsageError for a theme that does not exist."""
    _check_textual()
    stated, complaint = _settings()
    theme, wrong = _theme(theme, stated)
    glyphs, odd = _glyphs(stated)
    stream = sys.__stderr__  # Textual writes there
    able = abilities(os.environ, (stream.encoding if stream is not None else None) or "utf-8")
    if ascii_only or glyphs == "ascii":
        able = able._replace(glyphs="ascii")
    elif glyphs == "unicode":
        able = able._replace(glyphs="unicode")
    return Looks(able, theme, complaint or wrong or odd)


def _settings() -> tuple[Mapping[str, object], str]:
    """What the user's file says of the dashboard's looks, and what is wrong with that; most people have no such file."""
    from ...runners.settings_file import user_file

    path = next(user_file(), None)
    if path is None or not os.path.lexists(path):
        return {}, ""
    from ...runners.targets.files import settings_of

    return settings_of(path)


def _check_textual() -> None:
    """What is said to Textual itself, which would fail at a wrong word."""
    colours, driver = (os.environ.get(name, "") for name in ("TEXTUAL_COLOR_SYSTEM", "TEXTUAL_DRIVER"))
    if "TEXTUAL_COLOR_SYSTEM" in os.environ and colours not in COLOUR_SYSTEMS:
        raise UsageError(f"TEXTUAL_COLOR_SYSTEM is {colours!r:.40}", f"it is {', '.join(COLOUR_SYSTEMS)}, or not set")
    if driver:
        from importlib import import_module

        module, _, name = driver.partition(":")
        try:
            getattr(import_module(module), name)
        except Exception as error:  # whatever such a module does
            raise UsageError(
                f"TEXTUAL_DRIVER is {driver!r:.60}, which cannot be loaded ({error})", "unset it"
            ) from None


def _theme(asked: str | None, stated: Mapping[str, object]) -> tuple[str | None, str]:
    """The theme's full name, and what is wrong with that of the file; with one that was asked for now, we do not go on."""
    asked = asked or os.environ.get(THEME_VARIABLE, "").strip() or None
    name = asked or stated.get("theme")
    if name is None:
        return None, ""
    from ...runners.preferences import THEMES, preferences
    from .colours import SHORT_NAMES, theme_names

    known = [*theme_names(), *(file.name for file in preferences(THEMES))]
    if name in known:
        return SHORT_NAMES.get(str(name), str(name)), ""
    if asked:
        raise UsageError(f"there is no theme {asked!r}", f"themes are {', '.join(known)}")
    return None, f"theme = {name!r:.40} in config.toml is none of {', '.join(known)}"


def _glyphs(stated: Mapping[str, object]) -> tuple[str, str]:
    asked = os.environ.get(GLYPHS_VARIABLE, "").strip() or None
    name = asked or stated.get("glyphs", "auto")
    if name in GLYPHS:
        return str(name), ""
    if asked:
        raise UsageError(f"{GLYPHS_VARIABLE} is {asked!r:.40}", f"glyphs are {', '.join(GLYPHS)}")
    return "auto", f"glyphs = {name!r:.40} in config.toml is none of {', '.join(GLYPHS)}"


def fit(app: App[None], wanted: Looks | None) -> None:
    """Give the app its themes, and no more colours than the terminal has; without a terminal (tests) that is all."""
    from .colours import own_themes

    for theme in own_themes(wanted.terminal.colours if wanted else "truecolor"):
        app.register_theme(theme)
    if wanted is not None:
        _fit_to(app, wanted)
    app.stylesheet.set_variables(app.get_css_variables())  # it holds those of the theme that it began with


def _fit_to(app: App[None], wanted: Looks) -> None:
    from .colours import default_theme, send_colours

    if "TEXTUAL_COLOR_SYSTEM" not in os.environ:
        send_colours(app, wanted.terminal.colours)
    if wanted.theme is not None and wanted.theme in app.available_themes:  # its file may be left out
        app.theme = wanted.theme
    elif "TEXTUAL_THEME" not in os.environ:
        app.theme = default_theme(wanted.terminal)
