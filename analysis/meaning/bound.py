"""What limits a run: CPU, fragments, a memory, the weight decoder, shapes, the MAC array, or latency; with the evidence.

The questions are asked in a fixed order, since a limit that comes first hides those after it.  A question that the log
cannot answer is said to be open; then no later answer is given with high confidence, and if none is found the verdict is
"cannot tell", with the events to count next.  On U55 and U65 four counters run at once, so that this takes several runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..report import Derived, Finding
from . import thresholds as limit
from .facts import Facts, utilisation_percent

_ADVICE: dict[str, str] = {
    "cpu": "See which operators the CPU runs (delegation table, ETDump), and delegate or replace them.",
    "fragmented": "See which operators were not delegated: replacing them joins the pieces, and saves the quantise, dequantise and "
    "permute at each border.",
    "external-memory": "Move less data: another memory mode, --optimise Performance with a larger arena cache, int8 inputs, smaller or "
    "pruned weights; or give the NPU a faster memory.",
    "sram": "Move less data through the SRAM port: fuse element-wise operators, use a smaller input, or a config with more SRAM ports.",
    "weight-decode": "The weights are decoded more slowly than they are used: fewer or more compressible weights (pruning, "
    "clustering) help, more bandwidth does not.",
    "shape-inefficient": "Most MACs idle while the array works: use channel counts that are multiples of 16, fewer depthwise "
    "layers, no 1x1 feature maps; see the layers in Vela's per-layer table.",
    "compute": "The array is busy: only less work (a smaller model, fewer channels) or more MACs make it faster.",
    "latency": "Nothing is saturated: dependencies between small operators or memory latency remain. Count the stall events below.",
}
_TITLES: dict[str, str] = {
    "cpu": "Bound by the CPU",
    "fragmented": "Fragmented: the NPU is called several times an inference",
    "external-memory": "Bound by the external memory",
    "sram": "Bound by the SRAM",
    "weight-decode": "Bound by the weight decoder",
    "shape-inefficient": "Bound by shapes that fill the MAC array badly",
    "compute": "Bound by the MAC array",
    "latency": "Bound by latency or dependencies",
}

EVENT_PLAN: dict[str, tuple[tuple[str, ...], ...]] = {
    "ethos-u55": (
        ("AXI0_RD_DATA_BEAT_RECEIVED", "AXI0_WR_DATA_BEAT_WRITTEN", "AXI1_RD_DATA_BEAT_RECEIVED", "AXI1_WR_DATA_BEAT_WRITTEN"),
        ("MAC_ACTIVE", "AO_ACTIVE", "WD_ACTIVE", "NPU_IDLE"),
        ("CC_STALLED_ON_BLOCKDEP", "MAC_STALLED_BY_WD", "MAC_STALLED_BY_IB", "AO_STALLED_BY_OB"),
        ("AXI_LATENCY_ANY", "AXI_LATENCY_64", "AXI_LATENCY_256", "AXI_LATENCY_1024"),
    ),
    "ethos-u85": (
        (
            "SRAM_RD_DATA_BEAT_RECEIVED", "SRAM_WR_DATA_BEAT_WRITTEN", "EXT_RD_DATA_BEAT_RECEIVED", "EXT_WR_DATA_BEAT_WRITTEN",
            "MAC_ACTIVE", "WD_ACTIVE", "AO_ACTIVE", "NPU_IDLE",
        ),
        (
            "CC_STALLED_ON_BLOCKDEP", "MAC_STALLED_BY_W", "MAC_STALLED_BY_ACC", "MAC_STALLED_BY_IB", "AO_STALLED_BY_OB",
            "AXI_LATENCY_ANY", "AXI_LATENCY_256", "AXI_LATENCY_1024",
        ),
    ),
}  # fmt: skip
"""Which events to count in which pass: traffic, units, stalls, latency.  Merge passes only if their cycle counters agree."""
EVENT_PLAN["ethos-u65"] = EVENT_PLAN["ethos-u55"]


class Bound(NamedTuple):
    """The verdict on one run: `kind` is a key of the titles or "cannot-tell"."""

    kind: str
    confidence: str
    evidence: tuple[str, ...]
    also: tuple[str, ...]
    """What else the figures show, after the verdict in the order of the questions."""
    open: tuple[str, ...]
    """Questions before the verdict that this log cannot answer."""
    next_events: tuple[tuple[str, ...], ...]
    """Event sets to count next, one run each."""


class _Answer(NamedTuple):
    kind: str
    yes: bool | None
    text: str
    sure: bool = True


def bound_of(facts: Facts, derived: Mapping[str, Derived]) -> Bound:
    """Judge a run by its derived figures."""
    answers = [
        _cpu(facts, derived), _fragmented(derived), *_memory(facts, derived),
        _weight_decode(derived), _shapes(derived), _compute(derived),
    ]  # fmt: skip
    found = [answer for answer in answers if answer.yes]
    first = answers.index(found[0]) if found else len(answers)
    unanswered = tuple(answer.kind for answer in answers[:first] if answer.yes is None)
    plan = () if _left_out(facts) else _plan_for(facts)
    if not found:
        said = [answer.text for answer in answers if answer.yes is False]
        refuted = tuple(text for i, text in enumerate(said) if not any(more.startswith(text) for more in said[i + 1 :]))
        blocking = [kind for kind in unanswered if kind != "cpu"]
        kind = "cannot-tell" if blocking else "latency"
        confidence = "none" if blocking else "medium"
        return Bound(kind, confidence, refuted, (), unanswered, plan[1:] if kind == "latency" else plan)
    best = found[0]
    blocking = [kind for kind in unanswered if kind != "cpu"]
    confidence = "medium" if blocking or not best.sure else "high"
    if blocking and not best.sure:
        confidence = "low"
    also = tuple(answer.text for answer in found[1:])
    return Bound(best.kind, confidence, (best.text,), also, unanswered, plan if confidence != "high" else ())


def _left_out(facts: Facts) -> bool:
    """Whether the log names the events that its counters counted, and none of them can be trusted or belongs to this NPU."""
    counters = facts.run.pmu.counters if facts.run.pmu is not None else ()
    return not (facts.paths or facts.others) and any(counter.event for counter in counters)


def _plan_for(facts: Facts) -> tuple[tuple[str, ...], ...]:
    if facts.npu is not None:
        return EVENT_PLAN[facts.npu.value]
    sides = {path.name.split("_")[0].rstrip("0123") for path in facts.paths}
    return EVENT_PLAN["ethos-u55"] if "axi" in sides else EVENT_PLAN["ethos-u85"] if sides else ()


def _cpu(facts: Facts, derived: Mapping[str, Derived]) -> _Answer:
    share = _value(derived, "cpu_share_percent")
    if share is None:
        return _Answer("cpu", None, "")
    text = f"the CPU works {share:.1f} % of the runtime beside the NPU (limit {limit.CPU_SHARE.value:g} %)"
    return _Answer("cpu", share > limit.CPU_SHARE.value, text)


def _fragmented(derived: Mapping[str, Derived]) -> _Answer:
    each = _value(derived, "delegations_per_inference")
    if each is None:
        return _Answer("fragmented", False, "")
    share = _value(derived, "cpu_share_percent")
    text = "one NPU call an inference" if each == 1 else f"{each:g} NPU calls an inference"
    if share is not None:
        text += f", and {share:.1f} % of the runtime on the CPU"
    many = each > limit.DELEGATIONS.value and (share is None or share > limit.FRAGMENTED_SHARE.value)
    return _Answer("fragmented", many, text, sure=share is not None)


def _memory(facts: Facts, derived: Mapping[str, Derived]) -> tuple[_Answer, _Answer]:
    s = facts.summary
    estimates: dict[str, float] = {}
    if s is not None and s.npu_cycles:
        outside = (s.dram_access_cycles, s.on_chip_flash_access_cycles, s.off_chip_flash_access_cycles)
        known = [cycles for cycles in outside if cycles is not None]
        if len(known) == len(outside):  # a summary that was cut has no zero
            estimates["external-memory"] = max(known) / s.npu_cycles
        if s.sram_access_cycles is not None:
            estimates["sram"] = s.sram_access_cycles / s.npu_cycles
    answers = []
    for kind, name, threshold in (
        ("external-memory", "external_peak_use_percent", limit.EXTERNAL_USE),
        ("sram", "sram_peak_use_percent", limit.SRAM_USE),
    ):
        use, ratio = _value(derived, name), estimates.get(kind)
        what = "external memory" if kind == "external-memory" else "SRAM"
        if use is not None:
            partly = kind == "external-memory" and _writes_uncounted(facts)
            text = f"{'at least ' if partly else ''}{use:.1f} % of the {what}'s peak (limit {threshold.value:g} %)"
            answers.append(_Answer(kind, True if use >= threshold.value else None if partly else False, text))
            continue
        idle = _unused(facts) if kind == "external-memory" else None
        if idle is not None:
            answers.append(_Answer(kind, False, idle))
        elif ratio is not None:
            text = f"by Vela's estimate {what} access takes {ratio:.2f} times the NPU's cycles (limit 1)"
            answers.append(_Answer(kind, ratio > limit.ESTIMATED_MEMORY.value, text, sure=False))
        else:
            answers.append(_Answer(kind, _by_port(facts, kind), _port_text(facts, kind), sure=False))
    return answers[0], answers[1]


def _writes_uncounted(facts: Facts) -> bool:
    """Whether the external port also wrote, and the runner counts only what it reads: an Ethos-U65 with feature maps there."""
    mode = facts.memory_mode.value if facts.memory_mode is not None else ""
    u65 = facts.npu is not None and facts.npu.value == "ethos-u65"
    return u65 and mode.startswith("Dedicated") and facts.beats("axi1_write") is None


def _unused(facts: Facts) -> str | None:
    """An external port without any traffic is no limit, whatever its memory."""
    beats = facts.beats("ext_read", "ext_write")
    if beats is None:
        beats = facts.beats("axi1_read")
        if beats or (beats == 0 and facts.npu is not None and facts.npu.value == "ethos-u65"):
            return None  # writes on AXI1 of a U65 are not counted
    return "no traffic on the external port" if beats == 0 else None


_SIDES = {
    "external-memory": ("ext_read", "ext_write", "axi1_read"),
    "sram": ("sram_read", "sram_write", "axi0_read", "axi0_write"),
}


def _busiest(facts: Facts, kind: str) -> float | None:
    """Most beats a cycle of one direction of this side; None where it was not counted."""
    return max((path.beats / facts.cycles for path in facts.paths if path.name in _SIDES[kind]), default=None)


def _by_port(facts: Facts, kind: str) -> bool | None:
    """Without the memory's peak: a port that is hardly used is no limit, a full one is; between them there is no telling."""
    busiest = _busiest(facts, kind)
    if busiest is None:
        return None
    if kind == "sram" and facts.npu is not None and facts.npu.value != "ethos-u85":
        return busiest >= limit.SRAM_USE.value / 100
    if kind == "sram" and busiest < limit.SRAM_USE.value / 100:
        return False  # below what one port moves, and a U85 has at least one
    return None


def _port_text(facts: Facts, kind: str) -> str:
    busiest = _busiest(facts, kind)
    return f"{busiest:.2f} beats a cycle on the {kind.replace('-', ' ')} side" if busiest is not None else ""


def _weight_decode(derived: Mapping[str, Derived]) -> _Answer:
    decode, mac = _value(derived, "weight_decode_busy_percent"), _value(derived, "mac_busy_percent")
    if decode is None or mac is None:
        return _Answer("weight-decode", None, "")
    text = f"weight decoder busy {decode:.1f} %, MAC array {mac:.1f} %"
    yes = decode >= limit.WEIGHT_DECODE_BUSY.value and mac <= limit.WEIGHT_DECODE_MAC_BUSY.value
    return _Answer("weight-decode", yes, text)


def _shapes(derived: Mapping[str, Derived]) -> _Answer:
    busy, efficiency = _value(derived, "mac_busy_percent"), _value(derived, "array_efficiency_percent")
    if busy is not None and busy < limit.SHAPE_MAC_BUSY.value:
        return _Answer("shape-inefficient", False, f"MAC array busy {busy:.1f} %")
    if busy is None or efficiency is None:
        share = _value(derived, "mac_utilisation_percent")
        enough = share is not None and share >= limit.COMPUTE_UTILISATION.value
        return _Answer(
            "shape-inefficient", False if enough else None, f"{share:.1f} % of all MACs used" if enough else ""
        )
    text = f"MAC array busy {busy:.1f} % of the cycles, and {efficiency:.1f} % of its MACs used in them"
    return _Answer("shape-inefficient", efficiency < limit.SHAPE_EFFICIENCY.value, text)


def _compute(derived: Mapping[str, Derived]) -> _Answer:
    busy, share = _value(derived, "mac_busy_percent"), _value(derived, "mac_utilisation_percent")
    if busy is not None:
        text = f"MAC array busy {busy:.1f} % of the cycles (limit {limit.COMPUTE_MAC_BUSY.value:g} %)"
        if share is not None:
            text += f", {share:.1f} % of all MACs used"
        used = share is not None and share >= limit.COMPUTE_UTILISATION.value
        return _Answer("compute", used or busy >= limit.COMPUTE_MAC_BUSY.value, text)
    if share is not None:
        text = f"{share:.1f} % of all MACs used (limit {limit.COMPUTE_UTILISATION.value:g} %)"
        return _Answer("compute", share >= limit.COMPUTE_UTILISATION.value, text)
    return _Answer("compute", None, "")


def _value(derived: Mapping[str, Derived], name: str) -> float | None:
    entry = derived.get(name)
    return entry.value if entry is not None else None


def bound_finding(facts: Facts, derived: Mapping[str, Derived]) -> Finding | None:
    """The verdict as a finding: `bound-<kind>`, information; None where the NPU's figures are all there is to say."""
    if facts.run.status not in ("passed", "failed", "truncated", "timeout") or utilisation_percent(facts) == 0:
        return None
    bound = bound_of(facts, derived)
    run = facts.run
    if bound.kind == "cannot-tell" and run.status == "failed" and not run.cycles.inferences:
        return None  # counters of an inference that broke off: not the question of this reader
    lines = tuple(run.lines[p] for p in ("pmu.npu_cycles", *(path.source for path in facts.paths)) if p in run.lines)
    evidence = "; ".join(text for text in bound.evidence if text)
    if bound.kind == "cannot-tell":
        detail = f"This log does not tell {_listed(facts, bound.open)}."
        if evidence:
            detail += f" {_TELLS}{evidence}."
        title, advice = "This log does not show what limits the run", _MORE + _missing(facts)
    else:
        title = f"{_TITLES[bound.kind]} ({bound.confidence} confidence)"
        detail = f"{evidence[:1].upper()}{evidence[1:]}." if evidence else "No unit and no port is saturated."
        if bound.also:
            detail += f" Also: {'; '.join(bound.also)}."
        if bound.open:
            detail += f" Not answered by this log: {_listed(facts, bound.open)}."
        advice = _ADVICE[bound.kind]
    plan = _plan(bound)
    return Finding(
        f"bound-{bound.kind}", "info", run.index, title, detail, f"{advice} {plan}".strip(), tuple(sorted(set(lines)))
    )


_TELLS, _MORE = "What each event tells: ", "To know more: "


def is_undecided(finding: Finding) -> bool:
    """Whether a `bound_finding` says that the log does not tell."""
    return finding.rule == "bound-cannot-tell"


def told_by(undecided: Finding) -> str:
    """What the log tells all the same, without a full stop; empty where it tells nothing."""
    return undecided.detail.partition(_TELLS)[2].rstrip(".")


def missing_for(undecided: Finding) -> str:
    """What would have to be given to know more, as the sentence that the advice begins with."""
    return undecided.advice.removeprefix(_MORE)


_WORDS = {
    "cpu": "whether the CPU is the limit",
    "external-memory": "how close the external memory is to its peak",
    "sram": "how close the SRAM is to its peak",
    "weight-decode": "how busy the weight decoder is",
    "shape-inefficient": "how well the MAC array is filled",
    "compute": "how much of the MAC array is used",
}


def _listed(facts: Facts, kinds: tuple[str, ...]) -> str:
    words = {**_WORDS, "cpu": f"{_WORDS['cpu']} ({_no_cpu_time(facts)})"}
    return ", ".join(words.get(kind, kind) for kind in kinds)


def _no_cpu_time(facts: Facts) -> str:
    """Why the log has no share of the CPU's time."""
    if facts.platform in ("board", "host") or (facts.platform is None and facts.run.runner.kind == "executor_runner"):
        return "its cycles beside the NPU's are not in it"
    return "an emulator does not model its time" if facts.platform == "qemu" else "an FVP does not model its time"


def _missing(facts: Facts) -> str:
    wanted = []
    if facts.npu is None or facts.macs is None:
        wanted.append(f"give the target (--target {_target_like(facts)})")
    if facts.model_macs is None:
        wanted.append("give the MACs of the model (--macs, from Vela's summary), or keep that summary in the capture")
    if facts.system_config is None:
        wanted.append("give the memory's peak (--system-config)")
    if _left_out(facts):
        wanted.append("capture again: none of the PMU counters in this log could be used")
    elif not facts.paths:
        wanted.append("use a runner that lists its PMU events")
    return f"{'; '.join(wanted)}." if wanted else "count other events."


def _target_like(facts: Facts) -> str:
    """A target for an example: of the NPU's family, as far as the counters' names tell it."""
    if facts.npu is not None:
        return f"{facts.npu.value}-256"
    named = facts.run.pmu.counters if facts.run.pmu is not None else ()
    axi = any("AXI0_" in (counter.event or "") or "AXI1_" in (counter.event or "") for counter in named)
    return "ethos-u55-256, or ethos-u65-256" if axi else "ethos-u85-256"


def _plan(bound: Bound) -> str:
    if not bound.next_events:
        return ""
    passes = (f"{i}: {', '.join(events)}" for i, events in enumerate(bound.next_events, 1))
    count = len(bound.next_events)
    merge = " Merge runs only if their cycle counters agree." if count > 1 else ""
    return f"Events to count next, {count} run{'s' if count > 1 else ''}: {'; '.join(passes)}.{merge}"
