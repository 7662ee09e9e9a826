"""What is known of one run that its meaning can be computed from, each with the name of the field it came from.

A run prints cycles and beats.  What they mean depends on the NPU (how wide a beat is, how many MACs there are), on the
clock, the memories and the model, which the log rarely holds: they come from a banner, from a Vela summary in the same
capture, or from the user, and the source travels with the value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..compiles.vendor_configs import system_config_named
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..report import CompileSummary, Run, counts_calls
from ..targets import PORT_BYTES, SystemConfig
from .assumptions import Assumptions, board_of
from .npu import can_be, counted_by, families, with_npu

if TYPE_CHECKING:
    from .boards import Board

_UNTRUSTED_COUNTERS = frozenset(
    (
        "counters-may-have-wrapped",
        "npu-traffic-zero",
        "counter-impossible",
        "counter-names-of-other-npu",
        "npu-cycles-sum",
    )
)


class Known(NamedTuple):
    """A value and the name of the field, or of the assumption, that it came from."""

    value: float
    source: str


class Named(NamedTuple):
    """A name (of a system config, a memory mode) and where it came from."""

    value: str
    source: str


class Path(NamedTuple):
    """Traffic of one path: "sram_read", "axi1_read", "ext0_write"."""

    name: str
    beats: int
    source: str


class Facts(NamedTuple):
    """All of a run that derived figures and verdicts use; cycles and beats are totals over `inferences`."""

    run: Run
    cycles: int
    inferences: Known | None
    delegations: Known | None
    npu: Named | None
    macs: Known | None
    beat_bytes: Known | None
    paths: tuple[Path, ...]
    others: dict[str, Known]
    """Counters that are no traffic, by event name without prefix."""
    clock_hz: Known | None
    cpu_clock_hz: Known | None
    model_macs: Known | None
    system_config: SystemConfig | None
    system_config_source: str
    memory_mode: Named | None
    compiled_for: Named | None
    summary: CompileSummary | None
    sram_ports: Known | None
    ext_ports: Known | None
    platform: str | None
    evaluation_kit: bool

    def beats(self, *names: str) -> int | None:
        """Beats of these paths together; None where one of them was not counted."""
        known = {path.name: path.beats for path in self.paths}
        return sum(known[name] for name in names) if all(name in known for name in names) else None

    def without_config(self) -> Facts:
        """Without what the system config says of the memories, the ports among it."""
        kept = [
            p if p is None or p.source != self.system_config_source else None for p in (self.sram_ports, self.ext_ports)
        ]
        return self._replace(system_config=None, sram_ports=kept[0], ext_ports=kept[1])

    def busy_percent(self, event: str) -> float | None:
        """Share of the NPU's cycles in which this event was counted."""
        known = self.others.get(event)
        return 100 * known.value / self.cycles if known is not None else None


def utilisation_percent(facts: Facts) -> float | None:
    """Multiply-accumulates done, over those that the array could have done in the NPU's cycles."""
    if facts.model_macs is None or facts.macs is None or facts.inferences is None:
        return None
    return 100 * facts.model_macs.value * facts.inferences.value / (facts.cycles * facts.macs.value)


def gather(run: Run, summaries: Sequence[CompileSummary], given: Assumptions, rules: frozenset[str]) -> Facts | None:
    """The facts of a run with NPU cycles, or None; `rules` are those of the findings on this run."""
    if run.pmu is None or not run.pmu.npu_cycles or "npu-traffic-zero" in rules:
        return None
    summary = summary_of(run, summaries, given)
    board = fitting_board(run, given, summary)
    npu, macs = _npu(run, summary, given, board)
    inferences, delegations = _counts(run)
    named = npu is None or npu.value in counted_by(run)
    paths, others = _events(run) if named and not rules & _UNTRUSTED_COUNTERS else ((), {})
    config, config_source = _system_config(run, summary, given, npu, macs)
    clock = _clock(given, board, config, config_source, summary)
    cpu_clock = None
    if given.cpu_clock_hz is not None:
        cpu_clock = Known(given.cpu_clock_hz, given.cpu_clock_source)
    elif board is not None and board.cpu_clock_hz is not None and board.cpu_clock_hz.verified:
        cpu_clock = Known(board.cpu_clock_hz.value, f"boards.{board.name}.cpu_clock_hz")
    beat = None
    if given.beat_bytes is not None:
        beat = Known(given.beat_bytes, "assumptions.beat_bytes")
    elif npu is not None:
        beat = Known(PORT_BYTES[npu.value], npu.source)
    return Facts(
        run=run,
        cycles=run.pmu.npu_cycles,
        inferences=inferences,
        delegations=delegations,
        npu=npu,
        macs=macs,
        beat_bytes=beat,
        paths=paths,
        others=others,
        clock_hz=clock,
        cpu_clock_hz=cpu_clock,
        model_macs=_model_macs(run, summary, summaries, delegations, inferences, given),
        system_config=config,
        system_config_source=config_source,
        memory_mode=_memory_mode(run, summary, given),
        compiled_for=_memory_mode(run, summary, Assumptions()),
        summary=summary,
        sram_ports=_sram_ports(npu, config, config_source, given),
        ext_ports=_ext_ports(npu, config, config_source, given),
        platform=run.target.platform,
        evaluation_kit=any(c.event == "ETHOSU_PMU_NPU_ACTIVE" for c in run.pmu.counters),
    )


def summary_of(run: Run, summaries: Sequence[CompileSummary], given: Assumptions) -> CompileSummary | None:
    """The compile that this run can be of: for its target, the last one before it; none where two could be."""
    target = run.target.name or (given.target if can_be(run, given.target) else None)
    from ..compiles.whole_network import network_with  # only here: few captures hold a compile

    fit = [at for at, s in enumerate(summaries) if target in (None, s.accelerator) and can_be(run, s.accelerator)]
    lines = ((at, summaries[at].first_line) for at in reversed(fit))
    last = next((at for at, line in lines if line is None or line <= run.first_line), None)
    if last is not None:
        return network_with(summaries, last).whole
    network = network_with(summaries, fit[0]) if fit else None
    return network.whole if network is not None and len(network.parts) == len(fit) else None


def fitting_board(run: Run, given: Assumptions, summary: CompileSummary | None = None) -> Board | None:
    """The board that the user named, unless the run is known to be of another NPU than the one it has."""
    board = board_of(given)
    target = with_npu(run, given, summary).target
    if board is None or target.npu not in (None, board.npu) or board.npu not in families(run):
        return None
    return board if None in (target.macs, board.macs) or target.macs == board.macs else None


def _npu(
    run: Run, summary: CompileSummary | None, given: Assumptions, board: Board | None
) -> tuple[Named | None, Known | None]:
    npu = Named(run.target.npu, "target.npu") if run.target.npu in PORT_BYTES else None
    macs = Known(run.target.macs, "target.macs") if run.target.macs else None
    others = [(given.target, "assumptions.target")]
    if board is not None:
        others.append((f"{board.npu}-{board.macs or ''}", f"boards.{board.name}.npu"))
    if summary is not None:
        others.append((summary.accelerator, "compile.accelerator"))
    for name, source in others:
        family, _, size = (name or "").rpartition("-")
        if family not in PORT_BYTES or (npu is not None and npu.value != family):
            continue
        npu = npu or Named(family, source)
        if macs is None and size.isdigit():
            macs = Known(int(size), source)
    return npu, macs


def _counts(run: Run) -> tuple[Known | None, Known | None]:
    """Inferences and delegations; up to 0.7 the line "NPU Inferences" counts the calls of the delegate."""
    cycles = run.cycles
    assert run.pmu is not None
    count = Known(cycles.inferences, "cycles.inferences") if cycles.inferences else None
    if (
        count is not None
        and cycles.delegations is not None
        and run.status == "failed"
        and cycles.delegations % count.value
    ):
        return None, None  # one more began and failed: its part is in every total, and it is in no count
    if cycles.delegations is not None:
        return count, Known(cycles.delegations, "cycles.delegations")
    if run.pmu.npu_cycles_per_inference is not None:
        return count, None
    if count is not None and count.value == 1:
        return count, None
    if counts_calls(run):
        return Known(1, "runner.executorch_version"), count
    if any(counter.event == "ETHOSU_PMU_NPU_ACTIVE" for counter in run.pmu.counters):
        return Known(1, "pmu.npu_cycles"), None  # the evaluation kit profiles one inference at a time
    return None, None


def _events(run: Run) -> tuple[tuple[Path, ...], dict[str, Known]]:
    paths: list[Path] = []
    others: dict[str, Known] = {}
    assert run.pmu is not None
    for counter in run.pmu.counters:
        if counter.event is None:
            continue
        event, source = counter.event.removeprefix("ETHOSU_PMU_"), f"pmu.counters.{counter.index}"
        side, _, rest = event.partition("_")
        if rest == "RD_DATA_BEAT_RECEIVED":
            paths.append(Path(f"{side.lower()}_read", counter.value, source))
        elif rest == "WR_DATA_BEAT_WRITTEN":
            paths.append(Path(f"{side.lower()}_write", counter.value, source))
        else:
            others[event] = Known(counter.value, source)
    return tuple(paths), others


def _system_config(
    run: Run, summary: CompileSummary | None, given: Assumptions, npu: Named | None, macs: Known | None
) -> tuple[SystemConfig | None, str]:
    clock_hz = summary.core_clock_hz if summary is not None else None
    for name, source in (
        (given.system_config, "assumptions.system_config"),
        (run.target.system_config, "target.system_config"),
        (summary.system_config if summary is not None else None, "compile.system_config"),
    ):
        size = int(macs.value) if macs is not None else None
        config = system_config_named(name, npu.value if npu is not None else None, size)
        if config is None or (source == "compile.system_config" and clock_hz not in (None, 0, config.clock_hz)):
            continue  # a file of their own that uses a known name for something else
        return config, source
    return None, ""


def _clock(
    given: Assumptions,
    board: Board | None,
    config: SystemConfig | None,
    config_source: str,
    summary: CompileSummary | None,
) -> Known | None:
    if given.npu_clock_hz is not None:
        return Known(given.npu_clock_hz, given.npu_clock_source)
    if board is not None and board.clock_hz is not None:
        mark = "" if board.clock_hz.verified else " (unverified)"
        said = f"targets.{board.name}.clock" if given.own_board is not None else f"boards.{board.name}.clock_hz"
        return Known(board.clock_hz.value, f"{said}{mark}")
    if given.system_config is not None and config is not None:
        return Known(config.clock_hz, config_source)
    if summary is not None and summary.core_clock_hz:
        return Known(summary.core_clock_hz, "compile.core_clock_hz")
    return Known(config.clock_hz, config_source) if config is not None else None


def _model_macs(
    run: Run,
    summary: CompileSummary | None,
    summaries: Sequence[CompileSummary],
    delegations: Known | None,
    inferences: Known | None,
    given: Assumptions,
) -> Known | None:
    if given.model_macs is not None:
        return Known(given.model_macs, "assumptions.model_macs")
    if summary is None or not summary.macs:
        return None
    each = delegations.value / inferences.value if delegations is not None and inferences is not None else None
    subgraphs = summary.delegated_subgraphs or (each if each is not None and each > 1 else 1)
    if subgraphs == 1 and (each is None or each <= 1):
        return Known(summary.macs, "compile.macs")
    if each != subgraphs:
        return None  # of several subgraphs, a summary describes only one
    setup = (summary.accelerator, summary.system_config, summary.memory_mode)
    parts = [s for s in summaries if (s.accelerator, s.system_config, s.memory_mode) == setup]
    macs = [s.macs for s in parts if s.macs and s.first_line is not None and s.first_line <= run.first_line]
    return Known(sum(macs), "compile.macs") if len(macs) == len(parts) == each else None


def _memory_mode(run: Run, summary: CompileSummary | None, given: Assumptions) -> Named | None:
    if given.memory_mode is not None:
        return Named(given.memory_mode, "assumptions.memory_mode")
    if summary is not None and summary.memory_mode:
        return Named(summary.memory_mode, "compile.memory_mode")
    return Named(run.target.memory_mode, "target.memory_mode") if run.target.memory_mode else None


def _ext_ports(npu: Named | None, config: SystemConfig | None, source: str, given: Assumptions) -> Known | None:
    """As many as the peak needs: a vela.ini scales what its one or two ports move down to what the memory does."""
    if given.ext_ports is not None:
        return Known(given.ext_ports, "assumptions.ext_ports")
    if npu is not None and npu.value == "ethos-u85" and config is not None and config.npu == "ethos-u85":
        return Known(math.ceil(config.peak_axi1_bytes_per_s / config.clock_hz / 16 - 1e-6), source)
    return None


def _sram_ports(npu: Named | None, config: SystemConfig | None, source: str, given: Assumptions) -> Known | None:
    if given.sram_ports is not None:
        return Known(given.sram_ports, "assumptions.sram_ports")
    if npu is not None and npu.value == "ethos-u85" and config is not None and config.npu == "ethos-u85":
        return Known(round(config.peak_sram_bytes_per_s / config.clock_hz / 16), source)
    return None
