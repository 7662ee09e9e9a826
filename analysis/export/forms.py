"""Which form a report gets as a file, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Iterator

from .document import Document

FORMS = {".md": "Markdown", ".csv": "CSV", ".json": "JSON", ".html": "HTML"}
"""Ending and name of each form."""
ONE_TABLE = frozenset((".csv",))
"""Forms that hold one table."""


def written_as(document: Document, ending: str) -> Iterator[str]:
    """The text of the file in pieces; a form that holds only one table gets the first one."""
    if ending == ".csv":
        from .csv_form import csv_lines

        return csv_lines(document.tables[0])
    if ending == ".json":
        from .json_form import json_document

        return json_document(document)
    if ending == ".md":
        from .markdown_form import markdown_document

        return markdown_document(document)
    from .page import html_document

    return html_document(document)
