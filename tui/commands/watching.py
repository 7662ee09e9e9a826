"""A run on the command line while it happens, and what is said when it is over: for `run` and for `runs attach`."""

from __future__ import annotations

import sys

from ...analysis import Capture, Line, Report
from ...analysis.rules.port import BOOT_LOOP
from ...analysis.units import format_seconds
from ...runners.job import Exit, Progress, Started
from ...runners.keeping.viewer import Viewer
from ...runners.runs.folder import RunFolder
from ...runners.runs.going import usual
from ...runners.runs.index import listed
from ...runners.runs.likeness import likeness
from ...runners.session import ENDED_WELL, Session, Unfinished
from ...runners.shell_words import command_line
from .captured import print_capture
from .on_target import say_notes, with_place
from .output import print_json
from .patience import drop
from .saying import say

_WORTH_TELLING_SECONDS = 1.0
PASSED, UNREADABLE, MISSING, FAILED, TIMED_OUT, INTERRUPTED = 0, 3, 4, 5, 124, 130


def watch(session: Session | Viewer, *, quiet: bool, to_the_end: bool = False) -> Exit | None:
    """Show the console as it comes; how the run ended, None where we left it going on.

    With `to_the_end` a reader that leaves early (`2>&1 | head`) does not end the watch: the exit code tells of the run.
    """
    end: Exit | None = None if session.lasting else Exit(None, "lost", 0.0)
    say_notes(session.folder)
    if session.folder is not None and session.lasting:
        _tell_expected(session.folder)
    shown = stage = ""
    for event in session.events():
        if isinstance(event, (Line, Unfinished)):
            if not quiet:
                try:
                    shown = _show(event, shown)
                except BrokenPipeError:
                    if not to_the_end:
                        raise
                    drop(sys.stderr)
                    quiet, shown = True, ""
        elif isinstance(event, Started) and event.argv:
            say(f"ethosu-tui: {command_line(event.argv)}", whole=True)
        elif isinstance(event, Progress):
            if shown:
                print(file=sys.stderr)
                shown = ""
            if event.stage != stage:
                say(f"ethosu-tui: {event.stage}")
            stage = event.stage
        elif isinstance(event, Exit):
            end = event
    return end


def _show(said: Line | Unfinished, shown: str) -> str:
    """Print a line, or the part of it that is there: the text that now stands on the terminal without a line end.

    `shown` is that of the call before.
    """
    if shown and not said.text.startswith(shown):
        print(file=sys.stderr)
        shown = ""
    ending = "\n" if isinstance(said, Line) else ""
    print(said.text[len(shown) :], end=ending, file=sys.stderr, flush=not ending)
    return "" if ending else said.text


def _tell_expected(folder: RunFolder) -> None:
    if folder.state not in ("queued", "running"):
        return
    before = usual(listed(folder.path.parent), likeness("run", folder.manifest, None).files)
    if before is not None and before.seconds >= _WORTH_TELLING_SECONDS:
        many = f"the median of {before.runs} runs" if before.runs > 1 else "as the last run"
        say(f"ethosu-tui: expected to take {format_seconds(before.seconds)} ({many} of the same files)")


def conclude(session: Session | Viewer, end: Exit | None, *, as_json: bool) -> int:
    """Print the figures and say how it ended; the exit code says it too."""
    if end is None:
        assert session.folder is not None
        name = session.folder.id
        say(
            f"ethosu-tui: {name} continues; `ethosu-tui runs attach {name}` shows it, `ethosu-tui runs stop {name}` ends it"
        )
        return INTERRUPTED
    capture = with_place(session.capture, session.folder)
    try:
        _print(capture, session.source if session.folder is not None else None, as_json)
    except BrokenPipeError:  # whoever reads has seen enough; how the run ended is said by the exit code
        drop(sys.stdout)
    status = session.status
    recognised = bool(capture.runs or capture.compile)
    gone = session.folder is not None and session.folder.state == "lost"
    say(_verdict(session, end, "lost" if gone else status, recognised))
    return FAILED if gone else exit_code(status, end.reason, recognised=recognised, replay=not session.lasting)


def _print(capture: Capture, log: str | None, as_json: bool) -> None:
    if as_json:
        print_json(Report((capture,)).to_dict())
    else:
        print_capture(capture, log)
    sys.stdout.flush()


def exit_code(status: str | None, reason: str, *, recognised: bool, replay: bool) -> int:
    """The exit code of the public interface for how a run ended: what its runner said first, then how it was ended."""
    if reason == "stopped":
        return INTERRUPTED
    if status in ENDED_WELL:
        return PASSED
    if status == "timeout" or reason == "timeout" or (status != "failed" and reason == "silence"):
        return TIMED_OUT
    if replay and not recognised:
        return UNREADABLE
    return MISSING if status == "not_started" and reason != "lost" else FAILED


def _verdict(session: Session | Viewer, end: Exit, status: str | None, recognised: bool) -> str:
    how = (status or end.reason).replace("_", " ")
    if not (recognised or session.lasting) and end.reason == "ended":
        how = "nothing recognised"
    elif end.reason == "lost" and session.lasting and status not in ("passed", "failed"):
        how = "lost"
    loop = next((finding for finding in session.capture.findings if finding.rule == BOOT_LOOP), None)
    told = [loop.title] if loop is not None and status not in ENDED_WELL else []
    if told:
        how = f"boot loop, {how}"
    if end.text not in ("", how) and status not in ENDED_WELL:
        told.append(end.text)
    why = f" ({'; '.join(told)})" if told else ""
    where = f"; kept as run {session.folder.id}" if session.folder is not None else ""
    return f"ethosu-tui: {how}{why} after {end.seconds:.1f} s{where}"
