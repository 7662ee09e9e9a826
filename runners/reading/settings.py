"""How an input is read, and what comes of reading it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ...analysis.report import Capture, CompileSummary, Finding, Run
    from ..job import JobError


class Reading(NamedTuple):
    """One log as analysed: `problem` says what is wrong with the input, `notes` what is worth knowing of it."""

    capture: Capture
    problem: JobError | None
    notes: tuple[str, ...] = ()
    run_count: int = 0
    """Runs in it; `capture` may hold fewer."""


class ReadSettings(NamedTuple):
    """How inputs are read: `full_runs` to keep of each, JSON lines or not, and what else is known of every run."""

    full_runs: int = sys.maxsize
    jsonl: bool = False
    complete: Callable[[Run, Sequence[Finding], Sequence[CompileSummary]], Run] | None = None
    """For runs that become JSON lines; the summaries are those of the compiles before."""
    derive: Callable[[Capture], Capture] | None = None
    """For what is kept whole."""
    rows: bool = True
    """Whether a row of every run is kept: what is streamed needs none."""
    stored: Callable[[ReadSettings, str], ReadSettings] | None = None
    """How a stored run is read, at this path: its folder says where it ran."""
    halves: bool = False
    """Whether other processes may read parts of a large file."""


WHOLE = ReadSettings()
