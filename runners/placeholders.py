"""`{artefact}` and the like in the words of a command, filled in word by word: no value can become two words or shell text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .job import UsageError

_MARKS = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def fill(argv: Sequence[str], values: Mapping[str, str | None]) -> list[str]:
    """The words with their placeholders filled; `{{` and `}}` are braces, and a value is never looked into.

    Raises:
        UsageError: a placeholder is unknown, its value is None (this run has none), or a brace stands alone.
    """
    return [_fill(word, values) for word in argv]


def _fill(word: str, values: Mapping[str, str | None]) -> str:
    def put(mark: re.Match[str]) -> str:
        name = mark.group(1)
        if name is None:
            if len(mark.group()) == 1:
                raise UsageError(f"a single {mark.group()} in {word!r}", "write {{ or }} for a brace")
            return mark.group()[0]
        if name not in values:
            known = ", ".join(f"{{{known}}}" for known in values)
            raise UsageError(
                f"{mark.group()} in {word!r} stands for nothing", f"there are {known}; write {{{{ for a brace"
            )
        value = values[name]
        if value is None:
            raise UsageError(
                f"this run has nothing for {mark.group()} in {word!r}", f"leave it out, or say what {name} is"
            )
        return value

    return _MARKS.sub(put, word)
