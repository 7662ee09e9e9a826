"""Numbers that remember where they came from: which figures a run's report was made of.

To read a hundred thousand runs of one shape, the scanner reads one of them with `Traced` numbers in place of the
printed ones. All that the collectors, checks and rules do with them is recorded: each comparison with its outcome (a
condition that another run must meet to be judged alike), and each result as an expression over the figures. Where a
number is used in a way that cannot be followed (as a key, as an index, by a C function), its figure is *pinned*: what
was learnt holds only for runs that print exactly this value. Expressions hold nothing but our own variable names,
numbers and operators.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

OPENED, CLOSED = "\ue000", "\ue001"
"""Stand around a number that was written into a text; no text of a log contains them where figures stand."""
VARIABLE = re.compile(r"\b[ev]\d+\b")
"""Figures are v0, v1 ...; elements of tensors, which may be negative, are e0, e1 ..."""
_MARKED = re.compile(f"{OPENED}([^{OPENED}{CLOSED}]*){CLOSED}")


class Tracer:
    """Records what was asked of the figures of one run while it was read."""

    def __init__(self) -> None:
        self.conditions: dict[str, None] = {}
        self.pinned: set[str] = set()
        self.written: set[str] = set()
        """Variables whose numbers became text, which may or may not matter."""
        self.active = True

    def figure(self, value: float, name: str) -> Traced:
        """A figure of the log under the name of its variable ("v3")."""
        return Traced(self, value, name)

    def holds(self, outcome: bool, expression: str) -> bool:
        """Record a comparison and its outcome."""
        if self.active:
            self.conditions[expression if outcome else f"not {expression}"] = None
        return outcome

    def pin(self, expression: str) -> None:
        """Record that the exact value mattered."""
        if self.active:
            self.pinned.update(VARIABLE.findall(expression))


def variables(expressions: Iterable[str]) -> set[str]:
    """The variables that these expressions read."""
    return {name for expression in expressions for name in VARIABLE.findall(expression)}


def as_shown(value: Any) -> Any:
    """Round to six significant digits, with whole numbers as ints: no false precision in what is computed from figures."""
    if type(value) is Traced:
        return value._made(as_shown(value.value), f"as_shown({value.expression})")
    if float(value).is_integer():
        return int(value)
    return float(f"{value:.6g}") if abs(value) < 1e6 else round(value)


def written(text: str) -> set[str]:
    """The variables whose numbers were written into this text."""
    if OPENED not in text:
        return set()
    return variables(_MARKED.findall(text))


class Traced:
    """A number with the expression that gives it; it passes for an int or a float everywhere except in C code."""

    __slots__ = ("expression", "tracer", "value")

    def __init__(self, tracer: Tracer, value: float, expression: str) -> None:
        self.tracer = tracer
        self.value = value
        self.expression = expression

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self.value)

    def _pinned(self) -> Any:
        self.tracer.pin(self.expression)
        return self.value

    def __hash__(self) -> int:
        return hash(self._pinned())

    def __int__(self) -> int:
        return int(self._pinned())

    def __float__(self) -> float:
        return float(self._pinned())

    def __index__(self) -> int:
        return operator.index(self._pinned())

    def __complex__(self) -> complex:
        return complex(self._pinned())

    def __bool__(self) -> bool:
        return self.tracer.holds(bool(self.value), f"({self.expression} != 0)")

    def __format__(self, spec: str) -> str:
        self.tracer.written.update(VARIABLE.findall(self.expression))
        return f"{OPENED}{self.expression}{CLOSED}{format(self.value, spec)}"

    def __str__(self) -> str:
        return format(self)

    def __repr__(self) -> str:
        return format(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pinned(), name)

    def __reduce__(self) -> Any:
        raise TypeError("a traced number stays where it is")

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return self._made(round(self.value), f"round({self.expression})")
        return self._made(round(self.value, digits), f"round({self.expression}, {int(digits)})")

    def __trunc__(self) -> Any:
        return self._made(math.trunc(self.value), f"trunc({self.expression})")

    def __floor__(self) -> Any:
        return self._made(math.floor(self.value), f"floor({self.expression})")

    def __ceil__(self) -> Any:
        return self._made(math.ceil(self.value), f"ceil({self.expression})")

    def __neg__(self) -> Any:
        return self._made(-self.value, f"(-{self.expression})")

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self._made(abs(self.value), f"abs({self.expression})")

    def _made(self, value: Any, expression: str) -> Any:
        if len(expression) > 2000:
            raise OverflowError("an expression without end")
        return Traced(self.tracer, value, expression)


def _operand(other: Any) -> tuple[Any, str] | None:
    """Value and expression of the other operand; None where it is no number."""
    kind = type(other)
    if kind is Traced:
        return other.value, other.expression
    if kind is int or kind is bool:
        return other, f"({other!r})" if other < 0 else repr(other)
    if kind is float:
        if math.isnan(other) or math.isinf(other):
            return other, f"float({str(other)!r})"
        return other, f"({other!r})"
    return None


def _arithmetic(name: str, sign: str) -> None:
    compute: Callable[[Any, Any], Any] = getattr(operator, name)

    def forward(self: Traced, other: Any) -> Any:
        side = _operand(other)
        if side is None:
            return NotImplemented
        return self._made(compute(self.value, side[0]), f"({self.expression} {sign} {side[1]})")

    def backward(self: Traced, other: Any) -> Any:
        side = _operand(other)
        if side is None:
            return NotImplemented
        return self._made(compute(side[0], self.value), f"({side[1]} {sign} {self.expression})")

    bare = name.strip("_")
    setattr(Traced, f"__{bare}__", forward)
    setattr(Traced, f"__r{bare}__", backward)


def _comparison(name: str, sign: str) -> None:
    compare: Callable[[Any, Any], bool] = getattr(operator, name)

    def forward(self: Traced, other: Any) -> Any:
        side = _operand(other)
        if side is None:
            return NotImplemented
        if side[1] == self.expression:
            return compare(self.value, side[0])
        return self.tracer.holds(compare(self.value, side[0]), f"({self.expression} {sign} {side[1]})")

    setattr(Traced, f"__{name}__", forward)


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"),
                     ("and_", "&"), ("or_", "|"), ("xor", "^"), ("rshift", ">>")):  # fmt: skip
    _arithmetic(_name, _sign)
for _name, _sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
    _comparison(_name, _sign)
