"""The last sentence of a sweep: which configuration is the fastest, and which one needs the least SRAM."""

from __future__ import annotations

from collections.abc import Sequence

from ..units import format_bytes, format_milliseconds
from .answers import Answers
from .objectives import OBJECTIVES, best

FASTEST = "Fastest"
_LIMIT = "/ sram<512KiB shows what fits"


def extremes(answers: Answers, labels: Sequence[str]) -> str:
    """The fastest and the smallest of the configurations that have figures, named by `labels`; empty if fewer than two
    have.

    Among equal ones, the one that is better in the other figure is named. Both figures are Vela's estimates. If some
    configurations have no time or no SRAM, the sentence says how many were compared.
    """
    parts = []
    for word, name, text in ((FASTEST, "seconds", format_milliseconds), ("least SRAM", "sram", format_bytes)):
        objective = OBJECTIVES[name]
        figures = [objective.of(candidate) for candidate in answers.candidates]
        known = [place for place, figure in enumerate(figures) if figure is not None]
        place = best(answers.candidates, known, objective)
        if place is None or len(known) < 2:
            continue
        of = f", of {len(known)} that say it" if len(known) < len(figures) else ""
        parts.append(f"{word}: {labels[place]} ({text(figures[place])}{of})")
    return "; ".join((*parts, _LIMIT)) if parts else ""
