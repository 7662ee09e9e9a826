"""Post-mortem: a folder of logs while they are read beside the screen: every run, and why those that did not pass did not."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from ...analysis.cleaning import clean
from ...analysis.rows import RunRow
from ...analysis.rows.grouped import by_rule
from ...analysis.tables import Cell, Column
from ...analysis.units import format_count
from ...runners.reading.archives import SEPARATOR
from ...runners.reading.background import HUGE_BYTES, Done
from ...runners.reading.background_logs import BackgroundLogs
from .. import glyphs, messages
from ..keys_in_force import key_of
from ..state import twin
from ..widgets.runs_table import RunsTable
from .run_details import Reason
from .runs_overview import RunsOverviewScreen

LONGEST_NAME = 24
"""Characters of a log's name beside a reason."""
MOST_COMPARED = 24
"""Columns that a comparison of what is shown may have."""


class PostMortemScreen(RunsOverviewScreen):
    """Many logs."""

    HEADING = "Post-mortem"
    KIND: ClassVar[str] = "Post-mortem"
    WHERE: ClassVar[Column] = Column("First in")
    ABOUT = (
        "All runs of many logs. A separate process reads them, so keys work meanwhile. {report} on a run opens its "
        "log. {report} on a reason shows only the runs with it ({report} again or {back}: all runs); on a build or "
        "compile that failed it opens the log. {details} shows the row under the cursor in full, with what to do. "
        "{trends} shows what changed over time, which runs stand out and what ran. Inputs that could not be read come "
        "last. {filter} filters by words in log, status, reason, target and time; -word leaves runs out. {compare} "
        "compares the logs of the runs that are shown."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "compare", "Compare", tooltip="Compare the logs of the runs that are shown"),
    ]

    def __init__(self, paths: Sequence[str], asked: Sequence[str] = ()) -> None:
        """`asked` are the words that these paths were asked for with, as a folder.

        Raises:
            OSError: there is no process to be had.
        """
        self._reading = BackgroundLogs(paths)
        self._words = tuple(asked) or self._reading.paths
        paths = self._reading.paths
        below = _common_folder(paths) if len(paths) > 1 else paths[0] + SEPARATOR
        one = self._words[0] if len(self._words) == 1 else ""
        label = clean(os.path.basename(one.rstrip("/")) or one) or f"{len(self._reading.paths)} logs"
        super().__init__(self._reading, label, below)

    def on_mount(self) -> None:
        self.command = twin("analyze", *self._words)

    def log_place(self) -> tuple[str, int | None] | None:
        position = self.query_one(RunsTable).row
        if position is None:
            return None
        row = self._reading.rows.row(position)
        return row.source, row.first_line

    @property
    def opened(self) -> Sequence[str]:
        return self._reading.paths

    @property
    def words(self) -> Sequence[str]:
        return self._words

    @property
    def reading(self) -> BackgroundLogs:
        """What reads the logs."""
        return self._reading

    def far(self, seconds: float) -> str:
        done, count = self._reading.inputs_done, len(self._reading.paths)
        logs = self._reading.logs_done
        of = f"{format_count(done)} of {format_count(count)} inputs, " if done < count and count > 1 else ""
        far = f"{of}{format_count(logs)} log{'s' if logs != 1 else ''}, {format_count(self._reading.lines_done)} lines"
        refused = self._reading.remarks
        return far + (f", {format_count(len(refused))} not read" if refused else "")

    def where(self, position: int) -> Cell:
        return self._log(self._reading.rows.text("source", position) or "")

    def remarks(self) -> Sequence[str]:
        return self._reading.remarks

    def log_of(self, position: int) -> str:
        return self._short(self._reading.rows.text("source", position) or "")

    def _short(self, path: str) -> str:
        return clean(path.removeprefix(self._below or ""))

    def _log(self, path: str) -> Cell:
        name = self._short(path)
        more = len(name) - LONGEST_NAME
        return Cell(f"{glyphs.ELLIPSIS}{name[more + 1 :]}" if more > 0 else name, name)

    def more_reasons(self) -> Iterable[Reason]:
        """Failed builds, compiles and set-ups, and what could not be read."""
        for rule, title, errors in by_rule(self._reading.rows.outside):
            source, logs = errors[0].source, [self._short(error.source) for error in errors]
            advice = self._advice.get(rule) or list(dict.fromkeys(error.advice for error in errors))[:1]
            yield Reason(None, title, len(errors), self._log(source), source, advice, logs)
        refused: dict[str, list[str]] = {}
        for remark in self._reading.remarks:
            refused.setdefault(remark.partition(": ")[2], []).append(remark)
        for why, remarks in refused.items():  # a folder that went away while it was read is one reason, not thousands
            if why and len(remarks) > 1:
                logs = [remark.partition(": ")[0] for remark in remarks]
                named = [self._short(log) for log in logs]
                yield Reason(None, clean(why), len(remarks), self._log(logs[0]), logs=named, unread=True)
                continue
            for remark in remarks:
                said = clean(remark.replace(self._below or "\0", ""))
                yield Reason(None, said, 1, Cell("-", None), unread=True)

    def whole(self, done: Done) -> bool:
        return not done.problem and self._reading.inputs_done == len(self._reading.paths)

    def ended(self, done: Done) -> None:
        """One run and nothing else, of an archive of one log: its report takes this screen's place."""
        rows = self._reading.rows
        alone = rows.count == 1 and self._reading.logs_done == 1 and not rows.outside and not self._reading.remarks
        if alone and self.app.screen is self:
            self.post_message(messages.OpenReport(rows.text("source", 0) or "", replace=True))

    def open_run(self, row: RunRow) -> None:
        rows = self._reading.rows
        mine = rows.code_of(row.source)
        long = max(
            end for code, end in zip(rows.codes("source"), rows.numbers("end_byte"), strict=False) if code == mine
        )
        if SEPARATOR in row.source and long > HUGE_BYTES:  # all of it would have to be unpacked, and be held
            self.read_again(row, f"{self._log(row.source).text} run {row.index}", row.last_line)
        else:
            self.post_message(messages.OpenReport(row.source, run=row.index))

    def action_compare(self) -> None:
        """The logs of the runs in sight as columns."""
        logs = self.query_one(RunsTable).logs
        if 1 < len(logs) <= MOST_COMPARED:
            self.post_message(messages.OpenCompare(tuple(logs)))
        else:
            shown = "One log is shown" if logs else "No log is shown"
            shown = f"{format_count(len(logs))} logs are shown" if len(logs) > 1 else shown
            said = f"{shown}; 2 to {MOST_COMPARED} can be compared. {key_of(self, 'filter')} filters the runs."
            self.notify(said, markup=False)


def _common_folder(paths: Sequence[str]) -> str:
    """What all paths begin with, up to a folder's end; empty where that is nothing."""
    try:
        common = os.path.commonpath([os.path.dirname(path) for path in paths])
    except ValueError:  # some are absolute and some are not
        return ""
    return os.path.join(common, "") if common else ""
