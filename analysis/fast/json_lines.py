"""The JSON text of a run with places for what differs from run to run, made from one run that was read at two places.

Most of what differs is line numbers and figures as they were printed, so those become text many at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from .parts import UnfitError
from .traced import VARIABLE, Traced, as_shown, variables
from .unit import moving

_LINE = re.compile(r"\(line (\d+)\)")
_NUMBER_OF_LINE = re.compile(r"line \+ (\d+)((?: \+ v\d+)*)")
_BARE = re.compile(r"[ev]\d+")
_WHOLE = re.compile(r"float\((v\d+)\)")
_PER_ONE = re.compile(r"\(([v\d+*() -]+) / 1\)")
"""What comes out of a division by the one inference there was."""
_ELEMENTS = "elements("
EXACT_LIMIT = 1 << 53
"""Below this an int and a float count alike."""
_NONE = frozenset(("nan", "inf", "-inf"))
MOST_REALS = 1 << 15


class JsonText(NamedTuple):
    """Pieces of text with the value of an expression between each two."""

    pieces: tuple[str, ...]
    expressions: tuple[str, ...]
    whole: frozenset[str]
    """Variables that are shown with ".0" behind them, which is right below 10^16 only."""


class _Begins(dict[str, str]):
    """How the line of a run begins, by the source of the capture."""

    def __init__(self, first: str) -> None:
        self.first = first

    def __missing__(self, source: str) -> str:
        text = self[source] = json.dumps({"source": source})[:-1] + ", " + self.first.removeprefix("{")
        return text


class _Reals(dict[bytes, str]):
    """Numbers with a point as JSON, by their text in a log: outputs and ratios come back from run to run."""

    def __missing__(self, digits: bytes) -> str:
        if len(self) >= MOST_REALS:
            self.clear()
        text = self[digits] = shown(float(digits))
        return text


class LineNumbers:
    """Numbers of lines as text, made a thousand at a time: nearly every one is needed, by one run after the other."""

    def __init__(self) -> None:
        self._thousand = 0
        self._texts: list[str] = []
        self._last_digits = [f"{number:03}" for number in range(1000)]

    def between(self, first: int, end: int) -> list[str]:
        """The numbers from `first` to before `end`."""
        thousand, place = divmod(first, 1000)
        if not thousand or place + end - first > 1000:
            return list(map(repr, range(first, end)))
        if thousand != self._thousand:
            self._thousand = thousand
            self._texts = f"{thousand}{f' {thousand}'.join(self._last_digits)}".split(" ")
        return self._texts[place : place + end - first]


_numbered = LineNumbers().between


def shown(number: float) -> str:
    """A number as JSON, null for what is none; as `json.dumps` writes the result of `to_dict()`."""
    text = repr(number)
    return "null" if text in _NONE else text


def shown_rounded(number: float) -> str:
    """The same for `as_shown(number)`; the shortest text of six digits is that text, where it has a point and no exponent."""
    text = f"{number:.6g}"
    return text if "." in text and "e" not in text else shown(as_shown(number))


def _inner(expression: str) -> str | None:
    """What `as_shown` is applied to, where the expression is that and nothing else."""
    if not expression.startswith("as_shown("):
        return None
    depth = 0
    for place, sign in enumerate(expression):
        depth += (sign == "(") - (sign == ")")
        if sign == ")" and depth == 0:
            return expression[9:-1] if place == len(expression) - 1 else None
    return None


def text_code(
    text: JsonText, reals: Mapping[str, bool], places: Mapping[str, int], *, elsewhere: bool
) -> tuple[list[str], dict[str, Any]]:
    """Statements that make the `text` of a line, its source first, and what they need.

    They read `source`, `groups`, `index`, `line` and the figures that are ints.

    `elsewhere`: lines have `numbers`, of which that of the first line is at `place`.
    """
    kinds: dict[str, dict[str, str]] = {"repr": {}, "reals": {}, "rounded": {}, "show": {}}
    lists: dict[str, str] = {}
    lines: dict[str, list[int]] = {}
    for one in dict.fromkeys(text.expressions):
        if one.startswith(_ELEMENTS):
            lists[one] = _list_code(one, reals, places)
            continue
        line = _NUMBER_OF_LINE.fullmatch(one)
        inner = _inner(one)
        per_one = _PER_ONE.fullmatch(inner) if inner is not None else None
        if line is not None:
            lines.setdefault(line[2], []).append(int(line[1]))
        elif one.startswith("index + ") or (_BARE.fullmatch(one) and not reals[one]):
            kinds["repr"][one] = one
        elif _BARE.fullmatch(one):
            kinds["reals"][one] = f"groups[{places[one]}]"
        elif per_one is not None and not any(reals[name] for name in variables([per_one[1]])):
            kinds["repr"][one] = f"(n if -{EXACT_LIMIT} < (n := {per_one[1]}) < {EXACT_LIMIT} else {one})"
        elif inner is not None:
            kinds["rounded"][one] = inner
        else:
            kinds["show"][one] = one
    order: dict[str, int] = {}
    parts: list[str] = []
    for after, offsets in lines.items():
        first, last = min(offsets), max(offsets)
        if last - first >= 2 * len(offsets):
            kinds["repr"].update((one, one) for one in (f"line + {offset}{after}" for offset in offsets))
            continue
        before = len(order)
        order.update((f"line + {offset}{after}", before + offset - first) for offset in range(first, last + 1))
        begin, end = f"{first}{after}", f"{last + 1}{after}"
        some = f"map(repr, numbers[place + {begin} : place + {end}])"
        parts.append(f"*{some}" if elsewhere else f"*numbered(line + {begin}, line + {end})")
    for kind, values in kinds.items():
        before = len(order)
        order.update((one, before + place) for place, one in enumerate(values))
        if values:
            parts.append(f"*map({kind}, ({', '.join(values.values())},))")
    pieces = [""] * (2 * len(text.expressions) + 1)
    pieces[0::2] = text.pieces
    if lists:
        before = len(order)
        order.update((one, before + place) for place, one in enumerate(lists))
        parts += lists.values()
    names: dict[str, Any] = {"pieces": pieces, "join": "".join, "map": map, "repr": repr, "numbered": _numbered}
    names |= {"reals": _Reals().__getitem__, "show": shown, "rounded": shown_rounded}
    names |= {"filter": filter, "comma": ", ".join, "int": int, "str": str}
    names["begins"] = _Begins(text.pieces[0]).__getitem__
    making = ["    pieces[0] = begins(source)", "    text = join(pieces)"]
    if not parts:
        return making, names
    picked = [order[one] for one in text.expressions]
    names["pick"] = itemgetter(*picked) if len(picked) > 1 else lambda values: (values[picked[0]],)
    return [f"    pieces[1::2] = pick(({', '.join(parts)},))", *making], names


def _list_code(expression: str, reals: Mapping[str, bool], places: Mapping[str, int]) -> str:
    names = VARIABLE.findall(expression)
    given = f"filter(None, groups[{places[names[0]]}:{places[names[-1]] + 1}])"
    return f"comma(map(reals, {given}))" if reals[names[0]] else f"comma(map(str, map(int, {given})))"


def elements(names: Sequence[str]) -> str:
    """The expression of the first elements of a tensor, as many of them as there are."""
    return f"{_ELEMENTS}{', '.join(names)})"


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
