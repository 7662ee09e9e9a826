"""Rows of runs as columns: hundreds of thousands of runs, of one capture or of many, in some tens of megabytes.

A row costs 0.7 KB as an object. Here its numbers stand in arrays, its texts once each with their codes in an array, and
its time stamp, which no other row has, as bytes. Rows travel between processes in two ways: `take` and `extend` are the
ends of a pipe with one sender and carry what is new; `merge` appends a whole store of any sender.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import Capture
from . import Outside, RunRow

if TYPE_CHECKING:
    from typing import Any, TypeAlias

ABSENT = -(1 << 31)
"""Stands for None among numbers and codes; no figure of a run is negative."""
UNKNOWN = -1
"""The code of a text that no row has."""
MOST_TEXTS = 1 << 17
"""Different texts kept in columns that are not needed to find a run again; further ones count as not printed."""
_LARGEST = 1 << 63
_STAMP_BYTES = 200
_FEW = 8
"""Up to so many different texts it is faster to count each than to go row by row."""

NUMBERS = (
    "index", "first_line", "last_line", "start_byte", "end_byte", "pte_bytes", "inferences", "npu_cycles",
    "inference_cycles", "method_used_bytes", "cause_line",
)  # fmt: skip
TEXTS = ("source", "status", "stage", "version", "target", "cause", "cause_title", "rules", "cause_advice")
STAMP = "at"
Text: TypeAlias = "str | tuple[str, ...]"
"""A text, or the texts of a column that has several."""


def _same(values: tuple[object, ...]) -> bool:
    """Whether all values are equal, as most facts of runs of one layout are."""
    first = values[0]
    return first == values[-1] and values.count(first) == len(values)


def _folded(column: array[int]) -> tuple[array[int], int]:
    """A column in a shorter form, and how often to repeat it: a column of equal values is sent as one."""
    first = column[:1]
    same = len(column) > 1 and column.tobytes() == first.tobytes() * len(column)
    return (first, len(column)) if same else (column, 1)


class Packed(NamedTuple):
    """Rows on their way through a pipe."""

    added: int
    texts: tuple[Text, ...]
    """The texts that are new."""
    columns: tuple[bytes, ...]
    stamps: bytes
    stamp_ends: bytes
    """As of the stamps of this packet alone."""


class RunStore:
    """Rows in the order in which they came.

    Example:
        >>> here, there = RunStore(), RunStore()
        >>> there.extend(here.take())
        >>> there.count, list(there)
        (0, [])
    """

    def __init__(self) -> None:
        self.count = 0
        self.captures = 0
        """Number of inputs read, whether or not they held runs."""
        self.outside: list[Outside] = []
        self._columns: dict[str, array[int]] = {name: array("q") for name in NUMBERS}
        self._columns.update((name, array("i")) for name in TEXTS)
        self._texts: list[Text] = []
        self._known: dict[Text | None, int] = {None: ABSENT}
        self._sent = 0
        self._titles: set[tuple[int, int]] = set()
        """Root causes with their titles, as codes, of the first `_titled` rows."""
        self._titled = 0
        self._stamps = bytearray()
        self._stamp_ends: array[int] = array("q")

    def add(self, rows: Sequence[RunRow]) -> None:
        """Append these rows."""
        if not rows:
            return
        columns = dict(zip(RunRow._fields, zip(*rows, strict=True), strict=False))
        for name in NUMBERS:
            self._add_numbers(self._columns[name], columns[name])
        for name in TEXTS:
            texts = columns[name]
            if _same(texts):
                code = self._code(texts[0], always=name == "source")
                self._columns[name].extend(array("i", (code,)) * len(texts))
                continue
            try:
                self._columns[name].extend([self._known[text] for text in texts])
            except KeyError:
                self._columns[name].extend([self._code(text, always=name == "source") for text in texts])
        if columns[STAMP][0] is None and _same(columns[STAMP]):
            self._stamp_ends.extend(array("q", (len(self._stamps),)) * len(rows))
        else:
            self._add_texts(columns[STAMP])
        self.count += len(rows)

    def _add_texts(self, stamps: tuple[str | None, ...]) -> None:
        shown = ["" if stamp is None else stamp for stamp in stamps]
        lengths, whole = list(map(len, shown)), "".join(shown)
        if not whole.isascii() or max(lengths) > _STAMP_BYTES:
            bare = [stamp.encode("utf-8", "replace")[:_STAMP_BYTES] for stamp in shown]
            lengths, self._stamps = list(map(len, bare)), self._stamps + b"".join(bare)
        else:
            self._stamps += whole.encode()
        self._stamp_ends.extend(islice(accumulate(lengths, initial=len(self._stamps) - sum(lengths)), 1, None))

    def _add_numbers(self, numbers: array[int], values: tuple[int | None, ...]) -> None:
        if _same(values):
            value = values[0]
            known = value if value is not None and ABSENT < value < _LARGEST else ABSENT
            numbers.extend(array("q", (known,)) * len(values))
            return
        from struct import error, pack  # takes numbers out of a tuple much faster than an array does

        try:
            numbers.frombytes(pack(f"{len(values)}q", *values))
        except error:
            numbers.extend([v if v is not None and ABSENT < v < _LARGEST else ABSENT for v in values])

    def add_capture(self, capture: Capture) -> None:
        """Count an input, and keep its errors that belong to no run."""
        self.captures += 1
        for finding in capture.findings:
            if finding.run is None and finding.severity == "error":
                line = finding.lines[0] if finding.lines else None
                self.outside.append(Outside(capture.source, finding.rule, finding.title, line, finding.advice))

    def _code(self, text: Text | None, *, always: bool) -> int:
        code = self._known.get(text)
        if code is None:
            if len(self._texts) >= MOST_TEXTS and not always:
                return ABSENT
            code = self._known[text] = len(self._texts)
            self._texts.append(text or "")
        return code

    # -- from process to process -------------------------------------------------------------------------------------

    def take(self) -> Packed:
        """Hand over and forget the rows since the last call; inputs and errors outside runs stay."""
        packed = Packed(
            self.count,
            tuple(self._texts[self._sent :]),
            tuple(column.tobytes() for column in self._columns.values()),
            bytes(self._stamps),
            self._stamp_ends.tobytes(),
        )
        self.count, self._sent = 0, len(self._texts)
        self._titles, self._titled = set(), 0
        for column in (*self._columns.values(), self._stamp_ends):
            del column[:]
        self._stamps.clear()
        return packed

    def extend(self, packed: Packed) -> None:
        """Append what another store handed over; all of it must come from that store, and in order."""
        self._texts += packed.texts
        self._known.update(
            zip(packed.texts, range(len(self._texts) - len(packed.texts), len(self._texts)), strict=True)
        )
        for column, data in zip(self._columns.values(), packed.columns, strict=True):
            column.frombytes(data)
        ends: array[int] = array("q")
        ends.frombytes(packed.stamp_ends)
        self._add_stamps(packed.stamps, ends)
        self.count += packed.added  # last: another thread may be reading

    def so_far(self) -> RunStore:
        """A store of the rows that are here now, for readers that take long while another thread adds more."""
        count, found = self.count, RunStore()
        found.count, found.captures, found.outside = count, self.captures, list(self.outside)
        found._columns = {name: column[:count] for name, column in self._columns.items()}
        found._texts, found._known = self._texts[:], self._known.copy()
        found._stamp_ends = self._stamp_ends[:count]
        found._stamps = self._stamps[: found._stamp_ends[-1] if count else 0]
        return found

    def count_on(self, runs: int) -> None:
        """Shift the indices of the newest rows: so many runs came before them that were not known of."""
        self._columns["index"] = array("q", [index + runs for index in self._columns["index"]])

    def __getstate__(self) -> dict[str, object]:
        """Columns travel without what all their numbers have in common."""
        from .sent_column import SentColumn  # only where several processes read

        columns = {name: SentColumn.of(column) for name, column in self._columns.items()}
        return self.__dict__ | {"_columns": columns, "_stamp_ends": SentColumn.of(self._stamp_ends)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._columns = {name: sent.column() for name, sent in state["_columns"].items()}
        self._stamp_ends = state["_stamp_ends"].column()

    def merge(self, other: RunStore) -> None:
        """Append the rows of another store, with its inputs and errors."""
        sources = set(_folded(other._columns["source"])[0])
        codes = {code: self._code(text, always=code in sources) for code, text in enumerate(other._texts)}
        codes[ABSENT] = ABSENT
        for name in NUMBERS:
            self._columns[name].extend(other._columns[name])
        for name in TEXTS:
            theirs, times = _folded(other._columns[name])
            if any(codes[code] != code for code in set(theirs)):
                theirs = array("i", map(codes.__getitem__, theirs))
            self._columns[name].extend(theirs * times)
        self._add_stamps(other._stamps, other._stamp_ends)
        self.outside += other.outside
        self.count += other.count
        self.captures += other.captures

    def _add_stamps(self, stamps: bytes | bytearray, ends: array[int]) -> None:
        before = len(self._stamps)
        self._stamps += stamps
        if stamps:
            self._stamp_ends.fromlist([before + end for end in ends])
        else:
            self._stamp_ends.extend(array("q", (before,)) * len(ends))

    # -- one row -----------------------------------------------------------------------------------------------------

    def text(self, name: str, position: int) -> str | None:
        """One text of one row."""
        return self.at(position) if name == STAMP else self.text_of(self._columns[name][position])

    def number(self, name: str, position: int) -> int | None:
        """One number of one row."""
        value = self._columns[name][position]
        return None if value == ABSENT else value

    def at(self, position: int) -> str | None:
        """The host's time stamp of one row."""
        start = self._stamp_ends[position - 1] if position else 0
        return self._stamps[start : self._stamp_ends[position]].decode("utf-8", "replace") or None

    def stamps_of_one_length(self) -> tuple[bytes, int]:
        """All stamps one after the other, and the length of each; 0 where there are none or lengths differ."""
        count = self.count  # another thread may be adding
        ends = self._stamp_ends[:count]
        width = ends[0] if count else 0
        same = bool(width) and ends == array("q", range(width, width * count + 1, width))
        return (bytes(self._stamps[: width * count]), width) if same else (b"", 0)

    def stamps(self) -> list[str | None]:
        """The time stamps of all rows, as texts."""
        texts, ends = self._stamps, self._stamp_ends
        if not texts.isascii():
            return [self.at(position) for position in range(self.count)]
        whole = texts.decode("ascii")
        return [whole[start:end] or None for start, end in zip([0, *ends], ends, strict=False)]

    def row(self, position: int) -> RunRow:
        """The row at a position (not the run's own index)."""
        values: dict[str, object] = {name: self.number(name, position) for name in NUMBERS}
        for name in TEXTS:
            code = self._columns[name][position]
            values[name] = self._texts[code] if code >= 0 else None
        values["rules"] = values["rules"] or ()
        return RunRow(**values, at=self.at(position))  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[RunRow]:
        return (self.row(position) for position in range(self.count))

    # -- columns -----------------------------------------------------------------------------------------------------

    def numbers(self, name: str) -> array[int]:
        """A column of numbers; `ABSENT` where the run did not print it."""
        return self._columns[name]

    def codes(self, name: str) -> array[int]:
        """A column of texts as codes, equal for equal texts; `ABSENT` for no text."""
        return self._columns[name]

    def text_of(self, code: int) -> str | None:
        """The text behind a code."""
        return None if code < 0 else str(self._texts[code])

    def code_of(self, text: str) -> int:
        """The code of a text; `UNKNOWN` for one that no row has."""
        return self._known.get(text, UNKNOWN)

    @property
    def stamped(self) -> bool:
        """Whether any row has a time stamp."""
        return bool(self._stamps)

    def has(self, name: str, start: int, end: int) -> bool:
        """Whether any row from `start` to before `end` has this field."""
        if start >= end:
            return False
        if name == STAMP:
            return self._stamp_ends[end - 1] > (self._stamp_ends[start - 1] if start else 0)
        return max(self._columns[name][start:end]) != ABSENT

    def find(self, name: str, text: str, start: int = 0) -> int:
        """The first row from `start` on with this text in a column; 0 where there is none."""
        code, codes = self.code_of(text), self._columns[name]
        return next((i for i in range(start, self.count) if codes[i] == code), 0)

    def counts(self, name: str, start: int, end: int) -> Counter[str | None]:
        """How often each text occurs in a column, from row `start` to before `end`."""
        codes = self._columns[name][start:end]
        known = set(codes)
        few = len(known) <= _FEW
        times = ((code, codes.count(code)) for code in known) if few else Counter(codes).items()
        found: Counter[str | None] = Counter()
        for code, number in times:
            found[self.text_of(code)] += number
        return found

    def note_titles(self) -> None:
        """Prepare `titles` for the rows that came since the last call."""
        count = self.count  # another thread may be adding
        causes, titles = (self._columns[name][self._titled : count] for name in ("cause", "cause_title"))
        self._titles.update(zip(causes, titles, strict=True))
        self._titled = count

    def titles(self) -> dict[int, str]:
        """A title per root cause, by its code, that holds for all its runs, with ranges where figures differ."""
        self.note_titles()
        found: dict[int, set[int]] = {}
        for cause, title in self._titles:
            if cause >= 0 and title >= 0:
                found.setdefault(cause, set()).add(title)
        titles = {cause: str(self._texts[min(codes)]) for cause, codes in found.items()}
        for cause, codes in found.items():
            if len(codes) > 1:
                from .grouped import joined_title  # only where runs of one cause have different titles

                titles[cause] = joined_title(str(self._texts[code]) for code in codes)
        return titles

    def having(self, name: str, part: str, start: int, end: int, beginning: str = "") -> list[bool]:
        """Whether the text of a column contains this (in lower case), for each row from `start` to before `end`.

        A `beginning` that the texts have in common is not looked at.
        """
        if name == STAMP:
            if not self._stamps:
                return [False] * (end - start)
            return [part in (self.at(i) or "").casefold() for i in range(start, end)]
        column = self._columns[name][start:end]
        few = len(self._texts) * _FEW < len(column)
        codes = range(len(self._texts)) if few else set(column)
        found = {
            code for code in codes if code >= 0 and part in str(self._texts[code]).removeprefix(beginning).casefold()
        }
        return list(map(found.__contains__, column)) if found else [False] * len(column)

    def ordered(self, name: str, positions: Sequence[int], *, descending: bool) -> list[int]:
        """Positions in the order of a column; rows without a value are last in both directions."""
        if name == STAMP:
            stamps = {i: stamp.casefold() for i in positions if (stamp := self.at(i)) is not None}
            known = sorted(stamps, key=stamps.__getitem__, reverse=descending)
            return known + [i for i in positions if i not in stamps]
        values = self._columns[name].tolist()  # a list is sorted by, and looked through, twice as fast as an array
        absent = ABSENT in values
        known = [i for i in positions if values[i] != ABSENT] if absent else list(positions)
        if name in NUMBERS:
            known.sort(key=values.__getitem__, reverse=descending)
        else:
            texts = sorted(set(values), key=lambda code: (self.text_of(code) or "").casefold())
            ranks = {code: rank for rank, code in enumerate(texts)}
            known.sort(key=lambda i: ranks[values[i]], reverse=descending)
        return known + [i for i in positions if values[i] == ABSENT] if absent else known
