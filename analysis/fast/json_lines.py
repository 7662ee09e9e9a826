"""The JSON text of a run with places for what differs from run to run, made from one run that was read at two places."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from .unit import UnfitError, moving

_LINE = re.compile(r"\(line (\d+)\)")


class JsonText(NamedTuple):
    """A format with a %s for each expression."""

    fixed: str
    expressions: tuple[str, ...]


def shown(number: float) -> str:
    """A number as JSON, null for what is none; as `json.dumps` writes the result of `to_dict()`."""
    if number != number or number in (float("inf"), float("-inf")):
        return "null"
    return repr(number)


def json_text(here: Any, there: Any, placed: Callable[[str], str]) -> JsonText:
    """The text of `to_dict(run)`, read at two places; `placed` makes an expression out of what moves.

    Raises:
        UnfitError: something moves in a way that is not understood.
    """
    pieces: list[str] = []
    expressions: list[str] = []

    def number(value: Any, other: Any) -> bool:
        expression = moving(value, other)
        if expression is None:
            return False
        pieces.append("%s")
        expressions.append(placed(expression))
        return True

    def text(value: str, other: str) -> None:
        if value == other:
            pieces.append(json.dumps(value).replace("%", "%%"))
            return
        ours, theirs = _LINE.split(value), _LINE.split(other)
        if ours[0::2] != theirs[0::2]:
            raise UnfitError
        pieces.append('"')
        for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if place % 2 == 0:
                pieces.append(json.dumps(a)[1:-1].replace("%", "%%"))
                continue
            pieces.append("(line ")
            if not number(int(a), int(b)):
                pieces.append(a)
            pieces.append(")")
        pieces.append('"')

    def write(value: Any, other: Any) -> None:
        if type(value) is not type(other) and not isinstance(value, (int, float)):
            raise UnfitError
        if type(value) is dict:
            if value.keys() != other.keys() or list(value) != list(other):
                raise UnfitError
            pieces.append("{")
            for place, key in enumerate(value):
                pieces.append((", " if place else "") + json.dumps(key).replace("%", "%%") + ": ")
                write(value[key], other[key])
            pieces.append("}")
        elif type(value) is list:
            if len(value) != len(other):
                raise UnfitError
            pieces.append("[")
            for place, (a, b) in enumerate(zip(value, other, strict=True)):
                pieces.append(", " if place else "")
                write(a, b)
            pieces.append("]")
        elif type(value) is str:
            text(value, other)
        elif value is None or type(value) is bool:
            pieces.append(json.dumps(value))
        elif not number(value, other):
            pieces.append(json.dumps(value))

    write(here, there)
    return JsonText("".join(pieces), tuple(expressions))
