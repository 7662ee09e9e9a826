"""A whole comparison for exports: how the setups differ, all figures, and the operators if the columns have any."""

from __future__ import annotations

from ..export.document import Document, Section
from ..meaning.figure_names import short_name
from ..named_tuple import TYPE_CHECKING
from .design_answers import answers_of, front_sentence
from .names import labels_of
from .operator_tables import operators_table
from .operators import operator_diffs
from .tables import sheet

if TYPE_CHECKING:
    from .comparison import Comparison


def comparison_document(comparison: Comparison, origin: str = "") -> Document:
    """The document, with names and settings in full; `origin` is the command that makes the same comparison."""
    sides = comparison.sides
    labels = labels_of(sides)
    answers = answers_of(sides)
    front = (front_sentence(answers),) if answers is not None else ()
    diffs = operator_diffs(sides, comparison.baseline)
    sections = [
        Section("Setups", lines=comparison.lines()),
        Section("Figures", (sheet(comparison, labels=labels, name=short_name).table,), lines=front, front=answers),
    ]
    if diffs:
        sections.append(Section("Operators", tuple(operators_table(diff, labels) for diff in diffs)))
    title = f"Comparison of {', '.join(labels[:4])}{f' and {len(labels) - 4} more' if len(labels) > 4 else ''}"
    return Document(title, tuple(sections), origin)
