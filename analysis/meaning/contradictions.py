"""What the user says against what the log says: the log is believed, and that is said rather than done in silence."""

from __future__ import annotations

from collections.abc import Sequence

from ..compiles.vendor_configs import macs_of, system_config_named
from ..named_tuple import TYPE_CHECKING
from ..report import CompileSummary, Counter, Finding, Run
from .assumptions import NOTHING, Assumptions, board_of
from .facts import fitting_board, summary_of
from .memory_mode import family
from .npu import can_be, families, with_npu
from .pmu_events import generation_of

if TYPE_CHECKING:
    from .boards import Board


def not_of_this_run(
    run: Run, given: Assumptions, summaries: Sequence[CompileSummary] = ()
) -> tuple[Assumptions, list[Finding]]:
    """The same, and a warning where the board has another NPU; it stays among the assumptions, to ask what fits on it."""
    kept, told = without_contradictions(run, given, summaries)
    board = board_of(kept)
    if board is not None:
        summary = summary_of(run, summaries, kept)
        if fitting_board(run, kept, summary) is None:
            told.insert(0, wrong_board(run, board, kept, summary))
    return kept, told


def without_contradictions(
    run: Run, given: Assumptions, summaries: Sequence[CompileSummary] = ()
) -> tuple[Assumptions, list[Finding]]:
    """The assumptions without target, system config and memory mode that cannot be those of this run; a warning for each."""
    findings = []
    kept = given
    if given.target is not None and not can_be(run, given.target):
        kept = kept._replace(target=None)
        findings.append(
            Finding(
                "target-not-of-this-run", "warning", run.index, f"The log is not from an {given.target}",
                f"{_sentence(_against(run, given.target))}: the target given is not used.",
                "Leave out --target, or name the one that ran it.",
                _lines(run, given.target),
            )
        )  # fmt: skip
    config, own_macs = system_config_named(given.system_config), macs_of(given.system_config)
    if config is not None:
        npu = f"{config.npu}-{own_macs}" if own_macs is not None else config.npu
        if _other_npu(with_npu(run, kept), npu):
            findings.append(_other_config(run, config.name, npu, kept))
            kept = kept._replace(system_config=None)
    told = _other_mode(run, given, summaries)
    if told is not None:
        kept = kept._replace(memory_mode=None)
        findings.append(told)
    return kept, findings


def wrong_board(run: Run, board: Board, given: Assumptions, summary: CompileSummary | None = None) -> Finding:
    """`board-not-of-this-run`: the board that was named has another NPU than this run can have used."""
    return Finding(
        "board-not-of-this-run", "warning", run.index, f"The log is not from the board {board.name}",
        f"{_sentence(_against(run, board.npu_name, given, summary))}, and {board.name} has an {board.npu_name}: its clock is not used.",
        "Name the board (and the core) that ran it, or give --npu-clock.",
        _lines(run, board.npu_name),
    )  # fmt: skip


def _other_config(run: Run, name: str, npu: str, given: Assumptions) -> Finding:
    other = _named(run) if run.target.npu or run.target.macs else given.target or "NPU that ran it"
    return Finding(
        "system-config-not-of-this-run", "warning", run.index, f"{name} is not a system config of this NPU",
        f"It belongs to the {npu}, and {_against(run, npu, given)}: its clock and bandwidths are not used.",
        f"Give a --system-config of the {other}.",
        _lines(run, npu),
    )  # fmt: skip


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


def _other_npu(run: Run, npu: str) -> bool:
    """Whether the log names another NPU than this one ("ethos-u85-256", "ethos-u85"), or counts what it does not."""
    return _names_other(run, npu) or _parts(npu)[0] not in families(run)


def _names_other(run: Run, npu: str) -> bool:
    family, macs = _parts(npu)
    return run.target.npu not in (None, family) or (macs is not None and run.target.macs not in (None, macs))


def _against(run: Run, npu: str, given: Assumptions = NOTHING, summary: CompileSummary | None = None) -> str:
    """What speaks against this NPU: "the log says ethos-u85-128"."""
    family = _parts(npu)[0]
    if _names_other(run, npu):
        return f"the log says {_named(run)}"
    if family not in families(run):
        event = _foreign(run, family)[0].event or ""
        return f"the log counts {event.removeprefix('ETHOSU_PMU_')}, as an {' or '.join(families(run))} does"
    if given.target is not None:
        return f"the target given is {given.target}"
    return f"Vela's summary says {summary.accelerator if summary is not None else None}"


def _foreign(run: Run, family: str) -> list[Counter]:
    """The counters whose events this family does not have."""
    counters = run.pmu.counters if run.pmu is not None else ()
    return [one for one in counters if one.event is not None and family not in generation_of((one.event,))]


def _parts(npu: str) -> tuple[str, int | None]:
    family, _, size = npu.rpartition("-")
    return (family, int(size)) if size.isdigit() else (npu, None)


def _named(run: Run) -> str:
    known = run.target.name or run.target.npu
    return known if known is not None else f"{run.target.macs} MACs"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lines(run: Run, npu: str) -> tuple[int, ...]:
    if not _names_other(run, npu) and (foreign := _foreign(run, _parts(npu)[0])):
        paths = [f"pmu.counters.{one.index}" for one in foreign]
        return tuple(run.lines[path] for path in paths if path in run.lines)
    found = (run.lines[path] for path in ("target.name", "target.npu", "target.macs") if path in run.lines)
    return tuple(found)[:1]
