"""Makes a finished `Run` of a draft, which stays as it was; `status.py` decides how it ended."""

from __future__ import annotations

from .collect.block import cycles_of
from .collect.perf_blocks import block_reports, summed
from .dividing.two_targets import without_figures
from .draft import Evidence, RunDraft
from .draft_parts import TensorDraft
from .meaning.timed import timed
from .named_tuple import TYPE_CHECKING, NamedTuple
from .outcome import NOT_THERE, CaptureEnd
from .ran_on import target_of
from .release.kind import kind_of
from .report import (
    BundleIO,
    Counter,
    Cycles,
    DelegatePmu,
    Derived,
    Etdump,
    Memory,
    Model,
    OperatorCycles,
    OperatorTime,
    Pmu,
    Pool,
    Prediction,
    Run,
    Runner,
    Tensor,
    Times,
)
from .status import concluded, stage_of, status_of
from .trust.repair import settle
from .trust.settled import Settled

if TYPE_CHECKING:
    from typing import Any

_POOLS = ("method", "temp", "planned_fast", "input_file", "etdump_outputs", "tensor_arena", "heap", "psram", "storage")


class Frozen(NamedTuple):
    """A run as it is reported, and what rules may ask besides."""

    run: Run
    evidence: Evidence
    completed: bool
    """Whether it did all that it is there for, as far as the log came."""


def freeze(draft: RunDraft, index: int, end: CaptureEnd = NOT_THERE) -> Frozen:
    """Make the `Run` number `index` of a draft; one that is still going on may be frozen again later."""
    whole = concluded(draft, end)
    draft = without_figures(whole) if whole.mixed else whole
    coming = draft.etdump.open is not None and not end.last  # a live run's block is decoded once it is there
    etdump = _etdump(draft) if (draft.etdump.blocks or draft.etdump.announced) and not coming else None
    settled = settle(summed(draft))
    status = status_of(draft, end)
    get = settled.figures.get
    pmu = Pmu(
        get("pmu.npu_cycles"),
        get("pmu.npu_cycles_per_inference"),
        _counters(settled),
        get("pmu.npu_cycles_min"),
        get("pmu.npu_cycles_max"),
        _delegates(draft),
    ).if_any()
    operators = tuple(OperatorCycles(name, total, per) for name, (total, per) in settled.operators.items())
    cycles = cycles_of(settled.figures, operators)
    run = Run(
        index=index,
        first_line=draft.first_line,
        last_line=draft.last_line,
        status=status,
        stage="complete" if status == "passed" else stage_of(draft),
        runner=_runner(settled),
        target=target_of(settled),
        model=Model(
            pte_bytes=get("model.pte_bytes"),
            loaded_bytes=get("model.loaded_bytes"),
            address=get("model.address"),
            magic=get("model.magic"),
            methods=get("model.methods"),
            method=get("model.method"),
            delegates=get("model.delegates"),
        ),
        memory=_memory(settled),
        cycles=cycles,
        pmu=pmu,
        times=Times(
            get("times.load_seconds"),
            get("times.inference_seconds"),
            tuple(OperatorTime(*operator) for operator in draft.host_operators),
            get("times.total_seconds"),
        ),
        derived=_derived(settled, cycles),
        outputs=_tensors(draft.outputs),
        inputs=_tensors(draft.inputs),
        predictions=tuple(Prediction(*prediction) for prediction in draft.predictions),
        bundleio=BundleIO(**draft.bundle) if {"result", "testset"} <= draft.bundle.keys() else None,
        etdump=etdump,
        lines=settled.lines,
        blocks=block_reports(draft),
    )
    return Frozen(run, whole.evidence(settled.doubts), whole.completed)


def _delegates(draft: RunDraft) -> tuple[DelegatePmu, ...]:
    names = draft.counter_names
    return tuple(
        DelegatePmu(
            index,
            known.get("backend"),
            known.get("npu"),
            known.get("cycles"),
            tuple(Counter(i, names[i] if i < len(names) else None, v) for i, v in sorted(known["counters"].items())),
        )
        for index, known in sorted(draft.delegates.items())
    )


def _etdump(draft: RunDraft) -> Etdump | None:
    """The ETDump of a run; its line, and doubts about it, become those of `draft`."""
    from .etdump.report import run_etdump  # only here: few logs hold a dump

    size = sum(block.size + block.complete for block in draft.etdump.blocks)
    if draft.etdump.decoded[0] != size:
        draft.etdump.decoded = size, run_etdump(draft.etdump.blocks, draft.etdump.announced)
    found = draft.etdump.decoded[1]
    if found is None:
        return None
    draft.odd, draft.lines = list(draft.odd), dict(draft.lines)
    for kind, line, text in found.notes:
        draft.doubt(kind, line, text)
    if found.report is not None:
        draft.mark("etdump", found.line)
    report: Etdump | None = found.report
    return report


def _runner(settled: Settled) -> Runner:
    from .release.identify import release_of  # only captures with a run need it

    kind = kind_of(settled.draft)
    release = release_of(settled.draft, kind)
    if release.line is not None:
        settled.lines["runner.executorch_version"] = release.line
    return Runner(kind, release.version, release.evidence)


def _memory(settled: Settled) -> Memory:
    get = settled.figures.get
    pools: dict[str, Pool] = {}
    for name in _POOLS:
        use = [get(f"memory.pools.{name}.{part}") for part in ("used_bytes", "free_bytes", "capacity_bytes")]
        if any(value is not None for value in use):
            pools[name] = Pool(*use)
    return Memory(
        pools=pools,
        planned_bytes=get("memory.planned_bytes"),
        loaded_bytes=get("memory.loaded_bytes"),
        input_bytes=get("memory.input_bytes"),
        executor_bytes=get("memory.executor_bytes"),
        planned_buffers=tuple(settled.planned_buffers.values()),
        heap_least_free_bytes=get("memory.heap_least_free_bytes"),
    )


def _counters(settled: Settled) -> tuple[Counter, ...]:
    if settled.mlek:
        events = enumerate(settled.draft.block.named_counters)
        return tuple(Counter(i, _pmu_name(name), settled.mlek[name]) for i, name in events if name in settled.mlek)
    names = settled.names
    return tuple(
        Counter(index, names[index] if index < len(names) else None, value)
        for index, value in sorted(settled.counters.items())
    )


def _pmu_name(event: str) -> str:
    return f"ETHOSU_PMU_NPU_{event}" if event in ("ACTIVE", "IDLE") else f"ETHOSU_PMU_{event}"


def _tensors(drafts: dict[int, TensorDraft]) -> tuple[Tensor, ...]:
    return tuple(Tensor(i, d.count, d.dtype, not d.is_whole, tuple(d.first)) for i, d in sorted(drafts.items()))


def _derived(settled: Settled, cycles: Cycles) -> dict[str, Derived]:
    derived = timed(settled.iterations)
    used: Any = settled.get("memory.pools.method.used_bytes")
    capacity: Any = settled.get("memory.pools.method.capacity_bytes")
    if used is not None and capacity:
        fields = ("memory.pools.method.used_bytes", "memory.pools.method.capacity_bytes")
        derived["method_pool_use_percent"] = Derived(round(100 * used / capacity, 2), "percent", fields)
    place, npu_operator = next(
        ((i, o.cycles) for i, o in enumerate(cycles.operators) if o.name == "ethos-u"), (0, None)
    )
    if npu_operator is not None and cycles.inference is not None and 0 < npu_operator <= cycles.inference:
        fields = ("cycles.inference", f"cycles.operators.{place}")
        derived["cpu_cycles_outside_delegate"] = Derived(cycles.inference - npu_operator, "cycles", fields)
    return derived
