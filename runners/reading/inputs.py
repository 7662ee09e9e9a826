"""One input as a screen or a comparison shows it: a whole log, a stored run or compile, a summary CSV of Vela."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from ...analysis.compiles.entry import summary_of
from ...analysis.line_forms.encodings import LineFeeds
from ...analysis.lines import Line, clean
from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ...analysis.splitter import LineSplitter
from ..job import InputError
from .blocks import Source, blocks, member_of
from .compression import ENDINGS
from .digest import read_source, read_stored, read_table, readings
from .paths import is_run_folder
from .results import json_object, stored_result
from .settings import WHOLE, Reading

if TYPE_CHECKING:
    from typing import Any

    from ...analysis import Capture
    from ...analysis.comparing.sides import Side
    from ...analysis.report import CompileSummary, Finding


class Loaded(NamedTuple):
    """Something that a report or a comparison can show: a capture, or one compile result."""

    label: str
    path: str
    capture: Capture | None = None
    result: dict[str, Any] | None = None
    summary: CompileSummary | None = None
    log: Path | None = None

    def lines(self) -> list[Line]:
        """The clean lines of the log behind it; empty where there is none."""
        if self.log is None or not (self.log.is_file() or "!" in str(self.log)):
            return []
        splitter = LineSplitter()
        lines: list[Line] = []
        for block in blocks(str(self.log)):
            if not splitter.bytes:
                splitter.returns = LineFeeds(block)
            lines += splitter.feed(block)
        return lines + splitter.finish()

    def sides(self) -> list[Side]:
        """The columns that this gives in a comparison: each run of a log, or each network that it compiles.

        Raises:
            InputError: there is nothing to compare, as after a failed compile.
        """
        from ...analysis.comparing.sides import Side

        if self.summary is not None:
            result = self.result or {}
            operators = tuple(result.get("operators") or ())
            size = result.get("pte_bytes")
            return [Side(self.label, self.path, "compile", None, self.summary, size, self._facts(), operators)]
        runs = self.capture.runs if self.capture is not None else ()
        if not runs and self.capture is not None and self.capture.compile:
            from ...analysis.compiles.whole_network import networks_of

            found = [network for network in networks_of(self.capture) if not network.failed]
            several = len(found) > 1
            if not found:
                raise InputError(f"{self.path}: holds no run and no compile result", "a failed compile has no figures")
            names = (f"{self.label}#{one.last}" if several else self.label for one in found)
            return [Side(name, self.path, "compile", None, one.whole) for name, one in zip(names, found, strict=True)]
        if not runs:
            raise InputError(f"{self.path}: contains no run and no compile result", "a failed compile has no figures")
        many, facts = len(runs) > 1, self._facts()
        causes: dict[int | None, Finding] = {}
        for finding in self.capture.findings if self.capture is not None else ():
            if finding.severity == "error":
                causes.setdefault(finding.run, finding)
        labels = (f"{self.label}#{run.index}" if many else self.label for run in runs)
        return [
            Side(label, self.path, "run", run=run, facts=facts, cause=causes.get(run.index))
            for label, run in zip(labels, runs, strict=True)
        ]

    def _facts(self) -> Mapping[str, str]:
        """What the manifest of a run folder says of the setup."""
        from ...analysis.comparing.setups import facts_of

        if not os.path.isdir(self.path):
            return {}
        return facts_of(json_object(os.path.join(self.path, "manifest.json")), self.result)


def read(path: str) -> Reading:
    """Analyse one input whole: a log (also `archive!member`), a run folder, or a summary CSV of Vela.

    Raises:
        InputError: it cannot be read, it is empty, or it is an archive of several logs.
    """
    if os.path.isdir(path) and is_run_folder(path):
        (reading,) = readings(path)
        assert isinstance(reading, Reading)
        return reading
    return read_table(path) or _read_log(path)


def _read_log(path: str, most_runs: int = sys.maxsize) -> Reading:
    return read_source(Source(path, blocks(path), []), WHOLE._replace(full_runs=most_runs))


def load(path: str, most_runs: int = sys.maxsize) -> Loaded:
    """What a report or comparison can show of this path: a stored run or compile, a log, or a Vela summary CSV.

    Raises:
        InputError: unreadable, nothing in it is recognised, or it is a log of more runs than `most_runs`.
    """
    path = os.path.expanduser(path)
    if os.path.isdir(path):
        return _load_folder(Path(path))
    table = read_table(path)
    if table is not None:
        return Loaded(os.path.basename(path), path, summary=table.capture.compile[0])
    capture, problem, _, runs = _read_log(path, most_runs)
    if runs > most_runs:
        raise InputError(
            f"{path}: holds {runs:,} runs, and at most {most_runs:,} of a log become columns",
            "`ethosu-tui analyze` sums them up; `compare --repeats` takes them for repeats of one another, as one column",
        )
    if problem is not None and not (capture.runs or capture.compile):
        raise problem
    label = os.path.basename(member_of(path)[1] or path)
    for ending in (*ENDINGS, ".log", ".txt"):
        label = label.removesuffix(ending)
    return Loaded(label or path, path, capture, log=Path(path) if path != "-" else None)


def _load_folder(folder: Path) -> Loaded:
    from ..runs.stored import recorded_outcome

    if not is_run_folder(str(folder)):
        raise InputError(f"{folder}: is a folder that contains no stored run", "give a log file or a run folder")
    log = folder / "console.log"
    label = clean(str(json_object(str(folder / "manifest.json")).get("label") or folder.name))
    result = stored_result(str(folder))
    summary = summary_of(result)
    outcome = recorded_outcome(str(folder))
    written = log.is_file() and log.stat().st_size
    capture = read_stored(str(folder), outcome, summary).capture if written or outcome is not None else None
    if result is None and (capture is None or not (written or capture.runs or capture.findings)):
        raise InputError(f"{folder}: the run has no output yet", "wait for it, or read its manifest.json")
    return Loaded(label, str(folder), capture, result, summary, log if log.is_file() else None)
