"""The jobs of a compile as rows of a table: what each is, how far it has come, and what Vela says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...analysis.design.answers import Answers
from ...analysis.design.candidates import Candidate
from ...analysis.design.tables import marks_of
from ...analysis.lines import Line
from ...analysis.report import Finding
from ...analysis.splitter import LineSplitter
from ...analysis.tables import Cell, Column, Table, Tone
from ...analysis.targets import TARGETS
from ...analysis.units import format_bytes, format_cycles, format_milliseconds, format_seconds
from ...runners.compile.compiler import CompileResult
from ...runners.compile.points import OPTIMISE, CompilePoint
from .. import glyphs

if TYPE_CHECKING:
    from ...analysis.watching.row_filter import Kind
    from ..exports import Extra

COLUMNS: Mapping[str, tuple[Column, Kind]] = {
    "Target": (Column("Target", least=8), "text"),
    "System config": (Column("System config", least=11, short="Config"), "text"),
    "Memory mode": (Column("Memory mode", least=11, kept="end"), "text"),
    "Arena limit": (Column("Arena limit", "right", unit="bytes"), "bytes"),
    "Optimise": (Column("Optimise", least=11), "text"),
    "State": (Column("State", least=9), "text"),
    "Time": (Column("Time", "right", unit="seconds"), "seconds"),
    "SRAM": (Column("SRAM", "right", unit="bytes"), "bytes"),
    "Pareto": (Column("Pareto", least=6), "text"),
    "Cycles": (Column("Cycles", "right"), "count"),
    "Flash": (Column("Flash", "right", unit="bytes"), "bytes"),
    "Took": (Column("Took", "right", unit="seconds"), "seconds"),
}
"""All columns, with what is in them; the first ones are those that eighty columns show."""
ALIKE = 3
"""So many finished jobs of a kind say how long the next one takes."""
PACED = 20
"""The pace is that of so many jobs at most, the last ones."""


@dataclass
class Entry:
    """What is known of one job of the batch."""

    point: CompilePoint
    path: str | None = None
    began: float | None = None
    ended: float = 0.0
    """Both on the monotonic clock."""
    stage: str = ""
    done: int = 0
    total: int = 0
    result: CompileResult | None = None
    abandoned: bool = False
    """The batch ended without this job."""
    notices: list[Finding] = field(default_factory=list)
    """What was said of the model before the job ended."""
    splitter: LineSplitter = field(default_factory=LineSplitter)
    lines: list[Line] = field(default_factory=list)

    @property
    def state(self) -> str:
        """`waiting`, `running`, or how it ended."""
        if self.result is not None:
            return self.result.status
        if self.abandoned:
            return "not run"
        return "running" if self.began is not None else "waiting"

    @property
    def errors(self) -> list[Finding]:
        """What is wrong with the result, although the job itself may have ended well."""
        return [f for f in self.result.findings if f.severity == "error"] if self.result is not None else []

    @property
    def family(self) -> str:
        """What decides how long a job takes: the NPU, or the target that has none."""
        return TARGETS[self.point.target].npu or self.point.target


class SweepRows:
    """The table of the entries; a row is made again only when something of it changed."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        points = [entry.point for entry in entries]
        unused = {
            "System config": all(point.system_config is None for point in points),
            "Memory mode": all(point.memory_mode is None for point in points),
            "Arena limit": all(point.arena_cache_bytes is None for point in points),
            "Optimise": all(point.optimise is None for point in points),
        }
        names = [name for name in COLUMNS if not unused.get(name)]
        self.kinds: dict[str, Kind] = {name: COLUMNS[name][1] for name in names}
        self._columns = tuple(COLUMNS[name][0] for name in names)
        self._names = names
        self._rows: list[tuple[Cell, ...]] = [()] * len(entries)
        self._stale = set(range(len(entries)))
        self._marks: list[str] = [""] * len(entries)
        self._candidates: tuple[Candidate, ...] = ()

    def touch(self, index: int) -> None:
        """Something of this entry changed."""
        self._stale.add(index)

    def judge(self, answers: Answers) -> None:
        """More jobs have figures, which may change what stands out."""
        self._candidates = answers.candidates
        for index in range(len(self._entries)):
            marks = ", ".join(reversed(marks_of(answers, index)))
            if marks != self._marks[index]:
                self._marks[index] = marks
                self.touch(index)

    def table(self, now: float) -> Table | None:
        """The table, None where nothing changed since it was last asked for; `now` is the monotonic clock."""
        self._stale |= {i for i, entry in enumerate(self._entries) if entry.state == "running"}
        if not self._stale:
            return None
        for index in self._stale:
            self._rows[index] = self._row(index, now)
        self._stale = set()
        return Table("Jobs", self._columns, tuple(self._rows), "Vela's estimates, not measurements.")

    def _row(self, index: int, now: float) -> tuple[Cell, ...]:
        entry = self._entries[index]
        point = entry.point
        figures = self._candidates[index] if self._candidates and entry.result is not None else None
        cycles, seconds = (figures.total_cycles, figures.seconds) if figures is not None else (None, None)
        sram, flash = (figures.need("sram"), figures.need("flash")) if figures is not None else (None, None)
        arena = point.arena_cache_bytes
        cells = {
            "Target": Cell(point.target.removeprefix("ethos-"), point.target),
            "State": _state(entry),
            "Cycles": Cell(format_cycles(cycles), cycles),
            "Time": Cell(format_milliseconds(seconds), seconds),
            "SRAM": Cell(format_bytes(sram), sram),
            "Flash": Cell(format_bytes(flash), flash),
            "Pareto": Cell(self._marks[index], self._marks[index] or None, tone="good" if self._marks[index] else ""),
            "System config": Cell(short_config(point.system_config), point.system_config),
            "Memory mode": Cell(point.memory_mode or "-", point.memory_mode),
            "Arena limit": Cell("default" if arena is None and point.is_npu else format_bytes(arena), arena),
            "Optimise": Cell(point.optimise or OPTIMISE[0] if point.is_npu else "-", point.optimise),
            "Took": _took(entry, now),
        }
        return tuple(cells[name] for name in self._names)


def short_config(config: str | None) -> str:
    """A system config without the name of the NPU, which the target says."""
    return "-" if config is None else config.removeprefix("Ethos_").partition("_")[2].removeprefix("SYS_") or config


def _state(entry: Entry) -> Cell:
    state, result = entry.state, entry.result
    tones: dict[str, Tone] = {"ok": "good", "failed": "bad", "waiting": "dim", "not run": "warn"}
    if result is not None and result.status == "ok":
        how = "found" if result.cached else result.route
        wrong = "!" if entry.errors else glyphs.status_sign(state)
        told = state if how == "full" else how  # the usual way needs no word of its own
        return Cell(f"{wrong} {told}", f"ok {how}", tone="warn" if entry.errors else "good")
    what = f"{entry.done}/{entry.total} {entry.stage}" if state == "running" and entry.stage else state
    return Cell(f"{glyphs.status_sign(state)} {what}", state, tone=tones.get(state, ""))


def _took(entry: Entry, now: float) -> Cell:
    if entry.result is not None:
        return Cell(format_seconds(entry.result.seconds), entry.result.seconds)
    if entry.began is None or entry.abandoned:
        return Cell("-")
    return Cell(f"{now - entry.began:.0f} s", now - entry.began)


def seconds_left(entries: Sequence[Entry]) -> float | None:
    """How long the jobs that are not over will still take, at the pace of the last ones; None where that is not known.

    It is known where the last jobs of each family that is not done went one and the same way, which is the same for all of
    these families: the first of a family goes through ExecuTorch, a hundred times as long as those that share its graphs.
    """
    routes = set()
    for family in {entry.family for entry in entries if entry.result is None}:
        own = [entry for entry in entries if entry.family == family]
        last = sorted((e for e in own if _tells(e)), key=lambda entry: entry.ended)[-ALIKE:]
        if len(last) < ALIKE:
            return None
        routes |= {entry.result.route for entry in last if entry.result is not None}
        if any(e.state == "running" and e.stage not in ("", "Vela") for e in own) and "shared" in routes:
            return None  # one of them goes the long way again
    if len(routes) != 1:
        return None
    ends = sorted(e.ended for e in entries if _tells(e) and e.result is not None and e.result.route in routes)[-PACED:]
    pace = (ends[-1] - ends[0]) / (len(ends) - 1)
    return pace * sum(entry.result is None for entry in entries)


def _tells(entry: Entry) -> bool:
    """Whether this job says how long one takes."""
    return entry.result is not None and entry.result.status == "ok" and not entry.result.cached


def as_document(model: str, seconds: float, results: Sequence[CompileResult]) -> tuple[Extra, ...]:
    """The choice to write these results as one document; none where there are no results."""
    if not results:
        return ()
    from ...runners.compile.document import compile_document
    from ...runners.compile.fit import answers_of
    from ..exports import Extra, Offer

    jobs = f"{len(results):,} job{'s' if len(results) != 1 else ''}"
    offer = Offer("results", "JSON", ".json", f"{jobs}, all that compile --json has of them")
    return (Extra(offer, lambda: compile_document(model, seconds, results, answers_of(results))),)
