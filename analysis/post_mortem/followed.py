"""Follows a capture that grows: gives each run once it has finished, the last one once its runner has said that it is
over.

A scanner knows that a run is over when the next one begins, which may take hours. So while nothing comes, the bytes
since the last finished run are read on their own.
"""

from __future__ import annotations

from copy import copy

from ..capture import CaptureReader
from ..compiles.vela import placeless
from ..line_forms.encodings import LineFeeds, has_only_returns, may_have_only_returns
from ..line_forms.host_prefix import host_time
from ..lines import Line
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import CompileSummary, Finding, Run, Stage
from ..rows import RunRow, json_line, row_of
from ..scan import Scanner

if TYPE_CHECKING:
    from ..scan import Complete

TAIL_LIMIT_BYTES = 4 << 20
"""A longer run is reported only when the next one begins."""


class FollowedRun(NamedTuple):
    """A finished run; `json` is its Run object where JSON is asked for."""

    row: RunRow
    json: str | None


class FollowedCapture:
    """Takes what is new and gives each run once."""

    def __init__(self, source: str, *, jsonl: bool = False, complete: Complete | None = None) -> None:
        """`complete` adds to a run what is known from elsewhere, before it becomes JSON: see `Scanner`."""
        self.source = source
        self._jsonl = jsonl
        self._complete = complete
        self._scanner = Scanner(source, full_runs=0, jsonl=jsonl, complete=complete)
        self._head: bytearray | None = bytearray()
        """The first bytes, while they may still show that carriage returns alone end lines."""
        self._returns = LineFeeds()
        self._tail = bytearray()
        self._tail_start = 0
        self._tail_line = 1
        self._lost = False
        self._looked = False
        self._given = 0
        """Index of the last run that was returned."""
        self.stage: Stage | None = None
        """The stage of the unfinished run, as known at the last silence."""

    def feed(self, data: bytes) -> list[FollowedRun]:
        """Take new bytes; return the runs that finished with them."""
        self._looked = self._looked and not data
        if self._head is not None:
            self._head += data
            data = b"" if may_have_only_returns(self._head) else self._begun()
        self._take(self._returns.of(data))
        return self._finished()

    def _begun(self) -> bytes:
        """The first bytes, which have shown how lines end."""
        head, self._head = bytes(self._head or b""), None
        self._returns = LineFeeds(head)
        return head

    def _take(self, data: bytes) -> None:
        if not data:
            return
        self._scanner.feed(data)
        if not self._lost:
            self._tail += data

    def quiet(self) -> list[FollowedRun]:
        """Nothing has come for a while: return the last run too, if its runner has said that it is over."""
        if self._looked:
            return []
        self._looked, given = True, []
        if self._head is not None:
            if not has_only_returns(bytes(self._head)):
                return []  # no line has ended, as far as can be told
            head = self._begun()
            self._take(self._returns.of(head))
            given = self._finished()
        if self._lost or not self._tail:
            return given
        reader = CaptureReader(self.source, self._tail_line)
        lines = reader.feed(bytes(self._tail) + copy(self._returns).of(b"", True))
        over = reader.ended
        self.stage = None if over or reader.extent is None else reader.stage
        capture = reader.finish()
        runs = capture.runs if over else capture.runs[:-1]
        for place, run in enumerate(runs, self._scanner.run_count + 1):
            if place > self._given:
                self._given = place
                findings = [finding for finding in capture.findings if finding.run == run.index]
                given.append(self._run(run, place, findings, lines, capture.compile))
        return given

    def _run(
        self, run: Run, place: int, findings: list[Finding], lines: list[Line], summaries: tuple[CompileSummary, ...]
    ) -> FollowedRun:
        if self._complete is not None and self._jsonl:
            before = (s for s in self._scanner.summaries if s.first_line is not None and s.first_line < self._tail_line)
            run = self._complete(run, findings, placeless((*before, *summaries), run.first_line))
        run = run._replace(index=place)
        stamps = (host_time(line.text) for line in lines if run.first_line <= line.number <= run.last_line)
        at = next((stamp for stamp in stamps if stamp is not None), None)
        end = self._tail_start + len(self._tail)
        row = row_of(self.source, run, findings, start_byte=self._tail_start, end_byte=end, at=at)
        return FollowedRun(row, json_line(self.source, run, findings) if self._jsonl else None)

    def finish(self) -> list[FollowedRun]:
        """End the input; return what is left, however it ended."""
        head = self._begun() if self._head is not None else b""
        self._take(self._returns.of(head, True))
        self._scanner.finish()
        return self._finished()

    def _finished(self) -> list[FollowedRun]:
        rows = self._scanner.rows()
        texts: list[str | None] = [*self._scanner.json_lines()] if self._jsonl else [None] * len(rows)
        if rows:
            self.stage = None
            start, line = rows[-1].end_byte, rows[-1].last_line + 1
            if self._lost or start > self._tail_start + len(self._tail):
                self._lost = True
            else:
                del self._tail[: start - self._tail_start]
            self._tail_start, self._tail_line = start, line
        if len(self._tail) > TAIL_LIMIT_BYTES:
            self._lost = True
            self._tail.clear()
        new = [FollowedRun(row, text) for row, text in zip(rows, texts, strict=True) if row.index > self._given]
        if new:
            self._given = new[-1].row.index
        return new
