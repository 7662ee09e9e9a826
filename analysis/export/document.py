"""What is exported: titled sections of tables and findings, the same objects that commands print and screens show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..answers.answer import Answer
from ..report import Finding
from ..tables import Cell, Table


class Section(NamedTuple):
    """One part: a run of a log, say.  `lines` are sentences that stand in it as they are."""

    title: str = ""
    tables: tuple[Table, ...] = ()
    findings: tuple[Finding, ...] = ()
    lines: tuple[str, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()
    """What stands first: questions, and what is answered."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it but a title."""
        return not (self.tables or self.findings or self.lines or self.answers)


def asked(answers: Iterable[Answer]) -> tuple[tuple[str, str], ...]:
    """Questions and answers as a section has them."""
    return tuple((answer.question, answer.sentence) for answer in answers)


class Document(NamedTuple):
    """A report; `origin` is the command that gives the same figures again."""

    title: str
    sections: tuple[Section, ...]
    origin: str = ""

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables that have rows."""
        return tuple(table for section in self.sections for table in section.tables if table.rows)


def raw(cell: Cell) -> float | str | None:
    """What a program wants of a cell: its value; where it has none, its text, unless that says that there is nothing."""
    if cell.value is not None:
        return cell.value
    return None if cell.text in ("", "-") else cell.text
