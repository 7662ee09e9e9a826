"""What changed over time, in words: steps and drifts of NPU cycles, and from when on runs began to fail.

Only runs with time stamps are put in order (see `run_stamps`); the others are left out, and the table says so.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence

from ..line_forms.stamps import DAY_SECONDS
from ..named_tuple import NamedTuple
from ..rows.store import ABSENT, RunStore
from ..tables import Cell, Column, Table
from ..units import format_count, format_cycles, format_many, format_stamp
from .alike import alike
from .kinds import MOST_ROWS, Kind, Kinds
from .run_stamps import Stamps
from .trends import LEAST_FOR_TRENDS, Drift, Step, share_step, trend

YEAR_UNKNOWN = "dates without a year"
"""What the note names where dates without a year cannot put runs in order."""
NO_ORDER = "cannot be put in order"
"""What the note says about runs whose time stamps give no order."""
_HOUR_SECONDS = 3600.0


class Change(NamedTuple):
    """Runs of one kind in order, and what their cycles do."""

    kind: Kind
    ordered: Sequence[int]
    """Positions of the runs."""
    values: Sequence[int]
    """NPU cycles of each run."""
    change: Step | Drift


class Changes(NamedTuple):
    """All kinds of runs, judged over time."""

    found: tuple[Change, ...]
    left: Counter[str]
    """How many kinds or runs were not judged, or do not change, by the reason."""


def changes_of(store: RunStore, kinds: Kinds, stamps: Stamps) -> Changes:
    """What the cycles of each kind of run do over time; `stamps` are those of the runs."""
    found: list[Change] = []
    left: Counter[str] = Counter()
    cycles = store.numbers("npu_cycles")
    among = max(1, sum(len(members.measured) >= LEAST_FOR_TRENDS for members in kinds.values()))
    for kind, members in kinds.items():
        positions = members.measured
        if len(positions) < LEAST_FOR_TRENDS:
            left["few"] += bool(positions)
            continue
        sequences = list(stamps.sequences(positions))
        left += _left_out(stamps, positions, sequences)
        for times, ordered in sequences:
            values = array("q", [cycles[position] for position in ordered])
            change = trend(times, values, among)
            if change is None:
                left["steady"] += 1
            else:
                found.append(Change(kind, ordered, values, change))
    return Changes(tuple(found), left)


def trends_table(store: RunStore, changes: Changes, stamps: Stamps) -> Table:
    """Trends per kind of run, and of the share of failures per target; `stamps` are those of the runs."""
    columns = (Column("What"), Column("Runs", "right"), Column("From"), Column("To"), Column("Change"))
    rows = [
        _row(
            store,
            f"NPU cycles, {_name(store, one.kind)}",
            one.ordered,
            _in_words(store, one.change, one.ordered, one.values),
        )
        for one in changes.found
    ]
    failures, targets = _failures(store, stamps)
    rows += failures
    return Table("Trends", columns, tuple(rows[:MOST_ROWS]), _note(changes.left, targets, len(rows)))


def _left_out(
    stamps: Stamps, positions: Sequence[int], sequences: Sequence[tuple[Sequence[float], Sequence[int]]]
) -> Counter[str]:
    """How many kinds of runs, and how many runs, cannot be put in order, by the reason."""
    wants_year = stamps.wants_year(positions)
    if not sequences:
        stamped = stamps.any(positions)
        return Counter({"yearless" if wants_year else "unordered" if stamped else "unstamped": 1})
    dated = len(stamps.dated(positions))
    found = Counter(undated=len(positions) - dated)
    if wants_year:
        found["strays"] = dated - sum(len(ordered) for _, ordered in sequences)
    return found


def _note(left: Counter[str], targets: int, rows: int) -> str:
    """What is said below so many rows: what is not in them, and why."""
    notes = []
    if left["yearless"]:
        notes.append(f"{left['yearless']} {NO_ORDER}: {YEAR_UNKNOWN}, more than half a year apart.")
    if left["steady"]:
        notes.append(f"{left['steady']} without a trend.")
    if left["unordered"]:
        why = "times of several inputs without a date, times that go back, or dates that leave open which number is the month"
        notes.append(f"{left['unordered']} {NO_ORDER}: {why}.")
    if left["unstamped"]:
        notes.append(f"{left['unstamped']} without time stamps.")
    if left["few"] and not rows:
        notes.append(
            f"{left['few']} with fewer than {LEAST_FOR_TRENDS} passed runs {'was' if left['few'] == 1 else 'were'} not judged."
        )
    if rows > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {rows}.")
    said = [f"Kinds of runs: {' '.join(notes)}"] if notes else []
    if targets:
        many = f"{targets} target{'' if targets == 1 else 's'}"
        said.append(f"Failures of {many} {NO_ORDER}: {YEAR_UNKNOWN}, more than half a year apart.")
    if left["undated"]:
        said.append(f"Left out: {format_many(left['undated'], 'passed run')} without a time stamp.")
    if left["strays"]:
        runs = format_many(left["strays"], "passed run")
        said.append(f"Left out: {runs} whose order is not known: {YEAR_UNKNOWN}, more than half a year apart.")
    return " ".join(said)


def _failures(store: RunStore, stamps: Stamps) -> tuple[list[tuple[Cell, ...]], int]:
    """From when on the runs of a target fail, or no longer do; and for how many targets that needs a year."""
    if not store.stamped:
        return [], 0
    statuses, passed = store.codes("status"), store.code_of("passed")
    targets = _by_target(store)
    rows = []
    yearless = 0
    for target, positions in targets.items():
        sequences = list(stamps.sequences(positions))
        if not sequences and len(positions) >= LEAST_FOR_TRENDS and stamps.wants_year(positions):
            yearless += len({statuses[position] != passed for position in positions}) > 1
        for _, ordered in sequences:
            flags = [statuses[position] != passed for position in ordered]
            change = share_step(flags, len(targets)) if len(flags) >= LEAST_FOR_TRENDS else None
            if change is None:
                continue
            later = flags[change.position :]
            before = flags[: change.position]
            words = (
                f"{sum(later)} of {len(later)} failed since {_place(store, ordered[change.position])}; "
                f"before that, {sum(before)} of {len(before)}"
            )
            rows.append(_row(store, f"Failures, {store.text_of(target) or 'target unknown'}", ordered, words))
    return rows, yearless


def _by_target(store: RunStore) -> dict[int, array[int]]:
    """Runs by target; a run without one belongs to the only target that others of its input name."""
    found: dict[int, dict[int, array[int]]] = {}
    for (source, target), positions in alike([store.codes("source"), store.codes("target")], 0, store.count):
        found.setdefault(source, {}).setdefault(target, array("q")).extend(positions)
    targets: dict[int, array[int]] = {}
    for of_source in found.values():
        known = [target for target in of_source if target != ABSENT]
        for target, positions in of_source.items():
            owner = known[0] if target == ABSENT and len(known) == 1 else target
            targets.setdefault(owner, array("q")).extend(positions)
    return {target: array("q", sorted(positions)) for target, positions in targets.items()}


def _row(store: RunStore, what: str, ordered: Sequence[int], words: str) -> tuple[Cell, ...]:
    first, last = format_stamp(store.at(ordered[0])), format_stamp(store.at(ordered[-1]))
    count = len(ordered)
    return Cell(what, what), Cell(format_count(count), count), Cell(first, first), Cell(last, last), Cell(words, words)


def _in_words(store: RunStore, change: Step | Drift, ordered: Sequence[int], values: Sequence[int]) -> str:
    if isinstance(change, Step):
        share = change.after / change.before - 1
        return (
            f"{_verb(share, 'jumps', 'falls')} by {100 * abs(share):.1f} % at {_place(store, ordered[change.position])}: median "
            f"{format_cycles(round(change.before))} before, {format_cycles(round(change.after))} since"
        )
    share = change.last / change.first - 1
    unit, seconds = "hour", _HOUR_SECONDS
    rate = change.per_second * seconds / change.first
    if abs(rate) < 0.001:
        unit, seconds = "day", DAY_SECONDS
        rate = change.per_second * seconds / change.first
    return (
        f"{_verb(share, 'rises', 'sinks')} steadily by {100 * abs(share):.1f} % ({100 * abs(rate):.2f} % per {unit}): from about "
        f"{format_cycles(round(change.first))} to {format_cycles(round(change.last))}; the first run took "
        f"{format_cycles(values[0])}, the last {format_cycles(values[-1])}"
    )


def _verb(share: float, up: str, down: str) -> str:
    return up if share > 0 else down


def _place(store: RunStore, position: int) -> str:
    line = format_count(store.number("first_line", position))
    return f"{format_stamp(store.at(position))} ({store.text('source', position)}, line {line})"


def _name(store: RunStore, kind: Kind) -> str:
    parts = [store.text_of(kind.target) or "target unknown"]
    if kind.pte_bytes != ABSENT:
        parts.append(f"program of {format_count(kind.pte_bytes)} bytes")
    if kind.inferences != ABSENT:
        parts.append(f"{format_count(kind.inferences)} inference{'' if kind.inferences == 1 else 's'}")
    return ", ".join(parts)
