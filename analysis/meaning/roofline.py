"""The roofline of a run: what it attains, against what the MAC array and the external memory allow at its intensity.

Both axes are logarithms, taken here, so that whoever draws needs linear axes only.  A roof that is not known is not drawn.
"""

from __future__ import annotations

import math

from ..named_tuple import NamedTuple
from ..report import Run

Point = tuple[float, float]
_ROOM = math.log(4)
"""What stays free around the points."""
_STEPS = (1, 2, 5)


class Roofline(NamedTuple):
    """Logarithms of MACs a byte (x) and MACs a cycle (y)."""

    point: Point
    compute: float
    """The roof of the MAC array."""
    memory: tuple[Point, Point] | None
    """The slope of the external memory, from the left edge to the ridge; None where its peak is not known."""
    low: Point
    high: Point
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    words: str
    """What it shows, in a sentence or two."""


def roofline_of(run: Run) -> Roofline | str:
    """The roofline of a derived run; or why there is none, in a sentence."""
    derived = run.derived
    if run.pmu is None or not run.pmu.npu_cycles:
        return "There is no roofline: the log has no NPU cycles."
    attained, peak = derived.get("attained_macs_per_cycle"), derived.get("peak_macs_per_cycle")
    if attained is None:
        return (
            "There is no roofline: the MACs of the model are not known. Give them (--macs), or keep Vela's summary in the "
            "capture."
        )
    if peak is None:
        return "There is no roofline: the size of the NPU is not known. Give the target (--target)."
    intensity = derived.get("arithmetic_intensity_macs_per_byte")
    if intensity is None:
        if "arithmetic_intensity_at_most_macs_per_byte" in derived:
            return (
                "There is no roofline: an Ethos-U65 does not count what it writes through AXI1 here, so the external bytes are "
                "only a lower bound."
            )
        if any(name.startswith(("ext_", "axi1_")) and name.endswith("bytes_per_inference") for name in derived):
            return "There is no roofline: no external traffic was counted, or the memory mode does not tell which port is external."
        return "There is no roofline: the counters do not tell all external traffic of this run."
    slope = derived.get("external_peak_bytes_per_cycle")
    return _drawn(intensity.value, attained.value, peak.value, slope.value if slope is not None else None)


def _drawn(intensity: float, attained: float, peak: float, slope: float | None) -> Roofline:
    x, y, top = math.log(intensity), math.log(attained), math.log(peak)
    ridge = math.log(peak / slope) if slope else None
    left = min(x, ridge if ridge is not None else x) - _ROOM
    right = max(x, ridge if ridge is not None else x) + _ROOM
    memory = None
    bottom = min(y - _ROOM / 2, top - 2 * _ROOM)
    if slope is not None and ridge is not None:
        start = max(left, bottom - math.log(slope))
        memory = ((start, start + math.log(slope)), (ridge, top))
    high = (right, top + _ROOM / 4)
    low = (left, bottom)
    return Roofline(
        (x, y),
        top,
        memory,
        low,
        high,
        _ticks(left, right),
        _ticks(bottom, high[1]),
        _words(intensity, attained, peak, slope),
    )


def _words(intensity: float, attained: float, peak: float, slope: float | None) -> str:
    said = (
        f"{attained:,.4g} of {peak:,.4g} MACs a cycle ({100 * attained / peak:.1f} %) at {intensity:,.4g} MACs a byte."
    )
    if slope is None:
        return f"{said} The memory's roof is not drawn: its peak is not known (--system-config)."
    roof = min(peak, intensity * slope)
    if intensity * slope < peak:
        return (
            f"{said} Left of the ridge at {peak / slope:,.4g}: the external memory allows {roof:,.4g} at most, and "
            f"{100 * attained / roof:.0f} % of that is reached."
        )
    return f"{said} Right of the ridge at {peak / slope:,.4g}: the external memory is no limit, only the MAC array is."


def _ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """Round numbers along a logarithmic axis."""
    found = []
    for power in range(math.floor(low / math.log(10)), math.ceil(high / math.log(10)) + 1):
        for step in _STEPS:
            at = math.log(step) + power * math.log(10)
            if low <= at <= high:
                found.append((at, f"{step * 10.0**power:,g}"))
    whole = [tick for tick in found if tick[1].replace(",", "").lstrip("0.").rstrip("0") in ("1", "")]
    return tuple(found if len(found) <= 7 else whole or found)
