"""Neutral tables: the command line prints, the screens show and the exporters write the same objects.

A `Table` holds formatted text beside the raw value (for sorting and export) and the line of the log (for jumping).
Building tables is pure; `text.py` draws them as plain text, and the screens draw their own.
"""

from __future__ import annotations

from ..cleaning import compiled
from ..named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Tone: TypeAlias = 'Literal["", "good", "bad", "warn", "dim", "best", "head"]'


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
    marks: int = 0
    """Columns for marks such as "n/c", so that figures stay aligned (see `set_apart`)."""
    unit: str = ""
    """Unit of the raw values, for files that have only those, where neither name nor texts tell it."""
    short: str = ""
    """Used instead of the name where a screen has too little room."""


class Table(NamedTuple):
    """A titled table; `note` is one sentence that belongs under it (why a figure is absent, what a mark means)."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


_MARKS = r"(?: (?:\([^()]*\)|\xb1[0-9.]+%|n/c|~|\*))+$"


def marks_width(cell: Cell) -> int:
    """Columns needed for the marks after a figure, without the space before them."""
    text = f"{cell.text} *" if cell.tone == "best" else cell.text
    found = compiled(_MARKS).search(text)
    return len(found.group()) - 1 if found is not None else 0


def set_apart(text: str, marks: int) -> str:
    """The text of a cell with its marks padded to `marks` columns: "5 n/c", "5 ~ ", "5 "."""
    if not marks or not text:
        return text
    found = compiled(_MARKS).search(text)
    at = found.start() if found is not None else len(text)
    return f"{text[:at]} {text[at + 1 :].ljust(marks)}"
