"""Time stamps of many runs as numbers, and which runs they can put in order.

Dates may be compared across inputs. Times of day and seconds since boot may be compared within one input, while they do
not go back; so may dates without a year that lie more than half a year apart, because nothing tells whether a New Year
is between them. A few such dates among many, like those of a board without a clock, are left out instead.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from struct import Struct

from ..cleaning import compiled
from ..line_forms.stamps import DAY_SECONDS, Stamp, StampKind, days_since_1970, stamp_of
from ..rows.store import RunStore
from .trends import LEAST_FOR_TRENDS

_SPANNING = ("zoned", "date", "month")
_KINDS: tuple[StampKind, ...] = ("zoned", "date", "month", "clock", "uptime")
_MONTH = _KINDS.index("month")
_DATED = (_KINDS.index("zoned"), _KINDS.index("date"))
_YEAR_SECONDS = 366 * DAY_SECONDS
"""Seconds of a leap year, the year that stamps without one are read in."""
_STRAY_SHARE = 12
"""One date without a year in so many may lie more than half a year from the others, and is left out."""
_WRAPS = {"clock": DAY_SECONDS, "month": _YEAR_SECONDS}
"""Seconds after which stamps of a kind begin anew."""
_NO_STAMP = (-1, 0.0)
_MOST_MINUTES = 10_000
_MOST_DIGITS = 12
"""Digits of a number of seconds with its fraction."""


_DATE_OF_PATH = r"(?<!\d)((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)"


class Stamps:
    """The time stamps of the runs as columns, read once each."""

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
        """Runs in the order of their stamps, with their times: one sequence where every stamp is a date of one kind.

        Dates without a year count so where all but a few lie within half a year.
        """
        if not self._kinds:
            return
        kinds, seconds, sources = self._kinds, self._seconds, self._store.codes("source")
        near = self._near(positions) if self._spanning(positions) else ()
        if near and (len(near) == len(self.dated(positions)) or len({sources[position] for position in positions}) > 1):
            positions = near
            known = [seconds[position] for position in positions]
            if known == sorted(known):  # as runs of one capture mostly are
                yield known, positions
                return
            ordered = array("q", sorted(positions, key=seconds.__getitem__))
            yield array("d", [seconds[position] for position in ordered]), ordered
            return
        groups: dict[tuple[int, int], array[int]] = {}
        for position in positions:
            if kinds[position] >= 0:
                groups.setdefault((sources[position], kinds[position]), array("q")).append(position)
        for (_, kind), members in groups.items():
            times = _ordered([seconds[position] for position in members], wrap=_WRAPS.get(_KINDS[kind], 0.0))
            if len(members) >= LEAST_FOR_TRENDS and times is not None:
                yield times, members

    def any(self, positions: Sequence[int]) -> bool:
        """Whether any of these runs has a time stamp, readable or not."""
        return bool(self._kinds) and any(self._store.at(position) for position in positions)

    def dated(self, positions: Sequence[int]) -> Sequence[int]:
        """Those of these runs that have a readable time stamp."""
        if not self._kinds:
            return ()
        if -1 not in self._present:
            return positions
        kinds = self._kinds
        return array("q", (position for position in positions if kinds[position] >= 0))

    def first(self, positions: Sequence[int]) -> int:
        """The run that began first, where that is known; otherwise the first one read.

        Where only some have a stamp, dates in the names of folders and files tell of the others.
        """
        near = self._near(positions) if self._kinds and self._spanning(positions) else ()
        if self._kinds and len(near) < len(positions) and not self.wants_year(positions):
            days = self._days(positions)
            if None not in days:
                least = min(day for day in days if day is not None)
                of_day = [position for position, day in zip(positions, days, strict=True) if day == least]
                alike = -1 not in {self._kinds[position] for position in of_day} and self._spanning(of_day)
                return min(of_day, key=self._seconds.__getitem__) if alike else of_day[0]
        few = 2 * len(near) < len(positions)
        return positions[0] if few else min(near, key=self._seconds.__getitem__)

    def _days(self, positions: Sequence[int]) -> list[int | None]:
        """The day of each of these runs, by its stamp or the path of its log; None where neither tells."""
        sources = self._store.codes("source")
        days: list[int | None] = []
        for position in positions:
            dated = self._kinds[position] in _DATED
            seconds = self._seconds[position]
            days.append(int(seconds // DAY_SECONDS) if dated else day_of_path(self._store.text_of(sources[position])))
        return days

    def wants_year(self, positions: Sequence[int]) -> bool:
        """Whether these runs have dates without a year that lie more than half a year apart."""
        if _MONTH not in self._present:
            return False
        kinds, seconds = self._kinds, self._seconds
        known = [seconds[position] for position in positions if kinds[position] == _MONTH]
        return bool(known) and max(known) - min(known) > _YEAR_SECONDS / 2

    def _near(self, positions: Sequence[int]) -> Sequence[int]:
        """Those of these runs, with dates of one kind, that can be put in order; empty where the year is missing for
        it.
        """
        dated, seconds = self.dated(positions), self._seconds
        if not self.wants_year(positions):
            return dated
        low = _fullest(sorted(seconds[position] for position in dated), _YEAR_SECONDS / 2)
        near = array("q", (position for position in dated if low <= seconds[position] <= low + _YEAR_SECONDS / 2))
        return near if _STRAY_SHARE * (len(dated) - len(near)) <= len(dated) else ()

    def _spanning(self, positions: Sequence[int]) -> bool:
        """Whether all stamps of these runs are dates of one kind, which may be compared across inputs."""
        kinds = self._kinds
        present = self._present if len(self._present) == 1 else {kinds[position] for position in positions} - {-1}
        return len(present) == 1 and -1 not in present and _KINDS[next(iter(present))] in _SPANNING


def day_of_path(path: str | None) -> int | None:
    """The days from 1970-01-01 to the date that a folder or a file of this path is named with; the innermost one counts.

    Example:
        >>> day_of_path("night/1970-01-03/board2.log")
        2
    """
    named = compiled(_DATE_OF_PATH).findall(path or "")
    if not named:
        return None
    year, _, month, day = named[-1]
    return days_since_1970(int(year), int(month), int(day))


def _fullest(times: Sequence[float], width: float) -> float:
    """Start of the stretch of so many seconds that holds the most of these times, which are in order."""
    first = most = begin = 0
    for end, at in enumerate(times):
        while times[first] < at - width:
            first += 1
        if end - first >= most:
            most, begin = end - first + 1, first
    return times[begin]


def _alike(stamps: bytes, width: int, minutes: dict[str, tuple[int, float]]) -> tuple[array[int], array[float]] | None:
    """The same as `_coded` for all these stamps of equal length, if they are of one kind with fractions of seconds.

    None where they are not. Working by columns takes a quarter of the time.
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
    """The place of a stamp's kind in `_KINDS` (-1 for none) and its seconds.

    Its minute may be known already; reading one from scratch costs five times as much.
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


def _ordered(seconds: list[float], *, wrap: float) -> list[float] | None:
    """The times without a step back: a time of day that falls by more than half a day has passed midnight, a date New
    Year.
    """
    times: list[float] = []
    passed = 0.0
    for value in seconds:
        if wrap and times and value + passed < times[-1] - wrap / 2:
            passed += wrap
        if times and value + passed < times[-1]:
            return None
        times.append(value + passed)
    return times
