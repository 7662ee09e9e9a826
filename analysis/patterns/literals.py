"""Finds which of many literals a message holds, and which word a row needs.

Most literals have a word between blanks, and one look at the words of a message tells of all of these. The others are
found by the rarest character of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_RARE = "`$}{*<'\">=][)(ZQJXYWKVGHBFUDPMLCNOTRSIAE,/_-9876543210.:zqjxkvbywgpfmucdlhrsnioate"
"""Characters of messages, those that few lines have first."""

_BETWEEN = re.compile(r"\{\?.*\?\}|\{\w*:\w+\}|\s+")
"""What is not the same in all messages of a template."""
_Placed = list[tuple[int, str]]
"""Literals with their places in a table."""


class Literals:
    """The literals of a table, ready to be looked for."""

    def __init__(self, literals: Iterable[str]) -> None:
        self._by_word: dict[str, _Placed] = {}
        """By a word that stands alone in each message with the literal."""
        self._by_character: dict[str, _Placed] = {}
        """By the rarest character of each: most lines lack most of these."""
        for place, literal in enumerate(literals):
            whole = [word for word in literal.split(" ")[1:-1] if word]
            if whole:
                group = self._by_word.setdefault(max(whole, key=len), [])
            else:
                rarest = next((character for character in _RARE if character in literal), "")
                group = self._by_character.setdefault(rarest, [])
            group.append((place, literal))
        self._words = frozenset(self._by_word)

    def places(self, message: str) -> list[int]:
        """Where the literals stand in their table that are in this message."""
        found = [
            place
            for character, literals in self._by_character.items()
            if character in message
            for place, literal in literals
            if literal in message
        ]
        for word in self._words.intersection(message.split()):
            found += [place for place, literal in self._by_word[word] if literal in message]
        found.sort()
        return found


def word_of(template: str) -> str:
    """What each message of this template holds: the longest of its words behind the first one, which selected the row."""
    first, *words = _BETWEEN.split(template)
    return max(words, key=len, default="") or first
