"""What the user says against what the log says: the log is believed, and that is said rather than done in silence."""

from __future__ import annotations

from ..report import Finding, Run
from ..targets import SYSTEM_CONFIGS
from .assumptions import Assumptions


def without_contradictions(run: Run, given: Assumptions) -> tuple[Assumptions, list[Finding]]:
    """The assumptions without a target and a system config that cannot be those of this run, and a warning for each."""
    findings = []
    kept = given
    if given.target is not None and not _can_be(run, given.target):
        kept = kept._replace(target=None)
        findings.append(
            Finding(
                "target-not-of-this-run", "warning", run.index, f"The log is not from an {given.target}",
                f"The log says {_named(run)}: the target given is not used.",
                "Leave out --target, or name the one that ran it.",
                _lines(run),
            )
        )  # fmt: skip
    config = SYSTEM_CONFIGS.get(given.system_config or "")
    npu = run.target.npu or (given.target or "").rpartition("-")[0]
    if config is not None and npu and config.npu != npu:
        kept = kept._replace(system_config=None)
        findings.append(
            Finding(
                "system-config-not-of-this-run", "warning", run.index, f"{config.name} is not a system config of this NPU",
                f"It belongs to the {config.npu}, and {'the log says' if run.target.npu else 'the target given is'} "
                f"{_named(run) if run.target.npu else given.target}: its clock and bandwidths are not used.",
                f"Give a --system-config of the {npu}.",
                _lines(run),
            )
        )  # fmt: skip
    return kept, findings


def _can_be(run: Run, target: str) -> bool:
    family, _, size = target.rpartition("-")
    return run.target.npu in (None, family) and run.target.macs in (None, int(size))


def _named(run: Run) -> str:
    known = run.target.name or run.target.npu
    return known if known is not None else f"{run.target.macs} MACs"


def _lines(run: Run) -> tuple[int, ...]:
    found = (run.lines[path] for path in ("target.name", "target.npu", "target.macs") if path in run.lines)
    return tuple(found)[:1]
