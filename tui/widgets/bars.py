"""Horizontal bars in plain characters: used of capacity, parts of a whole, one value beside another.

Parts differ by shade as well as by colour, and the figures stand beside the bars, so nothing depends on colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ...analysis.lines import clean
from .. import glyphs
from .table_layout import align

STYLES = ("$text-primary", "$text-accent", "$text-warning", "$text-success")
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Keeps a name and its figure together where a legend wraps."""
MAX_LABEL = 28
LEAST = 8
"""Cells of a bar, at least; a text that leaves it fewer is cut."""


class Part(NamedTuple):
    """A piece of a bar."""

    name: str
    value: float


class Bar(NamedTuple):
    """One bar: `parts` fill it from the left, `whole` is its full length, `text` stands at its right."""

    label: str
    parts: tuple[Part, ...]
    whole: float
    text: str
    muted: bool = False
    marked: bool = False
    from_left: bool = False
    """The text begins right behind the bar: its figure comes first, and words follow."""
    legend: bool = False
    """Show the names of the parts under the bar."""


class Bars(Widget):
    """A column of bars that share one scale for labels and text."""

    DEFAULT_CSS = """
    Bars { height: auto; width: 1fr; }
    """

    bars: reactive[tuple[Bar, ...]] = reactive((), layout=True)

    def __init__(self, bars: Sequence[Bar] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(Bars.bars, tuple(bars))

    def render(self) -> Content:
        if not self.bars:
            return Content("")
        label_width = min(max(cell_len(clean(bar.label)) for bar in self.bars), MAX_LABEL)
        text_width = max(cell_len(clean(bar.text)) for bar in self.bars)
        text_width = max(4, min(text_width, self.size.width - label_width - LEAST - 4))
        room = max(4, self.size.width - label_width - text_width - 4)
        lines: list[Content] = []
        for bar in self.bars:
            label = align(clean(bar.label), label_width, "left")
            lines.append(
                Content.assemble(
                    (label + "  ", "bold" if bar.marked else ""),
                    _filled(bar, room),
                    (
                        f"  {align(clean(bar.text), text_width, 'left' if bar.from_left else 'right')}",
                        "$foreground-disabled" if bar.muted else "",
                    ),
                )
            )
            if bar.legend:
                lines.append(_legend(bar))
        return Content("\n").join(lines)


def _cells(bar: Bar, room: int) -> list[int]:
    """How many cells each part gets: at least one when there is anything, never more than the room."""
    counts: list[int] = []
    left = room
    for part in bar.parts:
        share = part.value / bar.whole if bar.whole > 0 else 0.0
        count = min(left, max(1 if part.value > 0 else 0, round(share * room)))
        counts.append(count)
        left -= count
    return counts


def _filled(bar: Bar, room: int) -> Content:
    counts = _cells(bar, room)
    pieces: list[Content] = []
    for i, count in enumerate(counts):
        style = "$foreground-disabled" if bar.muted else STYLES[i % len(STYLES)]
        pieces.append(Content.styled(glyphs.FILLS[i % len(glyphs.FILLS)] * count, style))
    pieces.append(Content.styled(glyphs.TRACK * (room - sum(counts)), "$foreground-disabled"))
    return Content("").join(pieces)


def _legend(bar: Bar) -> Content:
    pieces = [
        Content.assemble(
            (glyphs.FILLS[i % len(glyphs.FILLS)], "$foreground-disabled" if bar.muted else STYLES[i % len(STYLES)]),
            (f" {clean(part.name)}".replace(" ", NO_BREAK), "$foreground-muted"),
        )
        for i, part in enumerate(bar.parts)
    ]
    return Content("  ").join(pieces)
