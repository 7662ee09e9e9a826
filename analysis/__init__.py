"""Console text in, report objects out: the pure core that every other part renders.

    >>> from ethosu_tui.analysis import read_capture
    >>> capture = read_capture("demo", b"I [executorch:arm_perf_monitor.cpp:168] ethosu_pmu_cycle_cntr : 5920305\\n")
    >>> capture.runs[0].pmu.npu_cycles
    5920305

The names are looked up when they are first used, so that who needs only a table type does not load the whole parser.
"""

from __future__ import annotations

from importlib import import_module

from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from .capture import CaptureReader, read_capture
    from .lines import Line
    from .outcome import Outcome
    from .report import Capture, Report, Run

_HOME = {
    "Capture": "report",
    "CaptureReader": "capture",
    "Line": "lines",
    "Outcome": "outcome",
    "Report": "report",
    "Run": "report",
    "read_capture": "capture",
}

__all__ = ["Capture", "CaptureReader", "Line", "Outcome", "Report", "Run", "read_capture"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
