"""Colours for the terminal at hand: which theme, how many colours on the wire, and attributes instead of them where there are none."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.color import Color as RichColor
from rich.color import ColorSystem, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter, Monochrome, NoColor
from textual.theme import BUILTIN_THEMES, Theme

if TYPE_CHECKING:
    from textual.app import App

    from .abilities import Abilities, Colours

SHORT_NAMES = {"dark": "textual-dark", "light": "textual-light", "ansi": "ansi-dark"}
_SYSTEMS = {"standard": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}
_STANDS_OUT = 0.25
"""By so much must a background differ in brightness from the screen's to be shown in reverse."""
_BLACK, _GREY = 0, 8


def own_themes(colours: Colours = "truecolor") -> list[Theme]:
    """Textual's own themes where ours differ: hints and states were too pale to be read, on the cursor's row most of all.

    Every text stands out by 4.5 to 1 at least from what it stands on; a test computes it.

    Of 256 colours the nearest to a bluish grey is a navy blue, so bars are pure grey there.
    """
    dark, light = BUILTIN_THEMES["textual-dark"], BUILTIN_THEMES["textual-light"]
    few = colours == "256"
    ansi = {
        "foreground-disabled": "ansi_default 50%",
        "surface-lighten-1": "ansi_bright_black",
        "surface-lighten-2": "ansi_bright_black",
        "block-cursor-blurred-text-style": "underline",
    }
    return [
        replace(
            dark,
            panel="#303030" if few else dark.panel,
            variables={
                **dark.variables,
                "foreground-disabled": "#989898",
                "foreground-muted": "#B4B4B4",
                "text-error": "#E28C9F",
                "surface-lighten-1": "#303030",
            },
        ),
        replace(
            light,
            background="#F6F6F6",
            surface="#ECECEC",
            panel="#DADADA" if few else "#DDE3E9",
            success="#0F7B3F",
            warning="#8F5600",
            accent="#805000",
            variables={
                **light.variables,
                "foreground-muted": "#484848",
                "foreground-disabled": "#585858",
                "text-success": "#0B6633",
                "text-warning": "#7A4900",
                "text-accent": "#7A4900",
                "text-error": "#A01030",
                "surface-lighten-1": "#D3DAE1",
                "surface-lighten-2": "#B4BCC4",
            },
        ),
        *(
            replace(theme, variables={**theme.variables, **ansi})
            for theme in (BUILTIN_THEMES["ansi-dark"], BUILTIN_THEMES["ansi-light"])
        ),
    ]


def theme_names() -> list[str]:
    """What may be asked for: Textual's, ours, and those of the user's own files."""
    from ...runners.preferences import THEMES, preferences

    return [*SHORT_NAMES, *sorted(BUILTIN_THEMES), *(file.name for file in preferences(THEMES) if not file.problem)]


def default_theme(able: Abilities) -> str:
    """The theme for a terminal of which nobody said anything: its own palette, where it has no better colours."""
    family = "textual" if able.colours in ("256", "truecolor") else "ansi"
    return f"{family}-{'light' if able.light else 'dark'}"


def send_colours(app: App[None], colours: Colours) -> None:
    """From now on the app writes no colours that the terminal does not have."""
    if colours == "none":
        others = [
            one for one in app._filters if not isinstance(one, (Monochrome, NoColor))
        ]  # these leave greys, or nothing
        app._filters = [*others, Attributes()]
        app.console._color_system = ColorSystem.STANDARD  # nothing of it is left by then
        app.add_class("-mono")  # app.tcss gives attributes to what colours alone would show
    else:
        app.console._color_system = _SYSTEMS[colours]


class Attributes(LineFilter):
    """Bold, reverse and underline stay; a background that stands out becomes reverse, and no colour is left."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments with such styles."""
        return [
            Segment(text, None if style is None else _without_colours(style, background), control)
            for text, style, control in segments
        ]


@lru_cache(4096)
def _without_colours(style: Style, background: Color) -> Style:
    reverse = bool(style.reverse) != _stands_out(style.bgcolor, background)
    return Style(
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=reverse,
        meta=style.meta or None,
    )


def _stands_out(colour: RichColor | None, background: Color) -> bool:
    if colour is None or colour.type == ColorType.DEFAULT:
        return False
    if colour.type in (ColorType.STANDARD, ColorType.EIGHT_BIT) and (colour.number or 0) < 16:
        return colour.number not in (_BLACK, _GREY)
    return abs(Color.from_rich_color(colour).brightness - background.brightness) > _STANDS_OUT
