"""The roofline as a plot in text.  plotext is imported when the first plot is shown, not before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from ...analysis.meaning.roofline import EXTERNAL, SRAM, Point, Roofline

if TYPE_CHECKING:
    from .text_plot import TextPlot

COMPUTE = "-"
SIGNS = {EXTERNAL: ("X", "/"), SRAM: ("O", "+")}
"""The run and the roof of a memory, as signs that every terminal has."""
COLOURS = {EXTERNAL: "text-accent", SRAM: "text-success"}
_POINTS = 240
"""Of a line: one for each column of a wide terminal, so that it has no gaps."""


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
        draw = widget.plt
        draw.clear_figure()
        draw.xlim(shown.low[0], shown.high[0])
        draw.ylim(shown.low[1], shown.high[1])
        draw.xlabel("MACs a byte")
        draw.ylabel("MACs a cycle")
        draw.xticks([at for at, _ in shown.x_ticks], [text for _, text in shown.x_ticks])
        draw.yticks([at for at, _ in shown.y_ticks], [text for _, text in shown.y_ticks])
        ridges = [memory.slope[1][0] for memory in shown.memories if memory.slope is not None]
        begin = min(ridges, default=shown.low[0])
        draw.scatter(
            *_line((begin, shown.compute), (shown.high[0], shown.compute)),
            marker=COMPUTE,
            color=widget.colour("foreground-muted"),
        )
        for memory in shown.memories:
            if memory.slope is not None:
                draw.scatter(
                    *_line(*memory.slope), marker=SIGNS[memory.name][1], color=widget.colour(COLOURS[memory.name])
                )
        for memory in shown.memories:  # above all lines
            draw.scatter(
                [memory.point[0]],
                [memory.point[1]],
                marker=SIGNS[memory.name][0],
                color=widget.colour(COLOURS[memory.name]),
            )
        widget.refresh()
        legend = [f"{COMPUTE} roof of the MACs"]
        for memory in shown.memories:
            at, line = SIGNS[memory.name]
            legend.append(f"{at} run, {line} roof: {memory.name}" if memory.slope else f"{at} run: {memory.name}")
        self.query_one("#legend", Static).update("\n".join(["   ".join(legend), *shown.words]))


def _line(start: Point, end: Point) -> tuple[list[float], list[float]]:
    steps = [i / _POINTS for i in range(_POINTS + 1)]
    return [start[0] + (end[0] - start[0]) * t for t in steps], [start[1] + (end[1] - start[1]) * t for t in steps]
