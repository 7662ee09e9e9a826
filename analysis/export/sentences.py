"""A report for screen readers: one fact a line as "name: value", without columns, boxes or signs.

A row of a wide table gives a line for each of its figures, and each line begins with the name of the row, so that it
can be understood alone. What is not in the input is left out, and the table says so once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from ..lines import clean
from ..report import Finding
from ..tables import Cell, Column, Table
from .document import SEVERITY, Section

_WORDS = {
    "\u2026": "and more", "\u00d7": " times ", "\u2192": " to ", "\u203a": ", ", "\u00b7": ", ", "\u2013": "-", "\u2014": "-",
    "->": "to",
}  # fmt: skip
_SAID = {"n/c": "not comparable", "(n/c)": "not comparable"}


def plain_section(section: Section) -> Iterator[str]:
    """The lines of one section, without line ends; tables without rows are left out."""
    if section.title:
        yield ""
        yield f"{said(section.title)}."
    for question, answer, *_ in section.answers:
        yield f"{said(question)} {said(answer)}."
    for table in section.tables:
        if table.rows:
            yield from plain_table(table)
    for finding in section.findings:
        yield from plain_finding(finding)
    yield from (said(line) for line in section.lines)


def plain_table(table: Table) -> Iterator[str]:
    """The lines of a table: its title with the number of its rows, then its facts."""
    count = len(table.rows)
    yield ""
    rows = f"{count} row{'s' if count > 1 else ''}"
    yield f"{said(table.title)}, {rows}." if table.title else f"A table of {rows}."
    pairs = len(table.columns) == 2
    absent = 0
    for number, row in enumerate(table.rows, 1):
        if pairs:
            name = said(row[0].text) or f"Row {number}"
            value = _value(row[1])
            absent += row[1].text == "-"
            if value is not None:
                yield f"{name}: {value}."
            continue
        name, skipped = _name(table.columns, row, number)
        facts = 0
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=False)):
            if place in skipped:
                continue
            value = _value(cell)
            absent += cell.text == "-"
            if value is not None:
                facts += 1
                yield f"{name}, {said(column.name) or 'state'}: {value}."
        if not facts:
            yield f"{name}."
    if absent:
        yield "What is not known is left out."
    if table.note:
        yield said(table.note)


def plain_finding(finding: Finding) -> Iterator[str]:
    """A finding in three lines: what was found, why, and what to do."""
    yield ""
    yield f"{SEVERITY[finding.severity]}: {said(finding.title).rstrip('.')}."
    if finding.lines:
        yield f"Line of the log: {', '.join(map(str, finding.lines[:6]))}."
    yield f"Why: {said(finding.detail)}"
    if finding.advice:
        yield f"What to do: {said(finding.advice)}"
    yield f"Rule: {said(finding.rule)}."


def said(text: str) -> str:
    """The text without signs that a screen reader would spell out or skip."""
    text = clean(text)
    if not text.isascii():
        for sign, word in _WORDS.items():
            text = text.replace(sign, word)
        text = "".join(" " if unicodedata.category(c) in ("So", "Co", "Cn") else c for c in text)
    words = [_SAID.get(word, word) for word in text.replace("n/c = ", "").split()]
    return " ".join(words).strip().removeprefix("~ ").strip()


def _value(cell: Cell) -> str | None:
    """What is said of a cell; None where it says that there is nothing."""
    text = said(cell.text)
    if text in ("", "-"):
        return None
    return f"{text} (the best)" if cell.tone == "best" else text


def _name(columns: Sequence[Column], row: Sequence[Cell], number: int) -> tuple[str, frozenset[int]]:
    """What a row is called, and the columns that this has said already."""
    first, head = said(row[0].text), said(columns[0].name)
    if first.replace(",", "").isdigit() and head:
        return f"{'Number' if head == '#' else head} {first}", frozenset((0,))
    place = 0 if columns[0].name else 1
    name = said(row[place].text) if place < len(row) else ""
    return (name, frozenset((place,))) if name not in ("", "-") else (f"Row {number}", frozenset())
