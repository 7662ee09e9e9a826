"""How a roofline is drawn with plotext, by the report's tab and by `analyze --roofline` alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..analysis.meaning.roofline import EXTERNAL, SRAM, Point, Roofline

COMPUTE = "-"
SIGNS = {EXTERNAL: ("X", "/"), SRAM: ("O", "+")}
"""The run and the roof of a memory, as signs that every terminal has."""
COLOURS = {EXTERNAL: "text-accent", SRAM: "text-success"}
"""Of a memory: the names of the theme."""
_POINTS = 240
"""Of a line: one for each column of a wide terminal, so that it has no gaps."""


def draw_roofline(draw: Any, shown: Roofline, colour: Callable[[str], Any] | None = None) -> None:
    """Draw it on a figure of plotext (untyped), which is cleared first; `colour` gives that of a name of the theme."""

    def line(points: tuple[list[float], list[float]], sign: str, name: str) -> None:
        draw.scatter(*points, marker=sign, color=colour(name) if colour is not None else None)

    draw.clear_figure()
    draw.xlim(shown.low[0], shown.high[0])
    draw.ylim(shown.low[1], shown.high[1])
    draw.xlabel("MACs a byte")
    draw.ylabel("MACs a cycle")
    draw.xticks([at for at, _ in shown.x_ticks], [text for _, text in shown.x_ticks])
    draw.yticks([at for at, _ in shown.y_ticks], [text for _, text in shown.y_ticks])
    ridges = [memory.slope[1][0] for memory in shown.memories if memory.slope is not None]
    begin = min(ridges, default=shown.low[0])
    line(_line((begin, shown.compute), (shown.high[0], shown.compute)), COMPUTE, "foreground-muted")
    for memory in shown.memories:
        if memory.slope is not None:
            line(_line(*memory.slope), SIGNS[memory.name][1], COLOURS[memory.name])
    for memory in shown.memories:  # above all lines
        line(([memory.point[0]], [memory.point[1]]), SIGNS[memory.name][0], COLOURS[memory.name])


def legend_of(shown: Roofline) -> str:
    """What the signs are, in a line."""
    legend = [f"{COMPUTE} roof of the MACs"]
    for memory in shown.memories:
        at, line = SIGNS[memory.name]
        legend.append(f"{at} run, {line} roof: {memory.name}" if memory.slope else f"{at} run: {memory.name}")
    return "   ".join(legend)


def _line(start: Point, end: Point) -> tuple[list[float], list[float]]:
    steps = [i / _POINTS for i in range(_POINTS + 1)]
    return [start[0] + (end[0] - start[0]) * t for t in steps], [start[1] + (end[1] - start[1]) * t for t in steps]
