"""Neutral tables: what the command line prints, the screens show and the exporters write is one and the same object.

A `Table` holds formatted text beside the raw value (for sorting and export) and the log line behind it (for jumping).
Building tables is pure; drawing them belongs to `text.py` (plain text) and to the screens.
"""

from __future__ import annotations

from .named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Tone: TypeAlias = 'Literal["", "good", "bad", "warn", "dim", "best"]'


class Cell(NamedTuple):
    """One cell: `text` for people, `value` for sorting and export, `line` where the figure stands in the log."""

    text: str
    value: float | str | None = None
    line: int | None = None
    tone: Tone = ""


class Column(NamedTuple):
    """One column; `align` is how numbers and text are set.

    Where there is too little room, a text keeps at least `least` columns, and its `kept` end.
    """

    name: str
    align: Literal["left", "right"] = "left"
    least: int = 0
    kept: Literal["start", "end"] = "start"


class Table(NamedTuple):
    """A titled table; `note` is one sentence that belongs under it (why a figure is absent, what a mark means)."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
