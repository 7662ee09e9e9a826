"""How derived figures are called and written, alone and side by side."""

from __future__ import annotations

from collections.abc import Callable

from ..report import Derived
from ..units import format_bytes, format_count, format_hz, format_percent, format_seconds

_ABBREVIATIONS = {"npu": "NPU", "cpu": "CPU", "mac": "MAC", "macs": "MACs", "sram": "SRAM", "ops": "operations"}
_UNITS = ("_percent", "_bytes", "_beats")


def _rate(value: float) -> str:
    return f"{value / 1e9:,.3g} GB/s" if value >= 1e8 else f"{value / 1e6:,.3g} MB/s"


def _operations(value: float) -> str:
    return f"{value / 1e12:,.3g} TOPS" if value >= 1e12 else f"{value / 1e9:,.3g} GOPS"


WRITERS: dict[str, Callable[[float], str]] = {
    "percent": format_percent,
    "bytes": format_bytes,
    "cycles": format_count,
    "count": lambda value: f"{value:g}",
    "seconds": format_seconds,
    "hertz": format_hz,
    "bytes/s": _rate,
    "ops/s": _operations,
    "1/s": lambda value: f"{value:,.4g} 1/s",
    "beats/cycle": lambda value: f"{value:.4f} beats/cycle",
    "bytes/cycle": lambda value: f"{value:,.4g} bytes/cycle",
    "MACs/cycle": lambda value: f"{value:,.4g} MACs/cycle",
    "MACs/byte": lambda value: f"{value:,.4g} MACs/byte",
}


def write_derived(entry: Derived) -> str:
    """The value with its unit, as the tables write it."""
    write = WRITERS.get(entry.unit)
    return write(entry.value) if write is not None else f"{entry.value:g} {entry.unit}"


def label_of(name: str) -> str:
    """ "ext_read_bytes_per_inference" -> "EXT read per inference"."""
    for unit in _UNITS:
        if name.endswith((f"{unit}_per_inference", f"{unit}_per_second", f"{unit}_per_cycle", unit)):
            name = name.replace(unit, "", 1) if not name.startswith(unit[1:]) else name
            break
    name = name.replace("_seconds", "_time")
    words = [_ABBREVIATIONS.get(word, word) for word in name.split("_")]
    words = [
        word.upper() if word[:3] in ("axi", "ext") and not word.isalpha() or word == "ext" else word for word in words
    ]
    text = " ".join(words)
    return text[:1].upper() + text[1:]
