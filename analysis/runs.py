"""Divides the lines of a capture into runs.

A run begins at the first line that a runner prints after the previous run is over, or at a line that only a run's start
prints. The banner of a simulator before it belongs to it. A launch without a runner's line is a run that never started.
"""

from __future__ import annotations

from .collect.collect import collect, collect_shifted, hinted, lasting
from .collect.etdump import continue_etdump, is_cut_block
from .collect.tensors import VALUES_ALONE, bare_value, continue_tensor
from .dividing.believed import Reasons, complains, is_error, through
from .dividing.boundaries import (
    BEFORE_BOOT,
    CLOSING,
    HINTS,
    LAUNCH,
    NOT_RUNNER,
    ONLY_INSIDE,
    OPENERS,
    PREPARATIONS,
    TRAILERS,
)
from .dividing.decisions import (
    SEARCHES,
    found_again,
    idle,
    listens,
    may_follow,
    measures_again,
    of_other_tools,
    quoted,
    registers_anew,
    restarts,
    running,
    slower_console,
    unreached,
)
from .dividing.doubled_lines import DoubledLines
from .dividing.excerpts import begins_again
from .dividing.interleaved import Parked, Torn, precise
from .dividing.left_off import left_by, place_of
from .dividing.two_targets import note_once, note_preparation, of_the_other
from .draft import RunDraft
from .findings import run_findings
from .freeze import Frozen, freeze
from .host.launches import JUDGED, around, judge, note_text
from .line import SEVERE
from .line_forms.other_languages import in_english
from .line_forms.wrapped import rows_below
from .lines import Line
from .outcome import CaptureEnd, Outcome
from .patterns import COMPILE_EVENTS, HOST_EVENTS, TABLE, Event
from .release.places import checks, marked_by_brackets, note_garbage, note_place, note_severe, of_backend, of_target
from .report import Finding, Run
from .trust.overlong import with_other_numbers

MAX_RUNS = 1_000_000
_OF_OTHERS = COMPILE_EVENTS | HOST_EVENTS


class RunBuilder:
    """Takes lines and keeps the runs found so far."""

    def __init__(self) -> None:
        self._done: list[Run] = []
        self._findings: list[Finding] = []
        self.count = 0
        """Number of finished runs, those handed over by `take()` included."""
        self._open: RunDraft | None = None
        self.hints: dict[str, tuple[object, int]] = {}
        """What scripts announced for the next run: field path to value and line."""
        self._last: Frozen | None = None
        """The open run as `runs()` gave it last."""
        self._last_text = ""
        self._doubled = DoubledLines(self.feed)
        self._first_row = 0
        """Number of the newest line that is not the rest of one above it."""
        self.parked, self._torn = Parked(), Torn()
        self._reasons = Reasons()
        self.match = TABLE.match
        """Finds the event of a message. The scanner replaces it by one whose figures it can trace."""
        self.recognised = self.left = 0
        """Recognised lines so far; `left`: how far the last finished run came in its report (see `dividing/left_off.py`)."""

    @property
    def draft(self) -> RunDraft | None:
        """The run that is being read; None where none is open."""
        return self._open

    def feed(self, line: Line) -> Event | None:
        """Take one line; return the event that it means, or None."""
        in_block = self._open is not None and self._open.etdump.open
        silent = not line.text and not (line.eot or self._torn.waiting or in_block)
        if silent or self._doubled.is_copy(line, self._open):
            return None
        if not rows_below(line):
            self._first_row = line.number
        else:
            self._last_text = ""  # its first row
            if self._open is not None:
                self._open.forget(self._first_row)
        event = self.match(line.message, line.number) if line.message else None
        event = self._reasons.told(event, line)
        if event is not None and line.data and "data" in event.values:
            event = event._replace(values={**event.values, "data": line.data})
        if line.partial or self._torn.waiting:
            event, line = self._torn.taken(event, line, self._open, self.match)
        if event is not None and event.kind in JUDGED:
            beside = around(event, line, self._open, self._last_text, self.parked.source)
            event = None if line.level else judge(event, in_english(line.message), beside)
        if self._open is not None and self._open.last_event in SEARCHES and found_again(self._open, event, line):
            return None
        if line.stream != self.parked.source:
            self._open = self.parked.turn(line.stream, event, self._open)
            self._end(self.parked.overflow())
        if self.parked.drafts:
            over, self._open = self.parked.resumed(self._open, event, line)
            self._end(over)
        if event is None or (event.kind == "etdump_cut" and not is_cut_block(self._open, str(event.values["data"]))):
            self._last_text = (line.text if line.partial else line.message)[:255] or self._last_text
            if not self._shifted(line):
                self._plain(line)
            return None
        self.recognised += 1
        if event.kind in _OF_OTHERS:
            return event
        self._take(event, line)
        self._last_text = "" if self._open is not None and self._open.started else self._last_text
        if event.kind == "assert_failed":
            inner = self.match(str(event.values.get("text") or ""), line.number)
            if inner is not None and self._open is not None:
                self._take(inner, line)
        return event

    def _shifted(self, line: Line) -> bool:
        """Take a line whose numbers are lost or cannot be: what it says counts, no figure of it does."""
        text, impossible = with_other_numbers(line.message)
        event = TABLE.match(text, line.number) if text is not None else None
        if event is None or event.kind in _OF_OTHERS or event.kind in JUDGED:
            return False  # what the host prints has its numbers
        draft = self._draft_for(event, line)
        if draft is not None:
            self.recognised += 1
            self._belongs(draft, line)
            draft.of_row, draft.started = False, draft.started or event.kind not in NOT_RUNNER
            collect_shifted(
                draft, event.kind, line.number, line.level, line.message, dict.fromkeys(event.values), impossible
            )
        return True

    def _plain(self, line: Line) -> None:
        if self._open is not None and registers_anew(self._open, line):
            self._close()
        draft = self._open
        if draft is not None and draft.etdump.open and continue_etdump(draft, line):
            draft.last_line = line.number
            return
        if draft is not None and draft.open_tensor and continue_tensor(draft, line.number, line.message):
            return
        if not line.level and (line.file is None or not checks(line)):
            if draft is not None:
                note_text(draft, line.number, line.message, line.partial)
                if not draft.closed and complains(draft, line):  # the NPU driver has no level
                    draft.note("message", line.number, line.message, "E")
                    draft.last_line = line.number
            if line.eot and draft is not None and draft.completed:
                draft.last_line = draft.seen["eot"] = line.number
            return
        severe = not line.level or line.level in SEVERE
        if draft is None or (draft.closed and line.message):
            told = line.message and (severe or (draft is None and of_target(line)))
            if not told or (marked_by_brackets(line) and not is_error(line.message)):
                return
            draft = self._begin(line.number)
        self.recognised += 1
        self._belongs(draft, line, of_next=through(draft) and bool(line.message) and not severe)
        if of_backend(line):
            draft.reach("plan")
        note_garbage(draft, line)
        if line.file in VALUES_ALONE and draft.last_event in ("executed", "bare_value"):
            bare_value(draft, line.number, line.message)
        if severe and line.message:
            note_severe(draft, line)

    def _belongs(self, draft: RunDraft, line: Line, *, of_next: bool = False) -> None:
        if line.number >= draft.last_line:
            draft.last_line, draft.newest = line.number, line
        draft.interrupt(line)
        if line.file is not None and not of_next:
            draft.started = True
            if (line.file, line.source_line) not in draft.places or len(line.message) > len(line.text):
                note_place(draft, line)
        if line.eot:
            draft.seen["eot"] = line.number

    def _take(self, event: Event, line: Line) -> None:
        kind, values, number = event.kind, event.values, line.number
        if kind in HINTS:
            self.hints = hinted(self.hints, event, self._open)
            return
        draft = self._open
        if kind == "board_reached":
            self._open = None if unreached(draft) else draft
            return
        opens = kind in OPENERS
        stamped = precise(line.text) if opens or line.level == "F" else None
        whole = draft is not None and draft.seen.get(kind, 0) >= self._first_row < number
        goes_on = whole or (opens and draft is not None and not draft.closed and line.level in SEVERE)
        if not goes_on and (draft is None or stamped is None or draft.openers.get(kind) != stamped):
            draft = self._draft_for(event, line)  # else the same line at the same millisecond: a piece that came twice
        if draft is None:
            return
        if stamped is not None:
            draft.openers[kind] = stamped
        self._belongs(draft, line)
        draft.of_row, draft.started = whole, draft.started or kind not in NOT_RUNNER
        if note_once(draft, event, whole):
            return
        values = {**values, "file": line.file} if kind == "assert_failed" else values
        collect(draft, kind, number, line.level, line.message, values)
        if line.level == "F" and kind != "assert_failed" and not draft.failed:
            draft.fail("message", number, line.message, "F")
        draft.failed |= kind == "assert_failed"
        draft.closed |= kind in CLOSING or (kind == "time_limit" and draft.started)

    def _draft_for(self, event: Event, line: Line) -> RunDraft | None:
        draft, kind = self._open, event.kind
        if kind == "zephyr_boot":
            if slower_console(draft):
                return draft
            if draft is not None and draft.started and not draft.seen.keys() <= BEFORE_BOOT:
                self._close()
            fresh = self._open or self._begin(event.line)
            fresh.figures["runner.os"] = "zephyr"  # no field of the report, so it has no line there
            return fresh
        if draft is not None and not draft.started and idle(draft) and (kind in LAUNCH or kind in ONLY_INSIDE):
            return self._begin(event.line) if kind in LAUNCH else None
        if draft is None or of_other_tools(draft, event):
            return None if draft is not None or kind in ONLY_INSIDE else self._begin(event.line)
        if of_the_other(draft, event):
            return draft
        if beside := kind == "launch_failed" and running(draft):
            self.parked.set_aside(draft)
            self._open = None
        if beside or restarts(draft, event) or (kind in LAUNCH and draft.started) or begins_again(draft, event, line):
            return self._begin(event.line)
        if kind in TRAILERS or not draft.started:
            return draft
        if kind in PREPARATIONS and draft.stage in ("execute", "report"):
            note_preparation(draft, event.line)
            return draft if of_the_other(draft, event) else self._begin(event.line)
        if (draft.closed and event.line != draft.last_line) or (draft.completed and not may_follow(draft, event)):
            draft.closed |= measures_again(draft, event)  # the scores below are not this run's
            return None if kind in ONLY_INSIDE else self._begin(event.line)
        return draft

    def _begin(self, line: int) -> RunDraft:
        announced = self.hints != lasting(self.hints)
        if not (announced and quoted(self._open)):  # the command of the run comes before its log
            self._close()
        self._open, self.left = RunDraft(line, self.left), 0
        for path, (value, at) in self.hints.items():
            self._open.set(path, value, at)
        self.hints = lasting(self.hints)
        return self._open

    def expect_launch(self, last_line: int) -> None:
        """Record that the host launched a target: without a line of a runner, that is a run which never started."""
        if self.count or (self._open is not None and not idle(self._open)):
            return
        self._begin(1).only_launched(last_line, self._last_text)

    def _close(self) -> None:
        draft, self._open = self._open, None
        if draft is not None:
            self._end(self.parked.left_aside())
        self._end(draft)

    def _end(self, draft: RunDraft | None, last: bool = False) -> None:
        if draft is not None and self.count < MAX_RUNS and not idle(draft):
            self.count += 1
            draft.etdump.open = None
            run, evidence, _ = freeze(draft, self.count, CaptureEnd(last))
            self._done.append(run)
            self.left = left_by(place_of(draft), run.status)
            self._findings += run_findings(run, evidence)

    @property
    def alone(self) -> bool:
        """True where nothing waits beside the open run: no run of another source and no torn line."""
        return not (self._torn.waiting or self.parked.source or self.parked.drafts)

    @property
    def unmoved(self) -> bool:
        """True where a line without a meaning changes nothing: nothing waits, and the open run does not go on in it."""
        return not (self._torn.waiting or self.parked.drafts or listens(self._open))

    @property
    def undisturbed(self) -> bool:
        """True where only the open run is unfinished: nothing waits beside it, nothing announced the next run."""
        return self.alone and self.hints == lasting(self.hints)

    @property
    def extent(self) -> tuple[int, int] | None:
        """First and last line of the open run so far, without a line that may turn out to begin another run."""
        draft = self._open
        return (draft.first_line, draft.last_line - self._doubled.undecided) if draft is not None else None

    @property
    def looping(self) -> bool:
        """True in a boot loop: the newest line began a run, as at least two equal lines just before it did."""
        return self._doubled.looping(self._open)

    def repeated(self, times: int) -> None:
        """Count the newest line of a boot loop `times` times more; the scanner has skipped those lines."""
        self._open, self.left = None, self._open.overlap.left if self._open is not None else 0
        self.count += times
        self.recognised += times - 1
        self._doubled.passed_over(times - 1)

    def drop_open(self) -> None:
        """Forget the run that has just begun, because the scanner reads it itself."""
        self._open = None

    def pass_over(self, recognised: int, runs: int) -> None:
        """Count runs, and the recognised lines in them, that the scanner has read itself."""
        self.count += runs
        self.recognised += recognised

    def take(self) -> tuple[list[Run], list[Finding]]:
        """Hand over the finished runs and their findings; they are not kept here."""
        taken, self._done, self._findings = (self._done, self._findings), [], []
        return taken

    def runs(self, *, live: bool, cut: bool = False, outcome: Outcome | None = None) -> tuple[Run, ...]:
        """All runs so far; `cut` says that the capture ends in the middle of a line."""
        if not live:
            for draft in self.parked.all_aside():
                self._end(draft)
            for draft in self.parked.all():
                self._end(draft, last=True)
        unfinished = list(self.parked.drafts.values())
        frozen = [freeze(draft, number) for number, draft in enumerate(unfinished, self.count + 2)]
        self._last = None
        if self._open is not None and not idle(self._open):
            unfinished.append(self._open)
            self._last = freeze(self._open, self.count + 1, CaptureEnd(not live, cut, self._last_text, outcome))
            frozen.append(self._last)
        for draft, (_, _, completed) in zip(unfinished, frozen, strict=True):
            draft.seems_complete = completed
        return (*self._done, *(run for run, _, _ in frozen))

    def findings(self, outcome: Outcome | None = None) -> list[Finding]:
        """The findings of all runs that `runs()` gave last, without those of other sources that go on."""
        if self._last is None:
            return list(self._findings)
        return [*self._findings, *run_findings(self._last.run, self._last.evidence, outcome)]
