"""A post-mortem as files for other programs: CSV with one row per run, Markdown for reports and issues.

Texts of a log are hostile here too: a spreadsheet runs what looks like a formula, and Markdown what looks like markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..export.document import Document, Section
from ..export.escaping import csv_text, markdown_text
from ..export.markdown_form import markdown_table
from ..rows import RunRow
from ..rows.store import RunStore
from .summary import MOST_IN_A_FILE, advice_of, post_mortem, rules_of, runs_table

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
    ("root_cause_advice", "cause_advice"),
)
"""The columns of the CSV (with the unit where there is one) and the fields of a row that they show."""
MARKDOWN_RUNS = 1000
"""With more runs than this, Markdown holds the summary only."""
ON_INPUTS = "Remarks on the inputs"
"""The heading above those that were passed over, are damaged, or hold nothing known."""


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


def post_mortem_document(store: RunStore, title: str, origin: str, remarks: Sequence[str] = ()) -> Document:
    """The same report for every form of a document."""
    tables = post_mortem(store, MOST_IN_A_FILE)
    advice = advice_of(store)
    to_do = tuple(f"{rule}: {text}" for rule in rules_of(tables) for text in advice.get(rule, ()))
    runs = (runs_table(store),) if 0 < store.count <= MARKDOWN_RUNS else ()
    parts = (
        Section("", tuple(table for table in tables if table.rows)),
        Section("What to do", lines=to_do),
        Section(ON_INPUTS, lines=tuple(remarks)),
        Section("Run by run", runs),
    )
    return Document(title, tuple(part for part in parts if not part.empty), origin)


def markdown_lines(store: RunStore, remarks: Sequence[str] = ()) -> Iterator[str]:
    """The lines of a Markdown report: the summary, `remarks` on the inputs, and the runs where they are not too many."""
    yield "# Post-mortem\n"
    tables = post_mortem(store, MOST_IN_A_FILE)
    for table in tables:
        yield from markdown_table(table)
    advice = advice_of(store)
    if advice:
        yield "\n## What to do\n\n"
        for rule in rules_of(tables):
            yield from (f"- {markdown_text(rule)}: {markdown_text(text)}\n" for text in advice.get(rule, ()))
    if remarks:
        yield f"\n## {ON_INPUTS}\n\n"
        yield from (f"- {markdown_text(text)}\n" for text in remarks)
    if store.count <= MARKDOWN_RUNS:
        yield from markdown_table(runs_table(store))
    else:
        yield f"\nThe rows of {store.count:,} runs are left out here; the CSV export has them.\n"
