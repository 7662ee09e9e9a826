"""What the figures mean: beats as bytes, cycles as time, work as a share of what the NPU could do.

`derive()` runs after reading and is pure.  Without assumptions it computes what the log and a Vela summary beside it
support; a clock, the MACs of the model or a board given by the user add the rest.  Every entry names the fields it came
from, assumptions among them.  CPU cycles of an FVP never become time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..report import Capture, CompileSummary, Derived, Finding, Run
from ..traced import as_shown
from .assumptions import NOTHING as NOTHING
from .assumptions import Assumptions, on_hardware
from .facts import Facts, Known, gather, utilisation_percent
from .peaks import external_beats, peak_use_percent, sram_beats
from .thresholds import IDLE_SHARE
from .timed import NAMES as TIMED


def derive(capture: Capture, assumptions: Assumptions = NOTHING) -> Capture:
    """The capture with `Run.derived` filled and the findings on what the figures mean added; the input is unchanged.

    What an earlier call derived is replaced.
    """
    if any(is_derived(finding) for finding in capture.findings):
        capture = capture._replace(findings=tuple(f for f in capture.findings if not is_derived(f)))
    runs: list[Run] = []
    added: dict[int, list[Finding]] = {}
    on_boards = {run.index for run in capture.runs if on_hardware(run, assumptions) is not run}
    if on_boards:
        kept = (f for f in capture.findings if f.rule != "fvp-ratio-not-time" or f.run not in on_boards)
        capture = capture._replace(findings=tuple(kept))
    for run in capture.runs:
        if run.pmu is None and assumptions is NOTHING:
            runs.append(run)
            continue
        rules = frozenset(f.rule for f in capture.findings if f.run == run.index)
        meaning = derive_run(run, capture.compile, assumptions, rules)
        runs.append(meaning.run)
        if meaning.findings:
            added[run.index] = meaning.findings
    if not added and all(old is new for old, new in zip(capture.runs, runs, strict=True)):
        return capture
    return capture._replace(runs=tuple(runs), findings=_inserted(capture.findings, added))


_PEAK_ROOM = _ARRAY_ROOM = 1.02
_READ = frozenset(("method_pool_use_percent", "cpu_cycles_outside_delegate", *TIMED))
"""Derived while reading, from the run alone."""
_RULES = frozenset(
    (
        "traffic-above-peak",
        "memory-mode-mismatch",
        "npu-idle-high",
        "macs-not-of-this-run",
        "board-not-of-this-run",
        "target-not-of-this-run",
        "system-config-not-of-this-run",
        "memory-mode-not-of-this-run",
    )
)


def is_derived(finding: Finding) -> bool:
    """Whether `derive()` made this finding."""
    return finding.rule in _RULES or finding.rule.startswith("bound-")


class Meaning(NamedTuple):
    """A run with its derived figures, and what there is to say about them."""

    run: Run
    findings: list[Finding]


def derive_run(
    run: Run,
    summaries: Sequence[CompileSummary],
    assumptions: Assumptions,
    rules: frozenset[str],
    *,
    judge: bool = True,
) -> Meaning:
    """The same for one run of a capture with these compile summaries; `rules` are those of its findings.

    Without `judge` there are no verdicts, which take as long as the figures.
    """
    findings: list[Finding] = []
    run = on_hardware(run, assumptions)
    if run.derived.keys() - _READ:
        run = run._replace(derived={name: entry for name, entry in run.derived.items() if name in _READ})
    if (assumptions.board, assumptions.target, assumptions.system_config, assumptions.memory_mode) != (None,) * 4:
        from .contradictions import not_of_this_run

        assumptions, told = not_of_this_run(run, assumptions, summaries)
        findings += told
    facts = gather(run, summaries, assumptions, rules)
    if facts is None:
        return Meaning(run, findings)
    beyond = _too_many_macs(facts)
    if beyond is not None:
        findings.append(beyond)
        facts = facts._replace(model_macs=None)
    if facts.memory_mode is not None and facts.memory_mode.source == "assumptions.memory_mode":
        from .memory_mode import refuted_mode

        refuted = refuted_mode(facts)
        if refuted is not None:
            findings.append(refuted)
            facts = facts._replace(memory_mode=None)
    above = _above_peak(facts)
    if above is not None:
        findings.append(above)
        facts = facts.without_config()
    derived = {**run.derived, **figures(facts)}
    run = run._replace(derived=derived)
    if not judge:
        return Meaning(run, findings)
    facts = facts._replace(run=run)
    from .bound import bound_finding
    from .memory_mode import memory_mode_findings

    findings += memory_mode_findings(facts)
    findings += _idle(facts, derived)
    bound = bound_finding(facts, derived)
    if bound is not None:
        findings.append(bound)
    return Meaning(run, findings)


def _inserted(findings: tuple[Finding, ...], added: dict[int, list[Finding]]) -> tuple[Finding, ...]:
    """The new findings after those of the same run, and before what concerns no run."""
    result: list[Finding] = []
    pending = dict(sorted(added.items()))
    for finding in findings:
        for index in [i for i in pending if finding.run is None or i < finding.run]:
            result += pending.pop(index)
        result.append(finding)
    return (*result, *(finding for group in pending.values() for finding in group))


def _above_peak(facts: Facts) -> Finding | None:
    for what, external in (("SRAM", False), ("external memory", True)):
        use = peak_use_percent(facts, external=external)
        if use is None or use[0] <= 100 * _PEAK_ROOM or facts.system_config is None:
            continue
        run = facts.run
        return Finding(
            "traffic-above-peak", "warning", run.index, f"More traffic than the {what} of {facts.system_config.name} can move",
            f"The counters give {use[0]:.0f} % of its peak ({', '.join(use[1])}). Shares of a peak are left out.",
            "The run had another memory: an FVP without timing adapters, or another system config than the one named.",
            tuple(sorted({run.lines[path] for path in use[1] if path.startswith("pmu.") and path in run.lines})),
        )  # fmt: skip
    return None


def _idle(facts: Facts, derived: Mapping[str, Derived]) -> list[Finding]:
    share, idle = derived.get("npu_idle_share_percent"), facts.others.get("NPU_IDLE")
    if share is None or idle is None or share.value <= IDLE_SHARE.value:
        return []
    run = facts.run
    return [
        Finding(
            "npu-idle-high", "info", run.index, f"The NPU idled for {share.value:.1f} % of the time that its PMU ran",
            f"NPU_IDLE is {idle.value:.0f} beside {facts.cycles} cycles (limit {IDLE_SHARE.value:g} %): {IDLE_SHARE.why}.",
            "Look at what the driver does between power-up and the command stream: cache maintenance, interrupt latency, clocks.",
            tuple(run.lines[path] for path in (idle.source, "pmu.npu_cycles") if path in run.lines),
        )
    ]  # fmt: skip


def _too_many_macs(facts: Facts) -> Finding | None:
    """`macs-not-of-this-run`: more than all its cycles allow, or than those in which the array worked."""
    share, array = utilisation_percent(facts), facts.others.get("MAC_ACTIVE")
    if share is None:
        return None
    cycles, what, paths = facts.cycles, "cycles", [_CYCLES]
    if share <= 100 and array is not None and array.value:
        # counted in whole cycles, from a moment after the cycle counter's to one before it
        share *= facts.cycles / array.value / _ARRAY_ROOM
        cycles, what, paths = round(array.value), "cycles in which the MAC array worked (MAC_ACTIVE)", [array.source]
    if share <= 100:
        return None
    assert facts.model_macs is not None and facts.macs is not None and facts.inferences is not None
    share = 100 * facts.model_macs.value * facts.inferences.value / (cycles * facts.macs.value)
    count = f"{facts.inferences.value:g} inference{'s' if facts.inferences.value > 1 else ''}"
    return Finding(
        "macs-not-of-this-run", "warning", facts.run.index, "More MACs than the NPU could have done in its cycles",
        f"{facts.model_macs.value:.0f} MACs ({facts.model_macs.source}) in {cycles} {what} for {count} are "
        f"{share:.0f} % of what {facts.macs.value:g} MACs a cycle ({facts.macs.source}) do. They are not used.",
        "The summary is of another model, the target is another one, or the inferences are miscounted.",
        tuple(facts.run.lines[path] for path in paths if path in facts.run.lines),
    )  # fmt: skip


class _Entries:
    """Collects derived figures; a figure whose ingredients are missing is left out."""

    def __init__(self) -> None:
        self.all: dict[str, Derived] = {}

    def add(self, name: str, value: float | None, unit: str, *sources: str | Known | None) -> None:
        if value is None or None in sources:
            return
        names = (source.source if isinstance(source, Known) else source for source in sources)
        self.all[name] = Derived(as_shown(value), unit, tuple(dict.fromkeys(name for name in names if name)))


def figures(facts: Facts) -> dict[str, Derived]:
    """All derived figures of a run."""
    entries = _Entries()
    _counts(facts, entries)
    _traffic(facts, entries)
    _busy(facts, entries)
    _work(facts, entries)
    if facts.clock_hz is not None:
        _time(facts, facts.clock_hz, entries)
    _cpu(facts, entries)
    return entries.all


_CYCLES = "pmu.npu_cycles"


def _counts(facts: Facts, entries: _Entries) -> None:
    count = facts.inferences
    if count is None:
        return
    entries.add("npu_cycles_per_inference", facts.cycles / count.value, "cycles", _CYCLES, count)
    if facts.delegations is not None:
        each = facts.delegations.value / count.value
        entries.add("delegations_per_inference", each, "count", facts.delegations, count)


def _traffic(facts: Facts, entries: _Entries) -> None:
    width, count = facts.beat_bytes, facts.inferences
    for path in facts.paths:
        side = path.name.split("_")[0]
        each = path.beats / facts.cycles
        known = facts.sram_ports if side == "sram" else facts.ext_ports if side == "ext" else None
        if side not in ("sram", "ext"):
            entries.add(f"{path.name}_port_use_percent", 100 * each, "percent", path.source, _CYCLES)
        elif known is not None:
            use = 100 * each / known.value
            entries.add(f"{path.name}_port_use_percent", use, "percent", path.source, _CYCLES, known)
        if side == "ext" or (side == "sram" and known is None):
            entries.add(f"{path.name}_beats_per_cycle", each, "beats/cycle", path.source, _CYCLES)
        if width is not None and count is not None:
            size = path.beats * width.value / count.value
            entries.add(f"{path.name}_bytes_per_inference", size, "bytes", path.source, width, count)
    if width is not None and count is not None and facts.paths:
        total = sum(path.beats for path in facts.paths) * width.value / count.value
        sources = [path.source for path in facts.paths]
        names = {path.name for path in facts.paths}
        # AXI1 of a U65 writes too, and the usual four counters leave that out
        partial = facts.npu is not None and facts.npu.value == "ethos-u65" and "axi1_write" not in names
        whole = names >= {"sram_read", "sram_write", "ext_read", "ext_write"} or (
            names >= {"axi0_read", "axi0_write", "axi1_read"} and not partial
        )
        if whole or partial:
            name = "traffic_at_least_bytes_per_inference" if partial else "traffic_bytes_per_inference"
            entries.add(name, total, "bytes", *sources, width, count)


def _busy(facts: Facts, entries: _Entries) -> None:
    idle = facts.others.get("NPU_IDLE")
    if idle is not None:
        total = facts.cycles if facts.evaluation_kit else facts.cycles + idle.value
        if idle.value <= total:
            entries.add("npu_idle_share_percent", 100 * idle.value / total, "percent", idle, _CYCLES)
    for event, name in (("MAC_ACTIVE", "mac_busy_percent"), ("WD_ACTIVE", "weight_decode_busy_percent")):
        known = facts.others.get(event)
        if known is not None:
            entries.add(name, 100 * known.value / facts.cycles, "percent", known, _CYCLES)


def _work(facts: Facts, entries: _Entries) -> None:
    share = utilisation_percent(facts)
    macs, count = facts.model_macs, facts.inferences
    if share is not None:
        entries.add("mac_utilisation_percent", share, "percent", macs, _CYCLES, facts.macs, count)
        busy, array = facts.busy_percent("MAC_ACTIVE"), facts.others.get("MAC_ACTIVE")
        if busy:
            efficiency = 100 * share / busy
            entries.add("array_efficiency_percent", efficiency, "percent", macs, _CYCLES, facts.macs, count, array)
    outside = external_beats(facts)
    if facts.model_macs is None or facts.inferences is None:
        return
    entries.add(
        "attained_macs_per_cycle", facts.model_macs.value * facts.inferences.value / facts.cycles, "MACs/cycle",
        facts.model_macs, _CYCLES, facts.inferences,
    )  # fmt: skip
    entries.add("peak_macs_per_cycle", facts.macs.value if facts.macs is not None else None, "MACs/cycle", facts.macs)
    _sram_work(facts, entries)
    if outside is None or not outside[0] or facts.beat_bytes is None:
        return
    size = outside[0] * facts.beat_bytes.value
    intensity = facts.model_macs.value * facts.inferences.value / size
    beside: list[str | Known | None] = [facts.model_macs, *outside[1], facts.beat_bytes, facts.inferences]
    partial = facts.npu is not None and facts.npu.value == "ethos-u65" and facts.beats("axi1_write") is None
    name = "arithmetic_intensity_at_most_macs_per_byte" if partial else "arithmetic_intensity_macs_per_byte"
    entries.add(name, intensity, "MACs/byte", *beside)
    if facts.system_config is not None and facts.macs is not None and not partial:
        peak = facts.system_config.peak_axi1_bytes_per_s / facts.system_config.clock_hz
        ceiling = min(facts.macs.value, intensity * peak)
        entries.add("external_peak_bytes_per_cycle", peak, "bytes/cycle", facts.system_config_source)
        entries.add("roofline_macs_per_cycle", ceiling, "MACs/cycle", *beside, facts.macs, facts.system_config_source)


def _sram_work(facts: Facts, entries: _Entries) -> None:
    """MACs a byte of the SRAM port, and what the port can move; Vela's estimate keeps a name of its own."""
    macs, count, width, config = facts.model_macs, facts.inferences, facts.beat_bytes, facts.system_config
    assert macs is not None and count is not None
    found = sram_beats(facts)
    if found is not None and found[0] and width is not None:
        intensity = macs.value * count.value / (found[0] * width.value)
        entries.add("sram_intensity_macs_per_byte", intensity, "MACs/byte", macs, *found[1], width, count)
        if config is not None and (facts.npu is None or config.npu == facts.npu.value):
            peak = config.peak_sram_bytes_per_s / config.clock_hz
            entries.add("sram_peak_bytes_per_cycle", peak, "bytes/cycle", facts.system_config_source)
    summary = facts.summary
    whole = summary is not None and (macs.source != "compile.macs" or macs.value == summary.macs)
    if summary is not None and whole and summary.macs and summary.sram_access_cycles:
        roof = summary.macs / summary.sram_access_cycles
        entries.add(
            "estimated_sram_roof_macs_per_cycle", roof, "MACs/cycle", "compile.macs", "compile.sram_access_cycles"
        )


def _time(facts: Facts, clock: Known, entries: _Entries) -> None:
    hz, count = clock.value, facts.inferences
    entries.add("npu_clock", hz, "hertz", clock)
    if count is not None:
        seconds = facts.cycles / count.value / hz
        entries.add("npu_seconds_per_inference", seconds, "seconds", _CYCLES, count, clock)
        entries.add("npu_inferences_per_second", 1 / seconds, "1/s", _CYCLES, count, clock)
        if facts.model_macs is not None:
            rate = 2 * facts.model_macs.value / seconds
            entries.add("npu_ops_per_second", rate, "ops/s", facts.model_macs, _CYCLES, count, clock)
    if facts.macs is not None:
        entries.add("npu_peak_ops_per_second", 2 * facts.macs.value * hz, "ops/s", facts.macs, clock)
    if facts.beat_bytes is not None:
        for path in facts.paths:
            rate = path.beats * facts.beat_bytes.value * hz / facts.cycles
            name = f"{path.name}_bytes_per_second"
            entries.add(name, rate, "bytes/s", path.source, facts.beat_bytes, _CYCLES, clock)
    for name, external in (("sram_peak_use_percent", False), ("external_peak_use_percent", True)):
        use = peak_use_percent(facts, external=external)
        if use is not None:
            entries.add(name, use[0], "percent", *use[1])


def _cpu(facts: Facts, entries: _Entries) -> None:
    """Shares and times of the CPU: only where the log shows hardware, since a board may be named to ask what fits on it."""
    cycles, count = facts.run.cycles, facts.inferences
    if facts.platform != "board" or cycles.inference is None or cycles.cpu_wait_for_npu is None or not cycles.inference:
        return
    own = cycles.inference - cycles.cpu_wait_for_npu
    sources = ("cycles.inference", "cycles.cpu_wait_for_npu")
    entries.add("cpu_share_percent", 100 * own / cycles.inference, "percent", *sources)
    if facts.cpu_clock_hz is not None and count is not None:
        seconds = own / count.value / facts.cpu_clock_hz.value
        entries.add("cpu_seconds_per_inference", seconds, "seconds", *sources, count, facts.cpu_clock_hz)
