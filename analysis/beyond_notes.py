"""Findings that the note beside a figure says already: true of nearly every log of a simulator, and nothing to act on.

Where the tables of a run are shown, the note is enough; `--json` has the finding all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from .report import Capture, Finding
from .report_tables import cycles_table

_NOTED = frozenset(("fvp-ratio-not-time",))


def beyond_notes(capture: Capture, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings without those that stand as a note below the cycles of their run."""
    if _NOTED.isdisjoint(finding.rule for finding in findings):
        return tuple(findings)
    noted = {run.index for run in capture.runs if cycles_table(run).note}
    return tuple(finding for finding in findings if finding.rule not in _NOTED or finding.run not in noted)
