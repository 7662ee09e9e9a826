"""What one compile gave, put together from its run folder and from what the compiler said on the way."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from ...analysis import read_capture
from ...analysis.compiles.model_lint import lint
from ...analysis.compiles.whole_network import combine
from ...analysis.numeric.report import NumericReport
from ...analysis.operators.report import CompiledOperator
from ...analysis.report import CompileSummary, Finding, to_dict
from ...analysis.targets import TARGETS
from ..aot.lines import SignedLines
from ..digests import file_sha256
from ..vela import VELA
from .artefacts import made
from .cpu import cpu_findings
from .delegation import read_delegation
from .failures import foreign_lines
from .findings import Outcome, findings_of
from .operators import read_partitions
from .plan import CompileOptions
from .points import CompilePoint
from .result_text import OPERATORS, StoredOperators, object_text

RESULT = "result.json"
PTE = "model.pte"
DELEGATION = "delegation.txt"
_READ_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class CompileResult:
    """One entry of `jobs` of ``ethosu-tui/compile/1``, and the run folder behind it."""

    target: str
    memory_mode: str | None
    system_config: str | None
    status: Literal["ok", "failed"]
    pte: str | None
    pte_bytes: int | None
    sha256: str | None
    seconds: float
    cached: bool
    summary: CompileSummary | None
    operators: Sequence[CompiledOperator]
    findings: tuple[Finding, ...]
    log: str
    partitions: int = 0
    stages: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage, as the compiler spent them."""
    route: str = "full"
    """"full": from the model; "shared": from the TOSA graphs of another job, to the same bytes; "script": by ExecuTorch's own
    script in a process of its own; "vela": a graph, by Vela only."""
    route_reason: str | None = None
    delegation: Mapping[str, Any] | None = None
    """What went to the NPU, what did not and why (`analysis.compiles.delegation`); None where no program or description is."""
    arena_cache_bytes: int | None = None
    optimise: str | None = None
    bundle: str | None = None
    """The bundled program with reference data, where one was asked for; `pte` is the program in it."""
    etrecord: str | None = None
    numeric: NumericReport | None = None
    """What the numeric check found; None where none was asked for."""
    artefact: str | None = None
    """What was made where that is no `.pte`: Vela's own output, which `sha256` is of."""
    folder: Path = Path()

    @property
    def point(self) -> CompilePoint:
        """The job that this is the result of."""
        return CompilePoint(self.target, self.system_config, self.memory_mode, self.arena_cache_bytes, self.optimise)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], folder: Path) -> CompileResult:
        """The result that lies in a run folder.

        Raises:
            KeyError, TypeError, ValueError: it is not one of ours.
        """
        known = {f.name for f in fields(cls)}
        values = {name: value for name, value in stored.items() if name in known}
        summary = values["summary"]
        values["summary"] = None if summary is None else CompileSummary(**summary)
        if not isinstance(values[OPERATORS], StoredOperators):
            values[OPERATORS] = tuple(map(CompiledOperator.of, values[OPERATORS]))
        values["findings"] = tuple(
            Finding(**finding)._replace(lines=tuple(finding["lines"])) for finding in values["findings"]
        )
        values["memory_mode"], values["system_config"] = values["memory_mode"] or None, values["system_config"] or None
        values["folder"] = folder
        values["log"] = str(folder / Path(values["log"]).name)  # the workspace may have been moved
        values["numeric"] = None  # a check is of its own batch; what an earlier one found is in its report
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object; where a target has no memory mode or system config, these are empty."""
        result: dict[str, Any] = to_dict(self._fields() | {OPERATORS: tuple(self.operators)})
        return result

    def text(self, indent: str = " ") -> str:
        """The same as text, a field a line with these blanks before it and an operator a line."""
        return object_text(self._fields(), indent)

    def _fields(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        values["memory_mode"] = self.memory_mode or ""
        values["system_config"] = self.system_config or ""
        values["folder"] = str(self.folder)
        return values


@dataclass(slots=True)
class Told:
    """What the compiler said about one job while it ran."""

    lines: SignedLines = field(default_factory=SignedLines)
    error: dict[str, Any] | None = None
    delegation: dict[str, Any] | None = None
    rejected: dict[str, str] = field(default_factory=dict)
    """The partitioner's first reason for each operator that it refused."""
    census: dict[str, Any] | None = None
    """What the model is made of (`aot/census.py`)."""
    _fresh: bool = False
    stages: dict[str, float] = field(default_factory=dict)
    vela_problems: list[str] = field(default_factory=list)
    route: str = "full"
    route_reason: str | None = None
    printed: int | None = None
    """Vela's summaries on the console, where these are all that is known of partitions."""
    notes: list[Finding] = field(default_factory=list)
    """What else there is to say of the job, whatever became of it."""

    def inherit(self, other: Told) -> None:
        """What was said of another job holds for this one, which shares its graphs."""
        self.delegation, self.rejected, self.census = other.delegation, dict(other.rejected), other.census

    def forget(self) -> None:
        """Nothing that was said so far holds."""
        self.delegation, self.rejected, self.census, self.vela_problems = None, {}, None, []

    def advice(self, point: CompilePoint) -> list[Finding]:
        """What is known of the model's parts on this target, from before it was exported."""
        npu = TARGETS[point.target].npu
        return lint(self.census, npu) if self.census is not None and npu is not None else []

    def noticed(self, point: CompilePoint) -> list[Finding]:
        """The same, once: when it has just been heard."""
        fresh, self._fresh = self._fresh, False
        return self.advice(point) if fresh else []

    def hear(self, data: bytes) -> list[str]:
        """Keep what these bytes of the job's events say; the stages that it enters."""
        stages = []
        for event in self.lines.feed(data):
            try:
                stages.append(self._take(event))
            except (ValueError, KeyError, TypeError, AttributeError):
                self.lines.foreign += 1  # a model that knows the token can still not break us
        return [stage for stage in stages if stage]

    def _take(self, event: dict[str, Any]) -> str:
        kind = event["event"]
        if kind == "stage":
            return str(event["stage"])
        if kind == "error":
            self.error = self.error or event
        elif kind == "delegation":
            self.delegation = {
                "subgraphs": int(event["subgraphs"]),
                "delegated": int(event["delegated"]),
                "non_delegated": int(event["non_delegated"]),
                "operators": {str(name): (int(on), int(off)) for name, (on, off) in event["operators"].items()},
            }
        elif kind == "rejected":
            self.rejected.setdefault(str(event["operator"]), str(event["reason"]))
        elif kind == "census":
            self.census = {group: list(event[group]) for group in ("modules", "calls")}
            self._fresh = True
        elif kind == "stages":
            self.stages = {str(name): float(seconds) for name, seconds in event["seconds"].items()}
        elif kind == "delegation-detail":
            self.vela_problems.append(f"what was delegated: {event['error']}")
        elif kind == "vela-detail":
            self.vela_problems.append(f"partition {event['partition']}: {event['error']}")
        return ""


def build_result(
    options: CompileOptions,
    point: CompilePoint,
    folder: Path,
    log: Path,
    told: Told,
    seconds: float,
    failure: Finding | None,
    destination: Path | None,
    artefact: Path | None = None,
) -> CompileResult:
    """The result of a job that has ended; `failure` is why it has no program, `destination` where a copy lies.

    `artefact` is what was made where that is no `.pte`.
    """
    pte = folder / PTE
    program = sound = failure is None
    if artefact is not None:
        pte, program = artefact, False
    compiled = read_partitions(folder / VELA)
    operators = compiled.operators
    # a total over some of the partitions would be a wrong figure
    summary = combine(compiled.summaries) if len(compiled.summaries) == compiled.partitions else None
    partitions = compiled.partitions if told.printed is None else told.printed
    problems = [*compiled.problems, *told.vela_problems]
    if sound:
        summary = _with_console(summary, log, partitions)
        summary = _with_delegation(summary, told)
    delegation = read_delegation(folder, folder / VELA) if program else None
    outcome = Outcome(options, point, summary, delegation, told.rejected, partitions, problems)
    findings = [failure] if failure else list(findings_of(outcome))
    if options.delegate:
        findings += told.advice(point)
    if program and not (point.is_npu and options.delegate):
        findings += cpu_findings(pte)
    if told.lines.foreign:
        findings.append(foreign_lines(told.lines.foreign))
    findings += told.notes
    return CompileResult(
        target=point.target,
        memory_mode=point.memory_mode,
        system_config=point.system_config,
        status="ok" if sound else "failed",
        pte_bytes=pte.stat().st_size if program else None,
        sha256=file_sha256(pte) if sound else None,
        seconds=round(seconds, 3),
        cached=False,
        summary=summary if sound else None,
        operators=operators if sound else (),
        findings=tuple(findings),
        log=str(log),
        partitions=partitions,
        stages=dict(told.stages),
        route=told.route,
        route_reason=told.route_reason,
        delegation=delegation,
        arena_cache_bytes=point.arena_cache_bytes,
        optimise=point.optimise,
        artefact=str(destination or artefact) if sound and artefact else None,
        folder=folder,
        **(made(pte, destination) if program else {"pte": None}),
    )


def console_end(log: Path) -> bytes:
    """The end of a job's log, where Vela and the script print: before, the model's code may print what it likes.

    Raises:
        OSError: it cannot be read.
    """
    with log.open("rb") as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - _READ_BYTES))
        return stream.read(_READ_BYTES)


def _with_console(summary: CompileSummary | None, log: Path, partitions: int) -> CompileSummary | None:
    """Add what Vela says on the console only: its operator counts."""
    printed = [s for s in read_capture(str(log), console_end(log)).compile if s.accelerator is not None]
    if not printed or len(printed) != partitions:
        return summary
    console = combine(printed)
    if summary is None or console is None:
        return console
    return summary._replace(npu_operators=console.npu_operators, cpu_operators=console.cpu_operators)


def _with_delegation(summary: CompileSummary | None, told: Told) -> CompileSummary | None:
    if told.delegation is None or (summary is None and not any(told.delegation.values())):
        return summary
    left = {name: counts[1] for name, counts in told.delegation["operators"].items() if counts[1]}
    return (summary or CompileSummary())._replace(
        delegated_subgraphs=told.delegation["subgraphs"],
        delegated_nodes=told.delegation["delegated"],
        non_delegated_nodes=told.delegation["non_delegated"],
        non_delegated_operators=dict(sorted(left.items(), key=lambda item: (-item[1], item[0]))),
    )
