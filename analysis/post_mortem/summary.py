"""Many runs at once: how they ended, why they failed (by root cause), what stands out, and what changed over time.

A table of thousands of runs says nothing; this gives the few rows that a person would look for.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ..rows.store import ABSENT, RunStore
from ..tables import Cell, Column, Table, Tone
from ..units import (
    format_bytes,
    format_count,
    format_cycles,
    format_many,
    format_percent,
    format_ratio,
    format_stamp,
    format_status,
)
from .alike import alike
from .kinds import MOST_ROWS, Kind, Kinds, Members, kinds_of
from .run_stamps import Stamps
from .trend_tables import Change, Changes, changes_of, trends_table
from .trends import Step

TONES: dict[str, Tone] = {"passed": "good", "failed": "bad", "timeout": "warn", "hung": "warn", "truncated": "warn"}
CAUSES = "Why runs did not pass"
NO_CAUSE = "(no cause found)"
MOST_IN_A_FILE = 500
"""Root causes in a report that is a file; a terminal shows fewer."""


def post_mortem(store: RunStore, most_causes: int = MOST_ROWS) -> tuple[Table, ...]:
    """The tables of a post-mortem: statuses, root causes (at most so many), kinds of runs, outliers, trends."""
    kinds, stamps = kinds_of(store), Stamps(store)
    changes = changes_of(store, kinds, stamps)
    return (
        statuses_table(store),
        causes_table(store, stamps, most_causes),
        kinds_table(store, kinds),
        outliers_table(store, kinds, changes),
        trends_table(store, changes, stamps),
    )


def statuses_table(store: RunStore) -> Table:
    """How many runs ended how."""
    counts = store.counts("status", 0, store.count)
    rows = []
    for known, count in sorted(counts.items(), key=lambda item: -item[1]):
        status = known or "?"
        share = 100 * count / store.count
        rows.append(
            (
                Cell(format_status(status), status, None, TONES.get(status, "bad")),
                Cell(format_count(count), count),
                Cell(format_percent(share), share),
            )
        )
    title = f"{format_many(store.count, 'run')} in {format_many(store.captures, 'input')}"
    return Table(title, (Column("Status"), Column("Runs", "right"), Column("Share", "right")), tuple(rows))


def causes_table(store: RunStore, stamps: Stamps | None = None, most: int = MOST_ROWS) -> Table:
    """Failures by root cause: how many, where first (by time, if `stamps` tell), and what to do."""
    columns = (
        Column("Root cause"), Column("Count", "right"), Column("First in"), Column("Run", "right"),
        Column("Line", "right"), Column("Inputs", "right"), Column("Rule"),
    )  # fmt: skip
    failed: dict[int, array[int]] = {}
    good = ABSENT, store.code_of("passed")
    for ended, positions in alike([store.codes("cause"), store.codes("status")], 0, store.count):
        if ended != good:
            failed.setdefault(ended[0], array("q")).extend(positions)
    if stamps is None and failed:
        stamps = Stamps(store)
    found: list[tuple[int, tuple[Cell, ...]]] = []
    titles, sources = store.titles(), store.codes("source")
    for cause, members in failed.items():
        assert stamps is not None
        count, place = len(members), stamps.first(array("q", sorted(members)))
        rule = store.text_of(cause)
        line = store.number("cause_line", place) or store.number("first_line", place)
        title = (titles.get(cause) or rule) if rule is not None else NO_CAUSE
        inputs = len({sources[position] for position in members})
        cells = _cause(title, count, store.text("source", place), store.number("index", place), line, inputs, rule)
        found.append((count, cells))
    if store.outside:
        from ..rows.grouped import by_rule

        for rule, title, errors in by_rule(store.outside):
            first = errors[0]
            inputs = len({error.source for error in errors})
            found.append((len(errors), _cause(title, len(errors), first.source, None, first.line, inputs, rule)))
    found.sort(key=lambda item: -item[0])
    note = f"The {most} most frequent of {len(found)}." if len(found) > most else ""
    return Table(CAUSES, columns, tuple(cells for _, cells in found[:most]), note)


def rules_of(tables: Sequence[Table]) -> list[str]:
    """Rules of the root causes of a post-mortem, in its order; several groups (of runs, of builds) may share one."""
    return list(dict.fromkeys(str(row[-1].value) for table in tables if table.title == CAUSES for row in table.rows))


def advice_of(store: RunStore) -> dict[str, list[str]]:
    """What to do about each root cause, by its rule: one line, or one line per kind of fix."""
    found: dict[str, dict[str, int]] = {}
    few = [store.codes("cause"), store.codes("cause_advice")]
    for (cause, advice), positions in alike(few, 0, store.count):
        rule, text = store.text_of(cause), store.text_of(advice)
        if rule is not None and text:
            counts = found.setdefault(rule, {})
            counts[text] = counts.get(text, 0) + len(positions)
    for error in store.outside:
        if error.advice:
            counts = found.setdefault(error.rule, {})
            counts[error.advice] = counts.get(error.advice, 0) + 1
    if not found:
        return {}
    from ..rows.grouped import told

    return {rule: told(counts) for rule, counts in found.items()}


def _cause(
    title: str, count: int, source: str | None, run: int | None, line: int | None, inputs: int, rule: str | None
) -> tuple[Cell, ...]:
    return (
        Cell(title, title, None, "bad"),
        Cell(format_count(count), count),
        Cell(source or "-", source),
        Cell(format_count(run), run),
        Cell(format_count(line), line, line),
        Cell(format_count(inputs), inputs),
        Cell(rule or "-", rule),
    )


def kinds_table(store: RunStore, kinds: Kinds) -> Table:
    """What ran: target, program and inferences, how many runs passed, and their NPU cycles; kinds without any come last."""
    columns = (
        Column("Target"), Column("Program bytes", "right"), Column("Inferences", "right"), Column("Runs", "right"),
        Column("Passed", "right"), Column("NPU cycles, median", "right"), Column("Deviation", "right"),
    )  # fmt: skip
    rows = []
    known_first = sorted(kinds.items(), key=lambda item: (item[1].usual is None, -item[1].runs))
    for kind, members in known_first[:MOST_ROWS]:
        count, good, normal = members.runs, members.passed, members.usual
        several = len(members.measured) > 1
        spread = 100 * normal.deviation / normal.median if normal is not None and normal.median else None
        target = store.text_of(kind.target)
        size, inferences = (None if value == ABSENT else value for value in kind[1:])
        rows.append(
            (
                Cell(target or "-", target),
                Cell(format_count(size), size),
                Cell(format_count(inferences), inferences),
                Cell(format_count(count), count),
                Cell(format_count(good), good, None, "" if good == count else "warn"),
                Cell(format_cycles(round(normal.median)) if normal else "-", normal.median if normal else None),
                Cell(format_percent(spread) if several else "-", spread if several else None),
            )
        )
    more = f" {MOST_ROWS} of {len(kinds)} kinds, those with NPU cycles first." if len(kinds) > MOST_ROWS else ""
    note = f"Medians over passed runs; the deviation is a robust one (1.48 times the median deviation).{more}"
    return Table("What ran", columns, tuple(rows), note)


def outliers_table(store: RunStore, kinds: Kinds, changes: Changes) -> Table:
    """Passed runs whose NPU cycles are far from the median of their kind, or of their side of a jump in it."""
    from .trends import LEAST_FOR_OUTLIERS, OUTLIER_DEVIATIONS, OUTLIER_SHARE, farthest_usual, usual

    odd: list[tuple[float, int]] = []
    few = jumps = 0
    changed: dict[Kind, list[Change]] = {}
    for change in changes.found:
        changed.setdefault(change.kind, []).append(change)
    for kind, members in kinds.items():
        sides = _sides(members, changed.get(kind, ()))
        jumps += len(sides) > 1
        for positions, values in sides:
            normal = members.usual if len(sides) == 1 else usual(values)
            if normal is None or len(positions) < LEAST_FOR_OUTLIERS:
                few += len(positions)
                continue
            middle, far = normal.median, farthest_usual(normal)
            if min(values) < middle - far or max(values) > middle + far:
                odd += [(v / middle, p) for v, p in zip(values, positions, strict=True) if abs(v - middle) > far]
    odd.sort(key=lambda item: -abs(item[0] - 1))
    columns = (
        Column("Source"), Column("Run", "right"), Column("Line", "right"), Column("Time"), Column("Target"),
        Column("NPU cycles", "right"), Column("To median", "right"),
    )  # fmt: skip
    rows = []
    for ratio, position in odd[:MOST_ROWS]:
        row = store.row(position)
        rows.append(
            (
                Cell(row.source, row.source),
                Cell(format_count(row.index), row.index),
                Cell(format_count(row.first_line), row.first_line, row.first_line),
                Cell(format_stamp(row.at), row.at),
                Cell(row.target or "-", row.target),
                Cell(format_cycles(row.npu_cycles), row.npu_cycles),
                Cell(format_ratio(ratio), ratio, None, "warn"),
            )
        )
    note = (
        f"Passed runs over {100 * OUTLIER_SHARE:g} % and {OUTLIER_DEVIATIONS:g} robust deviations from the median of the same "
        f"target, program and inferences{', on the same side of a jump' if jumps else ''}."
    )
    if len(odd) > MOST_ROWS:
        note += f" The {MOST_ROWS} farthest of {len(odd)}."
    if few:
        note += f" {format_many(few, 'run')} of kinds with fewer than {LEAST_FOR_OUTLIERS} passed runs {_were(few)} not judged."
    return Table("Outliers in NPU cycles", columns, tuple(rows), note)


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _sides(members: Members, changes: Sequence[Change]) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Positions and cycles of similar runs of a kind: all of them, or those on each side of a jump, and the rest."""
    sides: list[tuple[Sequence[int], Sequence[int]]] = []
    for _, ordered, values, change in changes:
        if isinstance(change, Step):
            at = change.position
            sides += [(ordered[:at], values[:at]), (ordered[at:], values[at:])]
    if not sides:
        return [(members.measured, members.npu_cycles)]
    placed = {position for positions, _ in sides for position in positions}
    rest = [pair for pair in zip(members.measured, members.npu_cycles, strict=True) if pair[0] not in placed]
    if rest:
        sides.append(([position for position, _ in rest], [value for _, value in rest]))
    return sides


def runs_table(store: RunStore) -> Table:
    """One row per run."""
    columns = (
        Column("Source", kept="end"), Column("Run", "right"), Column("Line", "right"), Column("Time"), Column("Release"),
        Column("Target"), Column("Status"), Column("Stage"), Column("NPU cycles", "right"),
        Column("Method pool", "right"), Column("Root cause"),
    )  # fmt: skip
    rows = []
    for row in store:
        rows.append(
            (
                Cell(row.source, row.source),
                Cell(str(row.index), row.index),
                Cell(str(row.first_line), row.first_line, row.first_line),
                Cell(format_stamp(row.at), row.at),
                Cell(row.version or "-", row.version),
                Cell(row.target or "-", row.target),
                Cell(format_status(row.status), row.status, row.last_line, TONES.get(row.status, "bad")),
                Cell(row.stage, row.stage),
                Cell(format_cycles(row.npu_cycles), row.npu_cycles),
                Cell(format_bytes(row.method_used_bytes), row.method_used_bytes),
                Cell(row.cause_title or "", row.cause_title, row.cause_line),
            )
        )
    return Table("Runs", columns, tuple(rows))
