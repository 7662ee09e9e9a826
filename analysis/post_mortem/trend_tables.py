"""What changed over time, in words: steps and drifts of NPU cycles, and from when on runs began to fail.

Only runs whose lines carry time stamps are put in order, and only by stamps that can be: dates across inputs, times of day
and seconds since boot within one input and while they do not go back.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from struct import Struct

from ..alike import alike
from ..row_store import ABSENT, RunStore
from ..stamps import DAY_SECONDS, Stamp, StampKind, stamp_of
from ..tables import Cell, Column, Table
from ..units import format_count, format_cycles
from .kinds import MOST_ROWS, Kind, Kinds
from .trends import LEAST_FOR_TRENDS, Drift, Step, share_step, trend

_SPANNING = ("zoned", "date", "month")
_KINDS: tuple[StampKind, ...] = ("zoned", "date", "month", "clock", "uptime")
_NO_STAMP = (-1, 0.0)
_MOST_MINUTES = 10_000
_MOST_DIGITS = 12
"""Of seconds with their fraction."""
_HOUR_SECONDS = 3600.0


def trends_table(store: RunStore, kinds: Kinds) -> Table:
    """Trends per kind of run, and of the share of failures per target."""
    columns = (Column("What"), Column("Runs", "right"), Column("From"), Column("To"), Column("Change"))
    rows: list[tuple[Cell, ...]] = []
    steady = unordered = few = 0
    stamps, cycles = _Stamps(store), store.numbers("npu_cycles")
    among = max(1, sum(len(members.measured) >= LEAST_FOR_TRENDS for members in kinds.values()))
    for kind, members in kinds.items():
        positions = members.measured
        if not positions:
            continue
        if len(positions) < LEAST_FOR_TRENDS:
            few += 1
            continue
        sequences = list(stamps.sequences(positions))
        unordered += not sequences
        for times, ordered in sequences:
            values = [cycles[position] for position in ordered]
            change = trend(times, values, among)
            if change is None:
                steady += 1
            else:
                what = f"NPU cycles, {_name(store, kind)}"
                rows.append(_row(store, what, ordered, _in_words(store, change, ordered, values)))
    rows += _failures(store, stamps)
    notes = []
    if steady:
        notes.append(f"{steady} without a trend.")
    if unordered:
        notes.append(f"{unordered} cannot be put in order: no time stamps, or stamps that go back.")
    if few and not rows:
        notes.append(f"{few} with fewer than {LEAST_FOR_TRENDS} passed runs were not judged.")
    if len(rows) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {len(rows)}.")
    note = f"Kinds of runs: {' '.join(notes)}" if notes else ""
    return Table("Trends", columns, tuple(rows[:MOST_ROWS]), note)


class _Stamps:
    """The stamps of the runs, read once each, as columns."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._kinds = array("b")
        self._seconds = array("d")
        self._present: set[int] = set()
        minutes: dict[str, tuple[int, float]] = {}
        if not store.stamped:
            return
        same = _alike(*store.stamps_of_one_length(), minutes)
        if same is not None:
            self._kinds, self._seconds = same
        else:
            coded = [_coded(text, minutes) for text in store.stamps()]
            self._kinds.extend([kind for kind, _ in coded])
            self._seconds.extend([seconds for _, seconds in coded])
        self._present = set(self._kinds)

    def sequences(self, positions: Sequence[int]) -> Iterator[tuple[Sequence[float], Sequence[int]]]:
        """Runs in the order of their stamps, with their times: all together where every stamp is a date of one kind."""
        if not self._kinds:
            return
        kinds, seconds = self._kinds, self._seconds
        present = self._present if len(self._present) == 1 else {kinds[position] for position in positions}
        if len(present) == 1 and _KINDS[next(iter(present))] in _SPANNING and -1 not in present:
            known = [seconds[position] for position in positions]
            if known == sorted(known):  # as runs of one capture mostly are
                yield known, positions
                return
            ordered = array("q", sorted(positions, key=seconds.__getitem__))
            yield array("d", [seconds[position] for position in ordered]), ordered
            return
        groups: dict[tuple[int, int], array[int]] = {}
        sources = self._store.codes("source")
        for position in positions:
            if kinds[position] >= 0:
                groups.setdefault((sources[position], kinds[position]), array("q")).append(position)
        for (_, kind), members in groups.items():
            times = _ordered([seconds[position] for position in members], days=_KINDS[kind] == "clock")
            if len(members) >= LEAST_FOR_TRENDS and times is not None:
                yield times, members


def _alike(stamps: bytes, width: int, minutes: dict[str, tuple[int, float]]) -> tuple[array[int], array[float]] | None:
    """What `_coded` gives for all these stamps of so many bytes, if they are of one kind and have fractions of seconds.

    None where they are not; by columns it takes a quarter of the time.
    """
    first = stamps[:width]
    count, mark, end = len(stamps) // (width or 1), first.rfind(b":"), len(first.rstrip(b"] "))
    if mark < 0 or not 3 < end - mark - 1 <= _MOST_DIGITS or not stamps.isascii():
        return None
    point = first[mark + 3 : mark + 4]
    fixed = (mark, mark + 3, *range(end, width))
    if point not in (b".", b",") or any(stamps[p::width] != first[p : p + 1] * count for p in fixed):
        return None
    digits = [stamps[place::width] for place in range(mark + 1, end) if place != mark + 3]
    if max(digits[0]) > ord("5") or not all(map(bytes.isdigit, digits)):
        return None
    pairs = list(Struct(f"{mark}sx{end - mark - 1}s{width - end}x").iter_unpack(stamps))
    begun = {minute: _begun(minute.decode(), minutes) for minute in {minute for minute, _ in pairs}}
    kinds = {kind for kind, _ in begun.values()}
    if len(kinds) != 1 or -1 in kinds:
        return None
    starts = {minute: seconds for minute, (_, seconds) in begun.items()}
    if point == b",":
        pairs = [(minute, seconds.replace(b",", b".")) for minute, seconds in pairs]
    every = array("d", [starts[minute] + float(seconds) for minute, seconds in pairs])
    return array("b", list(kinds) * count), every


def _coded(text: str | None, minutes: dict[str, tuple[int, float]]) -> tuple[int, float]:
    """The place of a stamp's kind in `_KINDS` (-1: it is none) and its seconds.

    Its minute may be known already: reading one from scratch costs five times as much.
    """
    if text is None:
        return _NO_STAMP
    minute, _, rest = text.rpartition(":")
    begun = _begun(minute, minutes)
    seconds = rest.rstrip("] ").replace(",", ".")
    plain = seconds[2:3] == "." and seconds[:2] <= "60" and len(seconds) <= _MOST_DIGITS
    if not plain or not (seconds[:2] + seconds[3:]).isdecimal() or not seconds.isascii() or begun is _NO_STAMP:
        return _code_of(stamp_of(text))
    return begun[0], begun[1] + float(seconds)


def _begun(minute: str, minutes: dict[str, tuple[int, float]]) -> tuple[int, float]:
    """The same for the beginning of a minute, given the stamp up to there."""
    begun = minutes.get(minute)
    if begun is None:
        if len(minutes) > _MOST_MINUTES:
            minutes.clear()
        found = stamp_of(f"{minute}:00]") if minute and "+" not in minute else None
        begun = minutes[minute] = _code_of(found) if found is not None and found.kind != "uptime" else _NO_STAMP
    return begun


def _code_of(stamp: Stamp | None) -> tuple[int, float]:
    return _NO_STAMP if stamp is None else (_KINDS.index(stamp.kind), stamp.seconds)


def _ordered(seconds: list[float], *, days: bool) -> list[float] | None:
    """The times without a step back; a time of day that falls by more than half a day has passed midnight."""
    times: list[float] = []
    day = 0.0
    for value in seconds:
        if days and times and value + day < times[-1] - DAY_SECONDS / 2:
            day += DAY_SECONDS
        if times and value + day < times[-1]:
            return None
        times.append(value + day)
    return times


def _failures(store: RunStore, stamps: _Stamps) -> list[tuple[Cell, ...]]:
    """From when on the runs of a target fail, or no longer do."""
    if not store.stamped:
        return []
    statuses, passed = store.codes("status"), store.code_of("passed")
    targets: dict[int, array[int]] = {}
    for (target,), positions in alike([store.codes("target")], 0, store.count):
        targets.setdefault(target, array("q")).extend(positions)
    rows = []
    for target, positions in targets.items():
        for _, ordered in stamps.sequences(positions):
            flags = [statuses[position] != passed for position in ordered]
            change = share_step(flags, len(targets)) if len(flags) >= LEAST_FOR_TRENDS else None
            if change is None:
                continue
            later = flags[change.position :]
            before = flags[: change.position]
            words = (
                f"{sum(later)} of {len(later)} failed since {_place(store, ordered[change.position])}; "
                f"before that, {sum(before)} of {len(before)}"
            )
            rows.append(_row(store, f"Failures, {store.text_of(target) or 'target unknown'}", ordered, words))
    return rows


def _row(store: RunStore, what: str, ordered: Sequence[int], words: str) -> tuple[Cell, ...]:
    first, last = store.at(ordered[0]) or "-", store.at(ordered[-1]) or "-"
    count = len(ordered)
    return Cell(what, what), Cell(format_count(count), count), Cell(first, first), Cell(last, last), Cell(words, words)


def _in_words(store: RunStore, change: Step | Drift, ordered: Sequence[int], values: Sequence[int]) -> str:
    if isinstance(change, Step):
        share = change.after / change.before - 1
        return (
            f"{_verb(share, 'jumps', 'falls')} by {abs(share):.1%} at {_place(store, ordered[change.position])}: median "
            f"{format_cycles(round(change.before))} before, {format_cycles(round(change.after))} since"
        )
    share = change.last / change.first - 1
    unit, seconds = "hour", _HOUR_SECONDS
    rate = change.per_second * seconds / change.first
    if abs(rate) < 0.001:
        unit, seconds = "day", DAY_SECONDS
        rate = change.per_second * seconds / change.first
    return (
        f"{_verb(share, 'rises', 'sinks')} steadily by {abs(share):.1%} ({abs(rate):.2%} per {unit}): from about "
        f"{format_cycles(round(change.first))} to {format_cycles(round(change.last))}; the first run took "
        f"{format_cycles(values[0])}, the last {format_cycles(values[-1])}"
    )


def _verb(share: float, up: str, down: str) -> str:
    return up if share > 0 else down


def _place(store: RunStore, position: int) -> str:
    line = format_count(store.number("first_line", position))
    return f"{store.at(position)} ({store.text('source', position)}, line {line})"


def _name(store: RunStore, kind: Kind) -> str:
    parts = [store.text_of(kind.target) or "target unknown"]
    if kind.pte_bytes != ABSENT:
        parts.append(f"program of {format_count(kind.pte_bytes)} bytes")
    if kind.inferences != ABSENT:
        parts.append(f"{format_count(kind.inferences)} inference{'' if kind.inferences == 1 else 's'}")
    return ", ".join(parts)
