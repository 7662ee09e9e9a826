"""The roofline of a run: what it attains, against what the MAC array, the external memory and the SRAM allow.

Each memory has an intensity of its own (MACs a byte that went through it), so the run stands at one place for each.
Reads and writes share the peak of their memory, as Vela counts them against it.

Both axes are logarithms, taken here, so that whoever draws needs linear axes only.  A roof that is not known is not drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..named_tuple import NamedTuple
from ..report import Run

Point = tuple[float, float]
_ROOM = math.log(4)
"""What stays free around the points."""
_STEPS = (1, 2, 5)
EXTERNAL, SRAM = "external memory", "SRAM"


class Memory(NamedTuple):
    """One memory: where the run stands by the bytes that went through it, and what it allows at each intensity."""

    name: str
    """"external memory" or "SRAM"."""
    point: Point
    slope: tuple[Point, Point] | None
    """From the left edge to the ridge; None where its peak is not known, or is not that of this run."""


class Roofline(NamedTuple):
    """Logarithms of MACs a byte (x) and MACs a cycle (y)."""

    memories: tuple[Memory, ...]
    """Those whose traffic was counted, the external one first; at least one."""
    compute: float
    """The roof of the MAC array."""
    low: Point
    high: Point
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    words: tuple[str, ...]
    """What it shows, a line for the run and one for each memory, those included that it cannot show."""


class _Traffic(NamedTuple):
    name: str
    intensity: float
    peak: float | None
    """Bytes a cycle."""


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
    outside, inside = (
        _traffic(run, name, intensity, bytes_a_cycle)
        for name, intensity, bytes_a_cycle in (
            (EXTERNAL, "arithmetic_intensity_macs_per_byte", "external_peak_bytes_per_cycle"),
            (SRAM, "sram_intensity_macs_per_byte", "sram_peak_bytes_per_cycle"),
        )
    )
    if outside is None and inside is None:
        return f"There is no roofline: {_no_external(run)}; {_no_sram(run)}."
    missing = [
        f"{name[:1].upper()}{name[1:]}: {why(run)}."
        for name, found, why in ((EXTERNAL, outside, _no_external), (SRAM, inside, _no_sram))
        if found is None
    ]
    return _drawn([one for one in (outside, inside) if one is not None], attained.value, peak.value, missing)


def _traffic(run: Run, name: str, intensity: str, peak: str) -> _Traffic | None:
    found, most = run.derived.get(intensity), run.derived.get(peak)
    return _Traffic(name, found.value, most.value if most is not None else None) if found is not None else None


def _no_external(run: Run) -> str:
    derived = run.derived
    if "arithmetic_intensity_at_most_macs_per_byte" in derived:
        return (
            "an Ethos-U65 does not count what it writes through AXI1 here, so the external bytes are only a lower bound"
        )
    if any(name.startswith(("ext_", "axi1_")) and name.endswith("bytes_per_inference") for name in derived):
        return "no external traffic was counted, or the memory mode does not tell which port is external"
    return "the counters do not tell all external traffic of this run"


def _no_sram(run: Run) -> str:
    both = ("sram_read", "sram_write"), ("axi0_read", "axi0_write")
    counted = any(all(f"{path}_bytes_per_inference" in run.derived for path in pair) for pair in both)
    if counted:
        return "the counters saw no traffic of the SRAM"
    estimate = run.derived.get("estimated_sram_roof_macs_per_cycle")
    beside = f" (Vela estimates that it allows {estimate.value:,.4g} MACs a cycle)" if estimate is not None else ""
    return f"reads and writes of the SRAM port were not both counted{beside}"


def _drawn(traffic: Sequence[_Traffic], attained: float, peak: float, missing: Sequence[str]) -> Roofline:
    y, top = math.log(attained), math.log(peak)
    known = [one if not _too_high(one, attained) else one._replace(peak=None) for one in traffic]
    ridges = [math.log(peak / one.peak) for one in known if one.peak]
    places = [*(math.log(one.intensity) for one in known), *ridges]
    left, right = min(places) - _ROOM, max(places) + _ROOM
    bottom = min(y - _ROOM / 2, top - 2 * _ROOM)
    memories = tuple(
        Memory(one.name, (math.log(one.intensity), y), _slope(one.peak, top, left, bottom)) for one in known
    )
    low, high = (left, bottom), (right, top + _ROOM / 4)
    words = (
        f"{attained:,.4g} of {peak:,.4g} MACs a cycle ({100 * attained / peak:.1f} %).",
        *(_words(one, attained, peak) for one in traffic),
        *missing,
    )
    return Roofline(memories, top, low, high, _ticks(left, right), _ticks(bottom, high[1]), words)


def _too_high(one: _Traffic, attained: float) -> bool:
    """Whether more went through a memory than it can move: then it was another memory than the one that was named."""
    return one.peak is not None and attained > 1.02 * one.intensity * one.peak


def _slope(peak: float | None, top: float, left: float, bottom: float) -> tuple[Point, Point] | None:
    if not peak:
        return None
    start = max(left, bottom - math.log(peak))
    return (start, start + math.log(peak)), (top - math.log(peak), top)


def _words(one: _Traffic, attained: float, peak: float) -> str:
    name = f"{one.name[:1].upper()}{one.name[1:]}"
    said = f"{name}: {one.intensity:,.4g} MACs a byte"
    if not one.peak:
        return f"{said}; its roof is not drawn, as its peak is not known (--system-config)."
    ridge = f"of the ridge at {peak / one.peak:,.4g}"
    if _too_high(one, attained):
        return f"{said}, which is more than the system config lets it move: the run had another memory, so no roof is drawn."
    if one.intensity * one.peak < peak:
        roof = one.intensity * one.peak
        return f"{said}, left {ridge}: it allows {roof:,.4g} at most, and {100 * attained / roof:.0f} % of that is reached."
    return f"{said}, right {ridge}: it is not the limit; the MAC array is."


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
