"""A note stands directly under its table while the table is short, and at the foot of the container once it is long.

A style sheet can give a table what room is left, or as much as it needs, but not the smaller of both.
"""

from __future__ import annotations

from typing import Any

from textual.containers import Container
from textual.layout import ArrangeResult, Layout
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget

from .data_table import DataTable


class UnderTables(VerticalLayout):
    """From top to bottom; no table is higher than its rows, and what follows it moves up."""

    def arrange(self, parent: Widget, *arguments: Any, **options: Any) -> ArrangeResult:
        """Place the children as `VerticalLayout` does, then close the gaps."""
        placements = list(super().arrange(parent, *arguments, **options))
        moved = 0
        for i, placement in enumerate(placements):
            region, widget = placement.region.translate((0, -moved)), placement.widget
            if isinstance(widget, DataTable) and i + 1 < len(placements):
                needed = widget.get_content_height(parent.size, parent.app.size, region.width) + widget.gutter.height
                spare = max(0, region.height - max(needed, widget.gutter.height + 2))
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
