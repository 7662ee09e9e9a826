"""What a table of figures shows and hides: words typed by a person, texts of a column, and limits of figures, combined.

`u85 -sram_only sram<512KiB time<=4ms` keeps rows with "u85" and without "sram_only" whose figures are known and within
these limits.  A figure that is absent is neither above nor below anything.  Words are those of `line_filter`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..tables import Cell
from ..units import parse_bytes
from .line_filter import tokens

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Kind: TypeAlias = Literal["text", "bytes", "seconds", "count"]

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}
_SIGN = re.compile(r"<=|>=|<|>|=|:")
_SPACED = re.compile(r"\s*(<=|>=|<|>|=)\s*")
_UNIT_APART = re.compile(r"(?<=\d)\s+(?=(?:[kmg]i?b|b|[munµ]?s|[kmg])\b)", re.IGNORECASE)
_NUMBER = re.compile(r"(?P<number>\d[\d_,]*(?:\.\d*)?|\.\d+)(?P<unit>[a-zµ]*)", re.IGNORECASE)
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
_COUNTS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}
_EXAMPLES = {"bytes": "a size, as in 512KiB", "seconds": "a time, as in 5ms", "count": "a number, as in 2M"}


class Condition(NamedTuple):
    """What one column must hold (`out`: must not)."""

    column: int
    out: bool
    text: str
    compare: Callable[[float, float], bool] | None
    """None where a text is looked for."""
    limit: float

    def holds(self, cells: tuple[Cell, ...]) -> bool:
        """Whether the row may be shown."""
        cell = cells[self.column]
        if self.compare is None:
            return (self.text in _texts(cell)) != self.out
        if not isinstance(cell.value, (int, float)):
            return False
        return self.compare(cell.value, self.limit) != self.out


class RowFilter(NamedTuple):
    """All parts must hold."""

    words: tuple[str, ...] = ()
    not_words: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    problem: str = ""
    """What cannot be understood, in a sentence; the rest still filters."""

    def passes(self, cells: tuple[Cell, ...]) -> bool:
        """Whether the row is shown."""
        if not all(condition.holds(cells) for condition in self.conditions):
            return False
        texts = [_texts(cell) for cell in cells]
        return all(any(word in text for text in texts) for word in self.words) and not any(
            word in text for word in self.not_words for text in texts
        )


def _texts(cell: Cell) -> str:
    """What is shown, and what is behind it where that is a text: a name may be shown short."""
    behind = cell.value if isinstance(cell.value, str) else ""
    return f"{cell.text}\n{behind}".casefold()


def parse_row_filter(text: str, columns: Mapping[str, Kind]) -> RowFilter:
    """Read what was typed for a table of these columns, in their order; never fails, see `RowFilter.problem`.

    Example:
        >>> [one.limit for one in parse_row_filter("sram < 512 KiB", {"SRAM": "bytes"}).conditions]
        [524288.0]
    """
    words: tuple[list[str], list[str]] = ([], [])
    conditions: list[Condition] = []
    problem = ""
    for out, body, quoted in tokens(_SPACED.sub(r"\1", _UNIT_APART.sub("", text))):
        sign = None if quoted else _SIGN.search(body)
        if sign is None:
            words[out].append(body.casefold())
            continue
        try:
            conditions.append(_condition(out, body[: sign.start()], sign[0], body[sign.end() :], columns))
        except ValueError as error:
            problem = str(error)
    return RowFilter(tuple(words[0]), tuple(words[1]), tuple(conditions), problem)


def _condition(out: bool, name: str, sign: str, value: str, columns: Mapping[str, Kind]) -> Condition:
    column = _column(name, columns)
    kind = columns[column]
    place = list(columns).index(column)
    if sign == ":":
        return Condition(place, out, value.casefold(), None, 0.0)
    if kind == "text":
        raise ValueError(f"{column} is a text: write {name.casefold()}:{value}")
    limit = _number(value, kind)
    if limit is None:
        raise ValueError(f"{name}{sign}{value}: {value or 'nothing'} is not {_EXAMPLES[kind]}")
    return Condition(place, out, "", _COMPARE[sign], limit)


def _column(name: str, columns: Mapping[str, Kind]) -> str:
    """The column of this name, or the only one with a word that begins so."""
    wanted = name.casefold()
    begun = [c for c in columns if wanted and any(w.startswith(wanted) for w in (c.casefold(), *c.casefold().split()))]
    found = [c for c in begun if wanted in (c.casefold(), *c.casefold().split())] or begun
    if len(found) != 1:
        said = f"could be {' or '.join(found)}" if found else f"is no column; there are {', '.join(columns)}"
        raise ValueError(f"{name or 'nothing'} {said}")
    return found[0]


def _number(text: str, kind: Kind) -> float | None:
    match = _NUMBER.fullmatch(text)
    if kind == "bytes":
        unit = parse_bytes(f"1{match['unit']}") if match else None
        return unit * float(re.sub(r"[_,]", "", match["number"])) if match and unit is not None else None
    scale = (_SECONDS if kind == "seconds" else _COUNTS).get(match["unit"].casefold()) if match else None
    if match is None or scale is None:
        return None
    return float(re.sub(r"[_,]", "", match["number"])) * scale
