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
        "Capture again on a line that loses nothing (flow control, a lower baud rate), and nothing else printing into it.",
    ),
    "etdump_inside": (
        "etdump-interleaved",
        "info",
        "Another printer's line stands inside the ETDump block",
        "Nothing of the dump is lost; have nothing else print on this console to keep it so.",
    ),
    "etdump_untimed": (
        "etdump-untimed",
        "warning",
        "The ETDump holds no times",
        "The runner could not read the core's cycle counter: 1.4 built with GCC leaves it out on a Cortex-M55 and M85, and "
        "older cores have none, nor has QEMU. Build with a later release or with Arm's compiler.",
    ),
    "etdump_wrapped": (
        "etdump-wrapped",
        "info",
        "The cycle counter went round during an ETDump event",
        "Its cycles were computed with one turn of 2^32 added; more than one turn would not be seen.",
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
