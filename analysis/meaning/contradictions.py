"""What the user says against what the log says: the log is believed, and that is said rather than done in silence."""

from __future__ import annotations

from collections.abc import Sequence

from ..report import CompileSummary, Finding, Run
from .assumptions import Assumptions
from .facts import summary_of
from .memory_mode import family
from .vendor_configs import macs_of, system_config_named


def without_contradictions(
    run: Run, given: Assumptions, summaries: Sequence[CompileSummary] = ()
) -> tuple[Assumptions, list[Finding]]:
    """The assumptions without target, system config and memory mode that cannot be those of this run; a warning for each."""
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
    config, own_macs = system_config_named(given.system_config), macs_of(given.system_config)
    npu = run.target.npu or (given.target or "").rpartition("-")[0]
    other = own_macs is not None and run.target.macs not in (None, own_macs)
    if config is not None and ((npu and config.npu != npu) or other):
        kept = kept._replace(system_config=None)
        findings.append(
            Finding(
                "system-config-not-of-this-run", "warning", run.index, f"{config.name} is not a system config of this NPU",
                f"It belongs to the {config.npu}{f'-{own_macs}' if own_macs else ''}, and "
                f"{'the log says' if run.target.npu or other else 'the target given is'} "
                f"{_named(run) if run.target.npu or other else given.target}: its clock and bandwidths are not used.",
                f"Give a --system-config of the {_named(run) if other else npu}.",
                _lines(run),
            )
        )  # fmt: skip
    told = _other_mode(run, given, summaries)
    if told is not None:
        kept = kept._replace(memory_mode=None)
        findings.append(told)
    return kept, findings


def _other_mode(run: Run, given: Assumptions, summaries: Sequence[CompileSummary]) -> Finding | None:
    """A warning where the capture says for which memory mode the model was compiled, and it is another one."""
    if given.memory_mode is None:
        return None
    summary = summary_of(run, summaries, given)
    printed, line = run.target.memory_mode, run.lines.get("target.memory_mode")
    if summary is not None and summary.memory_mode:
        printed, line = summary.memory_mode, summary.first_line
    if printed is None or family(printed) == family(given.memory_mode):
        return None
    return Finding(
        "memory-mode-not-of-this-run", "warning", run.index, f"The capture names another memory mode than {given.memory_mode}",
        f"The log says {printed}: the memory mode given is not used.",
        "Leave out --memory-mode, or name the one that the model was compiled for.",
        (line,) if line is not None else (),
    )  # fmt: skip


def _can_be(run: Run, target: str) -> bool:
    family, _, size = target.rpartition("-")
    return run.target.npu in (None, family) and run.target.macs in (None, int(size))


def _named(run: Run) -> str:
    known = run.target.name or run.target.npu
    return known if known is not None else f"{run.target.macs} MACs"


def _lines(run: Run) -> tuple[int, ...]:
    found = (run.lines[path] for path in ("target.name", "target.npu", "target.macs") if path in run.lines)
    return tuple(found)[:1]
