"""`{artefact}` and the like in the words of a command, filled in word by word: no value can become two words or shell text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .job import UsageError

_MARKS = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def placeholders(argv: Sequence[str]) -> set[str]:
    """The names that stand in single braces."""
    return {mark[1] for word in argv for mark in _MARKS.finditer(word) if mark[1]}


def fill(argv: Sequence[str], values: Mapping[str, str | None], what: str = "the command") -> list[str]:
    """The words with their placeholders filled; `{{` and `}}` are braces, and a value is never looked into.

    Raises:
        UsageError: a placeholder is unknown, its value is None (this run has none), or a brace stands alone.

    Example:
        >>> fill(["pyocd", "load", "{elf}"], {"elf": "my runner.elf"})
        ['pyocd', 'load', 'my runner.elf']
    """
    return [_fill(word, values, what) for word in argv]


def _fill(word: str, values: Mapping[str, str | None], what: str) -> str:
    def put(mark: re.Match[str]) -> str:
        name = mark.group(1)
        if name is None:
            if len(mark.group()) == 1:
                raise UsageError(f"{what} has a single {mark.group()} in {word!r}", "write {{ or }} for a brace")
            return mark.group()[0]
        if name not in values:
            known = ", ".join(f"{{{known}}}" for known in values)
            raise UsageError(
                f"{what} has {mark.group()} in {word!r}, which stands for nothing",
                f"there are {known}; write {{{{ for a brace",
            )
        value = values[name]
        if value is None:
            raise UsageError(
                f"{what} wants {mark.group()} in {word!r}, and this run has none",
                f"leave it out, or say what {name} is",
            )
        return value

    return _MARKS.sub(put, word)
