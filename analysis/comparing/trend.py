"""How a figure changed from run to run: the earlier runs that it can be compared with, and by how much it changed.

The caller decides which runs can be compared: they have the same name of a series. For a run that stands alone, no
change is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..named_tuple import NamedTuple

LONGEST = 10
"""So many figures are shown, the newest."""
CALM_PERCENT = 5.0
"""A smaller spread does not fill the height of a line: noise shall not look like news."""


class Trend(NamedTuple):
    """The figures of one series up to a run, the oldest first; the last figure is that of the run itself."""

    values: tuple[float, ...]

    @property
    def change_percent(self) -> float | None:
        """The change since the run before; None if there is none, or if its figure was zero."""
        if len(self.values) < 2 or not self.values[-2]:
            return None
        return 100 * (self.values[-1] / self.values[-2] - 1)


def trends(rows: Iterable[tuple[str, float | None]]) -> list[Trend | None]:
    """A trend for each row of (series, figure), of which the newest comes first; None for a row without series or
    figure.
    """
    listed = list(rows)
    found: list[Trend | None] = [None] * len(listed)
    seen: dict[str, tuple[float, ...]] = {}
    for place in range(len(listed) - 1, -1, -1):
        series, value = listed[place]
        if series and value is not None:
            values = seen[series] = (*seen.get(series, ()), value)[-LONGEST:]
            found[place] = Trend(values)
    return found


def means(values: Sequence[float], room: int) -> Sequence[float]:
    """At most `room` values; if there are more, each is the mean of several neighbours."""
    if len(values) <= room:
        return values
    edges = [i * len(values) // room for i in range(room + 1)]
    return [sum(values[a:b]) / (b - a) for a, b in zip(edges, edges[1:], strict=False)]


def levels(values: Sequence[float], steps: int, calm_percent: float = CALM_PERCENT) -> list[int]:
    """Each value as a height from 0 to `steps` - 1. Values that differ by less than `calm_percent` stay near the
    middle.
    """
    if not values:
        return []
    low, high = min(values), max(values)
    spread = high - low
    least = max(abs(low), abs(high)) * calm_percent / 100
    if spread < least:
        middle = (low + high) / 2
        low, spread = middle - least / 2, least
    if not spread:
        return [(steps - 1) // 2] * len(values)
    return [min(steps - 1, int((value - low) / spread * steps)) for value in values]


def change_text(percent: float | None) -> str:
    """The change as text: `+2.1 %`, or `=` for exactly the same figure."""
    if percent is None:
        return ""
    if percent == 0:
        return "="
    if abs(percent) >= 999.5:
        return f"{percent / 100 + 1:.0f}x"
    sign = "+" if percent > 0 else "-"
    size = abs(percent)
    return f"{sign}{size:.0f} %" if size >= 9.95 else f"{sign}{size:.1f} %"
