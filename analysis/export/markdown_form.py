"""Tables, findings and whole reports as Markdown (GitHub's tables), for issues and pull requests."""

from __future__ import annotations

from collections.abc import Iterator

from ..report import Finding
from ..tables import Table
from .document import SEVERITY, Document
from .escaping import markdown_line, markdown_text

ROW_LIMIT = 5000
"""Rows of a table that are written; a forge shows no more than about these."""


def markdown_document(document: Document) -> Iterator[str]:
    """The lines of a whole report."""
    yield f"# {markdown_text(document.title)}\n"
    for section in document.sections:
        if section.title:
            yield f"\n## {markdown_text(section.title)}\n"
        for question, answer, *_ in section.answers:
            yield f"\n**{markdown_text(question)}** {markdown_text(answer)}\n"
        for finding in section.findings:
            yield from _finding(finding)
        for table in section.tables:
            yield from markdown_table(table, "###" if section.title else "##")
        for line in section.lines:
            yield f"\n{markdown_line(line)}\n"
    if document.origin:
        yield f"\nMade by {markdown_text(document.origin)}\n"


def markdown_table(table: Table, heading: str = "##") -> Iterator[str]:
    """The lines of a table; none if it has no rows."""
    if not table.rows:
        return
    if table.title:
        yield f"\n{heading} {markdown_text(table.title)}\n\n"
    yield "| " + " | ".join(markdown_text(column.name) or " " for column in table.columns) + " |\n"
    yield "|" + "|".join(" ---: " if column.align == "right" else " --- " for column in table.columns) + "|\n"
    for row in table.rows[:ROW_LIMIT]:
        cells = (
            f"**{markdown_text(c.text)}**" if c.tone in ("best", "head") and c.text else markdown_text(c.text)
            for c in row
        )
        yield "| " + " | ".join(cells) + " |\n"
    if len(table.rows) > ROW_LIMIT:
        yield f"\nThe first {ROW_LIMIT:,} of {len(table.rows):,} rows; CSV and JSON have all of them.\n"
    if table.note:
        yield f"\n{markdown_line(table.note)}\n"


def _finding(finding: Finding) -> Iterator[str]:
    where = f" (line {', '.join(map(str, finding.lines[:6]))})" if finding.lines else ""
    yield f"\n**{SEVERITY[finding.severity]}: {markdown_text(finding.title)}**{where}\n\n"
    yield f"{markdown_line(finding.detail)}\n\n"
    if finding.advice:
        yield f"To do: {markdown_text(finding.advice)}\n"
