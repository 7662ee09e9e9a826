"""A comparison as one table: first how the setups differ, then the figures in groups.

A mark can stand behind each figure: a ratio in brackets, the spread of repeats, "n/c" for what cannot be compared, "~"
for what repeats do not separate. Each column knows how much room its marks need, so that the figures stay aligned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..meaning.written import WRITERS
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..tables import Cell, Column, Table, marks_width
from ..units import format_count, format_ratio
from .names import short_texts
from .setups import Setting

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from ..tables import Tone
    from .comparison import Comparison, Metric
    from .samples import Sample

    Form: TypeAlias = Literal["both", "absolute", "ratio", "delta"]

_WRITERS = {**WRITERS, "count": format_count}
NOT_COMPARABLE = "n/c"
NOT_SEPARATE = "~"
SETUP = "Setup"
ALIKE = "Same or unknown"


def _is_of_program(name: str) -> bool:
    return name in _PROGRAM


_GROUPS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("Program", _is_of_program),
    ("PMU counters", lambda name: name.startswith("pmu.counters.")),
    ("Derived from the PMU", lambda name: name.startswith("derived.")),
    ("Memory", lambda name: name.endswith("_bytes")),
    ("Cycles and time", lambda name: True),
)
_ORDER = ("Cycles and time", "Memory", "Program", "PMU counters", "Derived from the PMU")
_PROGRAM = frozenset(
    ("compile.core_clock_hz", "compile.macs", "compile.delegated_subgraphs", "compile.non_delegated_nodes",
     "compile.pte_bytes", "model.pte_bytes", "cycles.inferences", "cycles.delegations")
)  # fmt: skip
_AMONG_SETTINGS = frozenset(("compile.core_clock_hz", "cycles.inferences"))


class Sheet(NamedTuple):
    """A table and what each of its rows shows: a setting, a metric, or the heading of a group."""

    table: Table
    rows: tuple[Setting | Metric | str, ...]


def group_of(metric: str) -> str:
    """The heading under which a metric stands."""
    return next(heading for heading, holds in _GROUPS if holds(metric))


def grouped(metrics: Iterable[Metric]) -> list[tuple[str, list[Metric]]]:
    """The metrics by heading; headings without metrics are left out."""
    found: dict[str, list[Metric]] = {heading: [] for heading in _ORDER}
    for metric in metrics:
        found[group_of(metric.name)].append(metric)
    return [(heading, held) for heading, held in found.items() if held]


def differs(metric: Metric) -> bool:
    """Whether the columns differ in a figure; where there are repeats, only if they separate."""
    if any(value is None for value in metric.values):
        return True
    return len(set(metric.values)) > 1 and any(
        metric.separates(i) for i in range(len(metric.values)) if _said(metric, i)
    )


def _said(metric: Metric, column: int) -> bool:
    """Whether the column has a word in it: the baseline of repeats has none, it is what the others are held against."""
    return not metric.verdicts or metric.verdicts[column] is not None or not metric.comparable[column]


def sheet(
    comparison: Comparison,
    form: Form = "both",
    *,
    labels: Sequence[str] | None = None,
    name: Callable[[str], str] = str,
    differences: bool = False,
    widest: int | None = None,
) -> Sheet:
    """The rows: settings that differ, metrics, then the other settings. Each side is a column; `labels` can replace
    their names.

    Texts of the setup longer than `widest` are shortened, because they would make a column wider than its figures need.
    """
    rows: list[tuple[Cell, ...]] = []
    shown: list[Setting | Metric | str] = []

    def add(what: Setting | Metric | str, cells: tuple[Cell, ...]) -> None:
        shown.append(what)
        rows.append(cells)

    width = len(comparison.sides)

    def add_settings(heading: str, settings: Sequence[Setting]) -> None:
        if settings:
            add(heading, _heading(heading, width))
            for setting in settings:
                add(setting, _setting(setting, widest))

    add_settings(SETUP, comparison.setups.of("differs"))
    kept = [metric for metric in comparison.metrics if not differences or differs(metric)]
    kept = [metric for metric in kept if metric.name not in _AMONG_SETTINGS]
    for heading, metrics in grouped(kept):
        add(heading, _heading(heading, width))
        for metric in metrics:
            add(metric, (Cell(name(metric.name), metric.name), *metric_cells(comparison, metric, form)))
    if not differences:
        add_settings(ALIKE, (*comparison.setups.of("same"), *comparison.setups.of("unknown")))
    room = max((marks_width(cell) for row in rows for cell in row[1:]), default=1) or 1
    names = labels if labels is not None else [side.label for side in comparison.sides]
    columns = (Column("Metric"), *(Column(label, "right", marks=room) for label in names))
    return Sheet(Table("Comparison", columns, tuple(rows), note(comparison, names[comparison.baseline])), tuple(shown))


def _heading(text: str, width: int) -> tuple[Cell, ...]:
    return (Cell(text, text, None, "head"), *(Cell("") for _ in range(width)))


def _setting(setting: Setting, widest: int | None) -> tuple[Cell, ...]:
    tone: Tone = "" if setting.state == "differs" else "dim"
    texts = ["-" if text is None else text for text in setting.texts]
    if widest is not None and max(map(len, texts)) > widest:
        kinds = list(dict.fromkeys(texts))
        known = dict(zip(kinds, short_texts(kinds, widest), strict=True))
        texts = [known[text] for text in texts]
    cells = (Cell(text, value, None, tone) for text, value in zip(texts, setting.values, strict=True))
    return (Cell(setting.name, setting.name, None, tone), *cells)


def metric_cells(comparison: Comparison, metric: Metric, form: Form) -> tuple[Cell, ...]:
    """One cell for each column."""
    return tuple(_cell(comparison, metric, i, form) for i in range(len(metric.values)))


def _cell(comparison: Comparison, metric: Metric, column: int, form: Form) -> Cell:
    value = metric.values[column]
    if value is None:
        return Cell("-", None, None, "dim")
    if not metric.comparable[column]:
        mark = f"({NOT_COMPARABLE})" if form == "both" else NOT_COMPARABLE
        return Cell(f"{text_of(metric, value)} {mark}", value, None, "dim")
    ratio, base = metric.ratios[column], metric.values[comparison.baseline]
    relative = column != comparison.baseline and ratio is not None
    text, marks = text_of(metric, value), []
    if relative and form == "both":
        marks.append(f"({format_ratio(ratio)})")
    elif relative and form == "ratio":
        text = format_ratio(ratio)
    elif form == "delta" and column != comparison.baseline and base is not None:
        text = delta_text(metric.unit, value - base)
    if metric.samples and text == text_of(metric, value):
        marks += spread_text(metric.samples[column])
    if not metric.separates(column) and value != base:
        marks.append(NOT_SEPARATE)
    best = column in metric.best
    return Cell(" ".join([text, *marks]), value, None, "best" if best else "")


def spread_text(sample: Sample | None) -> list[str]:
    """How far repeats reach from their median, as a mark; empty for a single run."""
    percent = sample.spread_percent if sample is not None else None
    if not percent:
        return []
    return [f"\N{PLUS-MINUS SIGN}{percent:.0f}%" if percent >= 10 else f"\N{PLUS-MINUS SIGN}{percent:.2g}%"]


def text_of(metric: Metric, value: float) -> str:
    """The value with its unit, written as everywhere else."""
    return _WRITERS.get(metric.unit, format_count)(value)


def delta_text(unit: str, delta: float) -> str:
    """A difference with its sign: "+1,234", "-4.94 ms"; none is "0"."""
    write = _WRITERS.get(unit, format_count)
    return f"{'+' if delta > 0 else '-'}{write(abs(delta))}" if delta else write(0)


def note(comparison: Comparison, baseline: str) -> str:
    """What the marks in the table mean; `baseline` is the name of the baseline's column."""
    metrics = comparison.metrics
    said = [f"Ratios are to {baseline}; * marks the best."]
    if reasons := list(dict.fromkeys(metric.reason for metric in metrics if metric.reason)):
        said.append(f"n/c = not comparable: {'; '.join(reasons)}.")
    if any(metric.samples for metric in metrics):
        said.append(
            "Of repeats the median stands here, \N{PLUS-MINUS SIGN} how far its 95 % interval reaches (order statistics; below 6 "
            "repeats, all values)."
        )
        said.append(
            "~ = not separated from the baseline: Mann-Whitney U test, two-sided, 5 %, each figure on its own, so of 20 that do "
            "not differ one may seem to."
        )
    return " ".join(said)
