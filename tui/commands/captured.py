"""What is printed of the capture of one stored run: its figures, or a summary where the target started very often."""

from __future__ import annotations

from ...analysis.beyond_notes import beyond_notes
from ...analysis.report import Capture
from ...analysis.report_tables import run_tables
from .output import MANY_RUNS, print_findings, print_heading, print_tables


def print_capture(capture: Capture, log: str | None) -> None:
    """Tables of each run and all findings, with a line of the `log`; of more than `MANY_RUNS` runs what `analyze` would print of them."""
    if len(capture.runs) > MANY_RUNS:
        _print_summary(capture)
        return
    for run in capture.runs:
        if len(capture.runs) > 1:
            print_heading(f"run {run.index}")
        print_tables(run_tables(capture, run).values())
    print_findings(beyond_notes(capture, capture.findings), log)


def _print_summary(capture: Capture) -> None:
    from ...analysis.rows import row_of
    from ...analysis.rows.store import RunStore
    from .summary import print_post_mortem

    store = RunStore()
    for run in capture.runs:
        own = [finding for finding in capture.findings if finding.run == run.index]
        store.add([row_of(capture.source, run, own, start_byte=0, end_byte=0, at=None)])
    store.add_capture(capture)
    print_post_mortem(store)
    print_findings([one for one in capture.findings if one.run is None and one.severity != "error"])
