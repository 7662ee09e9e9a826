"""Many runs at once: how they ended, why they failed (by root cause), and which passed ones stand out.

A table of thousands of runs says nothing; this gives the few rows that a person would look for.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence

from .report import Capture, Finding, Run
from .run_tables import status_tone
from .tables import Cell, Column, Table
from .units import format_count, format_cycles, format_ratio

OUTLIER_SHARE = 0.05
"""A run stands out when its NPU cycles differ by more than this from the median of its kind."""
MOST_ROWS = 50


def post_mortem(captures: Sequence[Capture]) -> tuple[Table, ...]:
    """The tables of a post-mortem: statuses, root causes, outliers."""
    return (_statuses(captures), _causes(captures), _outliers(captures))


def _statuses(captures: Sequence[Capture]) -> Table:
    counts = Counter(run.status for capture in captures for run in capture.runs)
    total = sum(counts.values())
    rows = tuple(
        (Cell(status, status, None, status_tone(status)), Cell(format_count(count), count))
        for status, count in counts.most_common()
    )
    title = f"{format_count(total)} runs in {format_count(len(captures))} inputs"
    return Table(title, (Column("Status"), Column("Runs", "right")), rows, "--all prints the tables of every run.")


def _causes(captures: Sequence[Capture]) -> Table:
    found: dict[str, list[tuple[Capture, Finding]]] = defaultdict(list)
    for capture in captures:
        for finding in capture.findings:
            if finding.severity == "error":
                found[finding.rule].append((capture, finding))
    columns = (
        Column("Root cause"),
        Column("Runs", "right"),
        Column("First in"),
        Column("Line", "right"),
        Column("Rule"),
    )
    rows = []
    for rule, places in sorted(found.items(), key=lambda item: -len(item[1]))[:MOST_ROWS]:
        capture, finding = places[0]
        line = finding.lines[0] if finding.lines else None
        rows.append(
            (
                Cell(finding.title, finding.title),
                Cell(format_count(len(places)), len(places)),
                Cell(capture.source, capture.source),
                Cell(format_count(line), line),
                Cell(rule, rule),
            )
        )
    return Table("Why runs did not pass", columns, tuple(rows))


def _outliers(captures: Sequence[Capture]) -> Table:
    kinds: dict[tuple[object, ...], list[tuple[Capture, Run, int]]] = defaultdict(list)
    for capture in captures:
        for run in capture.runs:
            if run.status == "passed" and run.pmu is not None and run.pmu.npu_cycles:
                kind = (run.target.name or run.target.npu, run.model.pte_bytes, run.cycles.inferences)
                kinds[kind].append((capture, run, run.pmu.npu_cycles))
    odd: list[tuple[float, Capture, Run, int]] = []
    for members in kinds.values():
        if len(members) < 5:
            continue
        median = statistics.median(cycles for _, _, cycles in members)
        odd += ((c / median, capture, run, c) for capture, run, c in members if abs(c / median - 1) > OUTLIER_SHARE)
    odd.sort(key=lambda row: -abs(row[0] - 1))
    columns = (Column("Source"), Column("Run", "right"), Column("NPU cycles", "right"), Column("To median", "right"))
    rows = tuple(
        (
            Cell(capture.source, capture.source),
            Cell(format_count(run.index), run.index),
            Cell(format_cycles(cycles), cycles, run.lines.get("pmu.npu_cycles")),
            Cell(format_ratio(ratio), ratio, None, "warn"),
        )
        for ratio, capture, run, cycles in odd[:MOST_ROWS]
    )
    more = f" The {MOST_ROWS} farthest of {len(odd)}." if len(odd) > MOST_ROWS else ""
    note = f"Passed runs over {OUTLIER_SHARE:.0%} from the median of the same target, program and inferences.{more}"
    return Table("Outliers in NPU cycles", columns, rows, note)
