"""Run rows as columns: a hundred thousand of them in a few dozen megabytes, and cheap to hand from process to process.

Numbers stand in arrays, texts once each in a table with their numbers in an array.  `take` and `extend` are the two ends
of a pipe: what was added since the last time, as plain bytes and strings.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ..rows import RunRow

ABSENT = -(1 << 31)
"""Stands for None; no figure of a run is negative."""
_LARGEST = 1 << 63
MOST_TEXTS = 400_000
"""Different texts that are kept; after that a text that is new is left out, as if the run had not printed it."""
TEXTS = tuple(name for name, kind in RunRow.__annotations__.items() if "str" in str(kind))
NUMBERS = tuple(name for name in RunRow._fields if name not in TEXTS)
_BETWEEN = "\x1f"
_LEFT_OUT = ("source",)


class Packed(NamedTuple):
    """Rows on their way from one process to another."""

    added: int
    texts: tuple[str, ...]
    """Those that are new."""
    columns: tuple[bytes, ...]


class RowColumns:
    """Rows of one capture.

    Example:
        >>> here, there = RowColumns("night.log"), RowColumns("night.log")
        >>> there.extend(here.take())
        >>> there.count
        0
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.count = 0
        self._texts: list[str] = [""]
        self._codes: dict[str | tuple[str, ...] | None, int] = {None: ABSENT, "": 0}
        self._sent = 1
        self._columns: dict[str, array[int]] = {
            name: array("i" if name in TEXTS else "q") for name in RunRow._fields if name not in _LEFT_OUT
        }

    def add(self, rows: Sequence[RunRow]) -> None:
        """Keep these rows too."""
        for name, values in zip(RunRow._fields, zip(*rows, strict=True), strict=False):
            if name in NUMBERS:
                numbers = [v if v is not None and ABSENT < v < _LARGEST else ABSENT for v in values]
                self._columns[name].extend(numbers)
            elif name not in _LEFT_OUT:
                known = self._codes
                self._columns[name].extend([known[v] if v in known else self._code(v) for v in values])
        self.count += len(rows)

    def _code(self, value: str | tuple[str, ...]) -> int:
        if len(self._texts) >= MOST_TEXTS:
            return ABSENT
        self._codes[value] = len(self._texts)
        self._texts.append(value if isinstance(value, str) else _BETWEEN.join(value))
        return len(self._texts) - 1

    def take(self) -> Packed:
        """What was added since the last call, handed over and forgotten."""
        columns = tuple(column.tobytes() for column in self._columns.values())
        packed = Packed(self.count, tuple(self._texts[self._sent :]), columns)
        self.count, self._sent = 0, len(self._texts)
        for column in self._columns.values():
            del column[:]
        return packed

    def extend(self, packed: Packed) -> None:
        """Take over rows of another process; only one may send."""
        self._texts += packed.texts
        for column, data in zip(self._columns.values(), packed.columns, strict=True):
            column.frombytes(data)
        self.count += packed.added  # last: another thread may be reading

    def row(self, position: int) -> RunRow:
        """The row at a position (not the run's own index)."""
        values = {name: self._value(name, column[position]) for name, column in self._columns.items()}
        return RunRow(source=self.source, **values)  # type: ignore[arg-type]

    def _value(self, name: str, code: int) -> object:
        if code == ABSENT:
            return () if name == "rules" else None
        if name not in TEXTS:
            return code
        text = self._texts[code]
        return tuple(part for part in text.split(_BETWEEN) if part) if name == "rules" else text

    def text(self, name: str, position: int) -> str | None:
        """One text of one row."""
        code = self._columns[name][position]
        return None if code == ABSENT else self._texts[code]

    def text_of(self, code: int) -> str | None:
        """The text behind a number of a column of texts."""
        return None if code == ABSENT else self._texts[code]

    def ranks(self, name: str) -> dict[int, int]:
        """The alphabetical place of each text of a column, by its number."""
        codes = [code for code in set(self._columns[name]) if code != ABSENT]
        codes.sort(key=lambda code: self._texts[code].casefold())
        return {code: rank for rank, code in enumerate(codes)}

    def numbers(self, name: str) -> Sequence[int]:
        """One column as it is kept: numbers (`ABSENT` for none), or the numbers of texts, equal for equal texts."""
        return self._columns[name]

    def find(self, name: str, text: str, start: int = 0) -> int:
        """The first row from `start` on with this text in a column; 0 where there is none."""
        column = self._columns[name]
        return next((i for i in range(start, self.count) if column[i] != ABSENT and self._texts[column[i]] == text), 0)

    def counts(self, name: str, start: int, end: int) -> Counter[str | None]:
        """How often each text stands in a column, from a row to before another."""
        found = Counter(self._columns[name][start:end])
        return Counter({None if code == ABSENT else self._texts[code]: count for code, count in found.items()})

    def codes_with(self, name: str, part: str) -> frozenset[int]:
        """The numbers of the texts of a column that contain this, whatever its case."""
        return frozenset(
            code
            for code in set(self._columns[name][: self.count])
            if code != ABSENT and part in self._texts[code].casefold()
        )
