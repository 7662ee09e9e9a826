"""Reads one capture, live or stored: takes bytes, returns clean lines, and gives a `Capture` report at any time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .carriers.beginning import look_ahead, new_splitter
from .carriers.file_headings import MARK, FileHeadings
from .carriers.shown_twice import ShownTwice
from .compiles.vela import SummaryBuilder
from .draft_parts import TensorDraft
from .findings import capture_findings
from .host.heard import tell_host
from .host.host_log import SOURCES, HostLog
from .host.own_report import OwnReport
from .host.prompts import is_prompt, is_typed
from .host.unit_tests import UnitTests
from .last_words import read_whole
from .line_forms.host_prefix import HEAD_BYTES
from .line_forms.wrapped import NARROWEST
from .lines import Line
from .named_tuple import TYPE_CHECKING
from .outcome import Outcome
from .report import Capture, CompileSummary, Finding, Run, Stage
from .runs import RunBuilder
from .text_findings import text_findings

if TYPE_CHECKING:
    from .fast.idle import IdleText
    from .fast.seams import Amounts

SKIM_BYTES = 1 << 14
"""Pieces shorter than this are not worth searching for lines to skip."""


class CaptureReader:
    """Incremental: a stored log is the special case of feeding everything at once.

    Example:
        >>> reader = CaptureReader("softmax.log")
        >>> lines = reader.feed(b"I [executorch:arm_executor_runner.cpp:70] Model buffer loaded, has 1 methods\\n")
        >>> reader.finish().runs[0].model.methods
        1
    """

    def __init__(self, source: str, first_line: int = 1) -> None:
        """`source` names the capture in the report; `first_line` is the number of its first line (not 1 for a part of a
        longer capture).
        """
        self.source = source
        self._begin(first_line)

    def _begin(self, first_line: int) -> None:
        """Set everything to the state before the first byte."""
        self._splitter = new_splitter()
        self._splitter.number = first_line
        self._runs = RunBuilder()
        self._tests = UnitTests()
        self._shown = ShownTwice()
        self._headings = FileHeadings()
        self._compiles = SummaryBuilder()
        self._own_report = OwnReport()
        self._host = HostLog()
        self._cut = False
        self._idle: IdleText | None = None
        self._number = self._same_number = 0
        """The newest line that meant something, and how many of those had the number of the one before."""

    def look_at(self, head: bytes) -> None:
        """Learn from the first bytes of a stored log what a tool has put around every line; call it before `feed()`.

        It is optional. A live log has no such beginning, because its lines are read as they come.
        """
        self._runs.parked.boards = look_ahead(self._splitter, head)
        if b"@imx93" in head[:HEAD_BYTES]:
            self._runs.hints["target.prompts"] = (True, 0)  # so each run is read by itself, with what follows it

    @property
    def stage(self) -> Stage:
        """The stage that the newest run has reached; "start" where there is no open run."""
        draft = self._runs.draft
        return draft.stage if draft is not None else "start"

    @property
    def ended(self) -> bool:
        """True once the runner cannot print more: it completed, printed its exit code, met a fault, or the simulation
        stopped.
        """
        draft = self._runs.draft
        return draft is not None and (
            draft.completed or draft.seems_complete or draft.closed or "fault_status" in draft.seen
        )

    @property
    def extent(self) -> tuple[int, int] | None:
        """First and last line (1-based, inclusive) of the open run so far; None where no run is open."""
        return self._runs.extent

    @property
    def waiting(self) -> list[tuple[int, int]]:
        """First and last line of each unfinished run of another source than the one that speaks now."""
        return self._runs.parked.extents

    def take(self) -> tuple[list[Run], list[Finding]]:
        """Hand over the finished runs and their findings; `finish()` then reports only what follows them."""
        return self._runs.take()

    @property
    def begun(self) -> int | None:
        """First line of the open run if the newest line began it and nothing earlier is still open; else None."""
        draft, splitter = self._runs.draft, self._splitter
        if draft is None or splitter.pending or not splitter.plain or self._host.open or not self._runs.undisturbed:
            return None
        if self._runs.looping or self._shown.open:
            return None  # what follows is judged by what came before it
        first = draft.first_line
        return first if first == splitter.number - 1 and all(at == first for at in draft.lines.values()) else None

    @property
    def compile_events(self) -> int:
        """Number of events about compiles so far; while it stays the same, so do the `summaries`."""
        return self._compiles.changes

    @property
    def summaries(self) -> tuple[CompileSummary, ...]:
        """The summaries of the compiles read so far."""
        return self._compiles.summaries()

    @property
    def recognised(self) -> int:
        """Number of lines so far that matched a pattern or belong to a run."""
        return self._runs.recognised

    @property
    def unfinished(self) -> str:
        """The text of a last line that has no line end yet, safe to print."""
        return self._splitter.unfinished

    @property
    def at_line_start(self) -> bool:
        """True where the next byte begins a new line."""
        return not self._splitter.pending

    def elements(self, kind: str, tensor: int) -> TensorDraft | None:
        """The tensor whose elements are being dumped now, or None.

        `kind` is "outputs" or "inputs" and `tensor` its index; an empty `kind` takes whichever tensor is being dumped.
        """
        draft = self._runs.draft
        if draft is None or draft.last_event not in ("output", "input") or not self._splitter.plain:
            return None
        if self._shown.open:
            return None  # each line is kept, to be known when it comes again
        if kind and draft.last_event != kind[:-1]:
            return None
        dumped = draft.outputs if draft.last_event == "output" else draft.inputs
        return dumped.get(tensor if kind else max(dumped, default=0)) if self._runs.alone else None

    @property
    def widest(self) -> int:
        """The width in columns up to which lines without a log prefix are read without looking at their neighbours."""
        return self._splitter.wrapped.widest

    @property
    def left(self) -> int:
        """How far the run before the open one came in its report, if it stopped there (see `dividing/left_off.py`); else 0."""
        return self._runs.draft.overlap.left if self._runs.draft is not None else 0

    def drop_begun(self, left: int) -> None:
        """Forget the run that the newest line began, because the scanner reads it itself.

        `left` is how far the run before it came (see `dividing/left_off.py`). The scanner calls `pass_over()` afterwards.
        """
        self._runs.drop_open()
        self._runs.left = left

    @property
    def carried(self) -> tuple[tuple[object, ...], Amounts] | None:
        """What lasts from one run to the next and may change how later lines are read, and the counts so far.

        None where something is still open, so that the state cannot be compared.
        """
        if self._runs.draft is not None or not self._runs.undisturbed:
            return None
        if self._host.open or self._tests.since or self._shown.open:
            return None
        lasting = self._splitter.carried
        if lasting is None:
            return None
        from .fast.seams import Amounts  # few captures are read in parts

        amounts = Amounts(self._runs.count, self._runs.recognised, self._splitter.undecodable, self._host.last_done)
        return (
            *lasting,
            *self._host.carried,
            self._own_report.left(self._splitter.lines),
            self._compiles.changes,
            self._compiles.in_table,
            self._runs.left,
            *self._runs.hints.items(),
        ), amounts

    @property
    def rows_joined(self) -> bool:
        """True where rows of a narrow terminal may have been joined; whether they were depends on all lines before
        them.
        """
        return self._splitter.wrapped.joined

    def add(self, amounts: Amounts) -> None:
        """Add the counts of a part that another reader has read, which ends where this reader began."""
        self._runs.pass_over(amounts.recognised, amounts.runs)
        self._splitter.undecodable += amounts.undecodable
        self._host.done(amounts.last_done)

    def pass_over(self, size_bytes: int, lines: int, recognised: int, runs: int = 1, left: int | None = None) -> None:
        """Count whole runs that the scanner has read itself; the next line fed is the first line of another run.

        `left` is how far the last of them came in its report (see `dividing/left_off.py`); None leaves it as it is.
        """
        self._splitter.bytes += size_bytes
        self._splitter.number += lines
        self._runs.pass_over(recognised, runs)
        if left is not None:
            self._runs.left = left

    @property
    def looping(self) -> bool:
        """True in a boot loop: the newest line began a run, as at least two equal lines just before it did."""
        splitter = self._splitter
        quiet = splitter.plain and not splitter.pending and not self._host.open and self._runs.undisturbed
        return quiet and self._runs.looping

    def repeated(self, times: int, size_bytes: int) -> None:
        """Count the newest line `times` times more, `size_bytes` each; the caller has skipped all but the last of them."""
        self._splitter.bytes += size_bytes * (times - 1)
        self._splitter.number += times - 1
        self._runs.repeated(times)

    def feed(self, data: bytes, at: float | None = None) -> list[Line]:
        """Take raw bytes and return the lines that they complete; `at` is the time in seconds since the run started."""
        lines = self._splitter.feed(data, at)
        for line in lines:
            self._take(line)
        return lines

    def skim(self, data: bytes) -> list[Line]:
        """Like `feed()`, but skips long stretches of other programs' lines that cannot change the report.

        The skipped lines are counted, not returned.
        """
        if len(data) < SKIM_BYTES:
            return self.feed(data)
        if self._idle is None:
            from .fast.idle import IdleText  # only for long captures

            self._idle = IdleText()
        first = data.find(b"\n") + 1 if self._splitter.pending else 0
        lines = self.feed(data[:first])
        data, at = data[first:], 0
        for begin, end, count, widest in self._idle.stretches(data):
            lines += self.feed(data[at:begin])
            at = begin
            if self._unmoved and (widest <= NARROWEST or not self._splitter.wrapped.may_begin(widest)):
                self.pass_over(end - begin, count, 0, 0)
                at = end
        return lines + self.feed(data[at:])

    @property
    def _unmoved(self) -> bool:
        """True where lines without a meaning change nothing, because nothing that is open continues in them."""
        splitter = self._splitter
        quiet = splitter.plain and not (splitter.pending or splitter.wrapped.waiting)
        return quiet and self._runs.unmoved and not (self._host.open or self._compiles.in_table or self._shown.open)

    def _take(self, line: Line) -> None:
        if self._headings.name or line.message[:4] == MARK:
            line = self._headings.below(line)
            self._splitter.altered |= bool(self._headings.name)
        if (self._shown.open or line.message[:3] == "---") and self._shown.passes_over(line):
            return
        if self._own_report.quotes(line):
            return
        if self._tests.passes_over(line, self._runs.draft) and (not self._host.open or self._host.awaits_row):
            return
        if self._tests.passed:
            self._host.passed(self._tests.passed)
            self._tests.passed = ""
        if self._host.lines and is_typed(line.message):
            self._host.typed(line.number)
        event = self._runs.feed(line)
        if event is not None:
            self._same_number += line.number == self._number and event.kind != "build_step"  # ninja writes over them
            self._number = line.number
            self._compiles.feed(event)
            if not self._own_report.has(event):
                tell_host(
                    self._host, event, line.message, before_runs=self._runs.draft is None and not self._runs.count
                )
        elif self._compiles.in_table and line.message and self._compiles.feed_row(line.message):
            return
        else:
            if line.file is not None and line.file.endswith(SOURCES) and self._runs.draft is None:
                self._host.runtime_said(line.number, line.message)
            if self._host.open:
                self._host.more(line.number, line.message, line.text[:1] == " ")

    def snapshot(self) -> Capture:
        """The report so far, without findings; the reader can be fed more afterwards."""
        return self._capture(live=True, outcome=None)

    def flush(self) -> list[Line]:
        """Treat the input as ended and return its unfinished last line, if there is one."""
        lines = self._splitter.finish()
        for line in lines:
            self._take(line)
            whole = is_prompt(line.message) or is_prompt(line.text)
            self._cut |= line.partial and not (whole or read_whole(self._runs.draft, line, self._runs.match))
        return lines

    def finish(
        self, outcome: Outcome | None = None, earlier: Sequence[Run] = (), said: Sequence[Finding] = ()
    ) -> Capture:
        """End the input and report everything, with findings.

        `outcome` is how the host saw a live run end. `earlier` and `said` are the runs that `take()` handed over and
        their findings; findings about the whole capture depend on them.
        """
        self.flush()
        if outcome is not None and outcome.launched and (outcome.of_any_program or not self._compiles.summaries()):
            self._runs.expect_launch(max(1, self._splitter.lines))
        capture = self._capture(live=False, outcome=outcome)
        findings = self._runs.findings(outcome)
        whole = capture._replace(runs=(*earlier, *capture.runs))
        host: list[Finding] = []
        if self._tests.died:
            self._host.feed("host_error", self._tests.since, self._tests.begun)
        self._host.close(self._splitter.lines)
        if not self._host.is_silent(whole.runs, bool(capture.compile)):
            from .rules.host import host_findings  # only where a build or an installation is in the log

            ended_well, self._host.alone = outcome is not None and outcome.well, self._compiles.alone
            host = host_findings(self._host, whole.runs, capture.compile, ended_well)
        findings = capture_findings(whole, [*said, *findings], host, self._host.notes)
        findings += text_findings(self._splitter, whole, self._same_number, live=outcome is not None)
        if outcome is not None and outcome.well and not (whole.runs or whole.compile):
            from .rules.host_alone import without_verdict

            findings.append(without_verdict(outcome))
        return capture._replace(findings=tuple(findings))

    def _capture(self, *, live: bool, outcome: Outcome | None) -> Capture:
        return Capture(
            source=self.source,
            bytes=self._splitter.bytes,
            lines=self._splitter.lines,
            runs=self._runs.runs(live=live, cut=self._cut, outcome=outcome),
            compile=self._compiles.summaries(),
            recognised=self._runs.recognised,
        )


def read_capture(source: str, data: bytes | Iterable[bytes]) -> Capture:
    """Read a whole capture from its bytes, in one piece or several; `source` is only its name in the report."""
    reader = CaptureReader(source)
    chunks, head = iter((data,) if isinstance(data, bytes) else data), b""
    while len(head) < HEAD_BYTES and (chunk := next(chunks, None)) is not None:
        head += chunk
    reader.look_at(head)
    reader.feed(head)
    for chunk in chunks:
        reader.feed(chunk)
    return reader.finish()
