"""A stored compile result as checked data.

Anybody may have written the folder with `result.json`. So its texts are cleaned like log lines, its figures are
bounded, and what is missing or has a wrong type becomes None. No screen or table needs to check it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..lines import clean
from ..report import CompileSummary
from ..units import is_number, number_of, whole_of
from .delegation import delegation_entry

_MOST = 100_000
_SEVERITIES = ("error", "warning", "info")
_OPERATOR_WORDS = (
    "tosa", "name", "torch", "source", "vela", "module", "module_class", "function", "code", "file", "source_kind", "bound",
)  # fmt: skip
_OPERATOR_FIGURES = (
    "npu_cycles", "op_cycles", "macs", "sram_bytes", "partition", "tosa_index", "chained_into", "sram_access_cycles",
    "dram_access_cycles", "on_chip_flash_access_cycles", "off_chip_flash_access_cycles",
)  # fmt: skip
_WORDS = frozenset(("accelerator", "system_config", "memory_mode"))


def compile_entry(data: object) -> dict[str, Any] | None:
    """One entry of `jobs` of ``ethosu-tui/compile/1`` with every key present; None where the data is no such entry."""
    if not isinstance(data, Mapping) or not isinstance(data.get("target"), str):
        return None
    return {
        "target": clean(data["target"]),
        "memory_mode": _text(data.get("memory_mode")) or "",
        "system_config": _text(data.get("system_config")) or "",
        "status": "ok" if data.get("status") == "ok" else "failed",
        "pte": _text(data.get("pte")),
        "pte_bytes": whole_of(data.get("pte_bytes")),
        "sha256": _text(data.get("sha256")),
        "seconds": number_of(data.get("seconds")),
        "cached": data.get("cached") is True,
        "summary": _summary(data.get("summary")),
        "operators": _rows(data.get("operators"), _operator),
        "delegation": delegation_entry(data.get("delegation")),
        "findings": _rows(data.get("findings"), _finding),
        "log": _text(data.get("log")) or "",
    }


def summary_of(entry: Mapping[str, Any] | None) -> CompileSummary | None:
    """The summary of a checked entry as an object."""
    summary = entry.get("summary") if entry is not None else None
    return CompileSummary(**summary) if summary is not None else None


def _text(value: object) -> str | None:
    return clean(value) if isinstance(value, str) else None


def _rows(value: object, make: Callable[[Mapping[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        return []
    return [make(item) for item in value[:_MOST] if isinstance(item, Mapping)]


def _summary(value: object) -> dict[str, Any] | None:
    if not isinstance(value, Mapping):
        return None
    known: dict[str, Any] = {}
    for name in CompileSummary._fields:
        item = value.get(name)
        if name == "operators":
            continue  # a compile result has them beside the summary
        if name in _WORDS:
            known[name] = _text(item)
        elif name == "non_delegated_operators":
            pairs = item.items() if isinstance(item, Mapping) else ()
            known[name] = {clean(str(key)): count for key, count in pairs if is_number(count)}
        elif name in ("core_clock_hz", "inference_seconds"):
            known[name] = number_of(item)
        else:
            known[name] = whole_of(item)
    return known


def _operator(value: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "index": whole_of(value.get("index")),
        **{name: _text(value.get(name)) for name in _OPERATOR_WORDS},
        **{name: whole_of(value.get(name)) for name in _OPERATOR_FIGURES},
        **{name: number_of(value.get(name)) for name in ("share_percent", "utilisation_percent")},
        "fused": [
            {"tosa_index": whole_of(other.get("tosa_index"))}
            | {name: _text(other.get(name)) for name in ("tosa", "torch", "module", "source")}
            for other in _rows(value.get("fused"), dict)
        ],
    }


def _finding(value: Mapping[str, Any]) -> dict[str, Any]:
    lines = value.get("lines")
    numbers = lines if isinstance(lines, Sequence) and not isinstance(lines, (str, bytes)) else ()
    return {
        "rule": _text(value.get("rule")) or "",
        "severity": value.get("severity") if value.get("severity") in _SEVERITIES else "info",
        "run": whole_of(value.get("run")),
        **{name: _text(value.get(name)) or "" for name in ("title", "detail", "advice")},
        "lines": [line for line in map(whole_of, numbers[:_MOST]) if line is not None],
    }
