"""The Pareto front of a sweep as a plot in text.  plotext is imported when the first plot is shown, not before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from ...analysis.design.answers import Answers
from ...analysis.design.plot import ParetoPlot, Point, pareto_plot
from ...analysis.lines import clean

if TYPE_CHECKING:
    from .text_plot import TextPlot

FRONT, BEATEN, KNEE, CHOSEN, AT, LINE = "●", "×", "K", "C", "▶", "·"
COLOURS = {
    FRONT: "text-success",
    BEATEN: "foreground-disabled",
    KNEE: "text-accent",
    CHOSEN: "text-accent",
    AT: "text-primary",
}
_NOTHING = "No configuration has figures to plot yet."


class ParetoPane(Vertical):
    """Time against SRAM on logarithmic axes; signs, not colours alone, tell the points apart."""

    DEFAULT_CSS = """
    ParetoPane { height: 1fr; min-height: 8; }
    ParetoPane TextPlot { height: 1fr; }
    ParetoPane #legend { height: auto; max-height: 2; color: $text-muted; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="pane")
        self.border_title = "Time against SRAM (Vela's estimates)"
        self._plot: ParetoPlot | None = None
        self._names: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        from .text_plot import TextPlot

        yield TextPlot()
        yield Static(id="legend", markup=False)

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self._draw())
        self._draw()

    def show(self, answers: Answers | None, at: int | None = None, names: Sequence[str] = ()) -> None:
        """Draw these answers; `at` is the place of the configuration under the cursor.

        With `names` of the configurations, which are few then, all are drawn, and the legend names the one under the cursor.
        """
        plot = pareto_plot(answers, at, whole=bool(names)) if answers is not None else None
        self._names = {}
        if answers is not None and answers.knee is not None:
            self._names[KNEE] = names[answers.knee] if names else answers.candidates[answers.knee].label
        if names and at is not None:
            self._names[AT] = names[at]
        if plot != self._plot:
            self._plot = plot
            if self.is_mounted:
                self._draw()

    def _draw(self) -> None:
        from .text_plot import TextPlot

        widget: TextPlot = self.query_one(TextPlot)
        plot = self._plot
        widget.display = plot is not None
        self.query_one("#legend", Static).update(_legend(plot, self._names) if plot is not None else _NOTHING)
        if plot is None:
            return
        draw = widget.plt
        draw.clear_figure()
        draw.xlim(plot.x.low, plot.x.high)
        draw.ylim(plot.y.low, plot.y.high)
        draw.xlabel(plot.x.title)
        draw.ylabel(plot.y.title)
        draw.xticks([at for at, _ in plot.x.ticks], [text for _, text in plot.x.ticks])
        draw.yticks([at for at, _ in plot.y.ticks], [text for _, text in plot.y.ticks])
        if len(plot.front) > 1:
            draw.plot(
                *_columns(plot.front), marker=LINE, color=widget.colour("foreground-disabled")
            )  # a finer one would not meet the signs
        for points, marker in _signs(plot):
            if points:
                draw.scatter(*_columns(points), marker=marker, color=widget.colour(COLOURS[marker]))
        widget.refresh()


def _columns(points: tuple[Point, ...]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _signs(plot: ParetoPlot) -> list[tuple[tuple[Point, ...], str]]:
    """What is drawn, the most important last: it covers the others."""
    single = ((plot.knee, KNEE), (plot.chosen, CHOSEN), (plot.at, AT))
    return [(plot.beaten, BEATEN), (plot.front, FRONT), *(((one,), sign) for one, sign in single if one is not None)]


def _legend(plot: ParetoPlot, names: Mapping[str, str]) -> str:
    parts = [f"{FRONT} front"]
    if plot.beaten:
        parts.append(f"{BEATEN} beaten")
    if plot.knee is not None and plot.knee != plot.chosen:
        parts.append(f"{KNEE} knee{_named(names, KNEE)}")
    if plot.chosen is not None:
        parts.append(f"{CHOSEN} chosen" + (f", the knee{_named(names, KNEE)}" if plot.chosen == plot.knee else ""))
    if plot.at is not None:
        parts.append(f"{AT} under the cursor{_named(names, AT)}")
    if plot.left_out:
        parts.append(f"{plot.left_out} far beyond are not shown")
    return "  ".join(parts)


def _named(names: Mapping[str, str], sign: str) -> str:
    return f": {clean(names[sign])}" if sign in names else ""
