"""A plot in text in the colours of the theme: plotext's own are too bright for a light one.  It loads plotext: import it late."""

from __future__ import annotations

from textual.app import App
from textual.color import Color, ColorParseError
from textual_plotext import PlotextPlot
from textual_plotext.plot import _themes

PlotColour = str | int | tuple[int, int, int]


class TextPlot(PlotextPlot):
    """Stands on the screen's background, with axes in the colour of its texts."""

    def colour(self, variable: str) -> PlotColour:
        """A colour of the theme as plotext takes it."""
        return plot_colour(self.app, variable)

    def _get_plotext_theme_name(self, app_theme_name: str) -> str:
        return f"ethosu-{app_theme_name}"

    def _register_theme(self, app_theme_name: str) -> None:
        ground, text = plot_colour(self.app, "background"), plot_colour(self.app, "foreground-muted")
        _themes[self._get_plotext_theme_name(app_theme_name)] = [ground, ground, text, "default", [text]]
        self.refresh()


def plot_colour(app: App[object], variable: str) -> PlotColour:
    """What a theme's variable is for plotext: red, green and blue, a number of the terminal's sixteen, or its default."""
    ground = _parsed(app, "background")
    colour = _parsed(app, variable)
    if colour is None or colour.a == 0 or colour.ansi == -1:
        return "default"
    if colour.ansi is not None:
        return colour.ansi
    if colour.a < 1 and ground is not None and ground.ansi is None:
        colour = ground + colour
    return colour.rgb


def _parsed(app: App[object], variable: str) -> Color | None:
    try:
        return Color.parse(app.theme_variables[variable])
    except (KeyError, ColorParseError):
        return None
