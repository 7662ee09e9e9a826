"""What is wrong with an entry of a file, as one sentence: where, what, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ..named_tuple import NamedTuple

_LONGEST = 80


class Problem(NamedTuple):
    """One thing that is wrong; `where` is a key as written in the file, or a line."""

    where: str
    text: str
    advice: str
    file: str = ""

    @property
    def sentence(self) -> str:
        """Without the advice."""
        return ": ".join(part for part in (self.file, self.where, self.text) if part)

    def __str__(self) -> str:
        return f"{self.sentence}; {self.advice}" if self.advice else self.sentence


def quoted(value: object) -> str:
    """A value as a sentence quotes it: short, and without what could steer a terminal."""
    try:
        text = repr(value)
    except ValueError:  # a number of thousands of digits
        return "a huge number"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def nearest(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """The known names that this one may have been meant to be."""
    names = list(known)
    return difflib.get_close_matches(name.lower()[:_LONGEST], names, most, 0.6)


def one_of(name: str, known: Iterable[str]) -> str:
    """Advice for an unknown name: the nearest known one, or all of them."""
    names = list(known)
    near = nearest(name, names)
    return f"did you mean {near[0]}?" if near else f"use one of {', '.join(names)}"
