"""How a table is laid out in columns and in which order its rows stand: pure functions of a neutral `Table`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ...analysis.cleaning import clean
from ...analysis.tables import Cell, Column, Table, set_apart
from .. import glyphs

GAP = 2
MIN_WIDTH = 6
FIXED_WIDTH = 20
LEGIBLE = 4
"""Fewer cells of a text at the right edge say nothing."""
SAMPLE = 2_000
"""Rows that are measured for the column widths; longer tables measure the first, and a cell that is wider is cut."""


def natural_widths(table: Table, *, header: bool) -> list[int]:
    """What each column needs to show all of its (first) cells."""
    rows = table.rows[:SAMPLE]
    return [
        max(
            [
                cell_len(set_apart(c.name, c.marks)) if header else 0,
                *(cell_len(text_of(r[i], c)) for r in rows if i < len(r)),
            ]
        )
        for i, c in enumerate(table.columns)
    ]


def fitted_widths(table: Table, natural: Sequence[int], room: int, fixed: int = 0) -> list[int]:
    """The widths in so much room: text columns give way, the widest first; numbers are never cut.

    The first `fixed` columns say what the others are, and stay readable: the others are scrolled.
    """
    widths = list(natural)
    flexible = [i for i, c in enumerate(table.columns) if c.align == "left"]
    over = sum(widths) + GAP * max(0, len(widths) - 1) - room
    while room > 0 and over > 0 and flexible:
        widest = max(flexible, key=lambda i: widths[i])
        column = table.columns[widest]
        floor = (
            FIXED_WIDTH
            if widest < fixed
            else max(MIN_WIDTH, min(cell_len(column.short or column.name), 12), column.least)
        )
        if widths[widest] <= floor:
            if not column.least:
                break
            flexible.remove(widest)
            continue
        widths[widest] -= 1
        over -= 1
    return widths


def given_back(widths: Sequence[int], natural: Sequence[int], room: int) -> list[int]:
    """Where not all columns can be in sight, what is left beside those that are goes to the texts that were cut for the others.

    The shortest cut is undone first.
    """
    widths = list(widths)
    if sum(widths) + GAP * max(0, len(widths) - 1) <= room:
        return widths
    whole, used = 0, 0
    while whole < len(widths) and used + widths[whole] <= room:
        used += widths[whole] + GAP
        whole += 1
    left = room - used  # a gap stays free for the arrow
    for i in sorted(range(whole), key=lambda i: natural[i] - widths[i]):
        more = max(0, min(left, natural[i] - widths[i]))
        widths[i] += more
        left -= more
    return widths


class RowOrder:
    """Which rows of a table are shown in which order; what is looked for and compared is kept for the next key."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._texts: list[str] | None = None
        self._keys: dict[int, list[float | str | None]] = {}

    def arranged(self, filter_text: str, sort: tuple[int, bool] | None) -> list[int]:
        """Row numbers: those with a cell that contains the text, sorted by (column, descending), absent last."""
        order = self._containing(filter_text) if filter_text else list(range(len(self._table.rows)))
        if sort is None:
            return order
        column, descending = sort
        keys = self._keys_of(column)
        numbers = [i for i in order if type(keys[i]) is float]
        texts = [i for i in order if type(keys[i]) is str]
        absent = [i for i in order if keys[i] is None]
        for known in (numbers, texts):
            known.sort(key=keys.__getitem__, reverse=descending)  # type: ignore[arg-type]
        return texts + numbers + absent if descending else numbers + texts + absent

    def prepare(self) -> list[str]:
        """The texts that a filter looks through, one for each row."""
        if self._texts is None:
            self._texts = ["\n".join([cell.text for cell in row]).casefold() for row in self._table.rows]
        return self._texts

    def _containing(self, text: str) -> list[int]:
        return [i for i, row in enumerate(self.prepare()) if text in row]

    def _keys_of(self, column: int) -> list[float | str | None]:
        """What each row is compared by: no tuples, whose number would make the collector look through the whole table."""
        keys = self._keys.get(column)
        if keys is None:
            rows = self._table.rows
            keys = self._keys[column] = [sort_key(row[column]) if column < len(row) else None for row in rows]
        return keys


def text_of(cell: Cell, column: Column | None = None) -> str:
    """What is shown of a cell: safe to print, with a sign where a colour alone would tell, its marks where the column has them."""
    text = clean(cell.text)
    text = f"{text} {glyphs.BEST}" if cell.tone == "best" and glyphs.BEST not in text else text
    return set_apart(text, column.marks) if column is not None and column.marks else text


def align(text: str, width: int, alignment: str, kept: str = "start") -> str:
    """The text in exactly so many cells; of one that is longer, its start or end is `kept`."""
    length = cell_len(text)
    if length > width and kept == "end" and width > 0:
        left = text[len(text) - width + 1 :]  # wide characters: fewer still
        while cell_len(left) >= width:
            left = left[1:]
        return glyphs.ELLIPSIS + left + " " * (width - 1 - cell_len(left))
    if length > width:
        return set_cell_size(text, max(0, width - 1)) + glyphs.ELLIPSIS if width > 0 else ""
    return " " * (width - length) + text if alignment == "right" else text + " " * (width - length)


def in_sight(text: str, column: Column, width: int, low: int, high: int) -> str:
    """A cell of which only the cells from `low` to `high` are in sight: a figure that is cut there would be another figure."""
    low, high = max(0, low), min(width, high)
    if low >= high or high - low == width:
        return align(text, width, column.align, column.kept)
    if cut_off(column, width, low, high):
        return " " * width
    room, length = high - low, cell_len(text)
    if column.align == "left":
        shown = align(text if length > low else "", room, "left", "end" if low else column.kept)
    else:
        shown = align(glyphs.ELLIPSIS if length > room else text, room, "right")
    return " " * low + shown + " " * (width - high)


def cut_off(column: Column, width: int, low: int, high: int) -> bool:
    """Whether the end of a column of figures is out of sight: then none of it is shown, and the arrow tells of it.

    A text loses its end to fewer than `LEGIBLE` cells in the same way.
    """
    if low <= 0 < high < width:
        return column.align == "right" or high < LEGIBLE
    return False


def cut_columns(
    table: Table, widths: Sequence[int], left: int, held: int, sight: tuple[tuple[int, int], int]
) -> list[int]:
    """Which columns are `cut_off` where so much is in sight."""
    found, ((x, _), width) = [], sight
    for i, column in enumerate(table.columns):
        if cut_off(column, widths[i], (x + held if x else 0) - left, x + width - left):
            found.append(i)
        left += widths[i] + GAP
    return found


def column_at(widths: Sequence[int], x: int) -> int | None:
    """The column that this cell of a row belongs to, with the gap behind it; None where there are no columns."""
    for i, width in enumerate(widths):
        x -= width + GAP
        if x < 0:
            return i
    return len(widths) - 1 if widths else None


def scrolled(strip: Strip, held: int, x: int, width: int) -> Strip:
    """A row scrolled to the right by `x` cells, but for the held ones at its left."""
    return Strip([*strip.crop(0, held), *strip.crop(held + x, x + width)]) if x else strip


def with_arrows(header: Strip, held: int, more: bool, style: Style) -> Strip:
    """The header with a sign behind the held columns where some are scrolled away, and at its end where more follow."""
    width = header.cell_length
    if held:
        header = Strip([*header.crop(0, held - 1), Segment(glyphs.MORE_LEFT, style), *header.crop(held, width)])
    if more and width > 2:
        fits = header.text.endswith(" ")
        sign = (
            glyphs.MORE_RIGHT if fits else f"{glyphs.ELLIPSIS}{glyphs.MORE_RIGHT}"
        )  # over the end of a name that just fits
        header = Strip([*header.crop(0, width - len(sign)), Segment(sign, style)])
    return header


def heading(column: Column, width: int, sign: str) -> tuple[str, str]:
    """The name of a column and what stands behind it: the sign of sorting takes no room from the columns."""
    named = column.short if column.short and cell_len(column.name) > width else column.name
    name = align(set_apart(named, column.marks), width, column.align)
    if sign and name.endswith(" "):  # beside the name, not at the far end of its column
        return f"{name.rstrip()} {sign}".ljust(width), " " * GAP
    return name, sign.ljust(GAP)


def sort_key(cell: Cell) -> float | str | None:
    """What a cell is compared by: numbers stand before texts; None where there is nothing."""
    value = cell.value
    if value is None:
        return cell.text.casefold() if cell.text not in ("", "-") else None
    return value.casefold() if isinstance(value, str) else float(value)


def changed_rows(before: Table, after: Table) -> list[int] | None:
    """Rows that differ, None when the number of rows does."""
    if len(before.rows) != len(after.rows):
        return None
    return [i for i, (old, new) in enumerate(zip(before.rows, after.rows, strict=True)) if old != new]
