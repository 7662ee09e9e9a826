"""A post-mortem as files for other programs: CSV with one row per run, Markdown for reports and issues.

Texts of a log are hostile here too: a spreadsheet runs what looks like a formula, and Markdown what looks like markup.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..lines import clean
from ..row_store import RunStore
from ..rows import RunRow
from ..tables import Table
from .summary import advice_of, post_mortem, runs_table

CSV_COLUMNS: tuple[tuple[str, str], ...] = (
    ("source", "source"),
    ("run", "index"),
    ("first_line", "first_line"),
    ("last_line", "last_line"),
    ("time_stamp", "at"),
    ("executorch_version", "version"),
    ("target", "target"),
    ("status", "status"),
    ("stage", "stage"),
    ("root_cause", "cause"),
    ("root_cause_title", "cause_title"),
    ("root_cause_line", "cause_line"),
    ("npu_cycles", "npu_cycles"),
    ("inference_cpu_cycles", "inference_cycles"),
    ("inferences", "inferences"),
    ("method_pool_used_bytes", "method_used_bytes"),
    ("program_bytes", "pte_bytes"),
    ("findings", "rules"),
)
"""The columns of the CSV (with the unit where there is one) and the fields of a row that they show."""
MARKDOWN_RUNS = 1000
"""With more runs than this, Markdown holds the summary only."""
_FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20"
_MARKUP = {ord(mark): f"\\{mark}" for mark in "\\`*_{}[]()#!|~^$"} | {
    ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;", ord("@"): "&#64;", ord(":"): "&#58;",
}  # fmt: skip


def csv_lines(store: RunStore) -> Iterator[str]:
    """The lines of a CSV file (RFC 4180), header first."""
    yield csv_header()
    for row in store:
        yield csv_line(row)


def csv_header() -> str:
    """The names of the columns."""
    return ",".join(name for name, _ in CSV_COLUMNS) + "\r\n"


def csv_line(row: RunRow) -> str:
    """One run; a figure that is not in the input is an empty cell."""
    cells = []
    for _, field in CSV_COLUMNS:
        value = getattr(row, field)
        if isinstance(value, tuple):
            value = " ".join(value)
        cells.append("" if value is None else str(value) if isinstance(value, int) else csv_text(value))
    return ",".join(cells) + "\r\n"


def csv_text(text: str) -> str:
    """A text as a quoted cell that no spreadsheet takes for a formula."""
    text = clean(text)
    if text.lstrip()[:1] in tuple(_FORMULA):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"'


def markdown_lines(store: RunStore) -> Iterator[str]:
    """The lines of a Markdown report: the summary, and the runs where they are not too many."""
    yield "# Post-mortem\n"
    for table in post_mortem(store):
        yield from _markdown(table)
    advice = advice_of(store)
    if advice:
        yield "\n## What to do\n\n"
        yield from (f"- {_escape(rule)}: {_escape(text)}\n" for rule, text in advice)
    if store.count <= MARKDOWN_RUNS:
        yield from _markdown(runs_table(store))
    else:
        yield f"\nThe rows of {store.count:,} runs are left out here; the CSV export has them.\n"


def _markdown(table: Table) -> Iterator[str]:
    if not table.rows:
        return
    yield f"\n## {_escape(table.title)}\n\n"
    yield "| " + " | ".join(_escape(column.name) for column in table.columns) + " |\n"
    yield "|" + "|".join(" ---: " if column.align == "right" else " --- " for column in table.columns) + "|\n"
    for row in table.rows:
        yield "| " + " | ".join(_escape(cell.text) for cell in row) + " |\n"
    if table.note:
        yield f"\n{_escape(table.note)}\n"


def _escape(text: str) -> str:
    return clean(text).translate(_MARKUP)
