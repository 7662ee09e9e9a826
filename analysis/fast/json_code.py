"""Statements that make the JSON text of a run from what a layout found in a log.

Most of what differs between runs is line numbers and figures as printed, so those become text many at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..traced import VARIABLE, as_shown, variables
from .json_text import ELEMENTS, JsonText
from .line_texts import LEAST_NUMBERS, MOST_SPAN, OPEN, LineTexts

_NUMBER_OF_LINE = re.compile(r"line \+ (\d+)((?: \+ v\d+)*)")
_BARE = re.compile(r"[ev]\d+")
_WHOLE_NUMBER = re.compile(r"[ev]\d+|[v\d+() -]+")
"""What is an int where all its variables are."""
_PER_ONE = re.compile(r"\(([v\d+*() -]+) / 1\)")
"""What comes out of a division by the one inference there was."""
EXACT_LIMIT = 1 << 53
"""Below this, ints and floats count alike."""
_NONE = frozenset(("nan", "inf", "-inf"))
MOST_REALS = 1 << 14
"""Texts of numbers with a point whose values are remembered."""


class Stretch(NamedTuple):
    """A part of the text in which only numbers of lines differ."""

    first: int
    """The first line that is named."""
    after: str
    """Numbers of elements that stand before all of these lines (" + v40")."""
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
    """A number as JSON, null for one that is not finite; as `json.dumps` writes the result of `to_dict()`."""
    text = repr(number)
    return "null" if text in _NONE else text


def shown_rounded(number: float) -> str:
    """The same for `as_shown(number)`. A text of at most six digits, with a point and no exponent, is that already."""
    text = f"{number:.6g}"
    return text if "." in text and "e" not in text else shown(as_shown(number))


_NAMES: dict[str, Any] = {
    "join": "".join,
    "map": map,
    "repr": repr,
    "divmod": divmod,
    "open": OPEN,
    "reals": _Reals().__getitem__,
}
_NAMES |= {"show": shown, "rounded": shown_rounded, "filter": filter, "comma": ", ".join, "int": int, "str": str}


class TextCode:
    """Statements that make one `text` of a line, beginning with its source, and what they need under names with this
    `number`.

    They read `source`, `groups`, `index`, `line` and the figures that are ints.
    """

    def __init__(
        self, text: JsonText, reals: Mapping[str, bool], places: Mapping[str, int], number: int, *, elsewhere: bool
    ) -> None:
        """`reals` tells which figures are not ints; `places` is the group of each figure.

        `elsewhere` says that lines have `numbers`, of which that of the first line is at `place`.
        """
        self.making: list[str] = []
        self.space: dict[str, Any] = dict(_NAMES)
        self._number = number
        pieces, parts = joined_lines(text)
        self._fields = {one: f"t{place}" for place, one in enumerate(dict.fromkeys(parts))}
        """The name of each value's text."""
        self._printed: dict[str, str] = {}
        """Values that become text together."""
        lines: dict[str, list[str | Stretch]] = {}
        for one in self._fields:
            after = _after(one)
            if after is not None:
                lines.setdefault(after, []).append(one)
            elif isinstance(one, str):
                self._figure(one, reals, places)
        for place, (after, some) in enumerate(lines.items()):
            if elsewhere:
                self._lines_elsewhere(f"n{place}", after, some)
            else:
                self._lines_from(after, some)
        if self._printed:
            self.making.append(f"    {', '.join(self._printed)}, = map(repr, ({', '.join(self._printed.values())},))")
        self.space[f"pieces_{number}"] = all_pieces = [""] * (2 * len(parts) + 1)
        all_pieces[0::2] = pieces
        self.space[f"begins_{number}"] = _Begins(pieces[0]).__getitem__
        if parts:
            self.making.append(f"    pieces_{number}[1::2] = {', '.join(self._fields[one] for one in parts)},")
        self.making += [f"    pieces_{number}[0] = begins_{number}(source)", f"    text = join(pieces_{number})"]

    def _figure(self, one: str, reals: Mapping[str, bool], places: Mapping[str, int]) -> None:
        """Add the text of a value that is no line number."""
        name = self._fields[one]
        inner = _inner(one)
        per_one = _PER_ONE.fullmatch(inner) if inner is not None else None
        if one.startswith(ELEMENTS):
            self.making.append(f"    {name} = {_list_code(one, reals, places)}")
        elif one.startswith("index + ") or (_WHOLE_NUMBER.fullmatch(one) and not any(map(reals.get, variables([one])))):
            self._printed[name] = one.removesuffix(" + 0")
        elif _BARE.fullmatch(one):
            self.making.append(f"    {name} = reals(groups[{places[one]}])")
        elif per_one is not None and not any(reals[name] for name in variables([per_one[1]])):
            self._printed[name] = f"(n if -{EXACT_LIMIT} < (n := {per_one[1]}) < {EXACT_LIMIT} else {one})"
        elif inner is not None:
            self.making.append(f"    {name} = rounded({inner})")
        else:
            self.making.append(f"    {name} = show({one})")

    def _lines_from(self, after: str, some: Sequence[str | Stretch]) -> None:
        """Add line numbers that are counted from the first line."""
        for one in some:
            name = self._fields[one]
            if isinstance(one, str):
                self._printed[name] = one.replace("line + 0", "line", 1) if one.startswith("line + 0") else one
                continue
            texts = LineTexts(one.pieces, one.offsets)
            stretch = f"lines_{self._number}_{name}"
            self.space[stretch], self.space[f"{stretch}_at"] = texts, texts.at
            first = f"line + {one.first}{after}"
            self.making += [
                f"    high, low = divmod({first}, 1000)",
                f"    {name} = {stretch}[low].replace(open, repr(high)) if high and low <= {1000 - texts.span} else {stretch}_at({first})",
            ]

    def _lines_elsewhere(self, numbers: str, after: str, some: Sequence[str | Stretch]) -> None:
        """Add line numbers that are looked up."""
        offsets = [_offsets(one) for one in some]
        first = min(least for least, _ in offsets)
        end = max(most for _, most in offsets) + 1
        self.making.append(f"    {numbers} = numbers[place + {first}{after} : place + {end}{after}]")
        for one, (least, _) in zip(some, offsets, strict=True):
            name = self._fields[one]
            if isinstance(one, str):
                self._printed[name] = f"{numbers}[{least - first}]"
                continue
            texts = LineTexts(one.pieces, one.offsets)
            self.space[f"lines_{self._number}_{name}"] = texts.of
            self.making.append(f"    {name} = lines_{self._number}_{name}({numbers}[{least - first}:])")


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


def _list_code(expression: str, reals: Mapping[str, bool], places: Mapping[str, int]) -> str:
    names = VARIABLE.findall(expression)
    given = f"filter(None, groups[{places[names[0]]}:{places[names[-1]] + 1}])"
    return f"comma(map(reals, {given}))" if reals[names[0]] else f"comma(map(str, map(int, {given})))"


def _after(one: str | Stretch) -> str | None:
    """What is added to the number of a line, apart from the first line and a count; None for what is no such number."""
    if isinstance(one, Stretch):
        return one.after
    line = _NUMBER_OF_LINE.fullmatch(one)
    return line[2] if line is not None else None


def _offsets(one: str | Stretch) -> tuple[int, int]:
    """The first line that is named, and the last, from the first of the run."""
    if isinstance(one, Stretch):
        return one.first, one.first + max(one.offsets)
    line = _NUMBER_OF_LINE.fullmatch(one)
    assert line is not None
    return int(line[1]), int(line[1])


def joined_lines(text: JsonText) -> tuple[list[str], list[str | Stretch]]:
    """The pieces and expressions of a text, with consecutive line numbers joined into stretches."""
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
