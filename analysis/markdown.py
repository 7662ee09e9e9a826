"""A log that went through an editor of Markdown, which puts a backslash before each mark that could mean something there."""

from __future__ import annotations

import codecs
import re

from .cleaning import compiled
from .lines import parse_line
from .named_tuple import TYPE_CHECKING

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
    return compiled(_ESCAPED).sub(r"\1", _text(data))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


class MarkdownText(codecs.IncrementalDecoder):
    r"""Takes the backslashes out, in whatever pieces the text comes.

    Example:
        >>> MarkdownText().decode(rb"ethosu\_pmu\_cycle\_cntr")
        'ethosu_pmu_cycle_cntr'
    """

    def __init__(self) -> None:
        super().__init__("replace")
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = ""

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """The text of the next piece; a backslash at its end waits for what it stands before."""
        text = self._left + self._decoder.decode(data, final)
        begun = text.removesuffix("\r")
        odd = (len(begun) - len(begun.rstrip("\\"))) % 2  # the others stand before one another
        self._left = text[len(begun) - 1 :] if odd and not final else ""
        return compiled(_ESCAPED).sub(r"\1", text[: len(text) - len(self._left)])
