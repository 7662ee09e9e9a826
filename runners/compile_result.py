"""What one compile gave, put together from its run folder and from what the compiler said on the way."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..analysis import read_capture
from ..analysis.findings import compile_findings
from ..analysis.numeric.report import NumericReport
from ..analysis.report import CompileSummary, Finding, to_dict
from ..analysis.vela import Layer, parse_per_layer_csv, parse_summary_csv, with_shares
from .aot_lines import SignedLines
from .compile_artefacts import made
from .compile_failures import foreign_lines
from .compile_plan import CompileOptions
from .compile_points import CompilePoint

RESULT = "result.json"
PTE = "model.pte"
DELEGATION = "delegation.txt"
VELA = "vela"

_SUMMED = (
    "npu_operators",
    "cpu_operators",
    "macs",
    "npu_cycles",
    "sram_access_cycles",
    "dram_access_cycles",
    "on_chip_flash_access_cycles",
    "off_chip_flash_access_cycles",
    "total_cycles",
    "inference_seconds",
    "on_chip_flash_used_bytes",
    "off_chip_flash_used_bytes",
)
"""Figures of partitions that run one after the other, and constants that lie side by side."""
_LARGEST = ("sram_used_bytes", "dram_used_bytes")
"""Partitions run one after the other and share these memories."""

_BORDER = re.compile(r"(?:de)?quantize_per_(?:tensor|channel)|^getitem$")
"""Operators at the edge of every delegate; they are no sign that something stayed behind."""


class CompiledOperator(NamedTuple):
    """One operator that Vela scheduled; cycles are estimates."""

    index: int  # type: ignore[assignment]
    tosa: str
    name: str | None
    torch: str | None
    source: str | None
    npu_cycles: int
    op_cycles: int
    macs: int
    sram_bytes: int | None
    share_percent: float
    partition: int = 1


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
    operators: tuple[CompiledOperator, ...]
    findings: tuple[Finding, ...]
    log: str
    partitions: int = 0
    stages: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage, as the compiler spent them."""
    route: str = "full"
    """"full": from the model; "shared": from the TOSA graphs of another job, to the same bytes."""
    route_reason: str | None = None
    arena_cache_bytes: int | None = None
    optimise: str | None = None
    bundle: str | None = None
    """The bundled program with reference data, where one was asked for; `pte` is the program in it."""
    etrecord: str | None = None
    numeric: NumericReport | None = None
    """What the numeric check found; None where none was asked for."""
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
        values["operators"] = tuple(CompiledOperator(**operator) for operator in values["operators"])
        values["findings"] = tuple(
            Finding(**finding)._replace(lines=tuple(finding["lines"])) for finding in values["findings"]
        )
        values["memory_mode"], values["system_config"] = values["memory_mode"] or None, values["system_config"] or None
        values["folder"] = folder
        values["numeric"] = None  # a check is of its own batch; what an earlier one found is in its report
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object; where a target has no memory mode or system config, these are empty."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values["memory_mode"] = self.memory_mode or ""
        values["system_config"] = self.system_config or ""
        values["folder"] = str(self.folder)
        result: dict[str, Any] = to_dict(values)
        return result


@dataclass(slots=True)
class Told:
    """What the compiler said about one job while it ran."""

    lines: SignedLines = field(default_factory=SignedLines)
    error: dict[str, Any] | None = None
    delegation: dict[str, Any] | None = None
    rejected: dict[str, str] = field(default_factory=dict)
    stages: dict[str, float] = field(default_factory=dict)
    vela_problems: list[str] = field(default_factory=list)
    route: str = "full"
    route_reason: str | None = None

    def inherit(self, other: Told) -> None:
        """What was said of another job holds for this one, which shares its graphs."""
        self.delegation, self.rejected = other.delegation, dict(other.rejected)

    def forget(self) -> None:
        """Nothing that was said so far holds."""
        self.delegation, self.rejected, self.vela_problems = None, {}, []

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
            self.rejected.setdefault(_operator_name(str(event["operator"])), str(event["reason"]))
        elif kind == "stages":
            self.stages = {str(name): float(seconds) for name, seconds in event["seconds"].items()}
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
) -> CompileResult:
    """The result of a job that has ended; `failure` is why it has no program, `destination` where a copy lies."""
    pte = folder / PTE
    sound = failure is None
    summary, operators, partitions, problems = _vela(folder / VELA)
    problems += told.vela_problems
    if sound:
        summary = _with_console(summary, log, partitions)
        summary = _with_delegation(summary, told)
    findings = [failure] if failure else list(_findings(options, point, summary, told, partitions, problems))
    if told.lines.foreign:
        findings.append(foreign_lines(told.lines.foreign))
    return CompileResult(
        target=point.target,
        memory_mode=point.memory_mode,
        system_config=point.system_config,
        status="ok" if sound else "failed",
        pte_bytes=pte.stat().st_size if sound else None,
        sha256=sha256(pte) if sound else None,
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
        arena_cache_bytes=point.arena_cache_bytes,
        optimise=point.optimise,
        folder=folder,
        **(made(pte, destination) if sound else {"pte": None}),
    )


def sha256(path: Path) -> str:
    """The digest of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def _vela(directory: Path) -> tuple[CompileSummary | None, tuple[CompiledOperator, ...], int, list[str]]:
    """Totals over all partitions, their operators in order, the number of partitions, and what could not be read."""
    summaries: list[CompileSummary] = []
    layers: list[tuple[int, Layer]] = []
    problems: list[str] = []
    kept = sorted(directory.glob("partition-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    for number, partition in enumerate(kept, 1):
        for pattern in ("*_summary_*.csv", "*_per-layer.csv"):
            try:
                text = next(partition.glob(pattern)).read_text(encoding="utf-8", errors="replace")
                if "summary" in pattern:
                    summaries.append(parse_summary_csv(text))
                else:
                    layers += [(number, layer) for layer in parse_per_layer_csv(text)]
            except StopIteration:
                problems.append(f"partition {number}: Vela left no {pattern}")
            except (OSError, ValueError) as error:
                problems.append(f"partition {number}: {error}")
    if len(summaries) < len(kept):  # a total over some of the partitions would be a wrong figure
        summaries = []
    shared = with_shares(layer for _, layer in layers)
    operators = tuple(
        CompiledOperator(
            index=index,
            tosa=layer.tosa,
            name=layer.name or None,
            torch=None,
            source=None,
            npu_cycles=layer.npu_cycles,
            op_cycles=layer.op_cycles,
            macs=layer.macs,
            sram_bytes=layer.sram_bytes,
            share_percent=layer.share_percent,
            partition=number,
        )
        for index, ((number, _), layer) in enumerate(zip(layers, shared, strict=True))
    )
    return combine(summaries), operators, len(kept), problems


def combine(summaries: Sequence[CompileSummary]) -> CompileSummary | None:
    """One summary for partitions that run one after the other: cycles add up, the working memory is the largest one."""
    if not summaries:
        return None
    totals: dict[str, Any] = {}
    for name in (*_SUMMED, *_LARGEST):
        values = [getattr(summary, name) for summary in summaries]
        known = [value for value in values if value is not None]
        if len(known) == len(values):
            totals[name] = sum(known) if name in _SUMMED else max(known)
        else:
            totals[name] = None
    return summaries[0]._replace(**totals)


def _with_console(summary: CompileSummary | None, log: Path, partitions: int) -> CompileSummary | None:
    """Add what Vela says on the console only: its operator counts."""
    printed = [s for s in read_capture(str(log), log.read_bytes()).compile if s.accelerator is not None]
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


def _findings(
    options: CompileOptions,
    point: CompilePoint,
    summary: CompileSummary | None,
    told: Told,
    partitions: int,
    problems: Sequence[str],
) -> Iterator[Finding]:
    if point.is_npu and options.delegate and summary is not None:
        nothing = summary.delegated_subgraphs == 0
        is_float = nothing and not options.quantize
        if is_float:
            yield Finding(
                "float-model",
                "error",
                None,
                "The model is not quantised, so the NPU cannot run it",
                "An Ethos-U computes on integers; every float operator stays on the CPU.",
                "Compile with quantisation (leave --no-quantize out), or with --no-delegate if the CPU is meant.",
            )
        for finding in compile_findings(summary):
            follows = is_float and finding.rule == "not-delegated"
            yield finding._replace(severity="info", lines=()) if follows else finding._replace(lines=())
        if not is_float:
            yield from _left_behind(point, summary, told)
    if summary is not None and summary.memory_mode == "Sram_Only" and summary.on_chip_flash_used_bytes:
        yield Finding(
            "weights-in-sram",
            "info",
            None,
            f"Vela counts {summary.on_chip_flash_used_bytes:,} bytes of weights as on-chip flash",
            "In Sram_Only they lie in the same SRAM as everything else, so the board needs both figures together.",
            "Add on-chip flash to SRAM when you compare with the board's memory.",
        )
    if partitions > 1:
        yield Finding(
            "totals-over-partitions",
            "info",
            None,
            f"Figures are totals over {partitions} NPU partitions",
            "Cycles, MACs and flash are added up; SRAM and DRAM are those of the largest partition. "
            "The CPU's part between them is not in any of these figures.",
            "Look at vela/partition-N in the run folder for each of them.",
        )
    if problems:
        yield Finding(
            "vela-detail-missing",
            "warning",
            None,
            "Vela's figures per operator are not complete",
            "; ".join(problems),
            "The program itself is not affected; see vela/partition-N/vela.log in the run folder.",
        )


def _left_behind(point: CompilePoint, summary: CompileSummary, told: Told) -> Iterator[Finding]:
    left = {name: n for name, n in summary.non_delegated_operators.items() if not _BORDER.search(name)}
    if not left:
        return
    count = sum(left.values())
    reasons = []
    for name, number in left.items():
        reason = told.rejected.get(_operator_name(name))
        reasons.append(f"{name} x{number}" + (f" ({reason})" if reason else ""))
    yield Finding(
        "operators-on-cpu",
        "warning",
        None,
        f"{count} operator{'s' if count > 1 else ''} stayed on the CPU: {', '.join(list(left)[:4])}",
        "; ".join(reasons),
        "Replace them by operators that the NPU has"
        + ("." if point.target.startswith("ethos-u85") else ", or try an Ethos-U85, which supports more."),
    )


def _operator_name(name: str) -> str:
    """One spelling for "aten.sort.default" and "aten_sort_default"."""
    return name.replace(".", "_").replace("::", "_")
