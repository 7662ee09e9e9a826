"""Reads what a compile left of each partition in its run folder: Vela's tables, the TOSA graph, the origins of its operators.

A sweep reads hundreds of these, and configurations of an NPU family share their graphs: what was made of a graph or of its
origins is kept by the bytes, so that each is taken apart once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ...analysis.compiles.vela import parse_per_layer_csv, parse_summary_csv
from ...analysis.npu_trace.debug_tables import DebugTables
from ...analysis.operators.graph import Flow, flow_of
from ...analysis.operators.join import PartitionFacts, compiled_operators
from ...analysis.operators.locations import Locations, parse_locations
from ...analysis.operators.perf import perf_rows
from ...analysis.operators.report import CompiledOperator
from ...analysis.report import CompileSummary
from ...analysis.targets import TARGETS
from ...analysis.tosa.reader import read_tosa

KEPT = 16
"""Graphs, and origins, of which what was read is kept."""

_Made = TypeVar("_Made")


class Compiled(NamedTuple):
    """What was read."""

    summaries: tuple[CompileSummary, ...]
    """One for each partition that has one."""
    operators: tuple[CompiledOperator, ...]
    partitions: int
    problems: tuple[str, ...]


class _ByContent:
    """What was made of some bytes, for the last of them."""

    def __init__(self, make: Callable[[bytes], Any]) -> None:
        self._make = make
        self._made: dict[bytes, Any] = {}

    def __call__(self, data: bytes) -> Any:
        key = hashlib.sha256(data).digest()
        if key in self._made:
            return self._made[key]
        made = self._make(data)
        while len(self._made) >= KEPT:
            self._made.pop(next(iter(self._made)), None)
        self._made[key] = made
        return made


_flow = _ByContent(lambda data: flow_of(read_tosa(data)))
_locations = _ByContent(lambda data: parse_locations(data.decode("utf-8", "replace")))


def partition_directories(vela: Path) -> list[Path]:
    """What Vela left of each partition, in the order in which they were compiled: the tenth comes after the second."""
    return sorted(vela.glob("partition-*"), key=lambda path: int(path.name.rpartition("-")[2]))


def read_partitions(directory: Path) -> Compiled:
    """What lies in the folders `partition-N` of this directory."""
    kept = partition_directories(directory)
    summaries: list[CompileSummary] = []
    partitions: list[PartitionFacts] = []
    problems: list[str] = []
    for number, folder in enumerate(kept, 1):
        files = sorted(path.name for path in folder.iterdir())
        reading = _Partition(folder, files, number, problems)
        summary = reading.summary()
        if summary is not None:
            summaries.append(summary)
        partitions.append(reading.facts(summary))
    return Compiled(tuple(summaries), compiled_operators(partitions), len(kept), tuple(problems))


class _Partition:
    """One folder; what cannot be read becomes a problem."""

    def __init__(self, folder: Path, files: Sequence[str], number: int, problems: list[str]) -> None:
        self._folder = folder
        self._files = files
        self._number = number
        self._problems = problems

    def summary(self) -> CompileSummary | None:
        return self._made("a summary", self._find("_summary_", ".csv"), lambda data: parse_summary_csv(_text(data)))

    def facts(self, summary: CompileSummary | None) -> PartitionFacts:
        database = self._find("", "_debug.xml")
        rows = self._made("", database, lambda data: perf_rows(DebugTables(_text(data)))) or ()
        if not rows:
            table = self._find("", "_per-layer.csv")
            layers = self._made("a table of operators", table, lambda data: parse_per_layer_csv(_text(data))) or ()
            return PartitionFacts(self._number, layers=layers)
        flow: Flow | None = self._made("", self._find("out", ".tosa"), _flow)
        locations: Locations | None = self._made("", self._find("locations", ".json"), _locations)
        if flow is not None and locations is not None and flow.operators != locations.operators:
            self._tell("the origins of its operators are those of another graph")
            locations = None
        target = TARGETS.get((summary.accelerator or "") if summary is not None else "")
        return PartitionFacts(self._number, rows, (), flow, locations, target.macs if target is not None else None)

    def _find(self, start: str, end: str) -> str | None:
        return next((name for name in self._files if start in name and name.endswith(end)), None)

    def _made(self, what: str, name: str | None, make: Callable[[bytes], _Made]) -> _Made | None:
        """What is made of a file; None where there is none, which is a problem where `what` says what is missing then."""
        if name is None:
            if what:
                self._tell(f"Vela left no file with {what}")
            return None
        try:
            return make((self._folder / name).read_bytes())
        except (OSError, ValueError) as error:
            self._tell(f"{name}: {error}")
            return None

    def _tell(self, problem: str) -> None:
        self._problems.append(f"partition {self._number}: {problem}")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
