"""Reads one run of a capture again from its own bytes, as a whole `Run` with findings, where only a `RunRow` was kept."""

from __future__ import annotations

from .capture import CaptureReader
from .report import Capture
from .rows import RunRow

AFTER_BYTES = 1 << 16
"""How much is read after the run, because what follows a run says how it ended."""


def reread(row: RunRow, data: bytes, lines: int) -> Capture:
    """The capture with this run alone; `data` begins at `row.start_byte` and goes on a little after the run.

    Line numbers and the run's index are those of the whole capture. Where the bytes are not those of the row (a file
    was written again), the capture may hold no run.
    """
    reader = CaptureReader(row.source, row.first_line)
    reader.look_at(data)
    reader.feed(data)
    capture = reader.finish()
    run = next((run for run in capture.runs if run.first_line == row.first_line), None)
    if run is None:
        return Capture(row.source, len(data), lines)
    findings = tuple(f._replace(run=row.index) for f in capture.findings if f.run == run.index)
    return Capture(
        row.source, len(data), lines, (run._replace(index=row.index),), (), findings, recognised=capture.recognised
    )
