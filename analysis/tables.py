"""Neutral tables: what the command line prints, the screens show and the exporters write is one and the same object.

A `Table` holds formatted text beside the raw value (for sorting and export) and the log line behind it (for jumping).
Building tables is pure; drawing them belongs to `text.py` (plain text) and to the screens.
"""

from __future__ import annotations

import re

from .named_tuple import TYPE_CHECKING, NamedTuple

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
    """Room behind the figures for their marks, such as "n/c", so that figures stay aligned (`set_apart`)."""
    unit: str = ""
    """Of the raw values, for files that have those alone, where neither name nor texts say it."""
    short: str = ""
    """Stands for the name on a screen where that does not fit."""


class Table(NamedTuple):
    """A titled table; `note` is one sentence that belongs under it (why a figure is absent, what a mark means)."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


_MARKS = re.compile(r"(?: (?:\([^()]*\)|\xb1[0-9.]+%|n/c|~|\*))+$")


def marks_width(cell: Cell) -> int:
    """Room that the marks behind a figure need, the space before them left out; that of the best is among them."""
    text = f"{cell.text} *" if cell.tone == "best" else cell.text
    found = _MARKS.search(text)
    return len(found.group()) - 1 if found is not None else 0


def set_apart(text: str, marks: int) -> str:
    """The text of a cell (with the sign of the best) with its marks in a place of `marks` columns: "5 n/c", "5 ~  ", "5    "."""
    if not marks or not text:
        return text
    found = _MARKS.search(text)
    at = found.start() if found is not None else len(text)
    return f"{text[:at]} {text[at + 1 :].ljust(marks)}"
