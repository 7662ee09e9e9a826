"""`analyze --roofline`: what the Roofline tab of a report shows, as text; a screen reader gets the sentences alone."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...analysis.cleaning import clean
from ...analysis.meaning.roofline import Roofline, roofline_of
from .output import columns, goes_elsewhere, print_line

if TYPE_CHECKING:
    from ...analysis.report import Run

_WIDTH, _LEAST, _MOST = 80, 40, 120
"""Columns of the drawing: for a pipe, and the fewest and most for a terminal."""
_HEIGHT = 22


def print_roofline(run: Run) -> None:
    """The drawing and what it shows in words; or the sentence that says why there is none."""
    found = roofline_of(run)
    if isinstance(found, str):
        print_line(found)
    elif goes_elsewhere():
        print_line(f"Roofline: {found.words[0]}")
        for words in found.words[1:]:
            print_line(words)
    else:
        from ..roofline_drawing import legend_of

        print_line("Roofline")
        for line in drawing(found, columns() or _WIDTH):  # its blanks are part of it, however narrow the terminal
            print(clean(line))
        for line in (legend_of(found), *found.words):
            print_line(line)
    if not goes_elsewhere():
        print()


def drawing(found: Roofline, width: int) -> list[str]:
    """The plot as lines, in characters that the output can carry."""
    import plotext

    from ..roofline_drawing import draw_roofline

    plotext.clear_figure()
    draw_roofline(plotext, found)
    plotext.theme("clear")
    plotext.limit_size(False, False)  # to the terminal at hand, which is not where it goes
    plotext.plot_size(min(max(width, _LEAST), _MOST), _HEIGHT)
    text = plotext.uncolorize(plotext.build())
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        from ..terminal.transcription import transcription

        text = text.translate(transcription("ascii") or {})
    return [line.rstrip() for line in text.splitlines()]
