"""Horizontal bars in plain characters: used of capacity, parts of a whole, one value beside another.

Parts differ by shade as well as by colour, and the figures stand beside the bars, so nothing depends on colour.  A bar of one
part ends to an eighth of a cell: a share of a hundredth is not drawn as a twentieth because that is the width of a letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from ...analysis.lines import clean
from .. import glyphs
from .table_layout import align

STYLES = ("$text-primary", "$text-accent", "$text-warning", "$text-success")
MAX_LABEL = 28
USUAL, LEAST = 8, 4
"""Cells of a bar, at least: labels give way for the first, texts that leave it fewer than the second are cut."""
LEAST_LABEL = 14


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
    cells: tuple[str, ...] = ()
    """The text in columns, which are aligned with those of the other bars; `text` is the same in one piece."""


def in_cells(*cells: str) -> dict[str, Any]:
    """Text and cells of a bar that stands among others."""
    return {"text": " ".join(filter(None, cells)), "cells": cells}


def eighths(share: float, room: int) -> str:
    """A bar of this share of so many cells, to an eighth of a cell; what is more than nothing is seen."""
    count = round(max(0.0, min(share, 1.0)) * room * 8)
    whole, rest = divmod(max(count, int(share > 0 and room > 0)), 8)
    return glyphs.FILLS[0] * whole + glyphs.EIGHTHS[rest]


class Bars(Widget):
    """A column of bars that share one scale for labels and text."""

    DEFAULT_CSS = """
    Bars { height: auto; width: 1fr; text-wrap: nowrap; }
    """

    bars: reactive[tuple[Bar, ...]] = reactive((), layout=True)

    def __init__(self, bars: Sequence[Bar] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(Bars.bars, tuple(bars))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line for each bar, and those of its legend: what is rendered may be as wide as the last layout was."""
        return sum(1 + (len(_legend(bar, width)) if bar.legend else 0) for bar in self.bars)

    def render(self) -> Content:
        if not self.bars:
            return Content("")
        label_width = min(max(cell_len(clean(bar.label)) for bar in self.bars), MAX_LABEL)
        texts = _aligned(self.bars)
        text_width = max(map(cell_len, texts))
        over = label_width + text_width + USUAL + 4 - self.size.width
        label_width = max(min(label_width, LEAST_LABEL), label_width - max(0, over))  # a figure is not to be cut
        text_width = max(4, min(text_width, self.size.width - label_width - LEAST - 4))
        room = max(4, self.size.width - label_width - text_width - 4)
        lines: list[Content] = []
        for bar, text in zip(self.bars, texts, strict=True):
            label = align(clean(bar.label), label_width, "left", "end")
            lines.append(
                Content.assemble(
                    (label + "  ", "bold" if bar.marked else ""),
                    _filled(bar, room),
                    (
                        f"  {align(text, text_width, 'left' if bar.from_left else 'right')}",
                        "$foreground-disabled" if bar.muted else "",
                    ),
                )
            )
            if bar.legend:
                lines += _legend(bar, self.size.width)
        return Content("\n").join(lines)


def _aligned(bars: Sequence[Bar]) -> list[str]:
    """The texts, those in cells with each cell as wide as the widest of its column."""
    rows = [[clean(cell) for cell in bar.cells] for bar in bars]
    widths = [max(cell_len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    return [
        "  ".join(align(cell, width, "right") for cell, width in zip(row, widths, strict=False))
        if row
        else clean(bar.text)
        for bar, row in zip(bars, rows, strict=True)
    ]


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
    if len(bar.parts) == 1:
        filled = eighths(bar.parts[0].value / bar.whole if bar.whole > 0 else 0.0, room)
        style = "$foreground-disabled" if bar.muted else STYLES[0]
        return Content.assemble((filled, style), (glyphs.TRACK * (room - len(filled)), "$foreground-disabled"))
    counts = _cells(bar, room)
    pieces: list[Content] = []
    for i, count in enumerate(counts):
        style = "$foreground-disabled" if bar.muted else STYLES[i % len(STYLES)]
        pieces.append(Content.styled(glyphs.FILLS[i % len(glyphs.FILLS)] * count, style))
    pieces.append(Content.styled(glyphs.TRACK * (room - sum(counts)), "$foreground-disabled"))
    return Content("").join(pieces)


def _legend(bar: Bar, width: int) -> list[Content]:
    """The names of the parts, in as many lines as they take; a name and its figure stay together."""
    lines: list[Content] = []
    for i, part in enumerate(bar.parts):
        style = "$foreground-disabled" if bar.muted else STYLES[i % len(STYLES)]
        piece = Content.assemble(
            (glyphs.FILLS[i % len(glyphs.FILLS)], style), (f" {clean(part.name)}", "$foreground-muted")
        )
        if lines and lines[-1].cell_length + 2 + piece.cell_length <= width:
            lines[-1] = Content.assemble(lines[-1], "  ", piece)
        else:
            lines.append(piece)
    return lines
