"""One shape for what the Report screen shows, whether it is a run in a log or a compile result: tabs, tables, findings.

Everything here is taken from `analysis` objects; nothing is computed but which parts exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..analysis.report import Capture, CompileSummary, Finding, Run, to_dict
from ..analysis.tables import Table
from .figures import compile_memory_table, with_status
from .state import shown_status

if TYPE_CHECKING:
    from ..runners.reading.inputs import Loaded

RUN_TABS = ("Summary", "Memory", "Cycles", "PMU", "Outputs", "Findings", "Log")
RARE_TABS = ("Operators", "Inferences", "Delegates")
"""Behind the others, where a run has such tables: the digits of the others stay what they are."""
COMPILE_TABS = ("Summary", "Memory", "Operators", "Findings", "Log")


@dataclass(frozen=True, slots=True)
class View:
    """What the panes of a report read."""

    label: str
    status: str
    tabs: tuple[str, ...]
    tables: Mapping[str, Table]
    """By tab name in lower case."""
    findings: tuple[Finding, ...] = ()
    run: Run | None = None
    run_count: int = 0
    summary: CompileSummary | None = None
    capture: Capture | None = None
    notes: tuple[str, ...] = field(default=())
    origins: tuple[tuple[str, ...], ...] = ()
    """For each row of "operators": where it comes from, in lines."""

    @property
    def failed(self) -> bool:
        """Something is wrong enough to be shown first."""
        return any(finding.severity == "error" for finding in self.findings)

    @property
    def evidence(self) -> tuple[int, ...]:
        """Lines that the findings rest on, in the order of the log."""
        return tuple(sorted({line for finding in self.findings for line in finding.lines}))

    @property
    def cause(self) -> Finding | None:
        """The root cause, or else the first finding."""
        errors = [finding for finding in self.findings if finding.severity == "error"]
        return next(iter(errors or self.findings), None)

    @property
    def cause_line(self) -> int | None:
        """Where the root cause stands in the log."""
        cause = self.cause
        return cause.lines[0] if cause is not None and cause.lines else None


def view_of(loaded: Loaded, run_index: int, stopped: bool = False) -> View:
    """The view of one run of a capture, or of a compile result; `stopped` when somebody ended the run."""
    if loaded.result is not None:
        return _compile_view(loaded.label, loaded.result, loaded.summary)
    if loaded.summary is not None and loaded.capture is None:
        return _summary_view(loaded.label, loaded.summary)
    capture = loaded.capture
    if capture is None:
        return View(loaded.label, "empty", ("Findings", "Log"), {})
    return _run_view(loaded.label, capture, run_index, stopped)


def _run_view(label: str, capture: Capture, index: int, stopped: bool) -> View:
    from ..analysis.meaning.assumptions import of_place
    from ..analysis.meaning.derive import derive
    from ..analysis.run_tables import compile_table, run_tables
    from ..runners.targets.recorded import recorded_place

    capture = derive(capture, of_place(recorded_place(capture.source)))
    run = capture.runs[index] if index < len(capture.runs) else None
    findings = tuple(f for f in capture.findings if run is None or f.run in (None, run.index))
    tables: dict[str, Table] = {}
    tabs: tuple[str, ...] = RUN_TABS
    status = "no run found"
    if run is not None:
        tables |= run_tables(capture, run)
        tabs += tuple(name for name in RARE_TABS if name.lower() in tables)
        status = shown_status(run.status, stopped)
        if status != run.status:
            tables["summary"] = with_status(tables["summary"], status)
    elif capture.compile:
        tables["summary"] = compile_table(
            [{"target": s.accelerator, "status": "ok", "summary": to_dict(s)} for s in capture.compile]
        )
        tabs = ("Summary", "Findings", "Log")
        status = "compile"
    else:
        tabs = ("Findings", "Log")
        if any(finding.rule == "no-verdict" for finding in findings):
            status = "finished"
    summary = capture.compile[0] if capture.compile else None
    return View(label, status, tabs, tables, findings, run, len(capture.runs), summary, capture)


def _compile_view(label: str, result: Mapping[str, Any], summary: CompileSummary | None) -> View:
    findings = tuple(_finding(value) for value in result.get("findings") or ())
    from ..analysis.operators.tables import operators_table, origin_lines

    tables = _compile_tables(result, summary)
    operators = result.get("operators") or ()
    tables["operators"] = operators_table(operators)
    origins = tuple(origin_lines(operator) for operator in operators)
    tabs: tuple[str, ...] = COMPILE_TABS
    if result.get("delegation"):
        from ..analysis.delegation import delegation_tables

        partitions, left = (*delegation_tables(result["delegation"]), None, None)[:2]
        if left is not None and partitions is not None:
            tables["delegation"] = left if left.rows else partitions
            tabs = (*COMPILE_TABS, "Delegation")  # behind the others: their digits stay what they are
    status = str(result.get("status") or "ok")
    return View(label, status, tabs, tables, findings, summary=summary, origins=origins)


def _summary_view(label: str, summary: CompileSummary) -> View:
    entry = {"target": summary.accelerator, "status": "ok", "summary": to_dict(summary)}
    return View(label, "ok", ("Summary", "Memory"), _compile_tables(entry, summary), summary=summary)


def _compile_tables(result: Mapping[str, Any], summary: CompileSummary | None) -> dict[str, Table]:
    from ..analysis.run_tables import compile_table

    table = compile_table([result])
    tables = {"summary": table._replace(note="Cycles are Vela's estimates, not measurements." if summary else "")}
    if summary is not None:
        tables["memory"] = compile_memory_table(summary)
    return tables


def _finding(value: Mapping[str, Any]) -> Finding:
    return Finding(
        rule=str(value.get("rule") or ""),
        severity=value.get("severity") or "info",
        run=None,
        title=str(value.get("title") or ""),
        detail=str(value.get("detail") or ""),
        advice=str(value.get("advice") or ""),
        lines=tuple(value.get("lines") or ()),
    )
