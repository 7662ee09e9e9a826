"""Sentences of people that quote an error: they tell of one, and are not the line of the tool that printed it."""

from __future__ import annotations

from ..cleaning import compiled

_QUOTE = r"[:`'\"/\\=_<>\[\]{}()|@#$%0-9\u2018]"
"""Where the words before it end: at a mark, a path, a number."""
_LONGEST = 300
_LEAST = 3
"""Words that a sentence has before it; a tool may say two."""
_OPENERS = frozenset(
    (
        "if", "when", "but", "and", "so", "then", "after", "before", "once", "why", "how", "what", "does",
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
    words = _words(compiled(_QUOTE).split(message[:_LONGEST], maxsplit=1)[0])
    return len(words) >= _LEAST and (words[0] in _OPENERS or not _SPEAKERS.isdisjoint(words))


def is_remark(text: str) -> bool:
    """Whether somebody speaks of himself or asks here, as below a log that was posted; no program does.

    Example:
        >>> is_remark("We tried two boards, with the same result.")
        True
        >>> is_remark("Frame 1 ready")
        False
    """
    words = _words(text[:_LONGEST])
    return len(words) >= _LEAST and (text.rstrip().endswith("?") or not _SPEAKERS.isdisjoint(words))


def _words(text: str) -> list[str]:
    return [word.strip(",.;") for word in text.lower().split()]
