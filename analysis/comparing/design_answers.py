"""The compiles among the columns of a comparison as configurations, for their Pareto front."""

from __future__ import annotations

from collections.abc import Sequence

from ..design.answers import FRONT, Answers, answer
from ..design.candidates import Candidate
from ..design.objectives import OBJECTIVES
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from .sides import Side


def answers_of(sides: Sequence[Side]) -> Answers | None:
    """The answers, in which a place is that of a column; None if fewer than two columns have estimates of time and
    SRAM.
    """
    candidates = [_candidate(side) for side in sides]
    known = [all(OBJECTIVES[name].of(one) is not None for name in FRONT) for one in candidates]
    return answer(candidates) if sum(known) > 1 else None


def _candidate(side: Side) -> Candidate:
    summary = side.summary if side.kind == "compile" else None
    if summary is None:  # a run holds its place, and has no estimate
        return Candidate(side.label, side.target or "")
    target, config, mode = summary.accelerator or "", summary.system_config, summary.memory_mode
    return Candidate(side.label, target, config, mode).with_figures(summary, side.pte_bytes)


def front_document(answers: Answers) -> dict[str, Any]:
    """The object `pareto` of ``ethosu-tui/comparison/1``; its places are those of columns."""
    return {
        "objectives": [f"{name}_{OBJECTIVES[name].unit}" if name == "sram" else name for name in FRONT],
        "front": list(answers.front),
        "knee": answers.knee,
        "knee_reason": answers.knee_reason or None,
    }


def front_sentence(answers: Answers) -> str:
    """The front and its knee in words."""
    names = [answers.candidates[place].label for place in answers.front]
    knee = f"its knee is {answers.candidates[answers.knee].label}" if answers.knee is not None else answers.knee_reason
    return f"Pareto front of estimated time against SRAM, fastest first: {', '.join(names)}; {knee}."
