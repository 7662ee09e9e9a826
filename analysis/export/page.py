"""A report as one HTML file: nothing is fetched, nothing runs, light or dark as the reader's machine is."""

from __future__ import annotations

from collections.abc import Iterator

from ..report import Finding
from ..tables import Cell, Table
from .charts import chart_svg, charts_of
from .document import Document
from .escaping import html_text

ROW_LIMIT = 20_000
"""Rows of a table that are written: browsers get slow beyond."""
_SEVERITY = {"error": "Error", "warning": "Warning", "info": "Note"}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --back: #ffffff; --fore: #1b1f24; --soft: #57606a; --line: #d0d7de; --head: #f3f5f7;
  --bar: #1f6feb; --good: #116329; --bad: #b42318; --warn: #7a4d00; }
@media (prefers-color-scheme: dark) { :root { --back: #0f1419; --fore: #e6e9ec; --soft: #9aa4ae; --line: #2f3842;
  --head: #1a2129; --bar: #58a6ff; --good: #56d364; --bad: #ff8178; --warn: #e3b341; } }
body { background: var(--back); color: var(--fore); font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 76rem;
  padding: 1.5rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin-top: 2.2rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .28rem .7rem; text-align: left; vertical-align: top; }
th { background: var(--head); font-weight: 600; position: sticky; top: 0; white-space: nowrap; }
.right { text-align: right; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .warn { color: var(--warn); }
.dim { color: var(--soft); } .head { font-weight: 600; } .best { color: var(--good); font-weight: 600; }
.note, footer { color: var(--soft); max-width: 60rem; }
.finding { border-left: 4px solid var(--line); margin: .9rem 0; max-width: 60rem; padding: .1rem 0 .1rem .9rem; }
.finding.error { border-color: var(--bad); } .finding.warning { border-color: var(--warn); }
.finding p { margin: .2rem 0; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
dl { display: grid; gap: .3rem 1rem; grid-template-columns: max-content 1fr; max-width: 60rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption { color: var(--soft); font-size: .9rem; margin-bottom: .3rem; }
.chart { height: auto; max-width: 100%; }
.chart text { fill: var(--fore); font: 12px system-ui, sans-serif; } .chart .figure { fill: var(--soft); }
.chart .track { fill: var(--head); } .chart .bar { fill: var(--bar); }
footer { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: .6rem; font-size: .9rem; }
@media print { body { max-width: none; padding: 0; } th { position: static; } }
"""


def html_document(document: Document) -> Iterator[str]:
    """The text of the page in pieces."""
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html_text(document.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{html_text(document.title)}</h1>\n"
    )
    for section in document.sections:
        yield "<section>\n"
        if section.title:
            yield f"<h2>{html_text(section.title)}</h2>\n"
        if section.answers:
            asked = (f"<dt>{html_text(q)}</dt><dd>{html_text(a)}</dd>\n" for q, a in section.answers)
            yield f"<dl>\n{''.join(asked)}</dl>\n"
        for finding in section.findings:
            yield _finding(finding)
        for table in section.tables:
            yield from html_table(table)
        for line in section.lines:
            yield f"<p>{html_text(line)}</p>\n"
        yield "</section>\n"
    if document.origin:
        yield f"<footer>Made by <code>{html_text(document.origin)}</code></footer>\n"
    yield "</body>\n</html>\n"


def html_table(table: Table) -> Iterator[str]:
    """A table with its charts; nothing where it has no rows."""
    if not table.rows:
        return
    if table.title:
        yield f"<h3>{html_text(table.title)}</h3>\n"
    for chart in charts_of(table):
        yield f"<figure><figcaption>{html_text(chart.title)}</figcaption>{chart_svg(chart)}</figure>\n"
    sides = ["right" if column.align == "right" else "" for column in table.columns]
    yield '<div class="scroll"><table>\n<thead><tr>'
    yield "".join(
        f'<th scope="col"{_class(side)}>{html_text(column.name)}</th>'
        for column, side in zip(table.columns, sides, strict=True)
    )
    yield "</tr></thead>\n<tbody>\n"
    for row in table.rows[:ROW_LIMIT]:
        yield "<tr>" + "".join(_cell(cell, side) for cell, side in zip(row, sides, strict=True)) + "</tr>\n"
    yield "</tbody></table></div>\n"
    if len(table.rows) > ROW_LIMIT:
        yield f'<p class="note">The first {ROW_LIMIT:,} of {len(table.rows):,} rows; CSV and JSON have all of them.</p>\n'
    if table.note:
        yield f'<p class="note">{html_text(table.note)}</p>\n'


def _cell(cell: Cell, side: str) -> str:
    said = f' title="line {cell.line} of the log"' if cell.line is not None else ""
    best = " *" if cell.tone == "best" and cell.text else ""
    return f"<td{_class(side, cell.tone)}{said}>{html_text(cell.text)}{best}</td>"


def _class(*names: str) -> str:
    used = " ".join(name for name in names if name)
    return f' class="{used}"' if used else ""


def _finding(finding: Finding) -> str:
    where = f' <span class="dim">line {", ".join(map(str, finding.lines[:6]))}</span>' if finding.lines else ""
    advice = f"<p>To do: {html_text(finding.advice)}</p>" if finding.advice else ""
    return (
        f'<div class="finding {finding.severity}"><p><strong>{_SEVERITY[finding.severity]}: {html_text(finding.title)}'
        f'</strong>{where} <span class="dim">{html_text(finding.rule)}</span></p><p>{html_text(finding.detail)}</p>{advice}</div>\n'
    )
