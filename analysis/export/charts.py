"""Bars for the tables that gain by them: which column is drawn, against what, and the drawing itself as SVG.

The figures are those of the table and stand beside the bars; a figure that is absent has no bar.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..tables import Table
from .escaping import html_text

MOST_BARS = 20
MOST_ROWS = 6
"""Rows of a comparison that are drawn."""
DRAWN = ("Op cycles", "NPU cycles", "CPU cycles", "Cycles", "Peak")
"""Columns whose values are drawn, the first that a table has."""
COMPARED = ("Metric", "Vela estimate")
"""First columns of tables that have a column for each side."""
NOT_COMPARABLE = "n/c"
_WIDTH, _ROW, _LABEL, _TEXT = 720, 22, 210, 130


class Bar(NamedTuple):
    """One bar: `value` of `whole`, with the text of its figure."""

    label: str
    value: float
    whole: float
    text: str


class Chart(NamedTuple):
    """Bars that share a scale, unless each has its own `whole`."""

    title: str
    bars: tuple[Bar, ...]


def charts_of(table: Table) -> tuple[Chart, ...]:
    """The charts of a table; none for most."""
    names = [column.name for column in table.columns]
    if not names:
        return ()
    if names[0] in COMPARED and len(names) > 2:
        return tuple(_compared(table))
    if "Used" in names and "Capacity" in names:
        bars = _of_capacity(table, names.index("Used"), names.index("Capacity"))
        return (Chart("Used of capacity", bars),) if bars else ()
    drawn = next((name for name in DRAWN if name in names), None)
    if drawn is None or len(table.rows) < 2:
        return ()
    bars = _largest(table, names.index(drawn))
    more = f", the {MOST_BARS} largest" if len(table.rows) > MOST_BARS else ""
    return (Chart(f"{drawn}{more}", bars),) if len(bars) > 1 else ()


def _compared(table: Table) -> Iterator[Chart]:
    labels = [column.name for column in table.columns[1:]]
    left = MOST_ROWS
    for row in table.rows:
        known = [(label, _number(cell.value), cell.text) for label, cell in zip(labels, row[1:], strict=False)]
        values = [value for _, value, _ in known if value is not None]
        if any(NOT_COMPARABLE in text for _, _, text in known):
            continue  # side by side, bars say that they can be compared
        if left and len(values) > 1 and min(values) >= 0 and len(set(values)) > 1:
            left -= 1
            whole = max(values)
            yield Chart(row[0].text, tuple(Bar(l, v, whole, t) for l, v, t in known if v is not None))  # noqa: E741


def _of_capacity(table: Table, used: int, capacity: int) -> tuple[Bar, ...]:
    bars = []
    for row in table.rows:
        value, whole = _number(row[used].value), _number(row[capacity].value)
        if value is not None and whole:
            bars.append(Bar(row[0].text, value, whole, f"{row[used].text} of {row[capacity].text}"))
    return tuple(bars)


def _largest(table: Table, column: int) -> tuple[Bar, ...]:
    label = _label_column(table, column)
    rows = [(value, row) for row in table.rows if (value := _number(row[column].value)) is not None and value >= 0]
    rows.sort(key=lambda pair: -pair[0])
    whole = rows[0][0] if rows else 0
    return tuple(Bar(_label(table, row, label), v, whole, row[column].text) for v, row in rows[:MOST_BARS] if whole)


def _label_column(table: Table, drawn: int) -> int:
    """The first column that is text."""
    return next((i for i, c in enumerate(table.columns) if i != drawn and c.align == "left"), 0)


def _label(table: Table, row: tuple[object, ...], column: int) -> str:
    name = str(getattr(row[column], "text", ""))
    return f"{getattr(row[0], 'text', '')} {name}" if column and table.columns[0].name in ("#", "Run") else name


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def chart_svg(chart: Chart) -> str:
    """The chart as an SVG element for a page that has its colours (`page.STYLE`)."""
    height = _ROW * len(chart.bars)
    room = _WIDTH - _LABEL - _TEXT
    pieces = [
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" role="img" width="{_WIDTH}" height="{height}">'
        f"<title>{html_text(chart.title)}</title>"
    ]
    for place, bar in enumerate(chart.bars):
        top = place * _ROW
        share = min(1.0, bar.value / bar.whole) if bar.whole > 0 else 0.0
        long = max(1.0, share * room) if bar.value > 0 else 0.0
        pieces.append(
            f'<text class="label" x="{_LABEL - 8}" y="{top + 15}" text-anchor="end">{html_text(_cut(bar.label, 30))}</text>'
            f'<rect class="track" x="{_LABEL}" y="{top + 3}" width="{room}" height="{_ROW - 8}"/>'
            f'<rect class="bar" x="{_LABEL}" y="{top + 3}" width="{long:.1f}" height="{_ROW - 8}"/>'
            f'<text class="figure" x="{_WIDTH}" y="{top + 15}" text-anchor="end">{html_text(_cut(bar.text, 24))}</text>'
        )
    return "".join((*pieces, "</svg>"))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}\u2026"
