"""The Pareto front of a sweep or comparison as a drawing for a page, with its configurations in a list beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..design.answers import FRONT, Answers
from ..design.objectives import OBJECTIVES
from ..design.plot import Axis, ParetoPlot, Point, pareto_plot
from ..units import format_bytes, format_seconds
from .escaping import html_text

_WIDTH, _HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 66, 16, 14, 46
_CLOSE = 14
"""Numbers of points that are nearer to each other than this are not both written."""


def pareto_html(answers: Answers) -> str:
    """The figure; empty if nothing can be drawn."""
    plot = pareto_plot(answers)
    if plot is None:
        return ""
    far = f"; {plot.left_out} that lie far beyond it are left out" if plot.left_out else ""
    beaten = f", {len(plot.beaten)} that others beat as rings" if plot.beaten else ""
    return (
        "<figure><figcaption>Estimated time against SRAM, both better towards the corner below left: the Pareto front with "
        f"numbers{beaten}{far}</figcaption>\n"
        f'<div class="plot"><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Pareto front: '
        f'{len(plot.front)} configurations; the list beside it has their figures">{"".join(_drawn(answers, plot))}</svg>\n'
        f"<ol>\n{''.join(_listed(answers))}</ol></div></figure>\n"
    )


def _drawn(answers: Answers, plot: ParetoPlot) -> Iterator[str]:
    x, y = _Scale(plot.x, _LEFT, _WIDTH - _RIGHT), _Scale(plot.y, _HEIGHT - _BOTTOM, _TOP)
    for at, text in plot.x.ticks:
        yield f'<path class="rule" d="M{x(at):.1f} {_TOP}V{_HEIGHT - _BOTTOM}"/>'
        yield f'<text class="tick" x="{x(at):.1f}" y="{_HEIGHT - _BOTTOM + 17}" text-anchor="middle">{html_text(text)}</text>'
    for at, text in plot.y.ticks:
        yield f'<path class="rule" d="M{_LEFT} {y(at):.1f}H{_WIDTH - _RIGHT}"/>'
        yield f'<text class="tick" x="{_LEFT - 8}" y="{y(at) + 4:.1f}" text-anchor="end">{html_text(text)}</text>'
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    yield f'<text class="axis" x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{html_text(plot.x.title)}</text>'
    yield f'<text class="axis" x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{html_text(plot.y.title)}</text>'
    steps = "L".join(f"{x(point[0]):.1f} {y(point[1]):.1f}" for point in plot.front)
    yield f'<path class="front" d="M{steps}"/>'
    for point in plot.beaten:
        yield f'<circle class="ring" cx="{x(point[0]):.1f}" cy="{y(point[1]):.1f}" r="4"/>'
    last: tuple[float, float] | None = None
    for number, (place, point) in enumerate(_front(answers), 1):
        here = (x(point[0]), y(point[1]))
        yield f'<circle class="{"knee" if place == answers.knee else "dot"}" cx="{here[0]:.1f}" cy="{here[1]:.1f}" r="5"/>'
        if last is None or math.dist(here, last) > _CLOSE:
            yield f'<text class="number" x="{here[0] + 8:.1f}" y="{here[1] - 7:.1f}">{number}</text>'
            last = here


def _front(answers: Answers) -> list[tuple[int, Point]]:
    """Places of the front, the fastest first, with their points."""
    found = []
    for place in answers.front:
        one = answers.candidates[place]
        seconds, size = (OBJECTIVES[name].of(one) for name in FRONT)
        if size and seconds:
            found.append((place, (math.log(size), math.log(seconds))))
    return found


def _listed(answers: Answers) -> Iterator[str]:
    seconds, sram = (OBJECTIVES[name] for name in FRONT)
    chosen = answers.fit.place if answers.fit is not None else None
    for place, _ in _front(answers):
        one = answers.candidates[place]
        marks = [text for text, holds in (("knee", place == answers.knee), ("chosen", place == chosen)) if holds]
        marked = f" <strong>{', '.join(marks)}</strong>" if marks else ""
        figures = f"{format_seconds(seconds.of(one))}, {format_bytes(sram.of(one))}"
        yield f'<li>{html_text(one.label)}: <span class="soft">{html_text(figures)}</span>{marked}</li>\n'


class _Scale:
    """From a figure's logarithm to a place in the drawing."""

    def __init__(self, axis: Axis, first: float, last: float) -> None:
        self._low, self._first = axis.low, first
        self._step = (last - first) / (axis.high - axis.low)

    def __call__(self, value: float) -> float:
        return self._first + (value - self._low) * self._step
