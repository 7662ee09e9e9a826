"""Which NPU a run can be of: what its log names, what its counters leave, and else what was said or compiled beside it."""

from __future__ import annotations

from ..cleaning import compiled
from ..report import CompileSummary, Run
from .assumptions import NOTHING, Assumptions
from .pmu_events import EVENTS, generation_of

_RELEASE = r"(\d+)\.(\d+)"


def can_be(run: Run, target: str | None) -> bool:
    """Whether this can be the target of the run, as far as its log tells."""
    family, _, size = (target or "").rpartition("-")
    if family not in EVENTS or not size.isdigit():
        return False
    return run.target.npu in (None, family) and run.target.macs in (None, int(size)) and family in families(run)


def families(run: Run) -> tuple[str, ...]:
    """The families of NPU on which these counters can have been listed."""
    found = counted_by(run)
    return found if "ethos-u85" in found or not _lists_for_all(run) else (*found, "ethos-u85")


def counted_by(run: Run) -> tuple[str, ...]:
    """The families that have all events of these counters; all of them where the names are those of none."""
    counters = run.pmu.counters if run.pmu is not None else ()
    return generation_of(tuple(one.event for one in counters if one.event is not None)) or tuple(EVENTS)


def _lists_for_all(run: Run) -> bool:
    """ExecuTorch 0.4 lists the events of an Ethos-U55 on every NPU; so may a runner that does not tell its release."""
    counters = run.pmu.counters if run.pmu is not None else ()
    if any(one.event == "ETHOSU_PMU_NPU_ACTIVE" for one in counters):
        return False  # the evaluation kit names the events that it has set
    version = run.runner.executorch_version
    if version is None or version.startswith("0.5-dev"):
        return True
    first = compiled(_RELEASE).match(version)  # "main" has none
    return first is not None and (int(first[1]), int(first[2])) <= (0, 4)


def with_npu(run: Run, given: Assumptions | None = None, summary: CompileSummary | None = None) -> Run:
    """The run with the target that was said or compiled beside it, where its log does not name it in full."""
    target = run.target
    if target.npu is not None and target.macs is not None:
        return run
    for name in ((given or NOTHING).target, summary.accelerator if summary is not None else None):
        if name is not None and can_be(run, name):
            family, _, size = name.rpartition("-")
            return run._replace(target=target._replace(name=name, npu=family, macs=int(size)))
    return run
