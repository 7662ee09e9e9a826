"""What is exported: titled sections with the same tables and findings that commands print and screens show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..report import Finding
from ..tables import Cell, Table, Tone

if TYPE_CHECKING:
    from ..answers.answer import Answer
    from ..design.answers import Answers

SEVERITY = {"error": "Error", "warning": "Warning", "info": "Note"}
"""How a finding begins in text."""


class Asked(NamedTuple):
    """A question and its answer; `short` is the beginning of the answer, and `tone` says whether it is good news."""

    question: str
    answer: str
    short: str = ""
    tone: Tone = ""


class Section(NamedTuple):
    """One part, such as a run of a log; `lines` are sentences that are written as they are."""

    title: str = ""
    tables: tuple[Table, ...] = ()
    findings: tuple[Finding, ...] = ()
    lines: tuple[str, ...] = ()
    answers: tuple[Asked, ...] = ()
    """What stands first: questions, and what is answered."""
    front: Answers | None = None
    """Configurations with their Pareto front, for forms that can draw it."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing but a title."""
        return not (self.tables or self.findings or self.lines or self.answers)


class Document(NamedTuple):
    """A report; `origin` is the command that gives the same figures, `made` says when and by which version it was made."""

    title: str
    sections: tuple[Section, ...]
    origin: str = ""
    made: str = ""

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables that have rows."""
        return tuple(table for section in self.sections for table in section.tables if table.rows)


def asked(answers: Iterable[Answer]) -> tuple[Asked, ...]:
    """Questions and answers for an export."""
    return tuple(Asked(one.question, one.sentence, one.answer, one.tone) for one in answers)


def raw(cell: Cell) -> float | str | None:
    """The value of a cell for a program: its value; if it has none, its text, unless that text means that there is
    nothing.
    """
    if cell.value is not None:
        return cell.value
    return None if cell.text in ("", "-") else cell.text
