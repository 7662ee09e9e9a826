"""The JSON text of a run with places for what differs from run to run, made from one run that was read at two places.

Most of what differs is line numbers and figures as they were printed, so those become text many at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .line_texts import LEAST_NUMBERS, MOST_SPAN, OPEN, LineTexts
from .parts import UnfitError
from .traced import VARIABLE, Traced, as_shown, variables
from .unit import moving

_LINE = re.compile(r"\(line (\d+)\)")
_NUMBER_OF_LINE = re.compile(r"line \+ (\d+)((?: \+ v\d+)*)")
_BARE = re.compile(r"[ev]\d+")
_WHOLE_NUMBER = re.compile(r"[ev]\d+|[v\d+() -]+")
"""What is an int where all its variables are."""
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


class Stretch(NamedTuple):
    """A part of the text in which nothing but numbers of lines differs."""

    first: int
    """The first line that is named."""
    after: str
    """The numbers of elements that stand before all of these lines (" + v40")."""
    pieces: tuple[str, ...]
    """The text around the numbers."""
    offsets: tuple[int, ...]
    """The lines, counted from the first."""


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
    text: JsonText, reals: Mapping[str, bool], places: Mapping[str, int], number: int, *, elsewhere: bool
) -> tuple[list[str], dict[str, Any]]:
    """Statements that make the `text` of a line, its source first, and what they need under names with this `number`.

    They read `source`, `groups`, `index`, `line` and the figures that are ints.

    `elsewhere`: lines have `numbers`, of which that of the first line is at `place`.
    """
    pieces, parts = joined_lines(text)
    fields: dict[str | Stretch, str] = {}
    """The name of each value's text."""
    printed: dict[str, str] = {}
    making: list[str] = []
    space: dict[str, Any] = dict(_NAMES)
    lines: dict[str, list[str | Stretch]] = {}
    for one in dict.fromkeys(parts):
        fields[one] = name = f"t{len(fields)}"
        if isinstance(one, Stretch):
            lines.setdefault(one.after, []).append(one)
            continue
        if one.startswith(_ELEMENTS):
            making.append(f"    {name} = {_list_code(one, reals, places)}")
            continue
        line = _NUMBER_OF_LINE.fullmatch(one)
        inner = _inner(one)
        per_one = _PER_ONE.fullmatch(inner) if inner is not None else None
        if line is not None:
            lines.setdefault(line[2], []).append(one)
        elif one.startswith("index + ") or (_WHOLE_NUMBER.fullmatch(one) and not any(map(reals.get, variables([one])))):
            printed[name] = one.removesuffix(" + 0")
        elif _BARE.fullmatch(one):
            making.append(f"    {name} = reals(groups[{places[one]}])")
        elif per_one is not None and not any(reals[name] for name in variables([per_one[1]])):
            printed[name] = f"(n if -{EXACT_LIMIT} < (n := {per_one[1]}) < {EXACT_LIMIT} else {one})"
        elif inner is not None:
            making.append(f"    {name} = rounded({inner})")
        else:
            making.append(f"    {name} = show({one})")
    for place, (after, some) in enumerate(lines.items()):
        if elsewhere:
            making += _lines_elsewhere(f"n{place}", after, some, fields, printed, space, number)
        else:
            making += _lines_from(after, some, fields, printed, space, number)
    if printed:
        making.append(f"    {', '.join(printed)}, = map(repr, ({', '.join(printed.values())},))")
    space[f"pieces_{number}"] = all_pieces = [""] * (2 * len(parts) + 1)
    all_pieces[0::2] = pieces
    space[f"begins_{number}"] = _Begins(pieces[0]).__getitem__
    if parts:
        making.append(f"    pieces_{number}[1::2] = {', '.join(fields[one] for one in parts)},")
    making += [f"    pieces_{number}[0] = begins_{number}(source)", f"    text = join(pieces_{number})"]
    return making, space


def _lines_from(
    after: str,
    some: Sequence[str | Stretch],
    fields: Mapping[str | Stretch, str],
    printed: dict[str, str],
    space: dict[str, Any],
    number: int,
) -> list[str]:
    """Statements for numbers of lines that are counted on from the first."""
    making = []
    for one in some:
        name = fields[one]
        if isinstance(one, str):
            printed[name] = one.replace("line + 0", "line", 1) if one.startswith("line + 0") else one
            continue
        texts = LineTexts(one.pieces, one.offsets)
        stretch = f"lines_{number}_{name}"
        space[stretch], space[f"{stretch}_at"] = texts, texts.at
        first = f"line + {one.first}{after}"
        making += [
            f"    high, low = divmod({first}, 1000)",
            f"    {name} = {stretch}[low].replace(open, repr(high)) if high and low <= {1000 - texts.span} else {stretch}_at({first})",
        ]
    return making


def _lines_elsewhere(
    numbers: str,
    after: str,
    some: Sequence[str | Stretch],
    fields: Mapping[str | Stretch, str],
    printed: dict[str, str],
    space: dict[str, Any],
    number: int,
) -> list[str]:
    """Statements for numbers of lines that are looked up."""
    offsets = [_offsets(one) for one in some]
    first = min(least for least, _ in offsets)
    end = max(most for _, most in offsets) + 1
    making = [f"    {numbers} = numbers[place + {first}{after} : place + {end}{after}]"]
    for one, (least, _) in zip(some, offsets, strict=True):
        name = fields[one]
        if isinstance(one, str):
            printed[name] = f"{numbers}[{least - first}]"
            continue
        texts = LineTexts(one.pieces, one.offsets)
        space[f"lines_{number}_{name}"] = texts.of
        making.append(f"    {name} = lines_{number}_{name}({numbers}[{least - first}:])")
    return making


def _offsets(one: str | Stretch) -> tuple[int, int]:
    """The first line that is named, and the last, from the first of the run."""
    if isinstance(one, Stretch):
        return one.first, one.first + max(one.offsets)
    line = _NUMBER_OF_LINE.fullmatch(one)
    assert line is not None
    return int(line[1]), int(line[1])


def joined_lines(text: JsonText) -> tuple[list[str], list[str | Stretch]]:
    """The pieces and expressions of a text, with each stretch in which only numbers of lines differ made one."""
    pieces = [text.pieces[0]]
    parts: list[str | Stretch] = []
    expressions, at = text.expressions, 0
    while at < len(expressions):
        after: str | None = None
        offsets: list[int] = []
        for one in expressions[at:]:
            line = _NUMBER_OF_LINE.fullmatch(one)
            if line is None or after not in (None, line[2]):
                break
            if max([*offsets, int(line[1])]) - min([*offsets, int(line[1])]) >= MOST_SPAN:
                break
            after = line[2]
            offsets.append(int(line[1]))
        if after is None or len(set(offsets)) < LEAST_NUMBERS:
            parts.append(expressions[at])
            at += 1
            pieces.append(text.pieces[at])
            continue
        first, end = min(offsets), at + len(offsets)
        inner = text.pieces[at + 1 : end]
        parts.append(Stretch(first, after, ("", *inner, ""), tuple(offset - first for offset in offsets)))
        at = end
        pieces.append(text.pieces[at])
    return pieces, parts


_NAMES: dict[str, Any] = {
    "join": "".join,
    "map": map,
    "repr": repr,
    "divmod": divmod,
    "open": OPEN,
    "reals": _Reals().__getitem__,
}
_NAMES |= {"show": shown, "rounded": shown_rounded, "filter": filter, "comma": ", ".join, "int": int, "str": str}


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
