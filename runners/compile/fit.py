"""Searches for the configuration that fits: has compiled what `analysis.design` wants to know, until it wants no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...analysis.compiles.vela_ini import VelaIni
from ...analysis.design.answers import Answers, answer
from ...analysis.design.candidates import Candidate
from ...analysis.design.fitting import Fitting
from ...analysis.design.limits import Limits
from .candidates import candidate
from .points import CompilePoint
from .result import CompileResult

Evaluate = Callable[[Sequence[CompilePoint]], Sequence[CompileResult]]
"""Compiles these points; what could not be finished is missing in the answer."""


def answers_of(
    results: Sequence[CompileResult],
    limits: Limits | None = None,
    minimise: str | None = None,
    ini: VelaIni | None = None,
) -> Answers:
    """The answers about these results, whose places are those in the answers; `ini` is the user's own vela.ini."""
    return answer([candidate_of(result, ini) for result in results], limits, minimise)


def answers_so_far(
    points: Sequence[CompilePoint], results: Sequence[CompileResult | None], ini: VelaIni | None = None
) -> Answers:
    """The answers about a batch that is not over; a place is that of the point."""
    rows = [
        candidate_of(result, ini) if result is not None else candidate(point)
        for point, result in zip(points, results, strict=True)
    ]
    return answer(rows)


def candidate_of(result: CompileResult, ini: VelaIni | None = None) -> Candidate:
    """A result as a row of figures; a failed one has none."""
    return candidate(result.point, result.summary, result.pte_bytes, ini)


def search(
    bases: Sequence[CompilePoint], limits: Limits, minimise: str, evaluate: Evaluate, ini: VelaIni | None = None
) -> list[CompileResult]:
    """All that was compiled on the way to the best configuration, in the order in which it was tried.

    Each of `bases` is tried with several arena limits, in rounds; a target without an NPU is compiled once.  The search ends
    early where `evaluate` gives back less than it was asked for.
    """
    fitting = Fitting([candidate(base, ini=ini) for base in bases], limits, minimise)
    results: dict[CompilePoint, CompileResult] = {}
    while asked := fitting.ask():
        wanted = {
            replace(bases[place], arena_cache_bytes=trial.arena_cache_bytes, optimise=trial.optimise): (place, trial)
            for place, trial in asked
        }
        found = {result.point: result for result in evaluate(list(wanted))}
        results |= found
        if len(found) < len(wanted):
            break
        for point, one in wanted.items():
            fitting.tell(one, candidate_of(found[point], ini) if found[point].status == "ok" else None)
    return list(results.values())
