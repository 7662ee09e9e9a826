"""Lines of small columns, one for each series: how a figure went from inference to inference.

Each line has its own scale, from its least to its largest value, and says both.  Where there are more values than columns,
a column is the mean of its share of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from ...analysis.comparing.trend import levels, means
from ...analysis.lines import clean
from ...analysis.units import format_count
from .. import glyphs
from .table_layout import align

Row = tuple[str, Sequence[float]]


class Sparkline(Widget):
    """As many lines as there are series."""

    DEFAULT_CSS = """
    Sparkline { height: auto; width: 1fr; padding: 0 1; }
    """

    rows: reactive[tuple[Row, ...]] = reactive((), layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.rows)

    def render(self) -> Content:
        names = [clean(name) for name, _ in self.rows]
        ends = [f"{format_count(round(min(values)))} to {format_count(round(max(values)))}" for _, values in self.rows]
        left, right = max(map(cell_len, names), default=0), max(map(cell_len, ends), default=0)
        room = max(8, self.size.width - left - right - 4)
        return Content("\n").join(
            Content.assemble(
                (f"{align(name, left, 'left')}  ", "bold"),
                (columns(values, room), "$text-primary"),
                (f"  {end}", "$foreground-muted"),
            )
            for name, (_, values), end in zip(names, self.rows, ends, strict=True)
        )


def columns(values: Sequence[float], room: int) -> str:
    """The values as signs of rising height, in so many cells at most; the least and the largest reach the edges."""
    heights = levels(means(values, room), len(glyphs.SPARKS), calm_percent=0)
    return "".join(glyphs.SPARKS[height] for height in heights)
