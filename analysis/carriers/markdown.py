"""A log that went through an editor of Markdown, which puts a backslash before each mark that could mean something there."""

from __future__ import annotations

import re

from ..cleaning import compiled
from ..lines import parse_line
from ..named_tuple import TYPE_CHECKING
from .changed_text import ChangedText, without_odd_backslash

if TYPE_CHECKING:
    from collections.abc import Callable

_ESCAPED = r"\\(?:([!-/:-@\[-`{-~])|(?=\r?\n))"
"""A mark with its backslash; one alone at the end of a line keeps that from being joined with the next one."""
_EXPRESSION = rb"(?<!\\)\.[*+]|\\[dDsSwW][*+?\\\])]"
"""What a regular expression has, which has its backslashes for the same marks, and tells what is to be looked for."""
_LISTED = " \t>-*+#|.:)0123456789"
"""What stands before a line that is quoted, numbered or an item of a list."""


def escaped(head: bytes, known: Callable[[str], bool]) -> bool:
    """Whether a line that this text begins with means something without its backslashes only.

    `known` tells whether a text is a line of the log.
    """
    lines = {line for line in head.split(b"\n") if b"\\" in line and re.search(_EXPRESSION, line) is None}
    return any(_means(unescaped(line), known) and not _means(_text(line), known) for line in lines)


def _means(text: str, known: Callable[[str], bool]) -> bool:
    return known(parse_line(1, text.lstrip(_LISTED).encode("utf-8", "replace")).message)


def unescaped(data: bytes) -> str:
    """The text without its backslashes."""
    return _without_backslashes(_text(data))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


class MarkdownText(ChangedText):
    r"""Takes the backslashes out, in whatever pieces the text comes.

    Example:
        >>> MarkdownText().decode(rb"ethosu\_pmu\_cycle\_cntr")
        'ethosu_pmu_cycle_cntr'
    """

    def __init__(self) -> None:
        super().__init__(_before_backslash, _without_backslashes)


def _before_backslash(text: str) -> int:
    """Before half a line end, too: both may belong together."""
    before = text.removesuffix("\r")
    whole = without_odd_backslash(before)
    return whole if whole < len(before) else len(text)


def _without_backslashes(text: str) -> str:
    return compiled(_ESCAPED).sub(r"\1", text)
