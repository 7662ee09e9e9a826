"""Finds which of many literals a message holds, by the rarest character of each."""

from __future__ import annotations

from collections.abc import Iterable

_RARE = "`$}{*<'\">=][)(ZQJXYWKVGHBFUDPMLCNOTRSIAE,/_-9876543210.:zqjxkvbywgpfmucdlhrsnioate"
"""Characters of messages, those that few lines have first."""

Literals = dict[str, list[tuple[int, str]]]
"""Literals with their places in a table, by the rarest character of each: most lines lack most of these."""


def by_rarest(literals: Iterable[str]) -> Literals:
    """The literals of a table in their order, ready to be looked for."""
    groups: Literals = {}
    for place, literal in enumerate(literals):
        rarest = next((character for character in _RARE if character in literal), "")
        groups.setdefault(rarest, []).append((place, literal))
    return groups


def places(groups: Literals, message: str) -> list[int]:
    """Where the literals stand in their table that are in this message."""
    found = [
        place
        for character, literals in groups.items()
        if character in message
        for place, literal in literals
        if literal in message
    ]
    found.sort()
    return found
