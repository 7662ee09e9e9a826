"""Reads a capture with many runs and hands finished runs over as rows or JSON lines, so that memory does not grow.

`CaptureReader` keeps every run that it has read, which suits a log that somebody looks at but not a night of console
output. A `Scanner` gives the same results and forgets each run once it is handed over.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from .compiles.vela import placeless
from .fast.held_bytes import END_BYTES, HeldBytes
from .fast.open_run import OpenRun
from .line_forms.encodings import LineFeeds
from .lines import Line
from .named_tuple import TYPE_CHECKING
from .outcome import Outcome
from .placed_reader import PlacedReader
from .report import Capture, CompileSummary, Finding, Run
from .rows import RunRow, json_line, row_of, shifted
from .runs import MAX_RUNS

if TYPE_CHECKING:
    from .fast.layout import Taken
    from .fast.layouts import Layouts
    from .fast.seams import Passing, Seam

    Complete = Callable[[Run, Sequence[Finding], Sequence[CompileSummary]], Run]

FULL_RUNS = 20
"""Runs of a capture that are kept whole: as many as `analyze` prints tables of."""
FIRST_RUNS = 3
"""Runs that are always read line by line: the lines that begin runs must be seen before they are looked for."""
HELD_BYTES = 4 << 20
"""At most so many bytes of a run are held back until its end is seen; a longer run is read line by line."""
PIECE_BYTES = 1 << 15
"""Bytes read at once while every run is kept whole."""
UNKNOWN_BYTES = 1 << 16
"""Bytes read at once where runs begin with a line that is not known yet."""


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
        complete: Complete | None = None,
    ) -> None:
        """`complete` adds to a run what is known from elsewhere, before it is kept or becomes a JSON line.

        It is given the run, its findings and the summaries of the compiles before it, whose lines are left out.
        """
        self.source = source
        self.full_runs = full_runs
        self.jsonl = jsonl
        self.run_count = 0
        """Number of finished runs."""
        self._complete = complete
        self._compile_events = 0
        self._summaries: tuple[CompileSummary, ...] = ()
        self._input = PlacedReader(source, self._read_lines)
        self._reader = self._input.reader
        self._places = self._input.places
        self._line_feeds = LineFeeds()
        self._rows: list[RunRow] = []
        self._json: list[str] = []
        self._kept: list[Run] = []
        self._findings: list[Finding] = []
        self._open = OpenRun()
        self._newest: list[Line] = []
        """The last line before this block, because a run may turn out to begin there."""
        self._ended: Capture | None = None
        self._layouts: Layouts | None = None
        self._first_lines: list[bytes] = []
        self._held = HeldBytes()
        """Bytes not read yet; they begin with the first line of a run."""
        self._between = False
        """True where no run is open and the next byte begins one."""

    def look_at(self, head: bytes) -> None:
        """As `CaptureReader.look_at`."""
        self._reader.look_at(head)
        self._line_feeds = LineFeeds(head)

    def feed(self, block: bytes) -> None:
        """Take the next bytes of the capture."""
        block = self._line_feeds.of(block)
        at = 0
        while at < len(block) and self.run_count < max(self.full_runs, FIRST_RUNS):
            dumped = self._reader.elements("", 0)
            size = PIECE_BYTES if dumped is None or dumped.count < PIECE_BYTES // 16 else len(block)
            self._input.read(block[at : at + size])
            at += size
        if at >= len(block):
            return
        block = block[at:]
        if self._layouts is None:
            from .fast.layouts import Layouts  # only here: most captures hold few runs

            completed = self._completed if self._complete is not None else None
            self._layouts = Layouts(self.source, jsonl=self.jsonl, complete=completed)
            for raw in self._first_lines:
                self._layouts.note_start(raw)
        if self._held:
            joint = self._held.end + block[:END_BYTES]
            self._held.hold(block)
            may_start = self._layouts.may_start
            if self._held.size_bytes <= HELD_BYTES and not may_start(block) and not may_start(joint):
                return
            block = self._held.let_go()
        self._scan(block, self._layouts)

    @property
    def seam(self) -> Seam | None:
        """The place between two runs that was reached, if everything before it is over; else None."""
        found = self._reader.carried if self._between and self.run_count >= self.full_runs else None
        if found is None:
            return None
        from .fast.seams import Seam  # few captures are read in parts

        return Seam(self._places.reached, self._places.line, *found)

    def last_start(self, data: bytes) -> int:
        """Byte in `data` at which the last line stands that begins a run; -1 where none does."""
        return self._layouts.last_start(data) if self._layouts is not None else -1

    def skip(self, passed: Passing) -> None:
        """Let another process read what was passed over from a seam on; go on with `passed.rest`."""
        self._held.let_go()
        self._input.pass_over(passed.bytes, passed.lines, 0, runs=0)

    def join(self, here: Seam, there: Seam) -> bool:
        """Continue from what the other process has reached at `there`; False if it does not fit what was read since."""
        self._reader.add((there.amounts - here.amounts)._replace(last_done=there.amounts.last_done))
        self.run_count += there.amounts.runs - here.amounts.runs
        return not self._reader.rows_joined and self.run_count < MAX_RUNS

    def _scan(self, data: bytes, layouts: Layouts) -> None:
        """Read runs by their layouts as far as possible, and everything else line by line."""
        layouts.open(data)
        at, unit, unit_line = 0, -1, 0
        while at < len(data):
            if self._between:
                at = self._read_by_layouts(data, at, layouts)
                if at == len(data):
                    return
                begin, unit = at, -1
            else:
                begin = layouts.next_start(data, at)
                if begin < 0:
                    at = self._read_to_new_start(data, at, layouts)
                    unit = -1
                    continue
            if len(data) - begin <= HELD_BYTES and layouts.next_start(data, begin + 1) < 0:
                self._input.read(data[at:begin])
                self._held.hold(data[begin:])
                return
            between, self._between = self._between, False
            self._input.read(data[at:begin])
            at = data.find(b"\n", begin) + 1
            self._input.read(data[begin:at])
            begun = self._reader.begun
            if begun is None:
                extent = self._reader.extent
                if extent is None or extent[0] != unit_line:
                    unit = -1  # else the run's first line came twice, and belongs to it
                at = self._repeat(data, begin, at)
                continue
            if unit >= 0 and self._rows and self._rows[-1].first_line == unit_line:  # else it was no run after all
                cut = self._rows[-1].status == "truncated"
                layouts.learn(data[unit:begin], self._places.reached - at + unit, self.run_count, truncated=cut)
            if not between:
                layouts.left = self._reader.left
                taken = layouts.take(data, begin, self.run_count + 1, begun, self._places.reached - at)
                if taken is not None:
                    self._reader.drop_begun(layouts.left)
                    self._pass(taken, taken.end - at, taken.lines - 1)
                    at, unit, self._between = taken.end, -1, True
                    continue
            unit, unit_line = begin, begun

    def _read_to_new_start(self, data: bytes, at: int, layouts: Layouts) -> int:
        """Read line by line until the first line of the coming runs is known; return how far that was."""
        known = layouts.start_count
        while at < len(data) and layouts.start_count == known:
            dumped = self._reader.elements("", 0)
            end = at + UNKNOWN_BYTES if dumped is None else len(data)
            self._input.read(data[at:end])
            at = min(end, len(data))
        return at

    def _repeat(self, data: bytes, begin: int, at: int) -> int:
        """Skip the repetitions of a boot loop: the line at `begin`, whose run is open, comes again from `at` on."""
        raw = data[begin:at]
        if self.jsonl or len(self._rows) < 2 or not data.startswith(raw, at) or not self._reader.looping:
            return at
        first, last = self._rows[-2:]
        if last != shifted(first, 1, len(raw)) or last.end_byte != self._places.reached - len(raw):
            return at
        times = 1
        while data.startswith(raw, at + times * len(raw)):
            times += 1
        self._rows += [shifted(last, step, len(raw)) for step in range(1, times + 1)]
        self.run_count += times
        self._input.pass_repetitions(times, len(raw))
        return at + (times - 1) * len(raw)

    def _read_by_layouts(self, data: bytes, at: int, layouts: Layouts) -> int:
        offset, rows, take = self._places.reached - at, self._rows, layouts.take
        first, line, index, recognised, passed = at, self._places.line, self.run_count, 0, 0
        while (taken := take(data, at, index + 1, line, offset)) is not None:
            row, at, more, counted, text = taken
            index += 1
            line += more
            recognised += counted
            rows.append(row)
            if text is not None:
                self._json.append(text)
            passed += 1
        if passed:
            self._input.pass_over(at - first, line - self._places.line, recognised, passed, layouts.left)
            self.run_count = index
        return at

    def _pass(self, taken: Taken, size_bytes: int, lines: int) -> None:
        self._rows.append(taken.row)
        if taken.json is not None:
            self._json.append(taken.json)
        self.run_count += 1
        self._input.pass_over(size_bytes, lines, taken.recognised - 1)

    def _read_lines(self, lines: list[Line]) -> None:
        """Take what was just read line by line."""
        if self._complete is not None and self._compile_events != self._reader.compile_events:
            self._compiled()
        self._hand_over(self._newest + lines, *self._reader.take())
        self._newest = lines[-1:] or self._newest

    def _completed(self, run: Run, findings: Sequence[Finding]) -> Run:
        """For runs that are read by layouts, which stand after everything that is known."""
        assert self._complete is not None
        return self._complete(run, findings, self._summaries)

    def _compiled(self) -> None:
        self._compile_events = self._reader.compile_events
        self._summaries = placeless(self._reader.summaries, sys.maxsize)
        if self._layouts is not None and self.jsonl:
            self._layouts.forget()

    def finish(self, outcome: Outcome | None = None) -> None:
        """End the input; `outcome` is how the host saw a live run end."""
        self._input.read(self._held.let_go() + self._line_feeds.of(b"", True))
        lines = self._input.end()
        self._hand_over(lines, *self._reader.take())
        capture = self._reader.finish(outcome, self._kept, self._findings)
        last = {run.index for run in capture.runs}
        self._hand_over(lines, capture.runs, [f for f in capture.findings if f.run in last])
        kept = {None, *(run.index for run in self._kept)}
        findings = tuple(f for f in capture.findings if f.run in kept)
        self._ended = capture._replace(runs=tuple(self._kept), findings=findings)

    def rows(self) -> list[RunRow]:
        """The rows of runs that finished since the last call."""
        rows, self._rows = self._rows, []
        return rows

    @property
    def summaries(self) -> tuple[CompileSummary, ...]:
        """Summaries of the compiles read so far."""
        return self._reader.summaries

    def json_lines(self) -> list[str]:
        """With `jsonl`: the Run objects that finished since the last call, each as one JSON text."""
        lines, self._json = self._json, []
        return lines

    def capture(self) -> Capture:
        """Size, compile summaries, and the first runs with their findings; `run_count` is the number of all runs."""
        if self._ended is not None:
            return self._ended
        return self._reader.snapshot()._replace(runs=tuple(self._kept), findings=tuple(self._findings))

    def _hand_over(self, lines: list[Line], runs: Iterable[Run], findings: Iterable[Finding]) -> None:
        """Make rows of finished runs, and record where the unfinished one stands; `lines` are those of this block."""
        said: dict[int | None, list[Finding]] = {}
        for finding in findings:
            said.setdefault(finding.run, []).append(finding)
        for run in runs:
            self._locate(run.first_line, run.last_line, lines, run.last_line)
            self._finished(run, said.get(run.index, []))
            self._open.over()
        for waiting in self._reader.waiting:
            self._locate(*waiting, lines)
        extent = self._reader.extent
        if extent is not None:
            self._locate(*extent, lines)

    def _locate(self, first: int, last: int, lines: list[Line], most: int = sys.maxsize) -> None:
        """Record that a run stands in these lines so far, and which line begins runs."""
        raw = self._open.locate(first, last, lines, self._places, most)
        if raw is not None and self._layouts is not None:
            self._layouts.note_start(raw)
        elif raw is not None and len(self._first_lines) < FULL_RUNS:
            self._first_lines.append(raw)

    def _finished(self, run: Run, findings: list[Finding]) -> None:
        self.run_count += 1
        begun, over, at = self._open.start_byte, self._open.end_byte, self._open.at
        self._rows.append(row_of(self.source, run, findings, start_byte=begun, end_byte=over, at=at))
        keep = len(self._kept) < self.full_runs
        if self._complete is not None and (keep or self.jsonl):
            run = self._complete(run, findings, placeless(self._reader.summaries, run.first_line))
        if self.jsonl:
            self._json.append(json_line(self.source, run, findings))
        if keep:
            self._kept.append(run)
            self._findings += findings
