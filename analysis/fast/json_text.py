"""The JSON text of a run with places for what differs from run to run, made from one run that was read at two places."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .parts import UnfitError
from .traced import Traced
from .unit import moving

_LINE = re.compile(r"\(line (\d+)\)")
_WHOLE = re.compile(r"float\((v\d+)\)")
ELEMENTS = "elements("


class JsonText(NamedTuple):
    """Pieces of text with the value of an expression between each two."""

    pieces: tuple[str, ...]
    expressions: tuple[str, ...]
    whole: frozenset[str]
    """Variables that are shown with ".0" behind them, which is right below 10^16 only."""


def elements(names: Sequence[str]) -> str:
    """The expression of the first elements of a tensor, as many of them as there are."""
    return f"{ELEMENTS}{', '.join(names)})"


def json_text(here: Any, there: Any, placed: Callable[[str], str], first: Mapping[str, Sequence[str]]) -> JsonText:
    """The text of `to_dict(run)`, read at two places; `placed` makes an expression out of what moves.

    `first`: the variables of all first elements of a tensor, by the first of them; their groups stand side by side.

    Raises:
        UnfitError: something moves in a way that is not understood.
    """
    pieces: list[str] = [""]
    expressions: list[str] = []
    whole: set[str] = set()

    def number(value: Any, other: Any) -> bool:
        expression = moving(value, other)
        if expression is None:
            return False
        expression = placed(expression)
        integer = _WHOLE.fullmatch(expression)
        if integer is not None:
            whole.add(integer[1])
        expressions.append(expression if integer is None else integer[1])
        pieces.append("" if integer is None else ".0")
        return True

    def shown_elements(values: list[Any]) -> Sequence[str]:
        found = [value.expression for value in values if type(value) is Traced]
        names = first.get(found[0], ()) if found else ()
        return names if len(found) == len(values) and found == list(names[: len(found)]) else ()

    def put(text: str) -> None:
        pieces[-1] += text

    def text(value: str, other: str) -> None:
        if value == other:
            put(json.dumps(value))
            return
        ours, theirs = _LINE.split(value), _LINE.split(other)
        if ours[0::2] != theirs[0::2]:
            raise UnfitError
        put('"')
        for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if place % 2 == 0:
                put(json.dumps(a)[1:-1])
                continue
            put("(line ")
            if not number(int(a), int(b)):
                put(a)
            put(")")
        put('"')

    def write(value: Any, other: Any) -> None:
        if type(value) is not type(other) and not isinstance(value, (int, float)):
            raise UnfitError
        if type(value) is dict:
            if value.keys() != other.keys() or list(value) != list(other):
                raise UnfitError
            put("{")
            for place, key in enumerate(value):
                put((", " if place else "") + json.dumps(key) + ": ")
                write(value[key], other[key])
            put("}")
        elif type(value) is list and (names := shown_elements(value)):
            put("[")
            expressions.append(elements(names))
            pieces.append("]")
        elif type(value) is list:
            if len(value) != len(other):
                raise UnfitError
            put("[")
            for place, (a, b) in enumerate(zip(value, other, strict=True)):
                put(", " if place else "")
                write(a, b)
            put("]")
        elif type(value) is str:
            text(value, other)
        elif value is None or type(value) is bool:
            put(json.dumps(value))
        elif not number(value, other):
            put(json.dumps(value))

    write(here, there)
    return JsonText(tuple(pieces), tuple(expressions), frozenset(whole))
