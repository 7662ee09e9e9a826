"""One row of facts per run, for captures with more runs than anybody reads: what summaries, groups and trends need.

A `Run` with its findings costs kilobytes, too much for a hundred thousand of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import Finding, Run, executions, to_dict

if TYPE_CHECKING:
    from typing import Any


class RunRow(NamedTuple):
    """The facts of one run; None means that the run did not print it."""

    source: str
    index: int  # type: ignore[assignment]
    first_line: int
    last_line: int
    start_byte: int
    """Where the run begins in the (decompressed) capture, and `end_byte` where it ends: enough to read it again alone."""
    end_byte: int
    at: str | None
    """The host's time stamp on the run's first stamped line, as printed; None where no tool stamped the lines."""
    status: str
    stage: str
    version: str | None
    target: str | None
    pte_bytes: int | None
    inferences: int | None
    npu_cycles: int | None
    inference_cycles: int | None
    method_used_bytes: int | None
    cause: str | None
    """Rule of the first finding of severity error: the root cause."""
    cause_title: str | None
    cause_line: int | None
    rules: tuple[str, ...]
    """The rules of all findings of the run, each once, in their order."""
    cause_advice: str | None = None
    """What the root cause's finding says to do."""


class Outside(NamedTuple):
    """An error that belongs to no run: a failed compile, build or set-up."""

    source: str
    rule: str
    title: str
    line: int | None
    advice: str


def row_of(
    source: str, run: Run, findings: Sequence[Finding], *, start_byte: int, end_byte: int, at: str | None
) -> RunRow:
    """The row of a run; `findings` are those of this run."""
    cause = cause_of(findings)
    method = run.memory.pools.get("method")
    return RunRow(
        source=source,
        index=run.index,
        first_line=run.first_line,
        last_line=run.last_line,
        start_byte=start_byte,
        end_byte=end_byte,
        at=at,
        status=run.status,
        stage=run.stage,
        version=run.runner.executorch_version,
        target=run.target.name or run.target.npu,
        pte_bytes=run.model.pte_bytes,
        inferences=executions(run),
        npu_cycles=run.pmu.npu_cycles if run.pmu is not None else None,
        inference_cycles=run.cycles.inference,
        method_used_bytes=method.used_bytes if method is not None else None,
        cause=cause.rule if cause is not None else None,
        cause_title=cause.title if cause is not None else None,
        cause_line=cause.lines[0] if cause is not None and cause.lines else None,
        rules=tuple(dict.fromkeys(finding.rule for finding in findings)),
        cause_advice=cause.advice if cause is not None else None,
    )


def cause_of(findings: Sequence[Finding]) -> Finding | None:
    """The root cause of one run: its first finding of severity "error"; None without one."""
    return next((finding for finding in findings if finding.severity == "error"), None)


def run_object(run: Run, findings: Sequence[Finding]) -> dict[str, Any]:
    """What `--jsonl` gives of a run besides its source: the Run object, and why it failed."""
    return {**to_dict(run), "root_cause": cause_object(cause_of(findings))}


def json_line(source: str, run: Run, findings: Sequence[Finding]) -> str:
    """The line that `--jsonl` prints for a run of this source."""
    import json  # only here: most reports are tables

    return json.dumps({"source": source, **run_object(run, findings)}, allow_nan=False)


def cause_object(cause: Finding | None) -> dict[str, Any] | None:
    """The parts of a root cause that do not depend on other runs, as its detail may."""
    if cause is None:
        return None
    line = cause.lines[0] if cause.lines else None
    return {"rule": cause.rule, "title": cause.title, "advice": cause.advice, "line": line}


def shifted(row: RunRow, times: int, size_bytes: int) -> RunRow:
    """The row of a one-line run that comes `times` lines of the same size later."""
    return row._replace(
        index=row.index + times,
        first_line=row.first_line + times,
        last_line=row.last_line + times,
        start_byte=row.start_byte + times * size_bytes,
        end_byte=row.end_byte + times * size_bytes,
        cause_line=row.cause_line + times if row.cause_line is not None else None,
    )
