"""One run of a capture again, from its own bytes: a whole `Run` with its findings, where only a `RunRow` was kept."""

from __future__ import annotations

from .capture import CaptureReader
from .report import Capture
from .rows import RunRow

AFTER_BYTES = 1 << 16
"""What follows a run says how it ended; so much of it is read too."""


def reread(row: RunRow, data: bytes, lines: int) -> Capture:
    """The capture with this run alone; `data` begins at `row.start_byte` and goes on a little behind the run.

    Line numbers and the run's index are those of the whole capture, which has so many lines.  Where the bytes are not
    those that the row was made of (a file that was written again), the capture may hold no run.
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
