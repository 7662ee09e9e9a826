"""How numbers are written: the command line, the screens and the exports all use this, so they agree.

Functions that format a figure of a report take None and give "-" for it: absent is not zero.
"""

from __future__ import annotations

from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeGuard

ABSENT = "-"


def format_count(value: float | None) -> str:
    """1355722 -> "1,355,722"."""
    if value is None:
        return ABSENT
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


format_cycles = format_count


def format_status(status: str) -> str:
    """The status of a run as people read it: "not_started" -> "not started"."""
    return status.replace("_", " ")


def format_many(count: int, what: str) -> str:
    """ "1 run", "2,048 runs"."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def format_bytes(value: float | None) -> str:
    """Binary units as pools and memories are counted: 752640 -> "735.0 KiB"; small sizes stay in bytes."""
    if value is None:
        return ABSENT
    size = float(value)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024 or unit == "GiB":
            return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1024
    return ABSENT


def format_percent(value: float | None) -> str:
    """99.99 -> "99.99 %"."""
    return ABSENT if value is None else f"{value:.2f} %"


def format_seconds(value: float | None) -> str:
    """0.000278 -> "278 us"; 4.94e-3 -> "4.94 ms"; 75 -> "1 min 15 s"."""
    if value is None:
        return ABSENT
    if value < 0:
        return f"-{format_seconds(-value)}"
    if value >= 3600:
        return f"{int(value // 3600):,} h {int(value % 3600 // 60)} min"
    if value >= 60:
        return f"{int(value // 60)} min {int(value % 60)} s"
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "us")):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}" if value * factor < 1000 else f"{value * factor:.0f} {unit}"
    return f"{value * 1e9:.0f} ns" if value else "0 s"


def format_span(seconds: float) -> str:
    """How long something goes on, to the second below an hour: `42 s`, `3 min 07 s`, `2 h 05 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def format_age(seconds: float) -> str:
    """How long ago, in one unit: `5 min`, `3 h`, `8 d`, `2 y`; below a minute `now`, so that a screen at rest stays as it is.

    `in 3 h` for what is yet to come, by a clock that was ahead.
    """
    for size, least, unit in ((31_557_600, 2, "y"), (86_400, 1, "d"), (3_600, 1, "h"), (60, 1, "min")):
        if abs(seconds) >= least * size:
            return f"{'in ' if seconds < 0 else ''}{int(abs(seconds) // size)} {unit}"
    return "now"


def format_hz(value: float | None) -> str:
    """5e8 -> "500 MHz"."""
    return ABSENT if value is None else f"{value / 1e6:g} MHz"


def format_ratio(value: float | None) -> str:
    """A ratio to a baseline: 0.51 -> "0.51x", 1234.5 -> "1,234x"."""
    return ABSENT if value is None else f"{value:.2f}x" if value < 100 else f"{value:,.0f}x"


def format_stamp(text: str | None) -> str:
    """A time stamp without the brackets that stand around it in a log: "[2026-01-31 08:00:00] " -> "2026-01-31 08:00:00"."""
    return (text or "").strip("[] ") or ABSENT


def shape_text(shape: Sequence[int]) -> str:
    """ "1x3x224x224"; "scalar" for no dimensions."""
    return "x".join(map(str, shape)) or "scalar"


def is_number(value: object) -> TypeGuard[float]:
    """True for a figure that can be written: stored files may hold anything in its place."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e18 < value < 1e18


def number_of(value: object) -> float | None:
    """The value as a number, if it is one; else None."""
    return value if is_number(value) else None


def whole_of(value: object) -> int | None:
    """The value as a whole number, if it is one; else None."""
    return int(value) if is_number(value) else None


_SIZE_UNITS = {"": 1, "b": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}


def parse_bytes(text: str) -> int | None:
    """ "512KiB" -> 524288, "600000" -> 600000, "1.5 MB" -> 1500000; None where it is no size of whole bytes."""
    number = text.strip().lower()
    unit = number.lstrip("0123456789.")
    number, unit = number[: len(number) - len(unit)].strip(), unit.strip()
    digits, _, fraction = number.partition(".")
    if unit not in _SIZE_UNITS or not (digits + fraction).isdigit() or len(number) > 20:
        return None
    scale = 10 ** len(fraction)
    value, rest = divmod(int(digits + fraction) * _SIZE_UNITS[unit], scale)
    return None if rest else value


def format_milliseconds(seconds: float | None) -> str:
    """Milliseconds with one number of digits for a whole column, so that figures can be compared by eye."""
    if seconds is None:
        return format_seconds(None)
    value = 1e3 * seconds
    return f"{value:,.0f} ms" if value >= 1000 else f"{f'{value:#.3g}'.rstrip('.')} ms"


BY_UNIT = {
    "cycles": format_cycles, "bytes": format_bytes, "percent": format_percent, "seconds": format_seconds,
    "hertz": format_hz,
}  # fmt: skip
"""How a figure of a report is written, by the name of its unit."""
