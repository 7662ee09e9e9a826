"""Sentences of people that quote an error: they tell of one, and are not the line of the tool that printed it."""

from __future__ import annotations

from .cleaning import compiled

_BEFORE_QUOTE = r"[^:`'\"/\\=_<>\[\]{}()|@#$%0-9\u2018]{0,300}"
"""Where the words before it end: at a mark, a path, a number."""
_LEAST = 3
_OPENERS = frozenset(
    (
        "if", "when", "whenever", "but", "and", "so", "then", "sometimes", "often", "after", "before", "once", "why", "how", "what", "does",
        "is", "are", "do", "here", "there", "on", "in", "it", "for", "since", "because", "although", "though", "unless",
    )
)  # fmt: skip
"""How sentences begin, and no message of a tool that is looked for in the middle of a line."""
_SPEAKERS = frozenset(
    (
        "i", "i'm", "i've", "i'd", "we", "us", "me", "my", "our", "he", "she", "they", "says", "said", "saw", "often", "sometimes", "whenever",
    )
)  # fmt: skip
"""Words by which somebody speaks of what was printed."""
_OF_COMPILERS = r"\s*In (?:file included from|(?:static )?(?:member )?function|(?:con|de)structor|instantiation of) "
"""How GCC and Clang begin to say where an error is, with which it may go on in the same line of a log."""


def is_prose(message: str) -> bool:
    """Whether what stands before the first mark, path or number of a message are the words of somebody who quotes it.

    Example:
        >>> is_prose("If the linker says undefined reference to `f', add the library.")
        True
        >>> is_prose("a.cpp:(.text+0x10): undefined reference to `f'")
        False
    """
    if compiled(_OF_COMPILERS).match(message):
        return False
    found = compiled(_BEFORE_QUOTE).match(message)
    words = [word.strip(",.;") for word in found.group().lower().split()] if found is not None else []
    return len(words) >= _LEAST and (words[0] in _OPENERS or not _SPEAKERS.isdisjoint(words))
