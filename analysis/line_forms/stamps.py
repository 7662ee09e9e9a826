"""What the time stamps of host tools mean, as far as they can be put in order: dates, times of day, seconds since boot.

Stamps of different kinds are never compared; a time of day says nothing about which day.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

DAY_SECONDS = 86400.0

StampKind = Literal["zoned", "date", "month", "clock", "uptime"]
"""A date with its zone, without one, without a year; a time of day; seconds since some start."""

_CLOCK = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?(?: ?(?P<half>[AP]M|[ap]m)\b)?"
)
_ZONE = r"(?P<zone>Z|(?:UTC|GMT)\b|[+-]\d\d:?\d\d)"
_FORMS = (
    re.compile(rf"(?P<year>\d{{4}})([-/.])(?P<month>\d\d)\2(?P<day>\d\d)[T _]{_CLOCK} ?{_ZONE}?"),
    re.compile(
        rf"(?:[A-Z][a-z]{{2}} )?(?P<name>[A-Z][a-z]{{2}}) {{1,2}}(?P<day>\d{{1,2}}) {_CLOCK}(?:(?: ?{_ZONE}| [A-Z]{{3,4}})? (?P<year>(?:19|20)\d\d)\b)?"
    ),
    re.compile(rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}}) {_CLOCK}"),
    re.compile(rf"(?P<year>20\d\d)(?P<month>\d\d)(?P<day>\d\d) {_CLOCK}"),
    re.compile(_CLOCK),
    re.compile(r"(?P<epoch>[12]\d{9}\.\d{1,9})(?![.\d])"),
    re.compile(r"(?P<uptime>\d{1,9}\.\d{1,9})(?![.\d])"),
)
"""Dates with slashes that do not begin with the year are none of them: whether day or month comes first is not told."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Stamp(NamedTuple):
    """A point in time; `seconds` compare within one kind."""

    kind: StampKind
    seconds: float


def stamp_of(text: str) -> Stamp | None:
    """Read a stamp as printed, brackets or not; None for what is none.

    Example:
        >>> stamp_of("[2026-01-05T12:00:01.5Z]")
        Stamp(kind='zoned', seconds=1767614401.5)
    """
    text = text.strip(" []()")
    for form in _FORMS:
        match = form.match(text)
        if match is not None:
            return _stamp(match.groupdict())
    return None


def _stamp(parts: dict[str, str | None]) -> Stamp | None:
    uptime = parts.get("uptime")
    if uptime is not None:
        return Stamp("uptime", float(uptime))
    epoch = parts.get("epoch")
    if epoch is not None:
        return Stamp("zoned", float(epoch))
    hour, minute, second = (int(parts[name] or 0) for name in ("hour", "minute", "second"))
    if parts["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if parts["half"] in ("PM", "pm") else 0)
    seconds = hour * 3600.0 + minute * 60 + second + float(f"0.{parts.get('fraction') or 0}")
    if hour > 23 or minute > 59 or second > 60:
        return None
    name, year, day = parts.get("name"), parts.get("year"), int(parts.get("day") or 0)
    month = int(parts.get("month") or 0)
    if name is not None:
        if name not in _MONTHS:
            return None
        month = _MONTHS.index(name) + 1
        if year is None:
            return Stamp("month", days_since_1970(2000, month, day) * DAY_SECONDS + seconds)
    if year is None:
        return Stamp("clock", seconds)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    seconds += days_since_1970(int(year), month, day) * DAY_SECONDS
    zone = parts.get("zone")
    if not zone:
        return Stamp("date", seconds)
    if zone not in ("Z", "UTC", "GMT"):
        digits = zone[1:].replace(":", "")
        offset = int(digits[:2]) * 3600 + int(digits[2:]) * 60
        seconds -= offset if zone[0] == "+" else -offset
    return Stamp("zoned", seconds)


def days_since_1970(year: int, month: int, day: int) -> int:
    """The days from 1970-01-01 to a date of the Gregorian calendar."""
    year -= month <= 2
    era_day = 365 * year + year // 4 - year // 100 + year // 400
    return era_day + (153 * ((month + 9) % 12) + 2) // 5 + day - 1 - 719468
