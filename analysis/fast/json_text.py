"""The JSON text of a run with places for what differs between runs, made from one run that was read at two places."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..traced import Traced
from .parts import UnfitError
from .unit import moving

_LINE = re.compile(r"\(line (\d+)\)")
_WHOLE = re.compile(r"float\((v\d+)\)")
ELEMENTS = "elements("


class JsonText(NamedTuple):
    """Pieces of text with the value of an expression between each two."""

    pieces: tuple[str, ...]
    expressions: tuple[str, ...]
    whole: frozenset[str]
    """Variables that are shown with ".0" after them, which is right only below 10^16."""


def elements(names: Sequence[str]) -> str:
    """The expression of the first elements of a tensor, as many as there are."""
    return f"{ELEMENTS}{', '.join(names)})"


def json_text(here: Any, there: Any, placed: Callable[[str], str], first: Mapping[str, Sequence[str]]) -> JsonText:
    """The text of `run_object()`, read at two places; `placed` makes an expression out of what moves.

    `first`: the variables of all first elements of a tensor, by the first of them; their groups stand side by side.

    Raises:
        UnfitError: something moves in a way that is not understood.
    """
    writer = _Writer(placed, first)
    writer.write(here, there)
    return JsonText(tuple(writer.pieces), tuple(writer.expressions), frozenset(writer.whole))


class _Writer:
    """The text while it is put together."""

    def __init__(self, placed: Callable[[str], str], first: Mapping[str, Sequence[str]]) -> None:
        self.pieces = [""]
        self.expressions: list[str] = []
        self.whole: set[str] = set()
        self._placed = placed
        self._first = first

    def write(self, value: Any, other: Any) -> None:
        """A value of JSON, and what stands in its place in the other reading."""
        if type(value) is not type(other) and not isinstance(value, (int, float)):
            raise UnfitError
        if type(value) is dict:
            if value.keys() != other.keys() or list(value) != list(other):
                raise UnfitError
            self._put("{")
            for place, key in enumerate(value):
                self._put((", " if place else "") + json.dumps(key) + ": ")
                self.write(value[key], other[key])
            self._put("}")
        elif type(value) is list and (names := self._shown_elements(value)):
            self._put("[")
            self.expressions.append(elements(names))
            self.pieces.append("]")
        elif type(value) is list:
            if len(value) != len(other):
                raise UnfitError
            self._put("[")
            for place, (a, b) in enumerate(zip(value, other, strict=True)):
                self._put(", " if place else "")
                self.write(a, b)
            self._put("]")
        elif type(value) is str:
            self._text(value, other)
        elif value is None or type(value) is bool or not self._number(value, other):
            self._put(json.dumps(value))

    def _put(self, text: str) -> None:
        self.pieces[-1] += text

    def _number(self, value: Any, other: Any) -> bool:
        """Write a number that moves; False for one that stays."""
        expression = moving(value, other)
        if expression is None:
            return False
        expression = self._placed(expression)
        integer = _WHOLE.fullmatch(expression)
        if integer is not None:
            self.whole.add(integer[1])
        self.expressions.append(expression if integer is None else integer[1])
        self.pieces.append("" if integer is None else ".0")
        return True

    def _text(self, value: str, other: str) -> None:
        """A text, in which numbers of lines may move."""
        if value == other:
            self._put(json.dumps(value))
            return
        ours, theirs = _LINE.split(value), _LINE.split(other)
        if ours[0::2] != theirs[0::2]:
            raise UnfitError
        self._put('"')
        for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if place % 2 == 0:
                self._put(json.dumps(a)[1:-1])
                continue
            self._put("(line ")
            if not self._number(int(a), int(b)):
                self._put(a)
            self._put(")")
        self._put('"')

    def _shown_elements(self, values: list[Any]) -> Sequence[str]:
        """The variables of a list that is made of the first elements of a tensor; none of any other list."""
        found = [value.expression for value in values if type(value) is Traced]
        names = self._first.get(found[0], ()) if found else ()
        return names if len(found) == len(values) and found == list(names[: len(found)]) else ()
