"""A small chart of a tensor's values.  plotext is imported when the first chart is shown, not before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

if TYPE_CHECKING:
    from textual_plotext import PlotextPlot


class Chart(Vertical):
    """Bars over an index, with a title."""

    DEFAULT_CSS = """
    Chart { height: 1fr; min-height: 6; }
    """

    def __init__(self, title: str, values: Sequence[float], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = title
        self._values = list(values)

    def compose(self) -> ComposeResult:
        from textual_plotext import PlotextPlot

        yield PlotextPlot()

    def on_mount(self) -> None:
        self._draw()

    def show(self, title: str, values: Sequence[float]) -> None:
        """Draw other values."""
        self._title, self._values = title, list(values)
        self._draw()

    def _draw(self) -> None:
        from textual_plotext import PlotextPlot

        widget: PlotextPlot = self.query_one(PlotextPlot)
        plot = widget.plt
        plot.clear_data()
        plot.title(self._title)
        positions = list(range(len(self._values)))
        if len(positions) <= 64:
            plot.bar(positions, self._values, width=0.6)
        else:
            plot.plot(positions, self._values, marker="braille")
        plot.xfrequency(min(8, max(1, len(positions))))
        plot.yfrequency(4)
        widget.refresh()
