"""One capture read for many: finished runs leave as rows or JSON lines, so that memory does not grow with the capture.

`CaptureReader` holds every run that it has read, which is right for a log that somebody looks at, and wrong for a night of
console output.  A `Scanner` gives the same results and forgets each run as soon as it is handed over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from .capture import CaptureReader
from .lines import Line, host_time
from .outcome import Outcome
from .report import Capture, Finding, Run, to_dict
from .rows import RunRow, row_of

FULL_RUNS = 20
"""Runs of a capture that are kept whole: as many as `analyze` prints tables of."""


class Scanner:
    """Feed it blocks; it hands over what is finished.

    Example:
        >>> scanner = Scanner("night.log")
        >>> scanner.feed(b"I [executorch:arm_executor_runner.cpp:70] Model buffer loaded, has 1 methods\\n")
        >>> scanner.finish()
        >>> [(row.index, row.status) for row in scanner.rows()]
        [(1, 'truncated')]
    """

    def __init__(
        self,
        source: str,
        *,
        full_runs: int = FULL_RUNS,
        jsonl: bool = False,
        complete: Callable[[Run], Run] | None = None,
    ) -> None:
        """`complete` adds to a run what is known from elsewhere, before it is kept or becomes a JSON line."""
        self.source = source
        self.full_runs = full_runs
        self.jsonl = jsonl
        self.run_count = 0
        """Runs that are finished."""
        self._complete = complete
        self._reader = CaptureReader(source)
        self._places = _LinePlaces()
        self._rows: list[RunRow] = []
        self._json: list[str] = []
        self._kept: list[Run] = []
        self._findings: list[Finding] = []
        self._open_line = 0
        self._open_start = self._open_end = 0
        self._open_at: str | None = None
        self._ended: Capture | None = None

    def feed(self, block: bytes) -> None:
        """Take the next bytes of the capture."""
        self._places.open(block)
        lines = self._reader.feed(block)
        self._hand_over(lines, *self._reader.take())
        self._places.close()

    def finish(self, outcome: Outcome | None = None) -> None:
        """No more bytes come; `outcome` is how the host saw a live run end."""
        self._places.open(b"")
        lines = self._reader.flush()
        done = self._reader.take()
        capture = self._reader.finish(outcome)
        self._hand_over(lines, [*done[0], *capture.runs], [*done[1], *capture.findings])
        findings = (*self._findings, *(f for f in capture.findings if f.run is None))
        self._ended = capture._replace(runs=tuple(self._kept), findings=findings)

    def rows(self) -> list[RunRow]:
        """The rows of the runs that were finished since the last call."""
        rows, self._rows = self._rows, []
        return rows

    def json_lines(self) -> list[str]:
        """With `jsonl`: the Run objects that were finished since the last call, one JSON text each."""
        lines, self._json = self._json, []
        return lines

    def capture(self) -> Capture:
        """Size, compile summaries, and the first runs with their findings; `run_count` says how many there were."""
        if self._ended is not None:
            return self._ended
        return self._reader.snapshot()._replace(runs=tuple(self._kept), findings=tuple(self._findings))

    def _hand_over(self, lines: list[Line], runs: Iterable[Run], findings: Iterable[Finding]) -> None:
        """Make rows of finished runs, and note where the unfinished one stands; `lines` are those of this block."""
        said: dict[int | None, list[Finding]] = {}
        for finding in findings:
            said.setdefault(finding.run, []).append(finding)
        for run in runs:
            self._locate(run.first_line, run.last_line, lines)
            self._finished(run, said.get(run.index, []))
            self._open_line = 0
        extent = self._reader.extent
        if extent is not None:
            self._locate(*extent, lines)

    def _locate(self, first: int, last: int, lines: list[Line]) -> None:
        if self._open_line != first:
            self._open_line = first
            self._open_start = self._places.start_of(first)
            self._open_end = self._open_start
            self._open_at = None
        self._open_end = max(self._open_end, self._places.start_of(last + 1))
        if self._open_at is None:
            for line in lines:
                if line.number > last:
                    break
                if line.number >= first and (stamp := host_time(line.text)) is not None:
                    self._open_at = stamp
                    break

    def _finished(self, run: Run, findings: list[Finding]) -> None:
        self.run_count += 1
        self._rows.append(
            row_of(self.source, run, findings, start_byte=self._open_start, end_byte=self._open_end, at=self._open_at)
        )
        keep = len(self._kept) < self.full_runs
        if self._complete is not None and (keep or self.jsonl):
            run = self._complete(run)
        if self.jsonl:
            self._json.append(json.dumps({"source": self.source, **to_dict(run)}, allow_nan=False))
        if keep:
            self._kept.append(run)
            self._findings += findings


class _LinePlaces:
    """Where lines begin, in bytes: for those of the block that is open, from front to back."""

    def __init__(self) -> None:
        self._line = 1
        self._start = 0
        self._block = b""
        self._block_start = 0
        self._seen = 0

    def open(self, block: bytes) -> None:
        """The next block."""
        self._block, self._block_start = block, self._seen
        self._seen += len(block)

    def start_of(self, line: int) -> int:
        """Where this line begins; for an earlier one the place reached so far, and the end for one that is not there."""
        while self._line < line:
            found = self._block.find(b"\n", max(0, self._start - self._block_start))
            if found < 0:
                return self._seen
            self._start = self._block_start + found + 1
            self._line += 1
        return self._start

    def close(self) -> None:
        """The block is done: go to its last line, which is unfinished."""
        begin = max(0, self._start - self._block_start)
        self._line += self._block.count(b"\n", begin)
        last = self._block.rfind(b"\n", begin)
        if last >= 0:
            self._start = self._block_start + last + 1
