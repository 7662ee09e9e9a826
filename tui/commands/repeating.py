"""A series of repeats on the command line: each run as it happens, and in the end how much their figures spread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from ...analysis.comparing.repeats import Member, how_ended, member, repeats, repeats_table
from ...analysis.meaning.figure_names import short_name
from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ...runners.job import InputError, JobError
from ...runners.keeping.viewer import GONE, Viewer, stored_failure
from ...runners.runs.folder import RunFolder
from ...runners.runs.series import COMPLETE, END, STOPPED, members, place_of, wait_for_next
from ...runners.session import ENDED_WELL
from .interruption import Interruption
from .narrow import fitting
from .on_target import with_place
from .output import ReportWriter, columns, goes_elsewhere, print_findings, print_tables
from .saying import say
from .watching import FAILED, INTERRUPTED, PASSED, exit_code, watch

if TYPE_CHECKING:
    from ...analysis.report import Capture
    from ...analysis.tables import Table


class _Ended(NamedTuple):
    """A run of the series that is over."""

    folder: RunFolder
    capture: Capture
    facts: Member
    code: int


class _Watch:
    """Follows a series from run to run; signals reach the one that goes on now."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._left = threading.Event()

    def stop(self) -> None:
        self._viewer.stop()

    def leave(self) -> None:
        self._left.set()
        self._viewer.leave()

    def show(self, quiet: bool) -> bool:
        """Whether the series was seen to its end."""
        while True:
            folder = self._viewer.folder
            place = place_of(folder)
            say(f"ethosu-tui: {place.name if place is not None else folder.id}, run {folder.id}")
            try:
                if watch(self._viewer, quiet=quiet) is None:
                    return False
            except InputError:  # the folder was removed: nothing is left to follow
                raise
            except JobError as error:  # what kept this run from its end; others may follow
                say(f"ethosu-tui: {error.message}; {error.hint}")
            following = wait_for_next(folder, self._left)
            if following is None:
                return not self._left.is_set()
            viewer = Viewer(following.path)
            self._viewer = viewer
            if self._left.is_set():
                return False


def repeated(viewer: Viewer, interruption: Interruption, *, quiet: bool, as_json: bool, stopping: bool = True) -> int:
    """Show the series from this run on, then print the spread of all its figures; the exit code is that of the worst run.

    Ctrl-C ends the series, or, where it is not `stopping`, leaves it.
    """
    series = _Watch(viewer)
    interruption.stops(series.stop if stopping else series.leave, series.leave)
    folder = viewer.folder
    if not series.show(quiet):
        name = folder.id
        say(
            f"ethosu-tui: the series continues; `ethosu-tui runs attach {name}` shows it, `ethosu-tui runs stop {name}` ends it"
        )
        return INTERRUPTED
    return _conclude(folder, as_json)


def _conclude(folder: RunFolder, as_json: bool) -> int:
    place = place_of(folder)
    assert place is not None
    writer = ReportWriter() if as_json else None
    code, kept, bad, last = PASSED, [], None, folder
    for ended in _ended(members(folder)):
        code, last = max(code, ended.code), ended.folder
        kept.append(ended.facts)
        if ended.facts.status not in ENDED_WELL and bad is None:
            bad = ended
        if writer is not None:
            writer.add(ended.capture)
    why = last.manifest.get(END)
    ended_early = None if why == COMPLETE else str(why) if isinstance(why, str) else GONE
    series = repeats(place.repeats, place.warm_ups, kept, ended_early)
    if writer is not None:
        writer.close(repeats=series.to_dict())
    else:
        table = repeats_table(series)
        print_tables([for_terminal(table)])
        if bad is not None:
            print(f"=== {bad.facts.name}, {bad.folder.id} ===")
            print_findings(bad.capture.findings)
        if not table.rows and table.note:
            say(f"ethosu-tui: {table.note}")
    sys.stdout.flush()
    passed = sum(one.used for one in kept)
    early = f"; ended early: {ended_early}" if ended_early is not None else ""
    say(
        f"ethosu-tui: {passed} of {place.repeats} repeats {how_ended(kept)}{early}; `ethosu-tui runs attach {kept[0].id}` shows this again"
    )
    if ended_early == STOPPED:
        return max(code, INTERRUPTED)
    return code if code or ended_early is None else FAILED


def for_terminal(table: Table) -> Table:
    """On a terminal with the names that people use, and without columns for which a narrow one has no room."""
    if columns() is None or goes_elsewhere():
        return table
    rows = [
        (row[0]._replace(text=short_name(str(row[0].value))), *row[1:-1], row[-1]._replace(text=_brief(row[-1].text)))
        for row in table.rows
    ]
    heads = [column._replace(name=column.name.replace("deviation", "dev.")) for column in table.columns]
    fitted = fitting(table._replace(columns=tuple(heads), rows=tuple(rows)), ("Median", "Min", "Max"))
    return fitted._replace(note=" ".join(filter(None, (table.note, fitted.note if fitted.note != table.note else ""))))


def _brief(spread: str) -> str:
    return "equal" if spread.startswith("equal in ") else spread  # the number of runs stands beside it


class Over(NamedTuple):
    """A run that is over, as whoever watched it saw it."""

    folder: RunFolder
    capture: Capture
    status: str | None
    seconds: float | None
    code: int
    """The exit code that `run` ends with for it."""


def run_over(path: Path) -> Over:
    """Read a run that is over."""
    viewer = Viewer(path)
    end = None
    try:
        for event in viewer.events():
            end = event
    except JobError:
        pass
    folder = viewer.folder
    over = folder.state == "finished"
    failure = stored_failure(folder)
    code = exit_code(viewer.status, getattr(end, "reason", "lost"), recognised=bool(viewer.capture.runs), replay=False)
    code = failure.exit_code if failure is not None else code if over or code else FAILED
    seconds = folder.manifest.get("seconds") if over else None
    known = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return Over(
        folder,
        with_place(viewer.capture, folder),
        viewer.status if over else folder.state,
        float(seconds) if known else None,  # type: ignore[arg-type]
        code,
    )


def _ended(folders: list[RunFolder]) -> Iterator[_Ended]:
    """One at a time, so that no more than one is in memory."""
    for folder in folders:
        place = place_of(folder)
        assert place is not None
        over = run_over(folder.path)
        facts = member(
            over.folder.id,
            place.number,
            warm_up=place.warm_up,
            status=over.status,
            seconds=over.seconds,
            capture=over.capture,
        )
        yield _Ended(over.folder, over.capture, facts, over.code)
