"""What an overview of many runs says of the row under the cursor: the texts that its columns cut, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual.content import Content

from ...analysis.cleaning import clean
from ...analysis.rows import RunRow
from ...analysis.rows.store import RunStore
from ...analysis.tables import Cell, Column, Table
from ...analysis.units import format_bytes, format_count, format_cycles, format_stamp
from .. import glyphs

LONGEST_LOG = 40
"""Characters of a log's name before a reason: its end tells it from others."""
MOST_NAMED = 200
"""Logs of one reason that are listed."""
NOT_TIME = "fvp-ratio-not-time"
"""Said beside the figure that it is about."""


class Reason(NamedTuple):
    """Why something did not pass, and how often."""

    rule: str | None
    """The root cause of runs; None for what no run stands for."""
    title: str
    times: int
    where: Cell
    """The first one."""
    path: str | None = None
    """What to open, where no run stands for it."""
    advice: Sequence[str] = ()
    """What to do, a line for each kind of fix."""
    logs: Sequence[str] = ()
    """All of them, where no run stands for them."""
    unread: bool = False
    """Not a failure, but an input that could not be read or in which nothing was recognised."""

    @property
    def key(self) -> str:
        """What stays while further runs join it."""
        return self.rule or self.title


def reasons_table(reasons: Sequence[Reason], cause: str | None, where: Column) -> Table:
    """The reasons as rows; the one whose runs are shown alone has a mark."""
    rows = []
    for reason in reasons:
        sign = glyphs.FINDING_SIGNS["warning"] if reason.unread else glyphs.BROKEN
        sign = glyphs.MARKED if reason.rule is not None and reason.rule == cause else sign
        why = Cell(f"{sign} {reason.title}", reason.title, None, "warn" if reason.unread else "bad")
        rows.append((why, Cell(format_count(reason.times), reason.times), reason.where))
    return Table("Why runs did not pass", (Column("Why"), Column("Count", "right"), where), tuple(rows))


def with_to_do(table: Table, reasons: Sequence[Reason]) -> Table:
    """The reasons as they are exported: a file has room for what to do."""
    to_do = {(r.title, str(r.times), r.where.value): (r.rule, " ".join(r.advice)) for r in reasons}
    rows = []
    for row in table.rows:
        rule, text = to_do.get((str(row[0].value), str(row[1].value), row[2].value), (None, ""))
        rows.append((*row, Cell(rule or "-", rule), Cell(text or "-", text or None)))
    return table._replace(columns=(*table.columns, Column("Rule"), Column("What to do")), rows=tuple(rows))


def position_of(rows: RunStore, source: str, index: int) -> int | None:
    """Where the run of this source and index stands."""
    wanted = rows.code_of(source), index
    places = zip(rows.codes("source"), rows.numbers("index"), strict=False)
    return next((position for position, place in enumerate(places) if place == wanted), None)


def said_of_run(row: RunRow, log: str) -> Content:
    """The run in two sentences: where it is and why it did not pass, and what to do."""
    more = len(log) - LONGEST_LOG
    log = f"{glyphs.ELLIPSIS}{log[more + 1 :]}" if more > 0 else log
    place = f"{log}, run {format_count(row.index)}" if log else f"run {format_count(row.index)}"
    line = row.cause_line or row.first_line
    told = [_plain(f"{place}, line {format_count(line)}: {row.cause_title or row.status}")]
    if row.cause_advice:
        told.append(_to_do(row.cause_advice))
    return Content("\n").join(told)


def said_of_reason(reason: Reason) -> Content:
    """The reason in full, and what most of what it happened to is told to do."""
    return Content("\n").join([_plain(reason.title), *(_to_do(text) for text in reason.advice[:1])])


def _to_do(text: str) -> Content:
    return Content.assemble(("Do: ", "$text-success bold"), _plain(text))


def _plain(text: str) -> Content:
    return Content(clean(text))


def run_table(row: RunRow, log: str) -> Table:
    """All that is known of a run before its log is opened."""
    facts = [
        ("Log", log),
        ("Run", format_count(row.index)),
        ("Lines", f"{format_count(row.first_line)} to {format_count(row.last_line)}"),
        ("Status", row.status),
        ("Stage", row.stage),
        ("Why", row.cause_title),
        ("At line", format_count(row.cause_line) if row.cause_line else None),
        ("Do", row.cause_advice),
        ("Rule", row.cause),
        ("Findings", " ".join(rule for rule in row.rules if rule != NOT_TIME)),
        ("Target", row.target),
        ("ExecuTorch", row.version),
        ("NPU cycles", format_cycles(row.npu_cycles) if row.npu_cycles is not None else None),
        ("CPU cycles of inferences", _cpu_cycles(row)),
        ("Inferences", format_count(row.inferences) if row.inferences is not None else None),
        ("Method pool used", format_bytes(row.method_used_bytes) if row.method_used_bytes is not None else None),
        ("Program", format_bytes(row.pte_bytes) if row.pte_bytes is not None else None),
        ("Time", format_stamp(row.at) if row.at else None),
    ]
    return _one_row((name, text) for name, text in facts if text)


def _cpu_cycles(row: RunRow) -> str | None:
    if row.inference_cycles is None:
        return None
    return f"{format_cycles(row.inference_cycles)}{' (of a simulator: not time)' * (NOT_TIME in row.rules)}"


def reason_table(reason: Reason) -> Table:
    """A reason with every kind of fix, and with the logs that no run stands for."""
    facts = [("Why", reason.title), ("Count", format_count(reason.times))]
    if reason.where.value:
        facts.append(("First in", str(reason.where.value)))
    facts += [("Rule", reason.rule)] if reason.rule else []
    facts += [("" if number else "Do", text) for number, text in enumerate(reason.advice)]
    facts += [("" if number else "Logs", log) for number, log in enumerate(reason.logs[:MOST_NAMED])]
    if len(reason.logs) > MOST_NAMED:
        facts.append(("", f"and {format_count(len(reason.logs) - MOST_NAMED)} more"))
    return _one_row(facts)


def _one_row(facts: Iterable[tuple[str, str]]) -> Table:
    told = [(name, clean(text)) for name, text in facts]
    return Table("", tuple(Column(name) for name, _ in told), (tuple(Cell(text, text) for _, text in told),))
