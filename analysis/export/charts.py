"""Bars for the tables that they make easier to read: which column is drawn, on which scale, and how a page shows it.

The figures of the table stand beside the bars; an absent figure has no bar. Rows that are different programs get no
bars, because bars side by side suggest that they can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..meaning.figure_names import short_name
from ..tables import Cell, Table
from ..units import number_of
from .escaping import html_text

MOST_BARS = 20
MOST_ROWS, MOST_BARS_COMPARED = 6, 36
"""Rows of a comparison that are drawn, and bars in all of them; two rows whatever their number."""
DRAWN = ("Op cycles", "NPU cycles", "CPU cycles", "Cycles", "Peak")
"""Columns whose values are drawn, the first that a table has."""
COMPARED = ("Metric", "Vela estimate")
"""First columns of tables that have a column for each side."""
NAMES = ("Event", "Operator", "TOSA", "Name")
"""Columns that say best what a row is, the first that a table has."""
OF_RUNS = frozenset(("Status", "Root cause", "Result"))
"""Columns of tables whose rows may be anything that ran."""
NOT_COMPARABLE = "n/c"


class Bar(NamedTuple):
    """One bar, as long as `value` is of `whole`; both are in the unit of the table's column."""

    label: str
    value: float
    """Not below 0."""
    whole: float
    """What a full bar stands for: the largest of its chart, or a capacity."""
    text: str
    """The figure as the table writes it, with its unit."""


class Chart(NamedTuple):
    """Bars on one scale, unless each has its own `whole`."""

    title: str
    bars: tuple[Bar, ...]


def charts_of(table: Table) -> tuple[Chart, ...]:
    """The charts of a table; most tables have none. A comparison has one for each of its first rows, a bar a side."""
    names = [column.name for column in table.columns]
    if not names:
        return ()
    if names[0] in COMPARED and len(names) > 2:
        return tuple(_compared(table))
    if "Used" in names and "Capacity" in names:
        bars = _of_capacity(table, names.index("Used"), names.index("Capacity"))
        return (Chart("Used of capacity", bars),) if bars else ()
    drawn = next((name for name in DRAWN if name in names), None)
    if drawn is None or len(table.rows) < 2 or OF_RUNS.intersection(names):
        return ()
    bars = _largest(table, names.index(drawn))
    more = f", the {MOST_BARS} largest" if len(table.rows) > MOST_BARS else ""
    return (Chart(f"{drawn}{more}", bars),) if len(bars) > 1 else ()


def _compared(table: Table) -> Iterator[Chart]:
    labels = [column.name for column in table.columns[1:]]
    left = max(2, min(MOST_ROWS, MOST_BARS_COMPARED // len(labels)))
    for row in table.rows:
        known = [(label, number_of(cell.value), cell.text) for label, cell in zip(labels, row[1:], strict=False)]
        values = [value for _, value, _ in known if value is not None]
        if any(NOT_COMPARABLE in text for _, _, text in known) or "capacity" in str(row[0].value or row[0].text):
            continue  # side by side, bars say that they can be compared, and how large a pool was made says little
        if left and len(values) > 1 and min(values) >= 0 and len(set(values)) > 1:
            left -= 1
            whole = max(values)
            bars = tuple(Bar(label, value, whole, text) for label, value, text in known if value is not None)
            yield Chart(short_name(row[0].text), bars)


def _of_capacity(table: Table, used: int, capacity: int) -> tuple[Bar, ...]:
    bars = []
    for row in table.rows:
        value, whole = number_of(row[used].value), number_of(row[capacity].value)
        if value is not None and whole:
            bars.append(Bar(row[0].text, value, whole, f"{row[used].text} of {row[capacity].text}"))
    return tuple(bars)


def _largest(table: Table, column: int) -> tuple[Bar, ...]:
    label = _label_column(table, column)
    rows = [(value, row) for row in table.rows if (value := number_of(row[column].value)) is not None and value >= 0]
    rows.sort(key=lambda pair: -pair[0])
    whole = rows[0][0] if rows else 0
    return tuple(Bar(_label(table, row, label), v, whole, row[column].text) for v, row in rows[:MOST_BARS] if v)


def _label_column(table: Table, drawn: int) -> int:
    """The column that says what a row is, or else the first that is text."""
    names = [column.name for column in table.columns]
    known = next((name for name in NAMES if name in names), None)
    if known is not None:
        return names.index(known)
    return next((i for i, c in enumerate(table.columns) if i != drawn and c.align == "left"), 0)


def _label(table: Table, row: tuple[Cell, ...], column: int) -> str:
    name = row[column].text
    return f"{row[0].text} {name}" if column and table.columns[0].name in ("#", "Run") else name


def chart_html(chart: Chart) -> str:
    """The chart as a list for a page with our style (`page_style`): name, bar, figure.

    Bars are drawings, so that they are printed even without backgrounds. Without drawings the list still reads as text.
    """
    pieces = [f"<figure><figcaption>{html_text(chart.title)}</figcaption><ul>\n"]
    for bar in chart.bars:
        share = min(1.0, bar.value / bar.whole) if bar.whole > 0 else 0.0
        long = f'<rect class="bar" width="{max(0.3, share * 100):.4g}%" height="100%"/>' if bar.value > 0 else ""
        pieces.append(
            f'<li><span class="label">{html_text(bar.label)}</span>'
            f'<svg class="bars" aria-hidden="true"><rect class="track" width="100%" height="100%"/>{long}</svg>'
            f'<span class="figure">{html_text(bar.text)}</span></li>\n'
        )
    return "".join((*pieces, "</ul></figure>\n"))
