"""A report as one HTML file that can be sent by mail.

It loads nothing from anywhere, is light or dark as the reader's system is, and holds the same in a narrow or wide
window and in print. It is complete without scripts. Where tables are long, our own script (and no other, see
`page_style`) sorts and filters them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..report import Finding
from ..tables import Cell, Table
from .charts import chart_html, charts_of
from .document import SEVERITY, Asked, Document, Section
from .escaping import html_text
from .page_style import ICON, SCRIPT, STYLE, policy

ROW_LIMIT = 20_000
"""Rows of a table that are written: browsers get slow beyond."""
SORTED_ROWS = 12
"""From so many rows on a table can be sorted: mail filters mistrust scripts, so that short reports are without one."""
_MARKS = {"good": "\u2713 ", "bad": "\u2717 ", "warn": "! "}
_LONG = 40
"""A text of more characters than that may be broken into lines."""
_LONG_NAME = 22
"""The same for the name of a column."""
_SMALL, _WIDE, _TIGHT, _BROAD = 45, 74, 105, 170
"""A table of fewer characters than that stands beside others, one of more takes the whole width; printed,
words of it are broken, or its page is set across."""
_TALL = 60
"""A table of more rows than that scrolls in its frame, under its heading."""
_PARTS_LISTED = 3


def html_document(document: Document) -> Iterator[str]:
    """The text of the page in pieces."""
    scripts = any(_sortable(table) for table in document.tables)
    title = html_text(document.title)
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts=scripts)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="ethosu-tui">\n<title>{title}</title>\n'
        f'<link rel="icon" href="{ICON}">\n<style>{STYLE}</style>\n</head>\n<body>\n<header><h1>{title}</h1></header>\n'
    )
    yield _contents(document.sections)
    yield "<main>\n"
    for number, section in enumerate(document.sections, 1):
        yield from _section(section, number)
    yield "</main>\n"
    by = [f"Made by <code>{html_text(document.origin)}</code>"] if document.origin else []
    by += [html_text(document.made)] if document.made else []
    if by:
        yield f"<footer>{' &middot; '.join(by)}</footer>\n"
    yield f"{f'<script>{SCRIPT}</script>' if scripts else ''}</body>\n</html>\n"


def _contents(sections: Sequence[Section]) -> str:
    """What the page holds, where that is not seen at once."""
    named = [(number, section) for number, section in enumerate(sections, 1) if section.title]
    if len(named) < _PARTS_LISTED:
        return ""
    items = []
    for number, section in named:
        tone = section.answers[0].tone if section.answers else ""
        mark = _MARKS.get(tone, "")
        state = f'<span class="{tone}">{mark}</span>' if mark else ""
        items.append(f'<li>{state}<a href="#part{number}">{html_text(section.title)}</a></li>\n')
    return f'<nav aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>\n{"".join(items)}</ul></nav>\n'


def _section(section: Section, number: int) -> Iterator[str]:
    named, level = (f' aria-labelledby="part{number}"', "h3") if section.title else ("", "h2")
    yield f"<section{named}>\n"
    if section.title:
        yield f'<h2 id="part{number}">{html_text(section.title)}</h2>\n'
    if section.answers:
        yield f'<dl class="answers">\n{"".join(map(_asked, section.answers))}</dl>\n'
    for finding in section.findings:
        yield _finding(finding, level)
    tables = [table for table in section.tables if table.rows]
    if section.front is not None:
        from .pareto import pareto_html

        drawn = pareto_html(section.front)
        yield (
            f'<div class="card plotted"><{level}>Which configuration to take</{level}>\n{drawn}</div>\n'
            if drawn
            else ""
        )
    if tables:
        yield '<div class="tables">\n'
        for table in tables:
            yield from html_table(table, level)
        yield "</div>\n"
    for line in section.lines:
        yield f'<p class="said">{html_text(line)}</p>\n'
    yield "</section>\n"


def _asked(asked: Asked) -> str:
    question, answer, short, tone = asked
    if short and answer.startswith(short):
        answer = (
            f"<strong{_class(tone)}>{_MARKS.get(tone, '')}{html_text(short)}</strong>{html_text(answer[len(short) :])}"
        )
    else:
        answer = html_text(answer)
    return f"<div><dt>{html_text(question)}</dt><dd>{answer}</dd></div>\n"


def html_table(table: Table, level: str = "h2") -> Iterator[str]:
    """A table with its charts, in a frame; empty if it has no rows."""
    if not table.rows:
        return
    shown = table.rows[:ROW_LIMIT]
    widths = _widths(table)
    charts = charts_of(table)
    whole = sum(widths)
    pairs = "pairs" if whole < _SMALL else ""
    wide = "wide" if whole > _WIDE or len(charts) > 1 or any(len(chart.bars) > 4 for chart in charts) else ""
    printed = "broad tight" if whole > _BROAD else "tight" if whole > _TIGHT else ""
    yield f"<div{_class('card', pairs, wide, printed)}>\n"
    if table.title:
        yield f"<{level}>{html_text(table.title)}</{level}>\n"
    if charts:
        yield f'<div class="charts">\n{"".join(map(chart_html, charts))}</div>\n'
    sortable = _sortable(table)
    sides = ["right" if column.align == "right" else "" for column in table.columns]
    label = next((place for place, side in enumerate(sides) if not side and table.columns[place].name), 0)
    named = html_text(table.title or "Table")
    tall = " tall" if len(shown) > _TALL else ""
    yield f'<div class="scroll{tall}" tabindex="0" role="region" aria-label="{named}">'
    yield f"<table{_class('rows' if sortable else '', 'named' if label == 0 else '')}>\n<thead><tr>"
    for column, side in zip(table.columns, sides, strict=True):
        name = html_text(column.name) or '<span class="unseen">State</span>'
        yield f'<th scope="col"{_class(side, "long" if len(column.name) > _LONG_NAME else "")}>{name}</th>'
    yield "</tr></thead>\n<tbody>\n"
    for row in shown:
        if row and row[0].tone == "head":
            yield f'<tr class="group"><th scope="rowgroup" colspan="{len(sides)}">{html_text(row[0].text)}</th></tr>\n'
            continue
        cells = (
            _cell(cell, side, head=place == label, raw=sortable)
            for place, (cell, side) in enumerate(zip(row, sides, strict=True))
        )
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</tbody></table></div>\n"
    if len(table.rows) > ROW_LIMIT:
        yield f'<p class="note">The first {ROW_LIMIT:,} of {len(table.rows):,} rows; CSV and JSON have all of them.</p>\n'
    if table.note:
        yield f'<p class="note">{html_text(table.note)}</p>\n'
    yield "</div>\n"


def _sortable(table: Table) -> bool:
    """Whether a reader gains by it; rows that stand in groups belong where they are."""
    return (
        len(table.rows) >= SORTED_ROWS
        and len(table.columns) > 2
        and not any(row and row[0].tone == "head" for row in table.rows)
    )


def _widths(table: Table) -> list[int]:
    """About how many characters each column needs."""
    widths = [min(_LONG_NAME, len(column.name)) + 3 for column in table.columns]
    for row in table.rows[:ROW_LIMIT]:
        if row and row[0].tone != "head":
            widths = [max(width, min(_LONG, len(cell.text)) + 3) for width, cell in zip(widths, row, strict=True)]
    return widths


def _cell(cell: Cell, side: str, *, head: bool, raw: bool) -> str:
    said = f' title="line {cell.line} of the log"' if cell.line is not None else ""
    if head and isinstance(cell.value, str) and cell.value not in (cell.text, cell.text.strip()):
        said = f' title="{html_text(cell.value)}"'  # what programs call it
    best = " *" if cell.tone == "best" and cell.text else ""
    value = f' data-v="{cell.value}"' if raw and _is_number(cell.value) else ""
    long = "long" if not side and len(cell.text) > _LONG else ""
    name, scope = ("th", ' scope="row"') if head else ("td", "")
    return f"<{name}{scope}{_class(side, cell.tone, long)}{said}{value}>{html_text(cell.text)}{best}</{name}>"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _class(*names: str) -> str:
    used = " ".join(name for name in names if name)
    return f' class="{used}"' if used else ""


def _finding(finding: Finding, level: str) -> str:
    lines = ", ".join(map(str, finding.lines[:6]))
    where = f"Line{'s' if len(finding.lines) > 1 else ''} {lines} of the log, " if lines else ""
    advice = f"<p><strong>To do:</strong> {html_text(finding.advice)}</p>" if finding.advice else ""
    return (
        f'<div class="finding {finding.severity}"><{level}><span class="kind">{SEVERITY[finding.severity]}: </span>'
        f"{html_text(finding.title)}</{level}><p>{html_text(finding.detail)}</p>{advice}"
        f'<p class="note">{where}{"rule" if where else "Rule"} {html_text(finding.rule)}</p></div>\n'
    )
