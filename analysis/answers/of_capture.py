"""The answers to all that a capture holds: its runs, or the compiles where nothing ran."""

from __future__ import annotations

from collections.abc import Iterator

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import Capture, CompileSummary, Run
from .answer import Answer, document_of
from .of_run import answers_of_run

if TYPE_CHECKING:
    from typing import Any

    from ..meaning.assumptions import Assumptions
    from ..meaning.boards import Board


class Answers(NamedTuple):
    """The five answers; `run` or `compile` is the number of what they are of, counted from 1."""

    run: int | None
    compile: int | None
    answers: tuple[Answer, ...]
    parts: int = 1
    """How many summaries of Vela the compile has; `compile` is the number of the last."""

    @property
    def what(self) -> str:
        """ "run 2"."""
        if self.run is not None or self.compile is None:
            return f"run {self.run}"
        if self.parts == 1:
            return f"compile {self.compile}"
        return f"compiles {self.compile - self.parts + 1} {'and' if self.parts == 2 else 'to'} {self.compile}"


def answers_in(capture: Capture, given: Assumptions | None = None) -> Iterator[Answers]:
    """The answers to each run of a derived capture, or to each network that was compiled where it has no run."""
    board = board_of(given)
    for run in capture.runs:
        yield Answers(run.index, None, answers_to(capture, run, given, board))
    if capture.runs or not capture.compile:
        return
    from ..compiles.whole_network import networks_of
    from .of_compile import answers_of_compile

    for network in networks_of(capture):
        entry = {"status": "failed"} if network.failed else None
        told = answers_of_compile(network.whole, capture.findings, entry, board)
        yield Answers(None, network.last, told, len(network.parts))


def answers_to(
    capture: Capture, run: Run, given: Assumptions | None = None, board: Board | None = None, status: str | None = None
) -> tuple[Answer, ...]:
    """The answers to one run of a derived capture."""
    summary = compile_of(capture, run, given)
    run = named_run(run, summary, given)
    return answers_of_run(run, capture.findings, summary, board or board_of(given), status)


def named_run(run: Run, summary: CompileSummary | None, given: Assumptions | None) -> Run:
    """The run with the NPU that was said or compiled beside it: what fits does not depend on where its name stands."""
    if summary is None and (given is None or given.target is None):
        return run
    from ..meaning.npu import with_npu

    return with_npu(run, given, summary)


def compile_of(capture: Capture, run: Run, given: Assumptions | None) -> CompileSummary | None:
    """The compile in the capture that this run can be of."""
    if not capture.compile:
        return None
    from ..meaning.assumptions import NOTHING
    from ..meaning.facts import summary_of  # few logs hold a compile

    return summary_of(run, capture.compile, given or NOTHING)


def board_of(given: Assumptions | None) -> Board | None:
    """The board that the user named."""
    if given is None or given.board is None:
        return None
    from ..meaning.assumptions import board_of as named

    return named(given)


def answers_document(capture: Capture, given: Assumptions | None = None) -> list[dict[str, Any]]:
    """As JSON types: an object for each run, or for each network that was compiled; `parts` are the summaries that end with it."""
    return [
        {"run": found.run, "compile": found.compile, "five": document_of(found.answers)}
        | ({"parts": found.parts} if found.parts > 1 else {})
        for found in answers_in(capture, given)
    ]
