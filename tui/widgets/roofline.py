"""The roofline as a plot in text.  plotext is imported when the first plot is shown, not before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from ...analysis.meaning.roofline import Roofline
from ..roofline_drawing import draw_roofline, legend_of

if TYPE_CHECKING:
    from .text_plot import TextPlot


class RooflinePlot(Vertical):
    """Signs, not colours alone, tell the roofs and the run apart."""

    DEFAULT_CSS = """
    RooflinePlot { height: 1fr; min-height: 8; padding: 0 1; }
    RooflinePlot TextPlot { height: 1fr; max-height: 40; }
    RooflinePlot #legend { height: auto; max-height: 8; color: $text-muted; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: Roofline | None = None

    def compose(self) -> ComposeResult:
        from .text_plot import TextPlot

        yield TextPlot()
        yield Static(id="legend", markup=False)

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self._draw())
        self._draw()

    def show(self, roofline: Roofline) -> None:
        """Draw this one."""
        self._shown = roofline
        if self.is_mounted and self.query("#legend"):
            self._draw()

    def _draw(self) -> None:
        from .text_plot import TextPlot

        shown = self._shown
        if shown is None:
            return
        widget: TextPlot = self.query_one(TextPlot)
        draw_roofline(widget.plt, shown, widget.colour)
        widget.refresh()
        self.query_one("#legend", Static).update("\n".join((legend_of(shown), *shown.words)))
