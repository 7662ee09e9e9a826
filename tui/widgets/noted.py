"""A note stands directly under its table while the table is short, and at the foot of the container once it is long.

A style sheet can give a table what room is left, or as much as it needs, but not the smaller of both.  Nor does it know that
a container may be lower than what is in it: a table that went on below the foot could never show its last rows.
"""

from __future__ import annotations

from typing import Any

from textual.containers import Container
from textual.geometry import Size
from textual.layout import ArrangeResult, Layout
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget

from .data_table import DataTable


class UnderTables(VerticalLayout):
    """From top to bottom; no table is higher than its rows or goes on below the foot, and what follows it moves up."""

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, *arguments: Any, **options: Any
    ) -> ArrangeResult:
        """Place the children as `VerticalLayout` does, then close the gaps; without a height it is only measured."""
        placements = list(super().arrange(parent, children, size, *arguments, **options))
        moved = 0
        for i, placement in enumerate(placements):
            region, widget = placement.region.translate((0, -moved)), placement.widget
            if isinstance(widget, DataTable) and i + 1 < len(placements):
                needed = widget.get_content_height(parent.size, parent.app.size, region.width) + widget.gutter.height
                least = widget.gutter.height + 2
                below = region.bottom - size.height if size.height else 0
                spare = max(0, region.height - max(needed, least), min(below, region.height - least))
                region, moved = region.shrink((0, 0, spare, 0)), moved + spare
            placements[i] = placement._replace(region=region)
        return placements


class NotesNear:
    """What a container of tables with notes inherits first: no widget itself, or the rules of the container were lost."""

    @property
    def layout(self) -> Layout:
        """The style sheet cannot name this one."""
        return _LAYOUT


class Noted(NotesNear, Container):
    """A table with its note."""


_LAYOUT = UnderTables()
