"""One shape for what the Report screen shows, whether it is a run in a log or a compile result: tabs, tables, findings.

Everything here is taken from `analysis` objects; nothing is computed but which parts exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..analysis.report import Capture, CompileSummary, Finding, Run, to_dict
from ..analysis.tables import Table
from .figures import compile_memory_table, with_status
from .state import shown_status

if TYPE_CHECKING:
    from ..analysis.answers.answer import Answer
    from ..analysis.fit.of_run import RunFit, RunNeeds
    from ..analysis.meaning.assumptions import Assumptions
    from ..analysis.meaning.boards import Board
    from ..runners.reading.inputs import Loaded
    from ..runners.reading.pmu_trace import RunTrace

RUN_TABS = ("Summary", "Memory", "Cycles", "PMU", "Outputs", "Findings", "Log")
RARE_TABS = ("Operators", "Inferences", "Delegates")
ROOFLINE = "Roofline"
TRACE = "Trace"
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
    fit: RunFit | None = None
    """On the board that was chosen."""
    needs: RunNeeds | None = None
    origins: tuple[tuple[str, ...], ...] = ()
    """For each row of "operators": where it comes from, in lines."""
    trace_origins: tuple[tuple[str, ...], ...] = ()
    """The same for each row of "trace"."""
    answers: tuple[Answer, ...] = ()
    """Did it pass, how fast, does it fit, what limits it, what to do."""

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


def with_trace(view: View, found: RunTrace | str) -> View:
    """The view with what the FVP's trace of the run says of its operators, or with the reason why that is nothing."""
    if isinstance(found, str):
        return replace(view, tables={**view.tables, "trace": Table("NPU cycles by operator", (), (), found)})
    from ..analysis.npu_trace.tables import located_trace_table
    from ..analysis.operators.tables import origin_lines

    table, entries = located_trace_table(found.trace, found.notes, found.operators)
    origins = tuple(origin_lines(entry) if entry is not None else () for entry in entries)
    return replace(view, tables={**view.tables, "trace": table}, trace_origins=origins)


def view_of(loaded: Loaded, run_index: int, stopped: bool = False, given: Assumptions | None = None) -> View:
    """The view of one run of a capture, or of a compile result.

    `stopped` when somebody ended the run; `given` is what the user says beside the log (clock, board, MACs).
    """
    if loaded.result is not None:
        return _compile_view(loaded.label, loaded.result, loaded.summary, given)
    if loaded.summary is not None and loaded.capture is None:
        return _summary_view(loaded.label, loaded.summary, given)
    capture = loaded.capture
    if capture is None:
        return View(loaded.label, "empty", ("Findings", "Log"), {})
    return _run_view(loaded.label, capture, run_index, stopped, given)


def _run_view(label: str, capture: Capture, index: int, stopped: bool, given: Assumptions | None) -> View:
    from ..analysis.answers.of_capture import answers_in, answers_to, compile_of
    from ..analysis.beyond_notes import beyond_notes
    from ..analysis.compiles.tables import compile_table, jobs_of
    from ..analysis.compiles.whole_network import networks_of
    from ..analysis.meaning.assumptions import NOTHING, of_place, over
    from ..analysis.meaning.derive import derive
    from ..analysis.report_tables import run_tables
    from ..runners.reading.pmu_trace import has_trace
    from ..runners.targets.recorded import recorded_place

    assumed = over(given or NOTHING, of_place(recorded_place(capture.source)))
    capture = derive(capture, assumed)
    run = capture.runs[index] if index < len(capture.runs) else None
    findings = tuple(f for f in beyond_notes(capture, capture.findings) if run is None or f.run in (None, run.index))
    tables: dict[str, Table] = {}
    tabs: tuple[str, ...] = RUN_TABS
    status = "no run found"
    answers: tuple[Answer, ...] = ()
    first = next((network.whole for network in networks_of(capture)), None)
    if run is not None:
        tables |= run_tables(capture, run)
        tabs += tuple(name for name in RARE_TABS if name.lower() in tables)
        if run.pmu is not None and run.pmu.npu_cycles:
            tabs += (ROOFLINE,)
        if has_trace(capture.source):
            tabs += (TRACE,)
        status = shown_status(run.status, stopped)
        if status != run.status:
            tables["summary"] = with_status(tables["summary"], status)
        answers = answers_to(capture, run, assumed, status=status)
        estimate = compile_of(capture, run, assumed)
        if "operators" not in tables and estimate is not None and estimate.operators:
            tables["operators"] = _estimated(estimate)
            tabs += ("Operators",)
    elif capture.compile:
        tables["summary"] = compile_table(jobs_of(capture))
        tabs = ("Summary", "Findings", "Log")
        many = sum(1 for _ in networks_of(capture))
        if first is not None and first.operators:
            tables["operators"] = _estimated(first, many)
            tabs += ("Operators",)
        status = "compile" if many == 1 else f"compile 1 of {many}"
        answers = next(answers_in(capture, assumed)).answers
    else:
        tabs = ("Findings", "Log")
        if any(finding.rule == "no-verdict" for finding in findings):
            status = "finished"
    view = View(label, status, tabs, tables, findings, run, len(capture.runs), first, capture, answers=answers)
    return view if run is None else _fitted(view, capture, run, assumed)


def _estimated(summary: CompileSummary, many: int = 1) -> Table:
    """Vela's table of operators out of the same capture; the first of several networks is named as that."""
    from ..analysis.operators.tables import operators_table

    table = operators_table([to_dict(layer) for layer in summary.operators], summary.total_cycles)
    return table if many == 1 else table._replace(title=f"{table.title} (network 1 of {many})")


def _fitted(view: View, capture: Capture, run: Run, given: Assumptions) -> View:
    """With whether the run fits on the board that was chosen, or on which it would; nothing for a run on a host."""
    from ..analysis.answers.of_capture import board_of, compile_of, named_run
    from ..analysis.fit.of_run import boards_with_npu, needs_of_run
    from ..analysis.fit.tables import board_table, boards_table

    board = board_of(given)
    if board is None and run.target.platform == "host":
        return view
    summary = compile_of(capture, run, given)
    run = named_run(run, summary, given)
    needs = needs_of_run(run, summary)
    if board is not None:
        from ..analysis.fit.on_boards import fit_on

        table = board_table(run, needs, board)
        return replace(view, tables={**view.tables, "board": table}, fit=fit_on(run, board, needs), needs=needs)
    boards = boards_with_npu(run)
    if not boards or not needs.items:
        return view
    return replace(view, tables={**view.tables, "board": boards_table(run, needs, boards)}, needs=needs)


def _compile_view(
    label: str, result: Mapping[str, Any], summary: CompileSummary | None, given: Assumptions | None
) -> View:
    from ..analysis.answers.of_compile import answers_of_compile
    from ..analysis.operators.tables import operators_table, origin_lines

    findings = tuple(_finding(value) for value in result.get("findings") or ())
    tables = _compile_tables(result, summary, given)
    operators = result.get("operators") or ()
    tables["operators"] = operators_table(operators)
    origins = tuple(origin_lines(operator) for operator in operators)
    tabs: tuple[str, ...] = COMPILE_TABS
    if result.get("delegation"):
        from ..analysis.compiles.delegation import delegation_tables

        partitions, left = (*delegation_tables(result["delegation"]), None, None)[:2]
        if left is not None and partitions is not None:
            tables["delegation"] = left if left.rows else partitions
            tabs = (*COMPILE_TABS, "Delegation")  # behind the others: their digits stay what they are
    status = str(result.get("status") or "ok")
    answers = answers_of_compile(summary, findings, result, _board(given))
    return View(label, status, tabs, tables, findings, summary=summary, origins=origins, answers=answers)


def _summary_view(label: str, summary: CompileSummary, given: Assumptions | None) -> View:
    from ..analysis.answers.of_compile import answers_of_compile

    entry = {"target": summary.accelerator, "status": "ok", "summary": to_dict(summary)}
    answers = answers_of_compile(summary, board=_board(given))
    tables = _compile_tables(entry, summary, given)
    return View(label, "ok", ("Summary", "Memory"), tables, summary=summary, answers=answers)


def _board(given: Assumptions | None) -> Board | None:
    from ..analysis.answers.of_capture import board_of

    return board_of(given)


def _compile_tables(
    result: Mapping[str, Any], summary: CompileSummary | None, given: Assumptions | None
) -> dict[str, Table]:
    from ..analysis.compiles.tables import compile_table
    from ..analysis.design.fit_table import compile_board_table

    table = compile_table([result])
    tables = {"summary": table._replace(note="Cycles are Vela's estimates, not measurements." if summary else "")}
    if summary is not None:
        tables["memory"] = compile_memory_table(summary)
        tables["board"] = compile_board_table(result, summary, _board(given))
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
