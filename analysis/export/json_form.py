"""Tables and findings as JSON, schema ``ethosu-tui/tables/1``: for each cell its text, its raw value and its log line.

``{"schema", "title", "origin", "sections": [{"title", "tables": [{"title", "columns": [{"name", "align"}],
"rows": [[{"text", "value", "line"}]], "note"}], "answers": [{"question", "answer"}], "findings": [Finding], "lines": [str]}]}``; null is "not in the input".
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..lines import clean
from ..report import to_dict
from ..tables import Cell, Table
from .document import Document, raw

SCHEMA = "ethosu-tui/tables/1"


def json_document(document: Document) -> Iterator[str]:
    """The text of the document in pieces, one for each row, because a table may have a million rows."""
    yield f'{{\n "schema": {_text(SCHEMA)},\n "title": {_text(document.title)},\n'
    yield f' "origin": {_text(document.origin) if document.origin else "null"},\n "sections": ['
    for place, section in enumerate(document.sections):
        yield f'{"," if place else ""}\n  {{"title": {_text(section.title)},\n   "tables": ['
        written = [table for table in section.tables if table.rows]
        for number, table in enumerate(written):
            yield "," if number else ""
            yield from _table(table)
        yield f'],\n   "answers": {_dump(_cleaned([{"question": q, "answer": a} for q, a, *_ in section.answers]))},\n   "findings": {_dump(_cleaned(section.findings))},\n   "lines": {_dump(_cleaned(section.lines))}}}'
    yield "\n ]\n}\n"


def _table(table: Table) -> Iterator[str]:
    columns = [{"name": clean(column.name), "align": column.align} for column in table.columns]
    yield f'\n    {{"title": {_text(table.title)}, "columns": {_dump(columns)}, "rows": ['
    first = True
    for row in table.rows:
        yield f"{'' if first else ','}\n     {_dump([_cell(cell) for cell in row])}"
        first = False
    yield f'],\n     "note": {_text(table.note) if table.note else "null"}}}'


def _cell(cell: Cell) -> dict[str, Any]:
    return {"text": clean(cell.text), "value": _cleaned(raw(cell)), "line": cell.line}


def _cleaned(value: Any) -> Any:
    """As JSON types, without controls in any text."""
    value = to_dict(value)
    if isinstance(value, dict):
        return {name: _cleaned(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    return clean(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    return json.dumps(clean(text))


def _dump(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
