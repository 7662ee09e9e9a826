"""A job, its run folder and the reader of its output, as one stream of events: what the screens and commands iterate.

Bytes reach the disk before they are parsed.  Parsing can fail, the consumer can walk away, the disk can fill up: the
folder then still holds all bytes and says how it ended.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, runtime_checkable

from ..analysis import Capture, Line, Outcome
from ..analysis.report import Report
from ..analysis.rules.port import BOOT_LOOP
from ..analysis.watching.live_reader import LiveReader
from .job import Chunk, Exit, Job, JobError, Progress, Started
from .reading.kept_dumps import try_to_keep_dumps
from .runs.folder import CAUSE, REPORT, RunFolder, State
from .storage import ConsoleWriter
from .until import Until

SNAPSHOT_SECONDS = 0.1
FINISHED = "finished"
"""The status of a run that ended well and whose output says neither pass nor fail."""
ENDED_WELL = ("passed", FINISHED)


class Snapshot(NamedTuple):
    """The report so far; the last one of a session is the final report, with findings."""

    capture: Capture


class Unfinished(NamedTuple):
    """A line without an end, so far: the target pauses in it, as behind a prompt.  The whole line may come later."""

    text: str


SessionEvent = Started | Line | Unfinished | Progress | Snapshot | Exit


@runtime_checkable
class EndsAtMarker(Protocol):
    """A job that can be told when the output holds the end marker of what it runs."""

    ended: Callable[[], bool]


class Session:
    """One run; `events()` can be iterated once."""

    lasting = False
    """Whether it goes on without us; `keeping.viewer.Viewer` is a session that does."""

    def __init__(
        self, job: Job, folder: RunFolder | None, source: str, until: tuple[str, ...] = (), kind: str = ""
    ) -> None:
        """`until` are texts that end the run, beside the runner's own end markers; `kind` is that of the place."""
        self.job = job
        self.folder = folder
        self.source = source
        self.label = job.label
        self.status: str | None = None
        """How it ended, see `overall_status`; None before that, and for one that was stopped before anything was known."""
        self._kind = kind
        self._reader = LiveReader(source)
        self._until = Until(until)
        self.capture: Capture = self._reader.snapshot()
        """The newest report."""

        self._console: ConsoleWriter | None = None
        """Open already, for who waits for a slot."""
        self.log_limit_bytes: int | None = None
        """Bytes of console at which the run is ended."""
        self.job_started: Callable[[], None] = lambda: None
        """Called as soon as the job runs."""
        self.job_ended: Callable[[], None] = lambda: None
        """Called when the target is free again, before the report is made."""

    def get_ready(self) -> None:
        """Do before the start what can be done then; to be followed by `events` or `close`."""
        if self.folder is not None and self._console is None:
            # on a busy disk this takes longer than starting a process
            self._console = self.folder.console(self.log_limit_bytes)
        getattr(self.job, "get_ready", lambda: None)()

    def close(self) -> None:
        """Give back what `get_ready` took, where the run did not begin; harmless after it."""
        console, self._console = self._console, None
        if console is not None:
            console.discard()

    def stop(self) -> None:
        """End the run, from any thread."""
        self.job.stop()

    def leave(self) -> None:
        """Nobody looks any more: what is not carried out by a keeper ends."""
        self.stop()

    def events(self) -> Iterator[SessionEvent]:
        """Yield the job's events, its output as lines, a snapshot at most every 0.1 s, the final one, and `Exit`."""
        reader, job, folder, until = self._reader, self.job, self.folder, self._until
        if isinstance(job, EndsAtMarker):
            job.ended = lambda: reader.ended or said_to_end
        finished, prompt, said_to_end = False, "", False
        with contextlib.ExitStack() as stack:
            try:
                console, self._console = self._console, None
                if folder is not None:
                    console = stack.enter_context(console or folder.console(self.log_limit_bytes))
                events = job.run()
                stack.callback(getattr(events, "close", lambda: None))
                shown, pending = 0.0, False
                for event in events:
                    if isinstance(event, Chunk):
                        if console is not None:
                            console.write(event.data, event.at)
                        said_to_end = said_to_end or until.feed(event.data) is not None
                        lines = reader.feed(event.data, event.at)
                        yield from lines
                        pending = pending or bool(lines)
                        if lines:
                            prompt = ""
                        if not event.data and (text := reader.unfinished) != prompt:
                            prompt = text
                            yield Unfinished(text)
                        now = time.monotonic()
                        if pending and now - shown >= SNAPSHOT_SECONDS:
                            shown, pending = now, False
                            self.capture = reader.snapshot()
                            yield Snapshot(self.capture)
                    elif isinstance(event, Exit):
                        self.job_ended()
                        yield from reader.flush()
                        finished = True
                        self._finish(event)
                        yield Snapshot(self.capture)
                        yield event
                    else:
                        if isinstance(event, Started):
                            self.job_started()
                        if isinstance(event, Started) and folder is not None:
                            folder.update(argv=list(event.argv), cwd=event.cwd, child_pid=event.pid)
                        yield event
            except BaseException as error:
                stack.close()
                if not finished:
                    self._abandon(error)
                raise

    def _finish(self, end: Exit) -> None:
        failure: dict[str, Any] = {}
        outcome = Outcome(end.reason, end.code, end.text, self._kind)
        try:
            self.capture = self._reader.finish(outcome)
            self.status = overall_status(self.capture, outcome)
            if self.folder is not None:
                self.folder.write_json(REPORT, Report((self.capture,)).to_dict())
                if any(run.etdump is not None for run in self.capture.runs):
                    try_to_keep_dumps(self.folder.console_path)
        except JobError as error:
            failure = failure_facts(error)
            raise
        finally:
            if self.folder is not None:
                state: State = "stopped" if end.reason == "stopped" else "finished"
                facts = {
                    "exit_code": end.code,
                    "reason": end.reason,
                    "text": end.text,
                    "seconds": round(end.seconds, 6),
                    **cause_of(self.capture),
                }
                self.folder.finish(self.status, state=state, **facts, **failure)

    def _abandon(self, error: BaseException) -> None:
        """Leave the folder truthful although the run is not seen to its end."""
        text = error.message if isinstance(error, JobError) else type(error).__name__
        reason = "lost" if isinstance(error, Exception) else "stopped"
        outcome = Outcome(reason, None, text, self._kind)
        try:
            self.capture = self._reader.finish(outcome)
            self.status = overall_status(self.capture, outcome)
        finally:
            if self.folder is not None:
                # `error` is the one to report; on a full disk these writes may fail for the same reason.
                failure = failure_facts(error) if isinstance(error, JobError) else {}
                with contextlib.suppress(JobError):
                    facts = {"exit_code": None, "reason": reason, "text": text}
                    self.folder.finish(self.status, state="stopped", **facts, **failure)
                with contextlib.suppress(JobError):
                    self.folder.write_json(REPORT, Report((self.capture,)).to_dict())


_ENDED_BY_HOST = {"timeout": "timeout", "silence": "hung"}


def failure_facts(error: JobError) -> dict[str, Any]:
    """For the manifest: what those who watch the run from elsewhere are told, and in two words what cut it."""
    told = {"message": error.message, "hint": error.hint, "exit_code": error.exit_code}
    return {"failure": told, **({CAUSE: error.cause} if error.cause else {})}


def cause_of(capture: Capture) -> dict[str, Any]:
    """For the manifest: in two words why a run came no further, where its status alone does not say so."""
    return {CAUSE: "boot loop"} if any(finding.rule == BOOT_LOOP for finding in capture.findings) else {}


def overall_status(capture: Capture, outcome: Outcome | None = None) -> str | None:
    """One status for all runs of a capture: the first that did not pass.

    Where it holds none, the end of a program that may be anything counts: `FINISHED` if it ended well, None if it was
    stopped before anything was known.
    """
    if capture.runs:
        first = next((run.status for run in capture.runs if run.status != "passed"), "passed")
        ended = capture.runs[-1].status
        by_host = outcome is not None and _ENDED_BY_HOST.get(outcome.reason) == ended
        return ended if first == "truncated" and by_host else first  # as of a target that started again and again
    if outcome is None or not outcome.of_any_program:
        return "not_started"
    return FINISHED if outcome.well else outcome.verdict
