"""What changed over time, in words: steps and drifts of NPU cycles, and from when on runs began to fail.

Only runs whose lines carry time stamps are put in order, and only by stamps that can be: dates across inputs, times of day
and seconds since boot within one input and while they do not go back.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

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
    for kind, (_, positions) in kinds.items():
        if not positions:
            continue
        if len(positions) < LEAST_FOR_TRENDS:
            few += 1
            continue
        sequences = list(stamps.sequences(positions))
        unordered += not sequences
        for times, ordered in sequences:
            values = [cycles[position] for position in ordered]
            change = trend(times, values)
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
        minutes: dict[str, tuple[int, float]] = {}
        if not store.stamped:
            return
        texts = store.stamps()
        alike = _alike(texts, minutes)
        if alike is not None:
            self._kinds, self._seconds = alike
            return
        coded = [_coded(text, minutes) for text in texts]
        self._kinds.extend([kind for kind, _ in coded])
        self._seconds.extend([seconds for _, seconds in coded])

    def sequences(self, positions: Sequence[int]) -> Iterator[tuple[Sequence[float], Sequence[int]]]:
        """Runs in the order of their stamps, with their times: all together where every stamp is a date of one kind."""
        if not self._kinds:
            return
        kinds, seconds = self._kinds, self._seconds
        present = {kinds[position] for position in positions}
        if len(present) == 1 and _KINDS[next(iter(present))] in _SPANNING and -1 not in present:
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


def _alike(
    texts: Sequence[str | None], minutes: dict[str, tuple[int, float]]
) -> tuple[array[int], array[float]] | None:
    """What `_coded` gives for all these stamps, if they have one length, one kind and fractions of seconds; else None.

    By columns it takes a third of the time.
    """
    if None in texts:
        return None
    stamps: list[str] = list(texts)  # type: ignore[arg-type]
    first, whole = stamps[0], "".join(stamps)
    width, mark, end = len(first), first.rfind(":"), len(first.rstrip("] "))
    if mark < 0 or not 3 < end - mark - 1 <= _MOST_DIGITS or set(map(len, stamps)) != {width}:
        return None

    def column(place: int) -> str:
        return whole[place::width]

    point = first[mark + 3]
    fixed = (mark, mark + 3, *range(end, width))
    if point not in ".," or any(column(place) != first[place] * len(stamps) for place in fixed):
        return None
    digits = [column(place) for place in range(mark + 1, end) if place != mark + 3]
    if max(digits[0]) > "5" or not all(text.isascii() and text.isdecimal() for text in digits):
        return None
    heads = [text[:mark] for text in stamps]
    begun = {head: _begun(head, minutes) for head in set(heads)}
    kinds = {kind for kind, _ in begun.values()}
    if len(kinds) != 1 or -1 in kinds:
        return None
    starts = {head: seconds for head, (_, seconds) in begun.items()}
    shown = [text[mark + 1 : end] for text in stamps]
    if point == ",":
        shown = [text.replace(",", ".") for text in shown]
    every = [starts[head] + seconds for head, seconds in zip(heads, map(float, shown), strict=True)]
    return array("b", list(kinds) * len(stamps)), array("d", every)


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
    for position, target in enumerate(store.codes("target")):
        targets.setdefault(target, array("q")).append(position)
    rows = []
    for target, positions in targets.items():
        for _, ordered in stamps.sequences(positions):
            flags = [statuses[position] != passed for position in ordered]
            change = share_step(flags) if len(flags) >= LEAST_FOR_TRENDS else None
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
