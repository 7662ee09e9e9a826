"""A table of runs that grows while a capture is read: cells are made of the rows in sight only.

Order and filter work on the columns of numbers behind it, so that a hundred thousand runs are sorted within a key press.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from itertools import compress
from operator import and_, gt, or_
from typing import NamedTuple, overload

from textual.geometry import Size

from ...analysis.cleaning import clean
from ...analysis.report_tables import status_tone
from ...analysis.rows.store import ABSENT, UNKNOWN, RunStore
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_count, format_cycles
from ...analysis.watching.line_filter import parse_filter
from .. import glyphs
from .data_table import DataTable
from .table_layout import GAP

SORT_ANEW_SECONDS = 2.0
_ALWAYS = ("source", "status", "cause_title")
_LONGEST_CAUSE = 80
_LONGEST_LOG = 60
_LEGIBLE = {"source": 26, "cause_title": 24}
"""Columns that a log's name and a reason need to be read; for less, targets and times are scrolled instead."""
_LEAST = {"source": 18, "cause_title": 14}
_SHORTEST_LOG = 6
"""Columns for logs whose names are shorter still."""
_SPARE_TARGET = 4
"""Columns of a target that most names do not need."""
_FRACTION = re.compile(r"(:\d\d)[.,]\d+")
"""Of a second, in a time stamp."""
_SEARCHED = ("source", "status", "target", "cause", "cause_title", "at", "stage", "version")


class _Shown(NamedTuple):
    name: str
    column: Column
    width: int


_COLUMNS = (
    _Shown("source", Column("Log", kept="end"), 26),
    _Shown("index", Column("Run", "right"), 7),
    _Shown("status", Column("Status"), 13),
    _Shown("npu_cycles", Column("NPU cycles", "right"), 12),
    _Shown("inference_cycles", Column("CPU cycles", "right"), 14),
    _Shown("cause_title", Column("Why"), 44),
    _Shown("target", Column("Target"), 14),
    _Shown("at", Column("At"), 20),
)


class _Cells(Sequence[tuple[Cell, ...]]):
    """The rows of the table, made when they are asked for."""

    def __init__(self, rows: RunStore, count: int, names: Sequence[str], below: str) -> None:
        self._rows = rows
        self._count = count
        self._names = names
        self._below = below

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Cell, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Cell, ...] | Sequence[tuple[Cell, ...]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        return tuple(self._cell(name, index) for name in self._names)

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        return (self[i] for i in range(self._count))

    def _cell(self, name: str, index: int) -> Cell:
        if name == "status":
            status = self._rows.text(name, index) or "-"
            return Cell(f"{glyphs.status_sign(status)} {status}", status, None, status_tone(status))
        if name in ("cause_title", "target", "at"):
            text = self._rows.text(name, index)
            if text is not None and name == "at":
                text = _FRACTION.sub(r"\1", text.strip("[] "))
            return Cell(text or "-", text, None, "" if text else "dim")
        if name == "source":
            log = clean((self._rows.text(name, index) or "").removeprefix(self._below))
            return Cell(log, log)
        number = self._rows.numbers(name)[index]
        if number == ABSENT:
            return Cell("-", None, None, "dim")
        written = format_cycles(number) if name.endswith("cycles") else format_count(number)
        return Cell(written, number)


class RunsTable(DataTable):
    """The runs of what is being read: of one capture, or of many logs."""

    STYLE_PREFIX = "data-table"

    def __init__(
        self, rows: RunStore, below: str | None = None, *, id: str | None = None, classes: str | None = None
    ) -> None:
        """`below` is the folder that all logs are in; None where all runs are of one."""
        self._rows = rows
        self._below = below
        self._offered = _COLUMNS if below is not None else _COLUMNS[1:]
        self._names: tuple[str, ...] = ()
        self._cause: int | None = None
        self._measured: tuple[str, ...] = ()
        self._looked: dict[str, int] = {}
        self._sorted_at = 0.0
        self._longest = 0
        """Columns that the longest name of a log needs."""
        super().__init__(id=id, classes=classes, empty="no run so far")

    @property
    def sifted(self) -> bool:
        """Whether a filter or a reason hides runs."""
        return bool(self._filter) or self._cause is not None

    def grow(self, final: bool = False) -> None:
        """Show the rows that came since; `final` when no more come."""
        before, count = len(self._table.rows), self._rows.count
        names = tuple(s.name for s in self._offered if s.name in _ALWAYS or s.name in self._names or self._has(s.name))
        if "npu_cycles" in names:  # those of the CPU say something only where there is no NPU
            names = tuple(name for name in names if name != "inference_cycles")
        if count == before and names == self._names and not final:
            return
        if names != self._names:
            self.refresh()
            sort = self._names[self._sort[0]] if self._sort is not None else None
            self._sort = (names.index(sort), self._sort[1]) if sort is not None and self._sort is not None else None
            self._names = names
        columns = tuple(s.column for s in _COLUMNS if s.name in names)
        self._table = Table("Runs", columns, _Cells(self._rows, count, names, self._below or ""))  # type: ignore[arg-type]
        if self._sort is not None:
            now = time.monotonic()
            if final or now - self._sorted_at > SORT_ANEW_SECONDS:
                self._sorted_at = now
                kept = self.row
                self._rearrange()
                self._back_to(kept)
            return
        shown = len(self._order)
        if self._filter or self._cause is not None:
            self._order = [*self._order, *self._passing(before, count)]
        else:
            self._order = range(count)
        # a new height costs a layout of the whole screen, so it follows in steps (and `go` asks for it)
        if final or names != self._measured or len(self._order) > 1.25 * (self.virtual_size.height - self.top):
            self._measured = names
            self._measure()
        self._repaint_from(shown)

    def go(self, position: int, ahead: int = 0) -> None:
        if position + self.size.height > self.virtual_size.height < len(self._order) + self.top:
            self._fit()
        super().go(position, ahead)

    def _has(self, name: str) -> bool:
        start, count = self._looked.get(name, 0), self._rows.count
        self._looked[name] = count
        if name == "index":  # that a log has one run needs no column
            return self._below is None or max(self._rows.numbers(name)[start:count], default=0) > 1
        return self._rows.has(name, start, count)

    def _repaint_from(self, position: int) -> None:
        """New rows change what is drawn only where they are in sight."""
        if position <= self.scroll_offset.y + self.size.height:
            self.refresh()

    def _measure(self) -> None:
        widths = {s.name: s.width for s in _COLUMNS}
        if self._below is not None:  # a log has few runs, mostly
            widths["index"] = max(4, len(format_count(max(self._rows.numbers("index"), default=0))))
            logs = {self._rows.text_of(code) or "" for code in set(self._rows.codes("source"))}
            self._longest = min(max(map(len, logs), default=0) - len(self._below), _LONGEST_LOG)
        self._natural = [widths[name] for name in self._names]
        self._fit()

    def _fit(self) -> None:
        """Logs and reasons share what the others leave; a number or a status is never cut.

        Where both would be cut too short to be read, the columns behind them go out of sight instead.
        """
        widths = dict(zip(self._names, self._natural, strict=True))
        shared = [name for name in _LEGIBLE if name in widths]
        room = self._room() - sum(width for name, width in widths.items() if name not in shared)
        room -= GAP * max(0, len(widths) - 1)
        wanted = sum(
            min(_LEGIBLE[name], self._longest or 99) if name == "source" else _LEGIBLE[name] for name in shared
        )
        if "target" in widths and 0 < (less := wanted - room) <= _SPARE_TARGET:
            widths["target"] -= less
            room += less
        for name in reversed(self._names[self._names.index("cause_title") + 1 :] if self._names else ()):
            if self._room() > 0 and room < wanted:
                room += widths[name] + GAP
        if self._room() > 0 and shared:
            self._share(widths, room)
        self._widths = list(widths.values())
        total = sum(self._widths) + GAP * max(0, len(self._widths) - 1)
        self.virtual_size = Size(total, len(self._order) + self.top)

    def _share(self, widths: dict[str, int], room: int) -> None:
        """So many columns for logs, as far as names are as long, and reasons."""
        if "source" in widths:
            both = self._longest + widths["cause_title"] <= room
            least, half = min(_LEAST["source"], max(self._longest, _SHORTEST_LOG)), max(_LEGIBLE["source"], room // 2)
            widths["source"] = max(least, min(self._longest, room if both else half, room - _LEAST["cause_title"]))
            room -= widths["source"]
        widths["cause_title"] = max(_LEAST["cause_title"], min(room, _LONGEST_CAUSE))

    def show_cause(self, cause: str | None) -> None:
        """Only the runs with this root cause; None for all."""
        code = self._rows.code_of(cause) if cause is not None else UNKNOWN
        kept = self.row
        self._cause = code if code != UNKNOWN else None
        self._rearrange()
        self._back_to(kept)

    def apply_filter(self, text: str) -> str:
        """Show only runs with these words in log, status, reason, target, release or time; `-word` leaves out."""
        kept = self.row
        self._filter = text.casefold()
        self._rearrange()
        self._back_to(kept)
        return parse_filter(text).problem

    def prepare_filter(self) -> None:
        """Nothing: the columns behind it are looked through as they are."""

    def _back_to(self, row: int | None) -> None:
        if row is not None:
            self.select_row(row)

    @property
    def logs(self) -> list[str]:
        """The logs of the runs that are shown, each once, in their order."""
        codes = self._rows.codes("source")
        return [self._rows.text_of(code) or "" for code in dict.fromkeys(codes[row] for row in self._order)]

    def next_failure(self, direction: int) -> bool:
        """Go to the next run that did not pass, whether or not its log says why."""
        causes, statuses, passed = self._rows.codes("cause"), self._rows.codes("status"), self._rows.code_of("passed")
        for step in range(1, len(self._order) + 1):
            position = (self.cursor_row + step * direction) % len(self._order)
            row = self._order[position]
            if causes[row] != ABSENT or statuses[row] != passed:
                self.go(position)
                return True
        return False

    def _rearrange(self) -> None:
        count = len(self._table.rows)
        self._order = self._arranged(count)
        self._measure()
        self.cursor_column = max(0, min(self.cursor_column, len(self._names) - 1))
        self.cursor_row = max(0, min(self.cursor_row, len(self._order) - 1))
        self.refresh()

    def _arranged(self, count: int) -> Sequence[int]:
        order = self._passing(0, count)
        if self._sort is None:
            return order
        column, descending = self._sort
        return self._rows.ordered(self._names[column], order, descending=descending)

    def _passing(self, start: int, end: int) -> Sequence[int]:
        """The rows from `start` to `end` that the filter and the chosen cause let through."""
        if not self.sifted:
            return range(start, end)
        keep = [True] * (end - start)
        if self._cause is not None:
            keep = [code == self._cause for code in self._rows.codes("cause")[start:end]]
        wanted = parse_filter(self._filter)
        for words, out in ((wanted.words, False), (wanted.not_words, True)):
            for word in words:
                keep = list(map(gt if out else and_, keep, self._having(word, start, end)))
        return list(compress(range(start, end), keep))

    def _having(self, word: str, start: int, end: int) -> list[bool]:
        number = int(word) if word.isascii() and word.isdigit() and len(word) < 12 else -1
        found = [False] * (end - start)
        if number >= 0:
            found = [index == number for index in self._rows.numbers("index")[start:end]]
        for name in _SEARCHED:
            if name == "at" and not any(letter.isdigit() for letter in word):
                continue  # every run has another time, and a word without a digit is none
            if name == "source" and self._below is None:
                continue  # all runs are of one log, which no column names
            beginning = (self._below or "") if name == "source" else ""
            having = self._rows.having(name, word, start, end, beginning)
            if True in having:
                found = list(map(or_, found, having))
        return found
