"""Results as JSON text, a field a line and an operator a line, and rows that stay text until somebody looks at one.

A sweep has tens of thousands of operators.  Whoever prints or exports them passes their text on as it lies in the run
folders; only screens and tables make objects of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from ...analysis.operators.report import CompiledOperator
from ...analysis.report import to_dict

OPERATORS = "operators"

_encoded = json.JSONEncoder(allow_nan=False).encode
_BEGIN, _END = f'\n "{OPERATORS}": [\n', "\n ]"
"""What stands around the rows in the text of a stored result."""
_BETWEEN = ",\n"


class StoredOperators(Sequence[CompiledOperator]):
    """The operators of a stored result: their text, read at the first look at them."""

    __slots__ = ("_read", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        """JSON objects, a line each with a comma between them."""
        self._read: tuple[CompiledOperator, ...] | None = None

    def rows(self) -> tuple[CompiledOperator, ...]:
        """All of them.

        Raises:
            KeyError, TypeError, ValueError: they are none of ours.
        """
        if self._read is None:
            self._read = tuple(map(CompiledOperator.of, json.loads(f"[{self.text}]")))
        return self._read

    @overload
    def __getitem__(self, place: int) -> CompiledOperator: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[CompiledOperator, ...]: ...

    def __getitem__(self, place: int | slice) -> CompiledOperator | tuple[CompiledOperator, ...]:
        return self.rows()[place]

    def __len__(self) -> int:
        return self.text.count("\n") + 1 if self.text else 0

    def __iter__(self) -> Iterator[CompiledOperator]:
        return iter(self.rows())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredOperators) and self.text == other.text:
            return True
        return isinstance(other, Sequence) and self.rows() == tuple(other)

    def __hash__(self) -> int:
        return hash(self.rows())


def operators_text(operators: Sequence[CompiledOperator]) -> str:
    """JSON objects, a line each with a comma between them; empty where there are none."""
    if isinstance(operators, StoredOperators):
        return operators.text
    return _BETWEEN.join(_encoded(to_dict(operator)) for operator in operators)


def object_text(fields: Mapping[str, Any], indent: str) -> str:
    """A result as a JSON object, a field a line with so many blanks before it.

    Raises:
        ValueError: a figure is no number.
    """
    lines = []
    for name, value in fields.items():
        if name == OPERATORS:
            rows = operators_text(value)
            text = f"[\n{rows}\n{indent}]" if rows else "[]"
        else:
            text = _encoded(to_dict(value))
        lines.append(f'"{name}": {text}')
    return f"{{\n{indent}" + f",\n{indent}".join(lines) + "\n}"


def parsed(text: str) -> dict[str, Any]:
    """A stored result as an object whose operators are still text.

    Raises:
        ValueError: it is no JSON object, or was not written by `object_text`.
    """
    begin = text.find(_BEGIN)
    rows = ""
    if begin >= 0:
        begin += len(_BEGIN)
        end = text.index(_END, begin)
        rows = text[begin:end]
        text = text[:begin] + text[end:]
    values = json.loads(text)
    if not isinstance(values, dict) or values.get(OPERATORS) != []:
        raise ValueError("it is no result as we write it")
    return {**values, OPERATORS: StoredOperators(rows)}
