"""The rows of many captures as columns: hundreds of thousands of runs in some tens of megabytes.

A row costs 0.7 KB as an object; here its numbers stand in arrays, and its texts once each with their codes in an array.
Stores of other processes are merged column by column.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ..report import Capture
from ..rows import RunRow

ABSENT = -(1 << 62)
MOST_TEXTS = 1 << 17
"""Different texts kept of the columns that are not needed to find a run again; a further one counts as not printed."""

NUMBERS = (
    "index", "first_line", "last_line", "start_byte", "end_byte", "pte_bytes", "inferences", "npu_cycles",
    "inference_cycles", "method_used_bytes", "cause_line",
)  # fmt: skip
TEXTS = ("source", "status", "stage", "version", "target", "cause", "cause_title", "rules")
Text: TypeAlias = "str | tuple[str, ...]"
"""A text, or the texts of a column that has several."""


class RunStore:
    """Rows in the order in which they came.

    Example:
        >>> store = RunStore()
        >>> store.count, list(store)
        (0, [])
    """

    def __init__(self) -> None:
        self.count = 0
        self.captures = 0
        """Inputs that were read, whether or not they held runs."""
        self.advice: dict[str, str] = {}
        """What to do, by rule, as the first run with that root cause was told."""
        self.outside: list[tuple[str, str, str, int | None]] = []
        """Errors that belong to no run (source, rule, title, line): failed compiles, builds and set-ups."""
        self._numbers: dict[str, array[int]] = {name: array("q") for name in NUMBERS}
        self._codes: dict[str, array[int]] = {name: array("i") for name in TEXTS}
        self._texts: list[Text] = []
        self._known: dict[Text | None, int] = {None: -1}
        self._stamps = bytearray()
        self._stamp_ends: array[int] = array("q")

    def add(self, rows: Sequence[RunRow]) -> None:
        """Keep these rows."""
        if not rows:
            return
        columns = dict(zip(RunRow._fields, zip(*rows, strict=True), strict=False))
        for name, numbers in self._numbers.items():
            self._add_numbers(numbers, columns[name])
        for name, codes in self._codes.items():
            try:
                codes.extend([self._known[text] for text in columns[name]])
            except KeyError:
                codes.extend([self._code(text, always=name == "source") for text in columns[name]])
        for stamp in columns["at"]:
            if stamp is not None:
                self._stamps += stamp.encode("utf-8", "replace")[:200]
            self._stamp_ends.append(len(self._stamps))
        if any(columns["cause"]):
            for row in rows:
                if row.cause is not None and row.cause_advice is not None:
                    self.advice.setdefault(row.cause, row.cause_advice)
        self.count += len(rows)

    def _add_numbers(self, numbers: array[int], values: tuple[int | None, ...]) -> None:
        try:
            numbers.extend(values)  # type: ignore[arg-type]
        except (TypeError, OverflowError):
            del numbers[self.count :]
            numbers.extend([v if v is not None and -ABSENT > v > ABSENT else ABSENT for v in values])

    def add_capture(self, capture: Capture) -> None:
        """Count an input, and keep its errors that belong to no run."""
        self.captures += 1
        for finding in capture.findings:
            if finding.run is None and finding.severity == "error":
                line = finding.lines[0] if finding.lines else None
                self.outside.append((capture.source, finding.rule, finding.title, line))
                self.advice.setdefault(finding.rule, finding.advice)

    def merge(self, other: RunStore) -> None:
        """Append the rows of another store."""
        sources = set(other._codes["source"])
        codes = array("i", [self._code(text, always=i in sources) for i, text in enumerate(other._texts)])
        codes.append(-1)  # for -1 itself
        for name, numbers in self._numbers.items():
            numbers.extend(other._numbers[name])
        for name, own in self._codes.items():
            own.extend([codes[code] for code in other._codes[name]])
        before = len(self._stamps)
        self._stamps += other._stamps
        self._stamp_ends.extend([before + end for end in other._stamp_ends])
        for rule, advice in other.advice.items():
            self.advice.setdefault(rule, advice)
        self.outside += other.outside
        self.count += other.count
        self.captures += other.captures

    def _code(self, text: Text | None, *, always: bool) -> int:
        code = self._known.get(text)
        if code is None:
            if len(self._texts) >= MOST_TEXTS and not always:
                return -1
            code = self._known[text] = len(self._texts)
            self._texts.append(text or "")
        return code

    def numbers(self, name: str) -> Sequence[int]:
        """A column of numbers; `ABSENT` where the run did not print it."""
        return self._numbers[name]

    def codes(self, name: str) -> Sequence[int]:
        """A column of texts as codes, equal for equal texts; -1 for none."""
        return self._codes[name]

    def text_of(self, code: int) -> str | None:
        """The text behind a code."""
        return None if code < 0 else str(self._texts[code])

    def code_of(self, text: str) -> int:
        """The code of a text; -2 for one that no row has."""
        return self._known.get(text, -2)

    def text(self, name: str, position: int) -> str | None:
        """One text of one row."""
        return self.text_of(self._codes[name][position])

    def number(self, name: str, position: int) -> int | None:
        """One number of one row."""
        value = self._numbers[name][position]
        return None if value == ABSENT else value

    def at(self, position: int) -> str | None:
        """The host's time stamp of one row."""
        start = self._stamp_ends[position - 1] if position else 0
        return self._stamps[start : self._stamp_ends[position]].decode("utf-8", "replace") or None

    def row(self, position: int) -> RunRow:
        """The row at a position."""
        values: dict[str, object] = {name: self.number(name, position) for name in NUMBERS}
        for name, codes in self._codes.items():
            code = codes[position]
            values[name] = self._texts[code] if code >= 0 else None
        values["rules"] = values["rules"] or ()
        return RunRow(**values, at=self.at(position))  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[RunRow]:
        return (self.row(position) for position in range(self.count))

    @property
    def stamped(self) -> bool:
        """Whether any row has a time stamp."""
        return bool(self._stamps)
