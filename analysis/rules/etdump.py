"""What to say of a run's ETDump that is cut, damaged or not timed; the notes come from `etdump/report.py`."""

from __future__ import annotations

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run, Severity

_SAYINGS: dict[str, tuple[str, Severity, str, str]] = {
    "etdump_cut": (
        "etdump-cut",
        "warning",
        "The ETDump block is cut off",
        "Capture without a limit on line length until the line after the block; the dump stands on one line.",
    ),
    "etdump_damaged": (
        "etdump-damaged",
        "warning",
        "The ETDump block is damaged",
        "Capture again on a line that loses nothing (flow control, a lower baud rate), with nothing else printing to it.",
    ),
    "etdump_inside": (
        "etdump-interleaved",
        "info",
        "Another program's line is inside the ETDump block",
        "Keep other programs off this console; nothing of the dump is lost this time.",
    ),
    "etdump_untimed": (
        "etdump-untimed",
        "warning",
        "The ETDump holds no times",
        "Build with a later release or with Arm's compiler: the runner could not read the core's cycle counter. 1.4 built with GCC leaves it out on a "
        "Cortex-M55 and M85; older cores and QEMU have none.",
    ),
    "etdump_wrapped": (
        "etdump-wrapped",
        "info",
        "The cycle counter wrapped during an ETDump event",
        "Measure a shorter event if in doubt: its cycles were computed with one wrap of 2^32 added, and a second would go unnoticed.",
    ),
}


def etdump_findings(run: Run, evidence: Evidence, outcome: Outcome | None) -> Finding | None:
    """The first thing to say of the run's ETDump."""
    for odd in evidence.odd:
        saying = _SAYINGS.get(odd.kind)
        if saying is not None:
            rule, severity, title, advice = saying
            return Finding(rule, severity, run.index, title, odd.text, advice, (odd.line,))
    return None
