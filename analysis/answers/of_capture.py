"""The answers to all that a capture holds: its runs, or the compiles where nothing ran."""

from __future__ import annotations

from collections.abc import Iterator

from ..meaning.assumptions import NOTHING, Assumptions
from ..meaning.facts import summary_of
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import Capture, Run
from .answer import Answer, document_of
from .of_run import answers_of_run

if TYPE_CHECKING:
    from typing import Any

    from ..meaning.boards import Board


class Answers(NamedTuple):
    """The five answers; `run` or `compile` is the number of what they are of, counted from 1."""

    run: int | None
    compile: int | None
    answers: tuple[Answer, ...]


def answers_in(capture: Capture, given: Assumptions = NOTHING) -> Iterator[Answers]:
    """The answers to each run of a derived capture, or to each of its compiles where it has no run."""
    board = _board(given)
    for run in capture.runs:
        yield Answers(run.index, None, answers_to(capture, run, given, board))
    if capture.runs or not capture.compile:
        return
    from .of_compile import answers_of_compile

    for number, summary in enumerate(capture.compile, 1):
        yield Answers(None, number, answers_of_compile(summary, capture.findings, None, board))


def answers_to(
    capture: Capture, run: Run, given: Assumptions = NOTHING, board: Board | None = None, status: str | None = None
) -> tuple[Answer, ...]:
    """The answers to one run of a derived capture."""
    summary = summary_of(run, capture.compile, given)
    return answers_of_run(run, capture.findings, summary, board or _board(given), status)


def _board(given: Assumptions) -> Board | None:
    if given.board is None:
        return None
    from ..meaning.boards import BOARDS  # few calls name one

    return BOARDS.get(given.board.lower())


def answers_document(capture: Capture, given: Assumptions = NOTHING) -> list[dict[str, Any]]:
    """As JSON types: an object for each run or compile."""
    return [
        {"run": found.run, "compile": found.compile, "five": document_of(found.answers)}
        for found in answers_in(capture, given)
    ]
