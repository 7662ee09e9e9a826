"""Tables as plain text: aligned columns for a terminal or a pipe, without any library, so that it starts at once."""

from __future__ import annotations

from collections.abc import Sequence

from ..cleaning import clean
from . import Cell, Table, set_apart

_BEST = " *"
_NARROWEST = 12
"""A column of text is not cut further."""
_NARROWEST_TO_FIT = 8
"""As far it is cut where the whole table fits then."""
_LEAST_WRAPPED = 10
"""A column of fewer is harder to read than lines that the terminal breaks."""
_WIDEST = 1000
"""Columns of a column: every row is as wide, and the name of one input may be 60,000 characters."""


def width(text: str) -> int:
    """Columns that this text takes in a terminal (wide characters take two, combining ones none)."""
    if text.isascii() or text.replace("…", "").isascii():
        return len(text)
    import unicodedata  # only here: most logs do without

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def wrapped(text: str, columns: int | None, indent: int) -> list[str]:
    """Broken at blanks for what is left of so many columns behind the indent; whole without columns, or where too few are left.

    Example:
        >>> wrapped("what to type next", 34, 22)
        ['what to type', 'next']
    """
    if columns is None or columns <= indent + _LEAST_WRAPPED:
        return [text]
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and width(lines[-1]) + 1 + width(word) > columns - indent:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines


def _printable(table: Table) -> Table:
    """The table without anything that could steer a terminal, wherever its texts came from."""
    return Table(
        clean(table.title),
        tuple(column._replace(name=clean(column.name)) for column in table.columns),
        tuple([_clean_row(row) for row in table.rows]),
        clean(table.note),
    )


def _clean_row(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
    for cell in row:
        if not (cell.text.isascii() and cell.text.isprintable()):  # most rows need no copy
            return tuple(cell._replace(text=clean(cell.text)) for cell in row)
    return row


def _fit(text: str, columns: int, align: str) -> str:
    space = " " * max(0, columns - width(text))
    return space + text if align == "right" else text + space


def render(table: Table, columns: int | None = None) -> str:
    """The table as text; where `columns` is given and too small, the widest left-aligned column is cut."""
    table = _printable(table)
    heads, texts, widths = _laid_out(table)
    if columns is not None:
        _shrink(widths, table, columns)
    lines = [table.title] if table.title else []
    if any(heads):
        lines.append(_line(heads, widths, [c.align for c in table.columns]))
        lines.append("  ".join("-" * w for w in widths))
    lines += _plain(texts, widths, table) or (
        _line(row, widths, [c.align for c in table.columns], [c.kept for c in table.columns]) for row in texts
    )
    if table.note:
        lines += wrapped(table.note, columns, 0)
    return "\n".join(line.rstrip() for line in lines)


def _laid_out(table: Table) -> tuple[list[str], list[list[str]], list[int]]:
    """Heads and texts with the room for marks behind them, and how wide each column is."""
    texts = [[cell.text + (_BEST if cell.tone == "best" else "") for cell in row] for row in table.rows]
    if any(column.marks for column in table.columns):
        texts = [[set_apart(text, c.marks) for text, c in zip(row, table.columns, strict=True)] for row in texts]
    heads = [set_apart(column.name, column.marks) for column in table.columns]
    widths = [_widest([row[i] for row in texts]) for i in range(len(heads))]
    return heads, texts, [min(max(w, width(h)), _WIDEST) for w, h in zip(widths, heads, strict=True)]


def fits(table: Table, columns: int) -> bool:
    """Whether so many columns hold it, with texts that are cut but legible."""
    return _cut_to(_legible(table), _laid_out(_printable(table))[2], table) <= columns


def below_each_other(table: Table, columns: int | None, keys: int = 1) -> list[Table]:
    """The table as several, each with the first column (or so many `keys`) and as many of the others as so many columns hold, at least one."""
    widths, parts = _laid_out(_printable(table))[2], [list(range(keys))]
    for place in range(keys, len(widths)):
        used = sum(widths[i] + 2 for i in parts[-1])
        if columns is not None and len(parts[-1]) > keys and used + widths[place] > columns:
            parts.append(list(range(keys)))
        parts[-1].append(place)
    return [
        Table(
            table.title if part is parts[0] else "",
            tuple(table.columns[i] for i in part),
            tuple(tuple(row[i] for i in part) for row in table.rows),
            table.note if part is parts[-1] else "",
        )
        for part in parts
    ]


def _widest(texts: list[str]) -> int:
    if "".join(texts).isascii():
        return max(map(len, texts), default=0)
    return max(map(width, texts), default=0)


def _plain(texts: list[list[str]], widths: Sequence[int], table: Table) -> list[str]:
    """The rows, where every text is as wide as it is long and none needs cutting; else empty."""
    padded = []
    for place, column in enumerate(table.columns):
        cells, room = [row[place] for row in texts], widths[place]
        if not "".join(cells).isascii() or max(map(len, cells), default=0) > room:
            return []
        padded.append([cell.rjust(room) if column.align == "right" else cell.ljust(room) for cell in cells])
    return ["  ".join(row) for row in zip(*padded, strict=True)]


def _line(cells: Sequence[str], widths: Sequence[int], aligns: Sequence[str], kept: Sequence[str] = ()) -> str:
    for cell, room in zip(cells, widths, strict=True):
        if not cell.isascii() or len(cell) > room:
            break
    else:  # each as wide as it is long, and none to cut
        return "  ".join(
            [c.rjust(w) if a == "right" else c.ljust(w) for c, w, a in zip(cells, widths, aligns, strict=True)]
        )
    ends = kept or ["start"] * len(cells)
    return "  ".join(_fit(_cut(c, w, e), w, a) for c, w, a, e in zip(cells, widths, aligns, ends, strict=True))


def _cut(text: str, columns: int, end: str = "start") -> str:
    if width(text) <= columns:
        return text
    if end == "end":
        return "\u2026" + _cut(text[::-1], columns)[:-1][::-1]
    kept, used = [], 0
    for character in text:
        used += width(character)
        if used > columns - 1:
            break
        kept.append(character)
    return "".join(kept) + "\u2026"


def _cut_to(floors: list[int], widths: list[int], table: Table) -> int:
    """Columns that the table takes where each text is cut as far as its floor."""
    cut = (min(w, f) if c.align == "left" else w for w, f, c in zip(widths, floors, table.columns, strict=True))
    return sum(cut) + 2 * (len(widths) - 1)


def _legible(table: Table) -> list[int]:
    return [column.least or _NARROWEST_TO_FIT for column in table.columns]


def _shrink(widths: list[int], table: Table, columns: int) -> None:
    """The widest text gives way, as far as its column stays legible; where that is not enough, any does, and further where all fits then."""
    left = [i for i, column in enumerate(table.columns) if column.align == "left"]
    legible, alike = _legible(table), [_NARROWEST_TO_FIT] * len(widths)
    passes = [[max(_NARROWEST, column.least) for column in table.columns]]
    if _cut_to(legible, widths, table) <= columns:
        passes.append(legible)
    else:
        passes.append([_NARROWEST] * len(widths))
        passes += [alike] * (_cut_to(alike, widths, table) <= columns)
    for floors in passes:
        while sum(widths) + 2 * (len(widths) - 1) > columns:
            able = [i for i in left if widths[i] > floors[i]]
            if not able:
                break
            widths[max(able, key=lambda i: widths[i])] -= 1
