"""Results of compiles as the JSON document of `compile --json`, for the command and for exports of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.design.answers import Answers
from .result import CompileResult
from .result_text import object_text

SCHEMA = "ethosu-tui/compile/1"


def compile_document(model: str, seconds: float, results: Sequence[CompileResult], answers: Answers) -> Iterator[str]:
    """The text of the object that `compile --json` prints, piece by piece; beyond ASCII it is escaped: logs are untrusted."""
    head = {"schema": SCHEMA, "model": model, "seconds": round(seconds, 3)}
    yield object_text(head, " ").removesuffix("\n}") + ',\n "jobs": ['
    for place, result in enumerate(results):
        yield f",\n{result.text()}" if place else f"\n{result.text()}"
    yield f'\n ],\n "answers": {object_text(answers.to_dict(), "  ")}\n}}\n'
